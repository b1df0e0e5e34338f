import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// Commands of one trader, in a home of its own, before a node with doubtful answers.
struct DoubtfulSendBench: Sendable {
    let sandbox: TestSandbox
    let trader: FaultTrader
    let command: DoubtfulCommand
    private let dex: DexBinary
    private let node: DoubtfulNode
    private let order: String

    /// - Parameter ask: the hash of an order that sells ZRX.
    init(
        sandbox: TestSandbox,
        trader: FaultTrader,
        ask: String,
        command: DoubtfulCommand
    ) throws {
        self.sandbox = sandbox
        self.trader = trader
        self.command = command
        order = command.needsOrder ? try sandbox.postOrder(of: trader).hex : ask
        dex = try DexBinary()
        try dex.write(config: "[trade]\nreceipt_timeout = 1\n")
        node = try DoubtfulNode(before: sandbox.rpc)
    }

    private struct Run: CustomStringConvertible {
        let run: DexBinary.Run
        let json: JSONValue

        var exit: Int32 { run.status }
        var code: String { json["error"]?["code"]?.stringValue ?? "" }
        var description: String { "exit \(exit) \(run.stdout) \(run.stderr)" }
    }

    private func run(_ words: [String]) async throws -> Run {
        let run = try await dex.run(
            words + [
                "--yes", "--json", "--network", "sandbox", "--rpc", node.url, "--relay",
                sandbox.relay, "--timeout", "600",
            ],
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
        return Run(run: run, json: try run.json())
    }

    /// Runs the command before a node that answers so, repeats it as a script does until it is told
    /// that it is done, and then asks an honest node what became of it.
    func check(_ answer: DoubtfulAnswer) async throws {
        var story = "\(command.rawValue): \(answer)"
        let waiting = command.needsWaiting ? try await wait(&story) : ""
        let words = command.words(order: order, transaction: waiting)
        node.begin(answer)
        var isDone = false
        for attempt in 0..<3 {
            let one = try await run(words)
            isDone = one.exit == 0
            story += "\n\(words[0]) \(attempt + 1): \(one)"
            #expect(one.exit != 1, "\(story)")
            // A first command under an error is in flight, or refused by words that prove it.
            if attempt == 0, one.exit != 0, command != .resume {
                let isRefusal = answer.words.contains(":")
                // 13: the node took the same bytes when it got them again, and then denied that.
                let isDenied = !answer.lasts && answer.shown != .atOnce
                let expected: [Int32] = [12] + (isRefusal ? [4] : []) + (isDenied ? [13] : [])
                #expect(expected.contains(one.exit), "\(story)")
            }
            if Self.isReported(one) { break }
        }
        try node.end()
        var mined = try minedHashes()
        #expect(mined.count <= 1, "done \(mined.count) times: \(story)")

        // The node is honest again: one more repeat, then what everything says of it.
        let again = try await run(words)
        story += "\nhonest: \(again)"
        _ = try await run(["resume"])
        mined = try minedHashes()
        // Whoever was told that it is done and runs it again means it.
        let effects = try sandbox.sent(by: trader).mined
        #expect(effects <= (isDone ? 2 : 1), "done \(effects) times: \(story)")
        try await checkAgreement(mined, story)
    }

    private static func isReported(_ run: Run) -> Bool {
        run.exit == 0 || run.exit == 6 || run.exit == 2
    }

    /// A purchase that the node said to have taken and did not pass on.
    private func wait(_ story: inout String) async throws -> String {
        node.begin(
            DoubtfulAnswer(
                words: "already known",
                code: -32_000,
                fate: .lost,
                shown: .atOnce,
                lasts: true
            )
        )
        let bought = try await run(["market-buy", "--via", "book", "ZRX/WETH", "0.1"])
        story += "\nwaiting: \(bought)"
        #expect(bought.exit == 13, "\(story)")
        let sent = bought.json["data"]?["transactions"]?.arrayValue?.last
        return try #require(sent?["hash"]?.stringValue, "\(story)")
    }

    /// All that left and is in a block.
    private func minedHashes() throws -> Set<String> {
        let hashes = FaultBench.transactions(in: node.requests).sorted()
        let receipts = try sandbox.receipts(of: hashes)
        return Set(zip(hashes, receipts).filter { !$1.isNull }.map(\.0))
    }

    /// `tx list`, `status`, `resume`, `doctor` and `history` say what the chain says.
    private func checkAgreement(_ mined: Set<String>, _ story: String) async throws {
        let list = try await run(["tx", "list", "--limit", "50"])
        for row in try #require(list.json["data"]?["transactions"]?.arrayValue, "\(list)") {
            let hash = try #require(row["hash"]?.stringValue)
            let isMined = mined.contains(hash)
            #expect((row["status"] == "mined") == isMined, "tx list: \(row.text) \(story)")
            let status = try await run(["status", hash])
            let reported = try #require(status.json["data"]?["hash"]?.stringValue, "\(status)")
            #expect(
                (status.json["data"]?["status"] == "mined") == mined.contains(reported),
                "status: \(status) \(story)"
            )
            // Of what was replaced it tells what took its place.
            let replaced = status.json["data"]?["replaces"]?.stringValue
            #expect(reported == hash || replaced == hash, "status: \(status) \(story)")
        }
        let resume = try await run(["resume"])
        #expect(
            resume.json["data"]?["items"]?.arrayValue?.isEmpty == true,
            "resume: \(resume) \(story)"
        )
        let doctor = try await run(["doctor"])
        let rows = doctor.json["data"]?["checks"]?.arrayValue ?? []
        let row = rows.first { $0["check"] == "transactions" }
        #expect(row?["status"] == "ok", "doctor: \(row?.text ?? doctor.description) \(story)")
        let history = try await run(["history"])
        for hash in mined where command.fills {
            #expect(history.run.stdout.contains(hash), "history: \(history) \(story)")
        }
    }
}

extension TestSandbox {
    /// The receipt of each transaction; null where it is in no block.
    func receipts(of hashes: [String]) throws -> [JSONValue] {
        try hashes.map { try call("eth_getTransactionReceipt", "\"\($0)\"") }
    }
}
