import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import SandboxHost
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import RelayHost

@Suite("Export and import of orders")
struct OrderTransferTests {
    private static let v1 = SandboxDeployment(.v1).exchangeProtocol
    private static let v4 = SandboxDeployment(.v4).exchangeProtocol
    private static let protocols: [ProtocolVersion: any ExchangeProtocol] = [.v1: v1, .v4: v4]

    private func orders(_ version: ProtocolVersion, count: Int) async throws -> [any SignedOrder] {
        let market = SandboxMarket(
            venue: SandboxDeployment(version),
            seed: 5,
            start: 1_700_000_000,
            orders: 2,
            accounts: try SandboxAccounts(seed: 5)
        )
        return Array(try await market.signed().prefix(count))
    }

    private func line(_ order: any SignedOrder, _ version: ProtocolVersion) throws -> [UInt8] {
        let codec = try #require(Self.protocols[version])
        return OrderLine.text(version, body: codec.encodeOrder(order).utf8)
    }

    /// Takes everything and remembers it.
    private final class Taker: Sendable {
        private let taken = Mutex<[(ProtocolVersion, [OrderHash])]>([])

        var batches: [(ProtocolVersion, [OrderHash])] { taken.withLock { $0 } }

        func take(
            _ version: ProtocolVersion,
            _ orders: [any SignedOrder]
        ) -> OrderIntake.BulkOutcome {
            taken.withLock { $0.append((version, orders.map(\.hash))) }
            var outcome = OrderIntake.BulkOutcome()
            outcome.added = orders.count
            return outcome
        }
    }

    private func run(_ text: [UInt8], _ taker: Taker) async throws -> OrderImport.Report {
        try await OrderImport(protocols: Self.protocols) { taker.take($0, $1) }.run(text)
    }

    @Test("what is exported is read again, with the same hash", arguments: ProtocolVersion.allCases)
    func roundTrip(_ version: ProtocolVersion) async throws {
        for order in try await orders(version, count: 20) {
            let read = try OrderLine.read(try line(order, version), Self.protocols)
            #expect(read.version == version)
            #expect(read.order.hash == order.hash)
        }
    }

    @Test("orders of both versions are handed on by version; the same line twice is known")
    func mixed() async throws {
        let old = try await orders(.v1, count: 3)
        let new = try await orders(.v4, count: 2)
        var text: [UInt8] = []
        for order in old { text += try line(order, .v1) + [0x0A] }
        for order in new { text += try line(order, .v4) + [0x0D, 0x0A, 0x0A] }
        text += try line(old[0], .v1)
        let taker = Taker()
        let report = try await run(text, taker)
        #expect(report.lines == 6 && report.added == 5 && report.known == 1)
        #expect(report.refused == 0)
        #expect(taker.batches.map(\.0) == [.v1, .v4])
        #expect(taker.batches[0].1 == old.map(\.hash))
    }

    private static let hostile: [[UInt8]] = [
        Array("nonsense".utf8), Array("{}".utf8), Array("[]".utf8), Array("null".utf8),
        Array("{\"version\":\"v4\"}".utf8), Array("{\"version\":4,\"order\":{}}".utf8),
        Array("{\"version\":\"v4\",\"order\":[]}".utf8),
        Array("{\"version\":\"v1\",\"order\":{\"maker\":\"0x\"}}".utf8),
        Array("{\"version\":\"v2\",\"order\":{}}".utf8),
        Array("{\"version\":\"v4\",\"order\":{}} {}".utf8),
        [0xFF, 0xFE, 0x00], Array(repeating: UInt8(ascii: "["), count: 20_000),
        Array("{\"version\":\"v4\",\"version\":\"v1\",\"order\":{}}".utf8),
        Array(repeating: UInt8(ascii: "a"), count: OrderLine.maximumBytes + 1),
    ]

    @Test("a line that is no order is refused with its number, and the others are taken")
    func hostileLines() async throws {
        let good = try await orders(.v4, count: 2)
        var text = try line(good[0], .v4) + [0x0A]
        for line in Self.hostile { text += line + [0x0A] }
        text += try line(good[1], .v4)
        let taker = Taker()
        let report = try await run(text, taker)
        #expect(report.added == 2)
        #expect(report.refused == Self.hostile.count)
        #expect(report.examples.map(\.line) == Array(2...(Self.hostile.count + 1)))
        #expect(report.examples.allSatisfy { !$0.reason.isEmpty && $0.hash == nil })
    }

    @Test("a changed order has another hash, so its signature is left to be refused")
    func changed() async throws {
        let order = try await orders(.v4, count: 1)[0]
        let text = String(decoding: try line(order, .v4), as: UTF8.self)
        let other = text.replacing(/"takerAmount":"\d/, with: "\"takerAmount\":\"9")
        try #require(other != text)
        let read = try OrderLine.read(Array(other.utf8), Self.protocols)
        #expect(read.order.hash != order.hash)
    }

    @Test("refusals are counted, and only the first are kept")
    func many() async throws {
        let text = Array(String(repeating: "x\n", count: 5_000).utf8)
        let report = try await run(text, Taker())
        #expect(report.refused == 5_000)
        #expect(report.examples.count == OrderImport.maximumExamples)
    }

    private struct Down: Error {}

    @Test("orders go on in batches; a failure ends the import")
    func failure() async throws {
        let order = try await orders(.v4, count: 1)[0]
        let text = try line(order, .v4)
        await #expect(throws: Down.self) {
            _ = try await OrderImport(protocols: Self.protocols) { _, _ in throw Down() }.run(text)
        }
    }
}
