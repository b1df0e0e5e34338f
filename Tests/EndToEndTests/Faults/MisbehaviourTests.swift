import DexTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary against relays and nodes that fail in every way that we know.
@Suite("Relays and nodes that misbehave")
struct MisbehaviourTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// A read, a trade and an order; all three need relay and node.
    private static let commands = [
        ["orderbook", "ZRX/WETH"],
        ["market-buy", "--via", "book", "ZRX/WETH", "1", "--yes"],
        ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--yes"],
    ]

    /// bob has approved both tokens: nothing but the trade itself would be sent.
    ///
    /// - Parameter isQuiet: of a server that says nothing, nothing is to be waited for; the other one
    ///   has to answer within that time.
    private static func everywhere(
        _ node: String,
        _ relay: String,
        isQuiet: Bool = false
    ) -> [String] {
        [
            "--wallet", "bob", "--timeout", isQuiet ? "8" : "600", "--rpc", node, "--relay", relay,
        ]
    }

    /// How many commands are under way at once; most of their time is waiting.
    private static let concurrency = 10

    /// Runs the body for each, some at once.
    private func each<Case: Sendable>(
        _ cases: [Case],
        _ body: @escaping @Sendable (Case) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, one) in cases.enumerated() {
                if index >= Self.concurrency { try await group.next() }
                group.addTask { try await body(one) }
            }
            try await group.waitForAll()
        }
    }

    @Test("a node's failure of any kind ends with 4 and a sentence, and nothing is signed")
    func nodes() async throws {
        try await dex.withSandbox { sandbox in
            let cases = (Misbehaviour.common + Misbehaviour.nodes).flatMap { misbehaviour in
                // From the first request on, or only once the command is on its way.
                [0, 1].flatMap { first in
                    Self.commands.map { (misbehaviour: misbehaviour, first: first, command: $0) }
                }
            }
            try await each(cases) { misbehaviour, first, command in
                let node = try Interposer(before: sandbox.rpc) { request, number in
                    number < first ? .pass : .take { misbehaviour.serve($0, request) }
                }
                try await check(
                    command,
                    node: node,
                    relay: try Interposer(before: sandbox.relay) { _, _ in .pass },
                    "a node: \(misbehaviour.name), after \(first)",
                    codes: misbehaviour.codes.map { "node-\($0)" } + ["exchange-nonsense"],
                    misbehaviour
                )
            }
        }
    }

    @Test("a relay's failure of any kind ends with 4 and a sentence, and nothing is signed")
    func relays() async throws {
        try await dex.withSandbox { sandbox in
            let cases = (Misbehaviour.common + Misbehaviour.relays).flatMap { misbehaviour in
                Self.commands.map { (misbehaviour: misbehaviour, command: $0) }
            }
            try await each(cases) { misbehaviour, command in
                let relay = try Interposer(before: sandbox.relay) { request, _ in
                    .take { misbehaviour.serve($0, request) }
                }
                try await check(
                    command,
                    node: try Interposer(before: sandbox.rpc) { _, _ in .pass },
                    relay: relay,
                    "a relay: \(misbehaviour.name)",
                    codes: misbehaviour.codes.map { "relay-\($0)" },
                    misbehaviour
                )
            }
        }
    }

    private func check(
        _ command: [String],
        node: Interposer,
        relay: Interposer,
        _ what: String,
        codes: [String],
        _ misbehaviour: Misbehaviour
    ) async throws {
        let run = try await dex.run(
            command + ["--json"]
                + Self.everywhere(node.url, "\(relay.url)/v0", isQuiet: misbehaviour.isQuiet)
        )
        let story: Comment = "\(what): \(command[0]): \(run.status) \(run.stdout) \(run.stderr)"
        // What the relay says when it is asked about an order of ours is said of the order.
        let refuses = command[0] == "place-limit" && codes.contains("relay-refused")
        let isRefused = refuses && run.status == 7
        #expect(run.status == (isRefused ? 7 : 4), story)
        #expect(!node.methods.contains("eth_sendRawTransaction"), story)
        #expect(relay.postedOrders == 0, story)
        let envelope = try run.json()
        #expect(envelope["schema"] == "dex/2", story)
        #expect(envelope["command"]?.stringValue == command[0], story)
        #expect(envelope["status"] == "error", story)
        #expect(envelope["exitCode"] == .integer(run.status), story)
        let error = try #require(envelope["error"], story)
        let code = try #require(error["code"]?.stringValue, story)
        #expect(codes.contains(code), story)
        #expect(
            error["retryable"]?.boolValue
                == (code.hasSuffix("-unreachable") && !misbehaviour.isPermanent
                    || code.hasSuffix("-rate-limited")),
            story
        )
        let message = try #require(error["message"]?.stringValue, story)
        #expect(message.hasSuffix("."), story)
        #expect(message.count <= 500, story)
        #expect(run.stderr.hasPrefix("error: \(message)\n"), story)
        for text in [message, error["hint"]?.stringValue ?? "", run.stderr] {
            #expect(Self.isPlain(text), story)
        }
    }

    /// Nothing in it that a terminal takes for a command, but line ends.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n"
            case .format, .lineSeparator, .paragraphSeparator, .privateUse: false
            default: true
            }
        }
    }

    @Test("whatever is not there ends with 4")
    func down() async throws {
        try await dex.withSandbox { sandbox in
            let nowhere = "http://127.0.0.1:\(try ScriptedServer.closedPort())"
            for (rpc, relay, code) in [
                (nowhere, sandbox.relay, "node-unreachable"),
                (sandbox.rpc, "\(nowhere)/v0", "relay-unreachable"),
            ] {
                for command in Self.commands {
                    let run = try await dex.run(
                        command + ["--json"] + Self.everywhere(rpc, relay)
                    )
                    #expect(run.status == 4, "\(command): \(run.stderr)")
                    #expect(try run.json()["error"]?["code"]?.stringValue == code)
                    #expect(try run.json()["error"]?["retryable"] == true)
                }
            }
        }
    }

    @Test("a node of another chain ends with 3 and names both chains")
    func otherChain() async throws {
        try await dex.withSandbox { sandbox in
            let node = try Interposer(before: sandbox.rpc) { request, _ in
                let text = String(decoding: request.body, as: UTF8.self)
                guard text.contains("eth_chainId"), let json = try? JSONParser.parse(request.body)
                else { return .pass }
                let answers = (json.arrayValue ?? [json]).map {
                    #"{"jsonrpc":"2.0","id":\#($0["id"]?.numberText ?? "0"),"result":"0x1"}"#
                }
                let body =
                    json.arrayValue == nil
                    ? answers.joined() : "[\(answers.joined(separator: ","))]"
                return .take { $0.write(ScriptedAnswer(body: body).bytes) }
            }
            let relay = try Interposer(before: sandbox.relay) { _, _ in .pass }
            for command in Self.commands {
                let run = try await dex.run(
                    command + ["--json"] + Self.everywhere(node.url, "\(relay.url)/v0")
                )
                #expect(run.status == 3, "\(command): \(run.stderr)")
                let error = try #require(try run.json()["error"])
                #expect(error["code"] == "wrong-chain")
                let message = try #require(error["message"]?.stringValue)
                #expect(message.contains("1337") && message.contains(" 1"), "\(message)")
                #expect(!node.methods.contains("eth_sendRawTransaction"))
                #expect(relay.postedOrders == 0)
            }
        }
    }

    @Test("orders with amounts beyond 256 bits are dropped and told; nothing is bought of them")
    func hugeOrders() async throws {
        try await dex.withSandbox { sandbox in
            let relay = try Interposer(before: sandbox.relay) { request, _ in
                guard request.method == "GET" else { return .pass }
                return .take { connection in
                    let order = Self.hugeOrder
                    let body =
                        request.target.contains("/orderbook")
                        ? #"{"bids":[],"asks":[\#(order)]}"# : "[\(order)]"
                    connection.write(ScriptedAnswer(body: body).bytes)
                }
            }
            let node = try Interposer(before: sandbox.rpc) { _, _ in .pass }
            let options = ["--json"] + Self.everywhere(node.url, "\(relay.url)/v0")
            let book = try await dex.run(["orderbook", "ZRX/WETH"] + options)
            #expect(book.status == 0, "\(book.stderr)")
            let data = try #require(try book.json()["data"])
            #expect(data["asks"]?.arrayValue?.isEmpty == true)
            #expect(data["dropped"]?.arrayValue?.count == 1)
            let bought = try await dex.run(
                ["market-buy", "--via", "book", "ZRX/WETH", "1", "--yes"] + options
            )
            #expect(bought.status == 6, "\(bought.stderr)")
            #expect(!node.methods.contains("eth_sendRawTransaction"))
        }
    }

    private static let hugeOrder = """
        {"exchangeContractAddress":"0x12459c951127e0c374ff9105dda097662a027093",\
        "maker":"0x1111111111111111111111111111111111111111",\
        "taker":"0x0000000000000000000000000000000000000000",\
        "makerTokenAddress":"0xe41d2489571d322189246dafa5ebde1f4699f498",\
        "takerTokenAddress":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",\
        "feeRecipient":"0x0000000000000000000000000000000000000000",\
        "makerTokenAmount":"1\(String(repeating: "0", count: 80))","takerTokenAmount":"2000",\
        "makerFee":"0","takerFee":"0","expirationUnixTimestampSec":"1900000000","salt":"7",\
        "ecSignature":{"v":27,"r":"0x\(String(repeating: "1", count: 64))",\
        "s":"0x\(String(repeating: "2", count: 64))"}}
        """
}
