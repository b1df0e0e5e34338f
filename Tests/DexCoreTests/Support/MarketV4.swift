import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import ZeroEx

/// A trader on a scripted v4 exchange, which fills orders as the contract does, but for those that
/// a test takes away.
final class MarketV4: Sendable {
    private struct State {
        /// What is left to fill of an order, where it is not all of it: base units of taker token.
        var left: [OrderHash: UInt128] = [:]
        /// The same from the next transaction on.
        var leftWhenMined: [OrderHash: UInt128] = [:]
        var multiplier: UInt32 = 0
    }

    let market: TestMarket
    let zeroEx = ZeroExV4(
        domain: ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange),
        signatureKind: .ethSign
    )
    private let temporary = TemporaryJournal()
    private let state = Mutex(State())

    var journal: Journal { temporary.journal }
    var sent: [Transaction] {
        market.chain.sent.compactMap {
            try? SignedTransaction(raw: $0, recoverer: Secp256k1()).transaction
        }
    }

    /// - Parameters:
    ///   - weth: what the trader owns, and may be moved; units of 18 decimals.
    ///   - multiplier: of the protocol's fee.
    init(
        weth: String = "100",
        allowance: UInt256 = .max,
        ether: String = "10",
        multiplier: UInt32 = 0
    ) throws {
        market = try TestMarket()
        state.withLock { $0.multiplier = multiplier }
        market.fundTrader(ether: ether)
        fund(market.trader.address, weth: TestMarket.units(weth), allowance: allowance)
        for maker in market.makers {
            fund(maker.address, weth: TestMarket.units("1000"), allowance: .max)
        }
        market.chain.set { chain in
            // Asked before a broadcast.
            chain.hasNoOtherTransactions = true
            chain.onCall = { [weak self] request, _ in
                self?.answer(request) ?? .failure(.nonsense("nobody answers"))
            }
            chain.onEstimate = { _ in .success(200_000) }
            chain.onSend = { [weak self] raw in
                guard let self else { return .failure(.nonsense("nobody answers")) }
                return self.mine(raw)
            }
        }
    }

    private func fund(_ owner: Address, weth: UInt256, allowance: UInt256) {
        for (token, amount) in [
            (TestMarket.weth, weth), (TestMarket.zrx, TestMarket.units("9999")),
        ] {
            market.chain.answer(token, ERC20.balanceOf(owner), with: amount)
            market.chain.answer(
                token,
                ERC20.allowance(owner: owner, spender: TestMarket.exchange),
                with: allowance
            )
        }
    }

    // MARK: Orders

    /// Sells ZRX for WETH: the maker's number, amount, total, and the taker's fee in WETH.
    func ask(
        _ maker: Int,
        _ zrx: String,
        for weth: String,
        fee: String = "0"
    ) async throws -> SignedOrderV4 {
        let terms = LimitOrderV4(
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: try #require(TestMarket.units(zrx).uint128),
            takerAmount: try #require(TestMarket.units(weth).uint128),
            takerTokenFeeAmount: try #require(TestMarket.units(fee).uint128),
            maker: market.makers[maker].address,
            feeRecipient: TestMarket.feeRecipient,
            expiry: TestMarket.now + 86_400,
            salt: UInt256(UInt64(maker))
        )
        return try await SignedOrderV4.sign(
            terms,
            in: zeroEx.domain,
            kind: .ethSign,
            with: market.makers[maker]
        )
    }

    /// Only so much of an order can be filled, though the node's reads do not show it.
    func leave(_ left: UInt256 = 0, of order: SignedOrderV4) {
        state.withLock { $0.left[order.hash] = left.uint128 }
    }

    /// The same once the next transaction is mined.
    func leaveWhenMined(_ left: UInt256 = 0, of order: SignedOrderV4) {
        state.withLock { $0.leftWhenMined[order.hash] = left.uint128 }
    }

    // MARK: Trading

    func model(_ change: (inout TradeSettings) -> Void = { _ in }) throws -> MarketOrderModel {
        var settings = TradeSettings()
        // Its books have sell orders only.
        settings.allowsUncheckedPrice = true
        change(&settings)
        return MarketOrderModel(session: try session(), journal: journal, settings: settings)
    }

    func session() throws -> Session {
        var session = try market.session()
        session.exchangeProtocol = zeroEx
        return session
    }

    func plan(_ zrx: String, from asks: [SignedOrderV4]) async throws -> Plan<TradePlan> {
        market.setBook(asks: asks)
        return try await model().plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: zrx),
            account: market.trader.address
        )
    }

    func execute(_ plan: Plan<TradePlan>) async throws -> TradeOutcome {
        try await model().execute(plan, signer: signer)
    }

    var signer: AuthorizedSigner {
        AuthorizedSigner(
            key: LocalKey(market.trader),
            scope: SigningScope(
                network: "sandbox",
                chainID: 1337,
                exchangeProtocol: zeroEx,
                exchange: TestMarket.exchange,
                weth: TestMarket.weth,
                feeToken: nil
            ),
            policy: Policy(source: "policy.toml", coin: .ether),
            log: MemoryAuditLog(),
            recoverer: Secp256k1(),
            now: market.clock.environment.now
        )
    }

    // MARK: The exchange

    private func answer(_ request: CallRequest) -> Result<[UInt8], ChainError> {
        guard request.to == TestMarket.exchange else {
            // A token that takes every approval.
            return .success(UInt256(1).bigEndianBytes)
        }
        guard let call = try? ExchangeCallV4(data: request.data) else {
            Issue.record("the exchange is asked for something else")
            return .failure(.nonsense("no call"))
        }
        switch call {
        case .getProtocolFeeMultiplier:
            let multiplier = state.withLock { $0.multiplier }
            return .success(ExchangeAnswerV4.protocolFeeMultiplier(multiplier).data)
        case .limit(.fill(let order, _, let amount)):
            let filled = fill(order, amount)
            guard filled.taker > 0 else {
                let hash = order.hash(in: zeroEx.domain)
                let revert = ExchangeRevertV4.orderNotFillable(hash, status: 2)
                return .failure(.reverted(data: revert.data, message: "execution reverted"))
            }
            return .success(ExchangeAnswerV4.fill(filled).data)
        case .limit(.batchFill(let orders, _, let amounts, _)):
            return .success(
                ExchangeAnswerV4.batchFill(zip(orders, amounts).map { fill($0, $1) }).data
            )
        case .limit(.batchRelevantStates(let orders, _)):
            let states = orders.map { order in
                OrderRelevantStateV4(
                    info: OrderInfoV4(
                        orderHash: order.hash(in: zeroEx.domain),
                        status: .fillable,
                        filled: 0
                    ),
                    fillable: order.takerAmount,
                    isSignatureValid: true
                )
            }
            return .success(ExchangeAnswerV4.batchRelevantStates(states).data)
        default:
            Issue.record("the exchange is asked \(call.function.name)")
            return .failure(.nonsense("no answer"))
        }
    }

    private func fill(_ order: LimitOrderV4, _ asked: UInt128) -> FillAmountsV4 {
        let hash = order.hash(in: zeroEx.domain)
        let left = state.withLock { $0.left[hash] } ?? order.takerAmount
        let taker = min(asked, left)
        let maker =
            FillMathV4.partialAmount(
                part: taker,
                of: order.takerAmount,
                target: order.makerAmount
            ) ?? 0
        return FillAmountsV4(taker: taker, maker: maker)
    }

    private func mine(_ raw: [UInt8]) -> Result<TransactionHash, ChainError> {
        guard let signed = try? SignedTransaction(raw: raw, recoverer: Secp256k1()) else {
            return .failure(.nonsense("no transaction"))
        }
        let multiplier = state.withLock { state in
            state.left.merge(state.leftWhenMined) { $1 }
            return state.multiplier
        }
        let price = signed.transaction.fee.maximum
        var fills: [(LimitOrderV4, FillAmountsV4)] = []
        switch try? ExchangeCallV4(data: signed.transaction.data) {
        case .limit(.fill(let order, _, let amount))?:
            fills = [(order, fill(order, amount))]
        case .limit(.batchFill(let orders, _, let amounts, _))?:
            fills = zip(orders, amounts).map { ($0, fill($0, $1)) }
        default: break
        }
        let logs = fills.filter { $0.1.taker > 0 }.map { order, amounts in
            log(order, amounts, protocolFee: price.rawValue * UInt256(UInt64(multiplier)))
        }
        let hash = signed.hash
        let block = market.chain.head + 1
        market.mine(block, timestamp: TestMarket.now)
        pay(fills.reduce(0) { $0 + UInt256($1.1.maker) }, after: block - 1)
        let receipt = TransactionReceipt(
            transactionHash: hash,
            blockNumber: block,
            blockHash: TestMarket.blockHash(block),
            from: signed.sender,
            to: TestMarket.exchange,
            succeeded: fills.isEmpty || !logs.isEmpty,
            gasUsed: 100_000,
            effectiveGasPrice: price,
            logs: logs
        )
        let info = market.info(hash, nonce: signed.transaction.nonce, block: block)
        let next = signed.transaction.nonce + 1
        market.chain.set { chain in
            chain.receipts[hash] = .some(receipt)
            chain.transactions[hash] = .some(info)
            chain.minedNonces[signed.sender] = next
            chain.pendingNonces[signed.sender] = next
        }
        return .success(hash)
    }

    /// The trader has so much more ZRX than at a block; the token has no events.
    private func pay(_ amount: UInt256, after block: UInt64) {
        let call = FakeChain.CallKey(
            to: TestMarket.zrx,
            data: ERC20.balanceOf(market.trader.address)
        )
        guard let known = market.chain.known(call), case .success(let bytes) = known,
            let old = UInt256(bigEndian: bytes)
        else {
            Issue.record("the trader's balance is unknown")
            return
        }
        market.chain.set { $0.pastCalls[block, default: [:]][call] = known }
        market.chain.answer(call.to, call.data, with: old + amount)
    }

    private func log(
        _ order: LimitOrderV4,
        _ amounts: FillAmountsV4,
        protocolFee: UInt256
    ) -> Log {
        let fee = FillMathV4.partialAmount(
            part: amounts.taker,
            of: order.takerAmount,
            target: order.takerTokenFeeAmount
        )
        let event = ExchangeLogV4.limitOrderFilled(
            ExchangeLogV4.Fill(
                orderHash: order.hash(in: zeroEx.domain),
                maker: order.maker,
                taker: market.trader.address,
                makerToken: order.makerToken,
                takerToken: order.takerToken,
                amounts: amounts,
                pool: order.pool
            ),
            ExchangeLogV4.Fees(
                recipient: order.feeRecipient,
                takerTokenFee: fee ?? 0,
                protocolFee: protocolFee
            )
        ).encoded
        return Log(address: TestMarket.exchange, topics: event.topics, data: event.data)
    }
}
