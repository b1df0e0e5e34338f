import DexCore
import Ethereum
import EthereumWallet
import Synchronization
import ZeroEx

/// The scripted market on a v4 network: the same node, relay and accounts with the Exchange Proxy,
/// which tells where orders stand by what `stand` noted.
struct BoardV4: Sendable {
    /// Where orders stand from a block on.
    final class Board: Sendable {
        private struct Entry {
            let block: UInt64
            let state: OrderRelevantStateV4
        }

        private let entries = Mutex<[OrderHash: [Entry]]>([:])

        fileprivate func note(_ hash: OrderHash, _ state: OrderRelevantStateV4, from block: UInt64)
        {
            entries.withLock { $0[hash, default: []].append(Entry(block: block, state: state)) }
        }

        fileprivate func state(_ hash: OrderHash, at block: UInt64) -> OrderRelevantStateV4? {
            entries.withLock { $0[hash]?.last { $0.block <= block }?.state }
        }
    }

    static let exchange = TestMarket.exchange
    static let domain = ExchangeDomainV4(chainID: 1337, exchange: exchange)

    let market: TestMarket
    let board = Board()
    let zeroEx = ZeroExV4(domain: domain, signatureKind: .ethSign)

    var trader: PrivateKeySigner { market.trader }
    var makers: [PrivateKeySigner] { market.makers }

    init() throws {
        market = try TestMarket()
        for call in zeroEx.contractCalls(exchange: Self.exchange) {
            market.chain.answer(call.to, call.data, with: 0)
        }
        market.chain.set { state in
            state.onCall = { [board] request, tag in Self.answer(request, tag, board) }
            for number: UInt64 in 0...TestMarket.head {
                state.blocks[number] =
                    TestMarket.block(number, timestamp: TestMarket.now - TestMarket.head + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    /// The proxy's word on a batch of orders; zeros for what it was told nothing of.
    private static func answer(
        _ request: CallRequest,
        _ tag: BlockTag,
        _ board: Board
    ) -> Result<[UInt8], ChainError> {
        guard request.to == exchange,
            case .limit(.batchRelevantStates(let orders, _))? = try? ExchangeCallV4(
                data: request.data
            )
        else { return .failure(.nonsense("the test knows no such call")) }
        var block = UInt64.max
        if case .number(let number) = tag { block = number }
        let states = orders.map { order in
            board.state(order.hash(in: domain), at: block)
                ?? OrderRelevantStateV4(
                    info: OrderInfoV4(orderHash: OrderHash(.zero), status: .invalid, filled: 0),
                    fillable: 0,
                    isSignatureValid: false
                )
        }
        return .success(ExchangeAnswerV4.batchRelevantStates(states).data)
    }

    func session(withRelay: Bool = true) throws -> Session {
        var network = market.network
        network.protocolVersion = .v4
        return Session(
            network: network,
            exchangeProtocol: Protocols.implementation(of: network),
            chain: market.chain,
            relay: withRelay ? market.relay : nil,
            tokens: try TokenMap(chainID: 1337),
            recoverer: Secp256k1(),
            environment: market.clock.environment
        )
    }

    /// Sets an owner's balance and the proxy's allowance, which is unlimited unless told.
    func fund(
        _ owner: Address,
        _ token: Address,
        balance: UInt256,
        allowance: UInt256 = .max
    ) {
        market.chain.answer(token, ERC20.balanceOf(owner), with: balance)
        market.chain.answer(
            token,
            ERC20.allowance(owner: owner, spender: Self.exchange),
            with: allowance
        )
    }

    /// Sets where an order stands from a block on.
    func stand(
        _ order: any SignedOrder,
        _ status: OrderStatusV4,
        filled: UInt256 = 0,
        from block: UInt64 = 0,
        isSignatureValid: Bool = true
    ) {
        board.note(
            order.hash,
            OrderRelevantStateV4(
                info: OrderInfoV4(
                    orderHash: order.hash,
                    status: status,
                    filled: filled.uint128 ?? .max
                ),
                fillable: 0,
                isSignatureValid: isSignatureValid
            ),
            from: block
        )
    }

    /// Signs an order that sells ZRX for WETH; it stands as fillable.
    func ask(
        by maker: PrivateKeySigner,
        _ zrx: String,
        for weth: String,
        salt: UInt256,
        takerFee: UInt256 = 0
    ) async throws -> any SignedOrder {
        let order = try await zeroEx.sign(
            OrderDraft(
                exchange: Self.exchange,
                maker: maker.address,
                makerToken: TestMarket.zrx,
                takerToken: TestMarket.weth,
                makerAmount: TestMarket.units(zrx),
                takerAmount: TestMarket.units(weth),
                expiry: UInt256(TestMarket.now + 86_400),
                salt: salt,
                fees: takerFee == 0
                    ? .none
                    : OrderFees(
                        recipient: TestMarket.feeRecipient,
                        makerFee: 0,
                        takerFee: takerFee
                    )
            ),
            with: maker
        )
        stand(order, .fillable)
        return order
    }

    /// An order of the trader's that its journal holds.
    func own(
        _ salt: UInt256,
        in store: TemporaryJournal,
        created: UInt64 = TestMarket.now
    ) async throws -> any SignedOrder {
        let order = try await ask(by: trader, "10", for: "1", salt: salt)
        try store.keep(order, of: zeroEx, created: created)
        return order
    }

    static func log(_ event: ExchangeLogV4) -> Log {
        let (topics, data) = event.encoded
        return Log(address: exchange, topics: topics, data: data)
    }

    /// LimitOrderFilled of so much taker token.
    func fillLog(_ order: any SignedOrder, taker: Address, filling amount: UInt256) -> Log {
        Self.log(
            .limitOrderFilled(
                ExchangeLogV4.Fill(
                    orderHash: order.hash,
                    maker: order.maker,
                    taker: taker,
                    makerToken: order.makerToken,
                    takerToken: order.takerToken,
                    amounts: FillAmountsV4(
                        taker: amount.uint128 ?? .max,
                        maker: zeroEx.makerAmount(of: order, filling: amount)?.uint128 ?? .max
                    ),
                    pool: .zero
                ),
                ExchangeLogV4.Fees(
                    recipient: order.feeRecipient,
                    takerTokenFee: zeroEx.takerFee(of: order, filling: amount).uint128 ?? .max,
                    protocolFee: 0
                )
            )
        )
    }

    func cancelLog(_ order: any SignedOrder) -> Log {
        Self.log(.orderCancelled(order.hash, maker: order.maker))
    }

    func pairCancelLog(_ order: any SignedOrder, saltsBelow salt: UInt256) -> Log {
        Self.log(
            .pairCancelledLimitOrders(
                maker: order.maker,
                PairCancelV4(
                    makerToken: order.makerToken,
                    takerToken: order.takerToken,
                    minValidSalt: salt
                )
            )
        )
    }
}
