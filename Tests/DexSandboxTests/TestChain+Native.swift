import DexSandbox
import Ethereum
import EthereumWallet

@testable import ZeroEx

/// v4 orders on the test chain.
extension TestChain {
    static let exchangeProxy = Genesis.localExchangeProxy
    static let domain = ExchangeDomainV4(chainID: 1337, exchange: exchangeProxy)

    /// An order with the signature of its maker, or of somebody else.
    struct Signed<Order: NativeOrderV4> {
        let order: Order
        let signature: SignatureV4

        init(
            _ order: Order,
            by signer: PrivateKeySigner,
            kind: SignatureKindV4 = .eip712
        ) throws {
            self.order = order
            let digest = kind.digest(of: order.hash(in: domain))
            signature = SignatureV4(try signer.signature(over: digest), kind: kind)
        }

        var hash: OrderHash { order.hash(in: domain) }
    }

    /// A maker's limit order: 10 DAI for 20 WETH unless changed.
    func limit(
        by maker: PrivateKeySigner,
        kind: SignatureKindV4 = .eip712,
        signedBy signer: PrivateKeySigner? = nil,
        _ change: (inout LimitOrderV4) -> Void = { _ in }
    ) throws -> Signed<LimitOrderV4> {
        var order = LimitOrderV4(
            makerToken: Self.dai,
            takerToken: Self.weth,
            makerAmount: 10_000_000_000_000_000_000,
            takerAmount: 20_000_000_000_000_000_000,
            maker: maker.address,
            expiry: Self.start + 100_000,
            salt: 1
        )
        change(&order)
        return try Signed(order, by: signer ?? maker, kind: kind)
    }

    /// A maker's RFQ order for alice: 10 DAI for 20 WETH unless changed.
    func rfq(
        by maker: PrivateKeySigner,
        kind: SignatureKindV4 = .eip712,
        _ change: (inout RfqOrderV4) -> Void = { _ in }
    ) throws -> Signed<RfqOrderV4> {
        var order = RfqOrderV4(
            makerToken: Self.dai,
            takerToken: Self.weth,
            makerAmount: 10_000_000_000_000_000_000,
            takerAmount: 20_000_000_000_000_000_000,
            maker: maker.address,
            txOrigin: alice.address,
            expiry: Self.start + 100_000,
            salt: 1
        )
        change(&order)
        return try Signed(order, by: maker, kind: kind)
    }

    /// What a call of the exchange answers.
    func ask(
        _ call: ExchangeCallV4,
        from caller: PrivateKeySigner? = nil,
        value: UInt256 = 0
    ) async throws -> ExchangeAnswerV4 {
        let data = try await client.call(
            CallRequest(
                from: (caller ?? alice).address,
                to: Self.exchangeProxy,
                data: call.data,
                value: Wei(value)
            )
        )
        return try ExchangeAnswerV4(data, of: call.function)
    }

    /// The data with which a call reverts; nil where it does not.
    func refusal(
        _ call: ExchangeCallV4,
        from caller: PrivateKeySigner? = nil,
        value: UInt256 = 0
    ) async -> [UInt8]? {
        await refusal(data: call.data, from: caller, value: value)
    }

    /// The same of any call data.
    func refusal(
        data: [UInt8],
        from caller: PrivateKeySigner? = nil,
        value: UInt256 = 0
    ) async -> [UInt8]? {
        let error = await chainError {
            _ = try await client.call(
                CallRequest(
                    from: (caller ?? alice).address,
                    to: Self.exchangeProxy,
                    data: data,
                    value: Wei(value)
                )
            )
        }
        guard case .reverted(let data, _)? = error else { return nil }
        return data
    }

    /// Sends a call as a transaction.
    @discardableResult
    func send(
        _ call: ExchangeCallV4,
        from sender: PrivateKeySigner? = nil,
        value: UInt256 = 0,
        gas: UInt64 = 1_000_000
    ) async throws -> TransactionReceipt {
        try await send(
            from: sender ?? alice,
            to: Self.exchangeProxy,
            data: call.data,
            value: value,
            gas: gas
        )
    }

    /// The status of an order and how far it is filled.
    func info(_ order: LimitOrderV4) async throws -> OrderInfoV4 {
        guard case .info(let info) = try await ask(.limit(.info(order))) else {
            throw TestError.wrongEnvelope
        }
        return info
    }
}

extension TransactionReceipt {
    /// The events of the Exchange Proxy.
    func nativeEvents() throws -> [ExchangeLogV4] {
        try logs.filter { $0.address == TestChain.exchangeProxy }.compactMap {
            try ExchangeLogV4(topics: $0.topics, data: $0.data)
        }
    }
}
