import DexSandbox
import Ethereum
import Testing
import ZeroEx

@testable import SandboxHost

@Suite struct SandboxDeploymentTests {
    private func orders(_ venue: SandboxDeployment) async throws -> [any SignedOrder] {
        let market = SandboxMarket(
            venue: venue,
            seed: 1,
            start: 1_700_000_000,
            orders: 4,
            accounts: try SandboxAccounts(seed: 1)
        )
        return Array(try await market.signed().prefix(3))
    }

    @Test(
        "the orders of every kind of fill are read from its call data, with their hashes",
        arguments: ProtocolVersion.allCases
    )
    func fills(version: ProtocolVersion) async throws {
        let venue = SandboxDeployment(version)
        let orders = try await orders(venue)
        let fills = orders.map { PlannedFill(order: $0, takerAmount: 7) }
        let exchange = venue.exchangeProtocol
        let one = exchange.fillCall(fills[0], mode: .skipping, contracts: venue.contracts)
        #expect(venue.filledOrders(in: one.data).map(\.hash) == [orders[0].hash])
        for call in [
            exchange.marketCall(fills, total: 20, mode: .skipping, contracts: venue.contracts),
            exchange.batchCall(fills, mode: .skipping, contracts: venue.contracts),
        ] {
            let read = venue.filledOrders(in: call.data)
            #expect(read.map(\.hash) == orders.map(\.hash))
            #expect(read.map(\.maker) == orders.map(\.maker))
        }
    }

    @Test(
        "what is no fill has no orders, whatever its bytes are",
        arguments: ProtocolVersion.allCases
    )
    func others(version: ProtocolVersion) async throws {
        let venue = SandboxDeployment(version)
        let orders = try await orders(venue)
        let cancel = venue.exchangeProtocol.cancelCall(orders, contracts: venue.contracts)
        #expect(venue.filledOrders(in: cancel.data).isEmpty)
        let fill = venue.exchangeProtocol.fillCall(
            PlannedFill(order: orders[0], takerAmount: 7),
            mode: .skipping,
            contracts: venue.contracts
        )
        for length in [0, 3, 4, 35, fill.data.count - 1] {
            #expect(venue.filledOrders(in: Array(fill.data.prefix(length))).isEmpty)
        }
        let other = try #require(ProtocolVersion.allCases.first { $0 != version })
        #expect(SandboxDeployment(other).filledOrders(in: fill.data).isEmpty)
    }
}
