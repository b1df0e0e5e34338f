import DexCore
import DexTerminal

/// A book of one kind that `dex orderbook --watch` shows whenever it changed.
struct OrderbookWatching<Book: Sendable>: Sendable {
    /// The rows a side that the user asked for.
    let depth: Int?
    /// Rows a side where the output is no screen.
    let rows: Int?
    /// Loads books until `show` returns false or the task is cancelled.
    let follow:
        @Sendable (
            _ depth: Int?,
            _ show: @escaping @Sendable (Book) async -> Bool
        ) async throws -> Void
    let lines: @Sendable (Book, Screen) -> [String]
    let report: @Sendable (Book) async -> CommandReport

    /// Rows a side that are read for a screen of any height.
    private static var maximumRows: Int { 200 }

    /// On a terminal the books take the whole screen, elsewhere they stand one below the other.
    func run(pair: String, _ context: CommandContext) async throws -> CommandReport {
        context.liftBudget()
        let console = context.console
        let onScreen: Void? = try await console.withFullScreen { screen in
            screen.show { _, _ in ["reading the book of \(pair)"] }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await follow(depth ?? Self.maximumRows) { state in
                        screen.show { columns, rows in
                            let screen = console.screen(columns: columns, rows: rows)
                            return context.staleness(screen) + lines(state, screen)
                        }
                        return true
                    }
                }
                group.addTask { for await _ in screen.leaving { return } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        if onScreen == nil {
            try await follow(rows) { state in context.emit(await report(state)) }
        }
        // No reader is left, `q`, or Ctrl-C: the normal end of watching.
        return context.finished()
    }
}
