import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Glibc

/// `dex mcp`: the tools of a model.
struct MCPCommand: DexCommand {
    static var answer: Answer? { nil }
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve a model: tools of the Model Context Protocol that look, plan and trade.",
        discussion: """
            Speaks JSON-RPC on standard input and output, until the input ends. The program that \
            runs the model starts it; docs/agents.md has its settings. --network and --wallet hold for the life \
            of the server: no tool changes them.

            Without a person a model trades only within the table [mcp] of policy.toml, which \
            names networks, and max_per_trade and max_per_day of each token that may leave. \
            What is beyond waits for `dex approve`.
            """
    )
    static let examples: Examples = [
        "As a host starts it: it may look, and no more": "dex mcp",
        "It may plan too, for one account of the sandbox": "dex mcp --allow plan -w alice",
    ]

    @Option(help: "What the model may do; each word has all before it.")
    var allow = ToolRing.look

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if options.saysYes || options.isDryRun {
            throw ValidationError(
                "dex mcp takes no yes from anybody, and plans move nothing: leave --yes and --dry-run "
                    + "out."
            )
        }
        if options.isJSON {
            throw ValidationError("dex mcp speaks a protocol of its own: leave --json out.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        guard isatty(STDIN_FILENO) == 0 else { throw MCPError.needsClient }
        let host = try ToolHost(context, allow)
        let settings = try context.settings()
        let rules = try context.policyFile()
        // A fault in it is told before a model begins.
        _ = try rules.policy(try context.network(settings), among: try settings.networks())
        let tools = ToolTable(ring: allow, hasLimits: rules.hasAgentLimits)
        context.liftBudget()
        let console = context.console
        await MCPServer(tools, host, console.interruption) { console.detail($0) }.run()
        return context.finished()
    }
}

extension ToolRing: ExpressibleByArgument {}
