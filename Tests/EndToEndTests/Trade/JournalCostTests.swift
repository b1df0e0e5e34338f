import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What never losing a trade costs: how often a purchase waits for the disk and for an answer.
///
/// The numbers are those of docs/journal.md; more must be on purpose.
@Suite("The cost of the journal")
struct JournalCostTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// A purchase that was sent and mined: what it asked, and each wait for the disk by its file,
    /// with the broadcast and the receipts among them.
    private struct Purchase {
        let node: [[String]]
        let relay: [String]
        let waits: [String]
    }

    private func purchase(_ sandbox: TestSandbox, _ words: String...) async throws -> Purchase {
        let node = try Interposer(before: sandbox.rpc) { _, _ in .pass }
        let relay = try Interposer(before: sandbox.relay) { _, _ in .pass }
        let path = try #require(URL(string: sandbox.relay)?.path)
        let trace = dex.home.appending(path: "trace-\(UUID().uuidString)").path
        let run = try await dex.run(
            ["market-buy", "--via", "book", "ZRX/WETH", "5", "--wallet", "bob"]
                + ["--yes", "--json"] + words + ["--rpc", node.url, "--relay", relay.url + path],
            environment: [:],
            under: ["/usr/bin/strace"]
                + SystemCallTrace.arguments(output: trace, traced: SystemCallTrace.syncs),
            program: DexBinary.executable.path
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
        let calls = try SystemCallTrace(contentsOf: trace).calls
        var waits: [String] = []
        for wait in try calls.compactMap(wait) {
            // A request is written once more where its connection was closed meanwhile.
            if wait == waits.last, wait == Self.broadcast || wait == Self.receipt { continue }
            waits.append(wait)
        }
        return Purchase(
            node: node.requests.map(\.methods).filter { !Self.isState($0) },
            relay: relay.requests.map { "\($0.method) \($0.target.prefix { $0 != "?" })" },
            waits: waits
        )
    }

    private static let broadcast = "BROADCAST"
    private static let receipt = "RECEIPT"

    /// nil for what has nothing to do with it.
    private func wait(_ call: SystemCallTrace.Call) throws -> String? {
        // At a process's end there are lines that are no calls.
        guard SystemCallTrace.syncs.contains(call.name) else { return nil }
        if call.name.hasPrefix("send") {
            let sent = call.texts.map { String(decoding: $0, as: UTF8.self) }.joined()
            if sent.contains("eth_sendRawTransaction") { return Self.broadcast }
            return sent.contains("eth_getTransactionReceipt") ? Self.receipt : nil
        }
        // The descriptor, with its path.
        let path = String(decoding: try #require(call.texts.first, "\(call.line)"), as: UTF8.self)
        return path.split(separator: "/").last.map(String.init)
    }

    /// The second half of the last check, which goes beside the first: the state for the run before
    /// the signature.
    private static func isState(_ methods: [String]) -> Bool {
        methods.contains("eth_getStorageAt") && !methods.contains("eth_estimateGas")
    }

    @Test("a purchase asks 11 times one after another, and waits 13 times for the disk")
    func purchase() async throws {
        try await dex.withSandbox { sandbox in
            // Makes the journal and the allowance.
            _ = try await purchase(sandbox, "--approve", "unlimited")
            for _ in 0..<2 {
                let usual = try await purchase(sandbox)
                let asked = usual.node.map { methods in
                    [
                        "eth_sendRawTransaction", "eth_getTransactionReceipt", "eth_estimateGas",
                        "eth_feeHistory", "eth_chainId", "eth_call",
                    ].first { methods.contains($0) } ?? "\(methods)"
                }
                #expect(
                    Array(asked.prefix(4)) == [
                        // The head and fees, the book's state, the simulation.
                        "eth_feeHistory", "eth_call", "eth_estimateGas",
                        // Earlier transactions.
                        "eth_chainId",
                    ]
                )
                // The last look and the head, at the same time; then the book's state again.
                #expect(
                    Set(asked.dropFirst(4).prefix(3)) == [
                        "eth_estimateGas", "eth_feeHistory", "eth_call",
                    ]
                )
                #expect(
                    Array(asked.dropFirst(7)) == [
                        // No node knows what is signed; then the broadcast.
                        "eth_getTransactionReceipt", "eth_sendRawTransaction",
                        // The receipt, and whether its block is canonical.
                        "eth_getTransactionReceipt", "eth_getTransactionReceipt",
                        // The balances around it: what arrived.
                        "eth_call",
                    ]
                )
                #expect(usual.relay == ["GET /v0/orderbook", "GET /v0/orderbook"])
                #expect(
                    usual.waits == [
                        // What was confirmed, in a new write-ahead log; the nonce.
                        "journal.sqlite-wal", "sandbox", "journal.sqlite-wal",
                        "journal.sqlite-wal",
                        // What is to be signed, and that it was.
                        "audit.jsonl", "audit.jsonl",
                        // No node knows it yet.
                        Self.receipt,
                        // The signed bytes; nothing leaves before.
                        "journal.sqlite-wal", Self.broadcast,
                        // That a node took it.
                        "journal.sqlite-wal", Self.receipt,
                        // What arrived.
                        "journal.sqlite-wal",
                        // The receipt with its fills; how the command ended; the log is put away.
                        "journal.sqlite-wal", "journal.sqlite-wal",
                        "journal.sqlite-wal", "journal.sqlite",
                    ]
                )
            }
        }
    }

    @Test("a price that is told and a first approval cost no further question each")
    func more() async throws {
        try await dex.withSandbox { sandbox in
            let first = try await purchase(sandbox, "--approve", "unlimited")
            let usual = try await purchase(sandbox)
            let priced = try await purchase(sandbox, "--priority", "high", "--max-fee", "90.5")
            // Of two that go at the same time either comes first.
            func asked(_ run: Purchase) -> [String] { run.node.compactMap(\.first).sorted() }
            #expect(asked(priced) == asked(usual))
            #expect(priced.relay == usual.relay)
            #expect(priced.waits == usual.waits)
            // With nothing earlier there is nothing to ask about it.
            #expect(first.node.count == usual.node.count - 1)
        }
    }
}
