import Ethereum
import EthereumWallet
import Foundation
import SandboxHost
import StrictJSON
import Testing
import ZeroEx

/// Signed orders of the sandbox's makers, each a different one, of both versions by turns.
actor OrderSource {
    /// An order as it is posted.
    struct Ready: Hashable, Sendable {
        let hash: OrderHash
        /// Where it is posted.
        let path: String
        /// The status that says that it is kept.
        let success: Int
        let body: String
    }

    private let makers: [PrivateKeySigner]
    private let versions: [ProtocolVersion]
    private let expiry = UInt256(UInt64(Date().timeIntervalSince1970) + 86_400)
    private var count: UInt64 = 0

    init(_ sandbox: TestSandbox, versions: [ProtocolVersion] = [.v1, .v4]) throws {
        let accounts = try SandboxAccounts(seed: sandbox.seed)
        makers = try SandboxAccounts.makerNames.map { try #require(accounts.signer(named: $0)) }
        self.versions = versions
    }

    func next() async throws -> Ready {
        count += 1
        let number = Int(count)
        let deployment = SandboxDeployment(versions[number % versions.count])
        let maker = makers[number / versions.count % makers.count]
        let draft = OrderDraft(
            exchange: deployment.contracts.exchange,
            maker: maker.address,
            makerToken: FaultTrader.zrx,
            takerToken: FaultTrader.weth,
            makerAmount: 1_000,
            takerAmount: UInt256(1_000 + count),
            expiry: expiry,
            salt: UInt256(count)
        )
        let order = try await deployment.exchangeProtocol.sign(draft, with: maker)
        let isFirst = deployment.version == .v1
        return Ready(
            hash: order.hash,
            path: isFirst ? "/v0/order" : "/sra/v4/order",
            success: isFirst ? 201 : 200,
            body: deployment.exchangeProtocol.encodeOrder(order).text
        )
    }
}

/// What posters were told about their orders.
actor PostedOrders {
    private let source: OrderSource
    /// Orders that were said to be kept.
    private(set) var acknowledged: Set<OrderHash> = []
    /// Orders that may be kept or not: nobody said so.
    private var open: [OrderSource.Ready] = []
    /// Orders that are under way.
    private var sent: Set<OrderHash> = []

    init(_ source: OrderSource) {
        self.source = source
    }

    /// How many orders may be kept at the most.
    var maximum: Int { acknowledged.count + open.count + sent.count }

    /// An order without an answer, as a client posts it again; else a new one.
    func next() async throws -> OrderSource.Ready {
        let order: OrderSource.Ready
        if let again = open.popLast() { order = again } else { order = try await source.next() }
        sent.insert(order.hash)
        return order
    }

    /// An order without an answer; nil if each has one.
    func nextOpen() async throws -> OrderSource.Ready? {
        open.isEmpty ? nil : try await next()
    }

    /// It is not known whether the order is kept.
    func unanswered(_ order: OrderSource.Ready) {
        sent.remove(order.hash)
        open.append(order)
    }

    /// - Returns: whether the order is kept; false: it is to be posted again.
    func answered(_ order: OrderSource.Ready, _ answer: KeptClient.Answer) -> Bool {
        sent.remove(order.hash)
        if answer.status == order.success {
            acknowledged.insert(order.hash)
            return true
        }
        // Only a store or a node that is away keeps a good order out.
        #expect(answer.status == 503, "\(answer)")
        #expect(answer.headers["retry-after"] != nil, "\(answer)")
        open.append(order)
        return false
    }
}
