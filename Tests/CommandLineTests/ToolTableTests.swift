import DexCore
import DexTerminal
import Foundation
import StrictJSON
import Testing

@testable import DexCommandLine

/// The tools of `dex mcp`, and the command lines that they make.
@Suite("The tools of a model")
struct ToolTableTests {
    @Test("each ring lists its tools, the same bytes each time, and leaves room for the rest")
    func list() throws {
        let look = ToolTable(ring: .look, hasLimits: false)
        #expect(
            look.listed.map(\.name) == [
                "price", "orderbook", "pairs", "tokens", "chart", "balance", "orders", "why",
                "status", "history", "limits",
            ]
        )
        #expect(
            ToolTable(ring: .do, hasLimits: true).listed.map(\.name).suffix(5) == [
                "plan_trade", "plan_limit", "plan_cancel", "plans", "execute",
            ]
        )
        #expect(ToolTable(ring: .do, hasLimits: false).listed.map(\.name).last == "plans")
        for limits in [false, true] {
            #expect(ToolTable(ring: .look, hasLimits: limits).json.utf8 == look.json.utf8)
            for ring in ToolRing.allCases {
                let table = ToolTable(ring: ring, hasLimits: limits)
                #expect(table.listed.count <= 16)
                #expect(table.json.utf8.count <= 12 << 10, "\(table.json.utf8.count) bytes")
                // Each ring begins with those before it.
                #expect(Array(table.listed.map(\.name).prefix(11)) == look.listed.map(\.name))
            }
        }
        for tool in look.listed {
            #expect(tool.description.ring == .look)
            #expect(!tool.description.answer.data.schema.text.isEmpty)
        }
    }

    /// A host without settings, on the sandbox.
    private static func host(_ options: String...) throws -> ToolHost {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-tools-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let environment = ProcessEnvironment { ["DEX_HOME": folder, "HOME": folder][$0] }
        let command = try #require(
            TypedLine.parse(["mcp"] + options) as? MCPCommand
        )
        return try ToolHost(
            CommandContext(
                options: command.options,
                environment: environment,
                console: Console(
                    settings: command.options.output,
                    environment: environment,
                    interruption: Interruption()
                ),
                name: "mcp"
            )
        )
    }

    private static func call(_ host: ToolHost) throws -> ToolCall {
        ToolCall(
            arguments: try ToolArguments(JSONObject(), of: []),
            host: host,
            client: "test",
            progress: { _ in }
        )
    }

    @Test(
        "what a client gives is a value, never an option, wherever it stands",
        arguments: [
            "--wallet=bob", "-w", "-v", "--network=mainnet", "--yes", "-y", "--help", "--version",
            "--",
            "-", "--json", "@1", "\u{0}", "sandbox", "a b",
        ]
    )
    func values(_ given: String) throws {
        let call = try Self.call(Self.host("--wallet", "alice"))
        let (price, context) = try call.command(["price"], [given])
        #expect((price as? PriceCommand)?.pair == given)
        #expect(context.options.wallet == "alice" && context.options.network == "sandbox")
        #expect(!context.options.saysYes && !context.options.isVerbose)
        #expect(context.options.isJSON && !context.opensWallets)
        let (chart, _) = try call.command(["chart", "--since=\(given)"], ["ZRX/WETH"])
        #expect((chart as? ChartCommand)?.since == given)
        #expect((chart as? ChartCommand)?.svg == nil)
        let (orders, _) = try call.command(["orders", "--pair=\(given)"])
        #expect((orders as? OrdersCommand)?.pair == given)
        let (tokens, _) = try call.command(["tokens", "list"], [given])
        #expect((tokens as? TokensCommand.ListCommand)?.query == given)
    }

    @Test("the command has the options of the server, and a console that prints and asks nothing")
    func options() throws {
        let host = try Self.host(
            "--network",
            "mainnet",
            "-w",
            "0x0000000000000000000000000000000000000001",
            "--rpc",
            "http://a",
            "--rpc",
            "http://b",
            "--relay",
            "http://c",
            "--timeout",
            "7"
        )
        let (_, context) = try Self.call(host).command(["balance"])
        let options = context.options
        #expect(options.network == "mainnet" && options.timeout == 7)
        #expect(options.rpc == ["http://a", "http://b"] && options.relay == ["http://c"])
        #expect(options.wallet == "0x0000000000000000000000000000000000000001")
        #expect(context.name == "balance")
        #expect(!context.console.hasTerminal && context.console.terminal() == nil)
        #expect(!context.console.result("nothing is printed"))
        // As the process of `dex tokens`: the name in JSON.
        #expect(try Self.call(host).command(["tokens", "list"]).1.name == "tokens")
    }

    @Test("a command that does not take the arguments refuses them; a secret is not repeated")
    func refusals() throws {
        let call = try Self.call(Self.host())
        let wrong = #expect(throws: DexError.self) {
            try call.command(["price", "--side=buy"], ["ZRX/WETH"])
        }
        #expect(wrong?.code == "bad-arguments")
        let secret = String(repeating: "ab", count: 32)
        let refused = #expect(throws: DexError.self) { try call.command(["price"], [secret]) }
        #expect(refused?.code == "secret-argument")
        #expect(refused?.message.contains(secret.prefix(8)) == false)
    }
}
