import DexTerminal

/// A command that is a tool too: it only looks, and the tool answers its `data`.
protocol ToolCommand: DexCommand {
    static var tool: LookTool { get }
}

/// What a client is told of such a command, and how a call becomes its arguments.
struct LookTool: Sendable {
    /// The options of a call, of which some may be missing, and its operand, if there is one.
    typealias Line = @Sendable (ToolArguments) -> (options: [String?], operand: String?)

    fileprivate let name: String
    fileprivate let title: String
    fileprivate let about: String
    fileprivate let parameters: [ToolParameter]
    fileprivate let line: Line

    init(
        _ name: String,
        _ title: String,
        _ about: String,
        _ parameters: [ToolParameter] = [],
        _ line: @escaping Line
    ) {
        self.name = name
        self.title = title
        self.about = about
        self.parameters = parameters
        self.line = line
    }
}

extension Tool {
    /// The tools that only look, in the order in which a client sees them.
    static let looking: [Tool] = [
        Tool(PriceCommand.self), Tool(OrderbookCommand.self), Tool(PairsCommand.self),
        Tool(TokensCommand.ListCommand.self), Tool(ChartCommand.self), Tool(BalanceCommand.self),
        Tool(OrdersCommand.self), Tool(WhyCommand.self), Tool(StatusCommand.self),
        Tool(HistoryCommand.ListCommand.self),
    ]

    private init<Command: ToolCommand>(_ command: Command.Type) {
        let tool = Command.tool
        let words = CommandPath.words(of: command)
        self.init(
            description: ToolDescription(
                tool.name,
                tool.title,
                tool.about,
                ring: .look,
                parameters: tool.parameters,
                answer: Command.answer ?? Answer(.object([]))
            )
        ) { call in
            let (options, operand) = tool.line(call.arguments)
            return try await call.run(
                words + options.compactMap(\.self),
                [operand].compactMap(\.self)
            )
        }
    }
}

extension ToolParameter {
    static let pair = ToolParameter("pair", .pair, "BASE/QUOTE: symbols or addresses")
    static let limit = ToolParameter.optional("limit", .integer(1...1_000), "Most rows")
    static let since = ToolParameter.optional(
        "since",
        .text(maximum: 40),
        "2026-11-01, or how long ago: 7d"
    )
}

extension ToolArguments {
    /// An option of a command, of the same name.
    func option(_ name: String) -> String? {
        text(name).map { "--\(name)=\($0)" }
    }

    func number(_ name: String) -> String? {
        integer(name).map { "--\(name)=\($0)" }
    }
}
