import Ethereum
import EthereumWallet
import Logging
import StrictJSON
import Synchronization
import ZeroEx

@testable import DexRelay

/// A watcher over a chain of forks and a store in memory, driven round by round.
struct WatchFixture {
    static let exchange = RelayFixture.exchange
    static let proxy = RelayFixture.proxy
    static let zrx = RelayFixture.zrx
    static let weth = RelayFixture.weth
    static let dai = RelayFixture.dai
    static let taker = Address(truncating: UInt256(0x7A).word)
    static let stranger = Address(truncating: UInt256(0x57).word)

    let chain: ForkingChain
    let store: MemoryOrderStore
    let clock = RelayFixture.Clock()
    /// Stands still: pauses between attempts end when a test moves it.
    let pauses = ManualClock()
    let index: TouchIndex
    let ledger: OrderLedger
    let watcher: ChainWatcher
    let maker: Address
    private let signer: PrivateKeySigner

    static let market = LogReading.Market(
        exchangeProtocol: ZeroExV1(),
        contracts: RelayFixture.contracts
    )

    /// - Parameters:
    ///   - chain: the node of another instance.
    ///   - store: the store of another instance.
    init(chain: ForkingChain? = nil, store: MemoryOrderStore? = nil) throws {
        let chain = chain ?? ForkingChain(spender: Self.proxy)
        let store = store ?? MemoryOrderStore()
        let (clock, pauses) = (clock, pauses)
        let index = TouchIndex { [Self.market] }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let ledger = OrderLedger(
            store: store,
            protocols: [ZeroExV1()],
            followers: [index],
            now: { clock.now },
            sleep: pauses.sleep,
            logger: logger
        )
        signer = try PrivateKeySigner(key: UInt256(0x1111).word)
        maker = signer.address
        self.chain = chain
        self.store = store
        self.index = index
        self.ledger = ledger
        watcher = ChainWatcher(
            chain: chain,
            ledger: ledger,
            index: index,
            markets: { [Self.market] },
            now: { clock.now },
            logger: logger
        )
    }

    /// An order for 1000 ZRX units against 2000 WETH units, unless changed; its signature, which
    /// no watcher checks, is always the same maker's.
    func order(
        salt: UInt64 = 1,
        _ change: (inout OrderDraft) -> Void = { _ in }
    ) throws -> any SignedOrder {
        var draft = OrderDraft(
            exchange: Self.exchange,
            maker: maker,
            makerToken: Self.zrx,
            takerToken: Self.weth,
            makerAmount: 1000,
            takerAmount: 2000,
            expiry: UInt256(RelayFixture.startTime + 1_000_000),
            salt: UInt256(salt)
        )
        change(&draft)
        return SignedOrderV1(
            terms: draft,
            signature: try signer.signature(over: UInt256(7).word)
        )
    }

    /// Commits orders as the intake does.
    func add(
        _ orders: [any SignedOrder],
        state: ListingState = .shown,
        fillable: UInt256 = 2000
    ) async throws {
        var batch = OrderBatch()
        var entries: [OrderEntry] = []
        for order in orders {
            let body = ZeroExV1().encodeOrder(order).utf8
            guard let entry = OrderEntry(order, body: body) else {
                throw Unexpected("an order without a price")
            }
            entries.append(entry)
            batch.added.append(
                ListedOrder(
                    hash: order.hash,
                    version: .v1,
                    maker: order.maker,
                    direction: entry.direction,
                    body: body,
                    receivedAt: clock.now,
                    state: state,
                    standing: OrderStanding(fillable: fillable, isPartlyFilled: false),
                    since: clock.now
                )
            )
        }
        _ = try await ledger.commit(batch, entries: entries)
    }

    /// A funded maker and shown orders, all audited.
    func start(_ orders: [any SignedOrder]) async throws {
        clock.advance(by: 60)
        chain.mine { world in
            for token in [Self.zrx, Self.weth, Self.dai] {
                world.grant(token, to: maker, 1 << 100)
            }
        }
        try await add(orders)
        try await settle()
    }

    /// Rounds until nothing is left to do.
    @discardableResult
    func settle() async throws -> ChainWatcher.Round {
        for _ in 0..<10_000 {
            let round = await watcher.step()
            if round != .more { return round }
        }
        throw Unexpected("the watcher does not come to rest")
    }

    /// A block and the rounds that it needs.
    func mine(
        after seconds: UInt64 = 12,
        _ change: (inout ForkingChain.World) -> Void = { _ in }
    ) async throws {
        chain.mine(after: seconds, change)
        clock.advance(by: seconds)
        try await settle()
    }

    func state(_ order: any SignedOrder) -> ListingState? {
        store.order(order.hash)?.state
    }
}
