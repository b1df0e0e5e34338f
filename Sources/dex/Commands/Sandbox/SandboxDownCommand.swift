import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost
import StrictJSON

struct SandboxDownCommand: DexCommand {
    static var answer: Answer? { .sandboxDown }
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stop the sandbox; everything is kept for the next time."
    )
    static let examples: Examples = [
        "Stop it": "dex sandbox down",
        "Go on later": "dex sandbox up --detach",
    ]

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let folder = try context.sandboxFolder()
        guard let state = try await SandboxStop.running(in: folder) else {
            return CommandReport(
                data: ["stopped": false],
                lines: { _ in ["No sandbox is running."] }
            )
        }
        try await SandboxStop.stop(state, in: folder)
        return CommandReport(
            data: ["stopped": true, "pid": .integer(state.pid)],
            lines: { _ in
                [
                    state.leader == nil
                        ? "The sandbox (process \(state.pid)) is stopped."
                        : "The copy (process \(state.pid)) is stopped."
                ]
            }
        )
    }
}
