import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary with `quorum = 2`, before an honest node and one that lies in every way that we
/// know; docs/security.md has the table.
@Suite("Two nodes that must agree, one of which lies")
struct QuorumTests {
    /// How many commands are under way at once; most of their time is waiting.
    private static let concurrency = 6
    private static let page = PythonEnvironment.root.appending(path: "docs/security.md")

    /// A row of the table of docs/security.md.
    private struct Row: Hashable {
        let name: String
        let command: String
        let exit: Int32
        let code: String
        /// What the message names, but for the nodes.
        let about: String
    }

    /// The rows between the heading and the next one, by the name of the lie.
    private static func rows() throws -> [Row] {
        let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
        let section = try #require(text.components(separatedBy: "### Lying nodes\n").last)
        return section.components(separatedBy: "\n#")[0].split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let exit = Int32(cells[2]) else { return nil }
            let plain = cells.map { $0.replacing("`", with: "") }
            return Row(
                name: plain[0],
                command: plain[1],
                exit: exit,
                code: plain[3],
                about: plain[4]
            )
        }
    }

    @Test("the table of docs/security.md has every lie of the tests, in their order")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.name) == NodeLie.all.map(\.name))
        #expect(rows.map(\.command) == NodeLie.all.map { $0.command[0] })
    }

    @Test("each lie ends as the table says, and nothing is signed unless it says so")
    func lies() async throws {
        let rows = Dictionary(try Self.rows().map { ($0.name, $0) }) { first, _ in first }
        try await DexBinary().withSandbox { sandbox in
            let lies = NodeLie.all
            let traders = try await sandbox.traders(0..<lies.count)
            await withTaskGroup(of: Void.self) { group in
                for (index, lie) in lies.enumerated() {
                    if index >= Self.concurrency { await group.next() }
                    let trader = traders[index]
                    group.addTask {
                        do {
                            try await Self.check(lie, rows[lie.name], trader, sandbox)
                        } catch {
                            Issue.record(error, "\(lie.name)")
                        }
                    }
                }
            }
        }
    }

    private static let config = """
        [trade]
        receipt_timeout = 1
        [networks.sandbox]
        quorum = 2

        """

    private static func check(
        _ lie: NodeLie,
        _ row: Row?,
        _ trader: FaultTrader,
        _ sandbox: TestSandbox
    ) async throws {
        let dex = try DexBinary()
        try dex.write(config: config)
        let honest = try Interposer(before: sandbox.rpc) { _, _ in .pass }
        let liar = try lie.node(before: sandbox.rpc)
        let relay = try Interposer(before: sandbox.relay) { _, _ in .pass }
        let run = try await dex.run(
            lie.command + [
                "--yes", "--json", "--network", "sandbox", "--rpc", honest.url, "--rpc", liar.url,
                "--relay", "\(relay.url)/v0", "--timeout", lie.isQuiet ? "8" : "600",
            ],
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
        let story: Comment = "\(lie.name): \(run.status) \(run.stdout) \(run.stderr)"
        let row = try #require(row, story)
        #expect(run.status == row.exit, story)
        let error = try run.json()["error"]
        #expect((error?["code"]?.stringValue ?? "-") == row.code, story)
        let message = error?["message"]?.stringValue ?? ""
        if row.code == "nodes-disagree" {
            #expect(message.hasPrefix("The nodes disagree about \(row.about)"), story)
            #expect(message.contains("\(honest.url) says "), story)
            #expect(message.contains("\(liar.url) says "), story)
            #expect(message.count <= 700, story)
        } else if row.code == "too-few-nodes" {
            #expect(message.hasPrefix("2 nodes must agree, and only 1 can be used."), story)
            #expect(message.contains(liar.url), story)
        }
        // Only a lie about the outcome comes after a signature.
        let isSent =
            ["the outcome", "nothing"].contains(row.about) || row.about == "the receipt of"
        #expect(honest.methods.contains("eth_sendRawTransaction") == isSent, story)
        #expect(try sandbox.sent(by: trader).mined == (isSent ? 1 : 0), story)
        #expect(relay.postedOrders == 0, story)
        let log = dex.home.appending(path: "audit.jsonl").path
        #expect(FileManager.default.fileExists(atPath: log) == isSent, story)
        // Both were asked as often: no node's word was used alone.
        if row.exit == 0 {
            #expect(honest.requests.count == liar.requests.count, story)
            #expect(
                try run.json()["data"]?["outcome"]?["orders"]?.arrayValue?.isEmpty == false,
                story
            )
        }
    }

    // MARK: Settings

    @Test("fewer different nodes than must agree are refused with the command that mends it")
    func tooFew() async throws {
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let set = try await dex.run("config set networks.sandbox.quorum 2")
            #expect(set.status == 0, "\(set.stderr)")
            let commands = [
                ["orderbook", "ZRX/WETH"], NodeLie.buy + ["--yes", "--wallet", "bob"],
                NodeLie.limit + ["--yes", "--wallet", "bob"],
            ]
            for command in commands {
                // The sandbox's own, another one, and the same one twice.
                for nodes in [
                    [], ["--rpc", sandbox.rpc], ["--rpc", sandbox.rpc, "--rpc", "\(sandbox.rpc)/"],
                ] {
                    let run = try await dex.run(command + nodes + ["--json"])
                    #expect(run.status == 3, "\(command): \(run.stderr)")
                    let error = try #require(try run.json()["error"])
                    #expect(error["code"] == "too-few-nodes")
                    #expect(
                        error["message"]
                            == "2 nodes of the network sandbox must agree, and only one is given."
                    )
                    #expect(error["hint"]?.stringValue?.contains("--rpc URL for each") == true)
                }
            }
            for bad in ["0", "10", "two"] {
                let run = try await dex.run("config set networks.sandbox.quorum \(bad)")
                #expect(run.status == 2, "\(bad): \(run.stderr)")
                #expect(run.stderr.contains("a whole number from 1 to 9"), "\(run.stderr)")
            }
        }
    }

    @Test("network add and list know how many must agree, and doctor looks whether they do")
    func commands() async throws {
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let second = try Interposer(before: sandbox.rpc) { _, _ in .pass }
            let words = [
                "network", "add", "mine", "--chain-id", "1337", "--exchange",
                "0x12459C951127e0c374FF9105DdA097662A027093", "--quorum", "2", "--rpc", sandbox.rpc,
            ]
            let alone = try await dex.run(words)
            #expect(alone.status == 3, "\(alone.stderr)")
            let added = try await dex.run(words + ["--rpc", second.url, "--json"])
            #expect(added.status == 0, "\(added.stderr)")
            #expect(try added.json()["data"]?["quorum"] == 2)
            #expect(!second.requests.isEmpty)
            let list = try await dex.run("network list")
            #expect(
                list.stdout.contains("AGREE") && list.stdout.contains(" 2 of 2"),
                "\(list.stdout)"
            )
            let doctor = try await dex.run("doctor --network mine --json").json()
            let rows = doctor["data"]?["checks"]?.arrayValue ?? []
            let row = try #require(rows.first { $0["check"] == "quorum" }, "\(doctor.text)")
            #expect(row["status"] == "ok")
            #expect(
                row["found"]?.stringValue?.hasPrefix("2 of 2 nodes agree on chain 1337") == true
            )
            let liar = try #require(NodeLie.all.first { $0.name == "another hash of the block" })
                .node(before: sandbox.rpc)
            let lied = try await dex.run(
                "doctor --network mine --rpc \(sandbox.rpc) --rpc \(liar.url) --json"
            ).json()
            let failed = (lied["data"]?["checks"]?.arrayValue ?? []).first {
                $0["check"] == "quorum"
            }
            #expect(failed?["status"] == "fail", "\(lied.text)")
            #expect(
                failed?["found"]?.stringValue?.contains("The nodes disagree about block") == true
            )
        }
    }
}
