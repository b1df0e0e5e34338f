import DexCore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

/// A session on the sandbox's chain with a scripted node and relay, and really signed orders.
///
/// The node knows one block, the exchange's contracts, and for a maker's order what `fund` and
/// `use` told; everything else fails the test.
struct TestMarket: Sendable {
    static let zrx = address("0xe41d2489571d322189246dafa5ebde1f4699f498")
    static let weth = address("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
    static let usdc = address("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48")
    static let exchange = address("0x12459c951127e0c374ff9105dda097662a027093")
    static let proxy = address("0x8da0d80f5007ef1e431dd2127178d224e32c2ef4")
    static let feeRecipient = address("0xa258b39954cef5cb142fd567a46cddb31a670124")
    /// One token of 18 decimals.
    static let unit: UInt256 = 1_000_000_000_000_000_000
    /// The time of the node's block, seconds since 1970.
    static let now: UInt64 = 1_800_000_000
    static let head: UInt64 = 100

    static let contracts = ExchangeContracts(
        exchange: exchange,
        transferContract: proxy,
        feeToken: zrx
    )

    let chain = FakeChain()
    let relay = FakeRelay()
    let clock = TestClock()
    let protocolV1 = ZeroExV1()
    /// The trader of the tests.
    let trader: PrivateKeySigner
    /// Makers; none is the trader.
    let makers: [PrivateKeySigner]

    init() throws {
        trader = try Self.signer(1)
        makers = try (2...6).map(Self.signer)
        setUpNode()
    }

    /// The account of the private key with this number; worthless by design.
    static func signer(_ number: UInt64) throws -> PrivateKeySigner {
        try PrivateKeySigner(key: UInt256(number).word)
    }

    static func address(_ text: String) -> Address {
        (try? Address(lenient: text)) ?? .zero
    }

    /// `100.5` of 18 decimals in base units.
    static func units(_ text: String) -> UInt256 {
        (try? DecimalText.parse(text, decimals: 18)) ?? 0
    }

    var network: Network {
        Network(
            name: "sandbox",
            chainID: 1337,
            rpc: ["http://127.0.0.1:1"],
            relay: "http://127.0.0.1:2/v0",
            protocolVersion: .v1,
            exchange: Self.exchange,
            weth: Self.weth,
            blockMilliseconds: 1_000,
            isSandbox: true
        )
    }

    func session(withRelay: Bool = true) throws -> Session {
        Session(
            network: network,
            exchangeProtocol: protocolV1,
            chain: chain,
            relay: withRelay ? relay : nil,
            tokens: try TokenMap(chainID: 1337),
            recoverer: Secp256k1(),
            environment: clock.environment
        )
    }

    func zrxWeth() throws -> Pair {
        let tokens = try session().tokens
        return Pair(base: try tokens.resolve("ZRX"), quote: try tokens.resolve("WETH"))
    }

    // MARK: The node

    private func setUpNode() {
        mine(Self.head, timestamp: Self.now)
        for call in protocolV1.contractCalls(exchange: Self.exchange) {
            let isFeeToken = call.data == [0x3b, 0x30, 0xba, 0x59]
            let answer = isFeeToken ? Self.zrx : Self.proxy
            chain.answer(call.to, call.data, with: .success(answer.word.bytes))
        }
        setReady(true)
        for (token, decimals) in [(Self.zrx, 18), (Self.weth, 18), (Self.usdc, 6)]
            as [(Address, UInt256)]
        {
            chain.answer(token, ERC20.decimals, with: decimals)
        }
        chain.set { state in
            state.gasPrice = .success(Wei(1_000_000_000))
            state.feeHistory = .success(
                FeeHistory(
                    oldestBlock: 91,
                    baseFeePerGas: Array(repeating: Wei(1_000_000_000), count: 11),
                    rewards: Array(
                        repeating: [50_000_000, 100_000_000, 2_000_000_000].map { Wei($0) },
                        count: 10
                    )
                )
            )
        }
    }

    /// The exchange is, or is not, authorized on its proxy.
    func setReady(_ isReady: Bool) {
        for call in protocolV1.readinessCalls(Self.contracts) {
            chain.answer(call.to, call.data, with: isReady ? 1 : 0)
        }
    }

    /// Adds a block; its hash tells its number and fork.
    func mine(_ number: UInt64, timestamp: UInt64, fork: UInt64 = 0) {
        let block = Self.block(number, timestamp: timestamp, fork: fork)
        chain.set { $0.blocks[number] = block }
    }

    static func block(_ number: UInt64, timestamp: UInt64, fork: UInt64 = 0) -> Block {
        Block(
            number: number,
            hash: blockHash(number, fork: fork),
            parentHash: blockHash(number &- 1, fork: fork),
            timestamp: timestamp,
            baseFeePerGas: Wei(1_000_000_000),
            gasLimit: 30_000_000,
            gasUsed: 0
        )
    }

    static func blockHash(_ number: UInt64, fork: UInt64 = 0) -> BlockHash {
        BlockHash(Bytes32(limbs: (0xb10c, fork, 0, number)))
    }

    /// Sets an owner's balance and the proxy's allowance, which is unlimited unless told.
    func fund(
        _ owner: Address,
        _ token: Address,
        balance: UInt256,
        allowance: UInt256 = .max
    ) {
        chain.answer(token, ERC20.balanceOf(owner), with: balance)
        chain.answer(token, ERC20.allowance(owner: owner, spender: Self.proxy), with: allowance)
        confirmDecimals(token)
    }

    /// The contract has the decimals of the token map, unless a test has set others.
    func confirmDecimals(_ token: Address) {
        guard let listed = (try? session().tokens.known(token))?.decimals else { return }
        chain.answerOnce(token, ERC20.decimals, with: UInt256(UInt64(listed)))
    }

    /// Sets the ether, nonce, tokens and allowances of the trader.
    func fundTrader(
        ether: String = "10",
        zrx: UInt256 = 0,
        weth: UInt256 = 0,
        usdc: UInt256 = 0,
        allowance: UInt256 = 0,
        nonce: UInt64 = 7
    ) {
        let owner = trader.address
        chain.set { state in
            state.ether[owner] = Wei(Self.units(ether))
            state.pendingNonces[owner] = nonce
            state.minedNonces[owner] = nonce
        }
        fund(owner, Self.zrx, balance: zrx, allowance: allowance)
        fund(owner, Self.weth, balance: weth, allowance: allowance)
        fund(owner, Self.usdc, balance: usdc, allowance: allowance)
    }

    /// Sets how much of an order is filled and cancelled, taker token base units.
    func use(_ order: any SignedOrder, filled: UInt256 = 0, cancelled: UInt256 = 0) {
        let calls = [StateDetail.remaining, .full].flatMap { detail in
            protocolV1.stateCalls(of: [order], contracts: Self.contracts, detail: detail)
        }
        for call in calls {
            switch Array(call.data.prefix(4)) {
            case [0x28, 0x8c, 0xdc, 0x91]: chain.answer(call.to, call.data, with: filled)
            case [0x2a, 0xc1, 0x26, 0x22]: chain.answer(call.to, call.data, with: cancelled)
            default:
                chain.answer(
                    call.to,
                    call.data,
                    with: filled.addingReportingOverflow(cancelled).partialValue
                )
            }
        }
    }

    // MARK: Orders

    /// Signs an order and tells the node that nothing of it is used.
    func order(
        by maker: PrivateKeySigner,
        give: (Address, UInt256),
        get: (Address, UInt256),
        taker: Address = .zero,
        fees: OrderFees = .none,
        expiry: UInt256 = UInt256(now + 86_400),
        salt: UInt256 = 1,
        exchange: Address = exchange
    ) async throws -> any SignedOrder {
        let draft = OrderDraft(
            exchange: exchange,
            maker: maker.address,
            taker: taker,
            makerToken: give.0,
            takerToken: get.0,
            makerAmount: give.1,
            takerAmount: get.1,
            expiry: expiry,
            salt: salt,
            fees: fees
        )
        let order = try await protocolV1.sign(draft, with: maker)
        use(order)
        return order
    }

    /// An order that sells ZRX for WETH: an ask of ZRX/WETH.
    func ask(
        by maker: PrivateKeySigner,
        _ zrx: String,
        for weth: String,
        fees: OrderFees = .none,
        expiresIn seconds: UInt64 = 86_400,
        salt: UInt256 = 1
    ) async throws -> any SignedOrder {
        try await order(
            by: maker,
            give: (Self.zrx, Self.units(zrx)),
            get: (Self.weth, Self.units(weth)),
            fees: fees,
            expiry: UInt256(Self.now + seconds),
            salt: salt
        )
    }

    /// An order that buys ZRX with WETH: a bid of ZRX/WETH.
    func bid(
        by maker: PrivateKeySigner,
        _ zrx: String,
        for weth: String,
        fees: OrderFees = .none,
        expiresIn seconds: UInt64 = 86_400,
        salt: UInt256 = 1
    ) async throws -> any SignedOrder {
        try await order(
            by: maker,
            give: (Self.weth, Self.units(weth)),
            get: (Self.zrx, Self.units(zrx)),
            fees: fees,
            expiry: UInt256(Self.now + seconds),
            salt: salt
        )
    }

    /// Fees to a recipient, human units of ZRX.
    static func fees(maker: String = "0", taker: String = "0") -> OrderFees {
        OrderFees(recipient: feeRecipient, makerFee: units(maker), takerFee: units(taker))
    }

    /// Sets the relay's book.
    func setBook(
        bids: [any SignedOrder] = [],
        asks: [any SignedOrder] = [],
        unreadable: [OrderError] = []
    ) {
        let book = RelayOrderbook(
            bids: RelayOrders(orders: bids),
            asks: RelayOrders(orders: asks, unreadable: unreadable)
        )
        relay.set { $0.book = .success(book) }
    }
}

/// Time that passes only when somebody sleeps.
final class TestClock: Sendable {
    private struct State {
        var milliseconds = TestMarket.now * 1_000
        var sleeps: [UInt64] = []
        var random: UInt64 = 0
        var messages: [String] = []
        var warnings: [String] = []
        var waits: [TransactionWait?] = []
        var onSleep: (@Sendable (Int) throws -> Void)?
    }

    private let state = Mutex(State())

    /// Called at the start of every sleep with its number from 0: the place to mine a block.
    func onSleep(_ action: @escaping @Sendable (Int) throws -> Void) {
        state.withLock { $0.onSleep = action }
    }

    /// Every sleep in milliseconds.
    var sleeps: [UInt64] {
        state.withLock { $0.sleeps }
    }

    /// What was told as progress.
    var messages: [String] {
        state.withLock { $0.messages }
    }

    /// What was warned of after a plan was confirmed.
    var warnings: [String] {
        state.withLock { $0.warnings }
    }

    /// The transactions that were shown while they were waited for; nil where that ended.
    var waits: [TransactionWait?] {
        state.withLock { $0.waits }
    }

    /// Time passes without anybody's sleep.
    func pass(seconds: UInt64) {
        state.withLock { $0.milliseconds += seconds * 1_000 }
    }

    var environment: DexCore.Environment {
        DexCore.Environment(
            now: { self.state.withLock { $0.milliseconds / 1_000 } },
            sleep: { milliseconds in
                try Task.checkCancellation()
                let (count, action) = self.state.withLock { state in
                    state.sleeps.append(milliseconds)
                    state.milliseconds += milliseconds
                    return (state.sleeps.count, state.onSleep)
                }
                guard count < 10_000 else { throw CancellationError() }
                try action?(count - 1)
            },
            random: {
                self.state.withLock { state in
                    state.random += 1
                    return Keccak256.hash(UInt256(state.random).bigEndianBytes)
                }
            },
            progress: { message in self.state.withLock { $0.messages.append(message) } },
            warn: { warning in self.state.withLock { $0.warnings.append(warning) } },
            waiting: { wait in self.state.withLock { $0.waits.append(wait) } },
            onReported: { $0.write() }
        )
    }
}
