import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// Which rows a list shows, in which order and form.
struct ListOptions<Command: ListingCommand>: ParsableArguments, Sendable {
    @Option(help: .of("key", "Sort the rows."))
    var sort: SortName<Command>?

    @Flag(help: "The last row first.")
    var reverse = false

    @Option(help: .of("n", "The most rows."))
    var limit: Int?

    @Flag(help: "Print the rows as CSV (RFC 4180).")
    var csv = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    /// - Parameters:
    ///   - usualSort: the key without `--sort`; nil keeps the order of the rows.
    ///   - usualLimit: without `--limit`; nil is all.
    func selection(
        sort usualSort: String? = nil,
        limit usualLimit: Int? = nil
    ) -> ListSelection<Command.Row> {
        ListSelection(
            sort: (sort ?? usualSort.flatMap(SortName.init(argument:)))?.key,
            isReversed: reverse,
            limit: limit ?? usualLimit
        )
    }
}

/// The name of a key of `--sort`, of those that the fields of a list have.
struct SortName<Command: ListingCommand>: ExpressibleByArgument, Sendable {
    let key: SortKey<Command.Row>

    init?(argument: String) {
        guard let key = Command.rows.sorts.first(where: { $0.name == argument }) else {
            return nil
        }
        self.key = key
    }

    static var allValueStrings: [String] { Command.rows.sorts.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { key.name }
}

/// The side of rows that buy or sell BASE.
struct SideOption: ParsableArguments, Sendable {
    @Option(help: "Only rows that buy BASE, or only those that sell it.")
    var side: TradeSide?
}

/// A command whose result is a list.
protocol ListingCommand: DexCommand {
    associatedtype Row

    /// The fields of its rows: they have its columns and the keys of its `--sort`.
    static var rows: Fields<Row> { get }
    var list: ListOptions<Self> { get }
}

extension ListingCommand {
    func validate() throws { try checkForm() }

    /// - Throws: `ValidationError` if the rows are wished in two forms.
    func checkForm() throws {
        if list.csv, options.isJSON {
            throw ValidationError("--csv and --json exclude each other.")
        }
    }

    /// The report of the list: as JSON, as CSV or as text, each from one description.
    ///
    /// - Parameters:
    ///   - fields: describe the answer.
    ///   - table: the rows as CSV where the answer has several lists; nil for its one list.
    ///   - left: the number of rows beyond the limit.
    ///   - warnings: are in the text already.
    ///   - shown: of orders or transactions, if the list is one.
    func report<State>(
        _ context: CommandContext,
        _ fields: Fields<State>,
        _ state: State,
        table: CSV? = nil,
        left: Int,
        warnings: [String] = [],
        shown: ShownList? = nil,
        lines: @escaping @Sendable (Screen) -> [String]
    ) -> CommandReport {
        if list.csv { return CommandReport(csv: table ?? fields.table(state), warnings: warnings) }
        let data = options.isJSON ? fields(state) : .null
        var report = context.report(data, warnings: warnings, list: shown) { screen in
            lines(screen)
                + (left == 0
                    ? []
                    : screen.sentences(
                        "\(NumberText.count(left, "more row")): a higher --limit shows more.",
                        .dim
                    ))
        }
        report.isPaged = true
        return report
    }
}

extension CommandReport {
    /// Nothing but the table on stdout: a warning is no row.
    init(csv: CSV, warnings: [String]) {
        let lines = csv.lines
        self.init(data: .null, warnings: warnings) { _ in lines }
    }
}
