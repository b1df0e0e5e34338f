import Ethereum
import EthereumWallet
import Glibc
import Logging
import Testing
import ZeroEx

@testable import DexRelay

/// What a post costs beside the recovery of its signature; run by hand with DEX_MEASURE_POSTS=1.
@Suite(.serialized, .enabled(if: getenv("DEX_MEASURE_POSTS") != nil))
struct PostThroughputTests {
    private static let count = 8_000
    private static let clients = 1_000

    /// Seconds of processor time of this process.
    private func processorTime() -> Double {
        Double(clock()) / 1e6
    }

    @Test("posts of a thousand clients, durable in an SQLite file")
    func throughput() async throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let fixture = try RelayFixture(storePath: "\(folder)/posts.sqlite") {
            $0.maximumOrdersOfMaker = .max
        }
        let signed = try await fixture.orders(Self.count)
        // A server hashes what it reads; here the hash is done once, when the order is signed.
        let exchangeProtocol = ZeroExV1()
        let before = processorTime()
        for order in signed {
            try exchangeProtocol.verify(
                order,
                exchange: RelayFixture.exchange,
                recoverer: Secp256k1()
            )
        }
        let recovery = processorTime() - before
        let intake = fixture.server.intake
        let start = (ContinuousClock.now, processorTime())
        let accepted = await withTaskGroup(of: Int.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    var accepted = 0
                    for index in stride(from: client, to: Self.count, by: Self.clients) {
                        do throws(OrderRefusals) {
                            if try await intake.post(signed[index]) { accepted += 1 }
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return accepted
                }
            }
            return await group.reduce(0, +)
        }
        let elapsed = ContinuousClock.now - start.0
        let work = processorTime() - start.1
        #expect(accepted == Self.count)
        let rate = Double(Self.count) / (elapsed / .seconds(1))
        print(
            "posts: \(Int(rate)) a second; \(Int(work / Double(Self.count) * 1e6)) us of processor "
                + "time each, a verification \(Int(recovery / Double(Self.count) * 1e6)) us, ratio "
                + "\(work / recovery); \(fixture.store.statistics.commits.count) commits, "
                + "\(fixture.chain.batches.count) reads of the chain"
        )
    }
}
