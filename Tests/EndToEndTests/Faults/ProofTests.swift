import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary with `proofs = true`, before nodes that lie about single values of the state.
@Suite("What a signature rests on is proven: the binary")
struct ProofTests {
    private static let config = """
        [trade]
        receipt_timeout = 1
        [networks.sandbox]
        proofs = true

        """

    /// A text without its line breaks.
    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A purchase before two nodes.
    private static func buy(
        _ sandbox: TestSandbox,
        _ trader: FaultTrader,
        _ first: Interposer,
        _ second: Interposer?,
        config: String = config,
        _ words: [String] = ["--json"]
    ) async throws -> (run: DexBinary.Run, dex: DexBinary) {
        let dex = try DexBinary()
        try dex.write(config: config)
        let run = try await dex.run(
            NodeLie.buy + [
                "--yes", "--network", "sandbox", "--relay", sandbox.relay, "--rpc", first.url,
            ]
                + (second.map { ["--rpc", $0.url] } ?? []) + words,
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
        return (run, dex)
    }

    @Test("a purchase says what is proven, by whose header, and takes at most two requests more")
    func honest() async throws {
        try await DexBinary().withSandbox { sandbox in
            let traders = try await sandbox.traders(0..<4)
            func node() throws -> Interposer {
                try Interposer(before: sandbox.rpc) { _, _ in .pass }
            }
            let plain = try node()
            let off = Self.config.replacing("proofs = true", with: "proofs = false")
            let before = try await Self.buy(sandbox, traders[0], plain, try node(), config: off)
            #expect(before.run.status == 0, "\(before.run.stderr)")
            #expect(!plain.methods.contains("eth_getProof"))
            let (first, second) = (try node(), try node())
            let (run, _) = try await Self.buy(sandbox, traders[1], first, second)
            #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
            let sent = try run.json()["data"]?["transactions"]?.arrayValue?.last
            let proof = try #require(sent?["changes"]?["proof"], "\(run.stdout)")
            #expect(proof["complete"] == true, "\(proof.text)")
            #expect(proof["nodes"]?.arrayValue?.count == 2)
            #expect(proof["unproven"]?.arrayValue?.isEmpty == true)
            #expect(proof["failure"]?.isNull == true)
            #expect(first.methods.contains("eth_getProof"))
            // The plan may ask once more or less, as blocks come.
            let more = first.requests.count - plain.requests.count
            #expect(more <= 2, "\(more)")
            let text = try await Self.buy(sandbox, traders[2], try node(), try node(), [])
            #expect(text.run.status == 0, "\(text.run.stderr)")
            let line = Self.words(text.run.stdout)
            #expect(line.contains("Proven: "), "\(text.run.stdout)")
            #expect(line.contains("by a header that 2 nodes"), "\(text.run.stdout)")
            let one = try await Self.buy(sandbox, traders[3], try node(), nil, [])
            #expect(one.run.status == 0, "\(one.run.stderr)")
            #expect(
                Self.words(one.run.stdout).contains("that one node alone gives, and could invent"),
                "\(one.run.stdout)"
            )
        }
    }

    @Test("a node that lies about words is named with one of them: exit 4, and nothing is signed")
    func lies() async throws {
        try await DexBinary().withSandbox { sandbox in
            let lies = [
                NodeLie("words") { call in
                    call.method == "eth_getStorageAt"
                        ? call.answering("\"0x\(String(repeating: "0", count: 62))77\"") : nil
                },
                NodeLie("code") { call in
                    call.method == "eth_getCode" ? call.answering("\"0x6001\"") : nil
                },
            ]
            let traders = try await sandbox.traders(0..<lies.count)
            for (lie, trader) in zip(lies, traders) {
                let liar = try lie.node(before: sandbox.rpc)
                let honest = try Interposer(before: sandbox.rpc) { _, _ in .pass }
                let (run, dex) = try await Self.buy(sandbox, trader, liar, honest)
                let story: Comment = "\(lie.name): \(run.status) \(run.stdout) \(run.stderr)"
                #expect(run.status == 4, story)
                let error = try run.json()["error"]
                #expect(error?["code"] == "node-lied", story)
                let message = error?["message"]?.stringValue ?? ""
                #expect(message.hasPrefix("\(liar.url) says that "), story)
                #expect(message.contains("a header that 2 nodes give proves"), story)
                #expect(!liar.methods.contains("eth_sendRawTransaction"), story)
                #expect(!honest.methods.contains("eth_sendRawTransaction"), story)
                #expect(try sandbox.sent(by: trader).mined == 0, story)
                let log = dex.home.appending(path: "audit.jsonl").path
                #expect(!FileManager.default.fileExists(atPath: log), story)
            }
        }
    }

    @Test("nodes without eth_getProof, or with proofs that are none, leave it unproven")
    func unproven() async throws {
        try await DexBinary().withSandbox { sandbox in
            let nodes = [
                NodeLie("none") { call in
                    call.method == "eth_getProof" ? call.failing("no such method") : nil
                },
                NodeLie("cut") { call in
                    call.method == "eth_getProof"
                        ? call.answering(with: ["accountProof": []]) : nil
                },
            ]
            let traders = try await sandbox.traders(0..<nodes.count)
            for (node, trader) in zip(nodes, traders) {
                let (run, _) = try await Self.buy(
                    sandbox,
                    trader,
                    try node.node(before: sandbox.rpc),
                    try node.node(before: sandbox.rpc)
                )
                let story: Comment = "\(node.name): \(run.stdout) \(run.stderr)"
                #expect(run.status == 0, story)
                let sent = try run.json()["data"]?["transactions"]?.arrayValue?.last
                let proof = try #require(sent?["changes"]?["proof"], story)
                #expect(proof["complete"] == false, story)
                #expect(proof["failure"]?.stringValue?.isEmpty == false, story)
                #expect(proof["unproven"]?.arrayValue?.isEmpty == false, story)
            }
        }
    }

    @Test("a dry run and a limit order say what is proven, and refuse on a lie")
    func plansAndOrders() async throws {
        try await DexBinary().withSandbox { sandbox in
            let trader = try await sandbox.traders(0..<1)[0]
            func run(_ words: [String], _ first: Interposer) async throws -> DexBinary.Run {
                let dex = try DexBinary()
                try dex.write(config: Self.config)
                let second = try Interposer(before: sandbox.rpc) { _, _ in .pass }
                return try await dex.run(
                    words + [
                        "--network", "sandbox", "--relay", sandbox.relay, "--rpc", first.url,
                        "--rpc", second.url,
                    ],
                    environment: ["DEX_PRIVATE_KEY": trader.key]
                )
            }
            for words in [
                NodeLie.buy + ["--dry-run"], NodeLie.limit + ["--dry-run"],
                NodeLie.limit + ["--yes"],
            ] {
                let honest = try Interposer(before: sandbox.rpc) { _, _ in .pass }
                let shown = try await run(words + ["--json"], honest)
                let isDry = words.last == "--dry-run"
                #expect(shown.status == (isDry ? 30 : 0), "\(shown.stdout) \(shown.stderr)")
                let proof = try #require(shown.json()["proof"], "\(shown.stdout)")
                #expect(proof["complete"] == true, "\(proof.text)")
                #expect(proof["nodes"]?.arrayValue?.count == 2, "\(proof.text)")
                let text = try await run(words, honest)
                #expect(Self.words(text.stdout).contains("by a header that 2 nodes"), "\(text)")

                let liar = try NodeLie("words") { call in
                    call.method == "eth_getStorageAt"
                        ? call.answering("\"0x\(String(repeating: "0", count: 62))77\"") : nil
                }.node(before: sandbox.rpc)
                let refused = try await run(words + ["--json"], liar)
                #expect(refused.status == 4, "\(refused.stdout)")
                #expect(try refused.json()["error"]?["code"] == "node-lied", "\(refused.stdout)")
            }
        }
    }

    @Test("network add writes the setting, and doctor says which nodes give proofs")
    func commands() async throws {
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let added = try await dex.run(
                "network add mine --chain-id 1337 --exchange",
                "0x12459C951127e0c374FF9105DdA097662A027093 --rpc \(sandbox.rpc) --proofs --json"
            )
            #expect(added.status == 0, "\(added.stderr)")
            #expect(try added.json()["data"]?["proofs"] == true)
            #expect(try dex.config().contains("proofs = true"))
            let lacking = try NodeLie("none") { call in
                call.method == "eth_getProof" ? call.failing("no such method") : nil
            }.node(before: sandbox.rpc)
            func found(_ words: String) async throws -> (status: JSONValue?, text: String) {
                let doctor = try await dex.run("doctor --json \(words)").json()
                let row = (doctor["data"]?["checks"]?.arrayValue ?? []).first {
                    $0["check"] == "proofs"
                }
                return (row?["status"], row?["found"]?.stringValue ?? doctor.text)
            }
            let on = try await found("--network mine --rpc \(sandbox.rpc) --rpc \(lacking.url)")
            #expect(on.status == "ok", "\(on.text)")
            #expect(on.text.hasPrefix("Proofs are on. 1 of 2 nodes give them"), "\(on.text)")
            #expect(on.text.contains("\(lacking.url): "), "\(on.text)")
            let none = try await found("--network mine --rpc \(lacking.url)")
            #expect(none.status == "warn", "\(none.text)")
            let off = try await found("--network sandbox")
            #expect(off.text == "Proofs are off. 1 of 1 node gives them (eth_getProof).")
        }
    }

    @Test("the setting is true or false, and shown")
    func setting() async throws {
        let dex = try DexBinary()
        let set = try await dex.run("config set networks.mainnet.proofs true")
        #expect(set.status == 0, "\(set.stderr)")
        let get = try await dex.run("config get networks.mainnet.proofs --network mainnet")
        #expect(get.stdout == "true\n", "\(get.stdout) \(get.stderr)")
        let list = try await dex.run("network list --json").json()["data"]?["networks"]
        let mainnet = list?.arrayValue?.first { $0["name"] == "mainnet" }
        #expect(mainnet?["proofs"] == true)
        for bad in ["yes", "1", "TRUE"] {
            let run = try await dex.run("config set networks.mainnet.proofs \(bad)")
            #expect(run.status == 2, "\(bad)")
            #expect(run.stderr.contains("true or false"), "\(run.stderr)")
        }
    }
}
