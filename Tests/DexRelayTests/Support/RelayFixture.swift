import DexRelay
import Ethereum
import EthereumWallet
import Logging
import StrictJSON
import Synchronization
import ZeroEx

/// A relay over a fake chain, with makers that can sign and a clock that is set by hand.
struct RelayFixture: ServedRelay {
    static let exchange = Address(truncating: UInt256(0xE1).word)
    static let proxy = Address(truncating: UInt256(0xE2).word)
    static let zrx = Address(truncating: UInt256(0xA1).word)
    static let weth = Address(truncating: UInt256(0xA2).word)
    static let dai = Address(truncating: UInt256(0xA3).word)
    static let feeRecipient = Address(truncating: UInt256(0xFE).word)
    static let startTime: UInt64 = 1_700_000_000

    final class Clock: Sendable {
        private let seconds = Mutex(RelayFixture.startTime)

        var now: UInt64 { seconds.withLock { $0 } }

        func advance(by amount: UInt64) {
            seconds.withLock { $0 += amount }
        }
    }

    let chain = FakeChain(spender: RelayFixture.proxy)
    let clock = Clock()
    let maker: PrivateKeySigner
    let other: PrivateKeySigner
    let store: SQLiteOrderStore
    let live: LiveConfiguration
    let server: RelayServer

    init(
        storePath: String? = nil,
        policy: (any OrderPolicy)? = nil,
        configure: (inout RelayConfiguration) -> Void = { _ in }
    ) throws {
        maker = try PrivateKeySigner(key: UInt256(0x1111).word)
        other = try PrivateKeySigner(key: UInt256(0x2222).word)
        store = try SQLiteOrderStore(path: storePath)
        var configuration = RelayConfiguration(
            contracts: Self.contracts,
            pairs: [
                Self.pair(Self.zrx, Self.weth),
                Self.pair(Self.dai, Self.weth),
            ]
        )
        configure(&configuration)
        let clock = clock
        live = LiveConfiguration(configuration)
        server = RelayServer(
            RelayMarket.Terms(
                configuration: live,
                exchangeProtocol: ZeroExV1()
            ),
            chain: chain,
            recoverer: Secp256k1(),
            store: store,
            policy: policy,
            now: { clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        for owner in [maker.address, other.address] {
            for token in [Self.zrx, Self.weth, Self.dai] { chain.fund(owner, token, 1 << 100) }
        }
    }

    static let contracts = ExchangeContracts(
        exchange: exchange,
        transferContract: proxy,
        feeToken: zrx
    )

    static func pair(_ tokenA: Address, _ tokenB: Address) -> RelayTokenPair {
        RelayTokenPair(
            tokenA: .init(token: tokenA, minimum: nil, maximum: nil, precision: 8),
            tokenB: .init(token: tokenB, minimum: nil, maximum: nil, precision: nil)
        )
    }

    /// A draft that the relay takes as it is: 1000 ZRX units for 2000 WETH units.
    func draft(_ change: (inout OrderDraft) -> Void = { _ in }) -> OrderDraft {
        var draft = OrderDraft(
            exchange: Self.exchange,
            maker: maker.address,
            makerToken: Self.zrx,
            takerToken: Self.weth,
            makerAmount: 1000,
            takerAmount: 2000,
            expiry: UInt256(Self.startTime + 3600),
            salt: 1
        )
        change(&draft)
        return draft
    }

    /// A draft signed by its maker.
    func order(
        _ change: (inout OrderDraft) -> Void = { _ in }
    ) async throws -> any SignedOrder {
        let draft = draft(change)
        let signer = draft.maker == other.address ? other : maker
        return try await ZeroExV1().sign(draft, with: signer)
    }

    /// So many orders that differ in their salt.
    func orders(_ count: Int) async throws -> [any SignedOrder] {
        var orders: [any SignedOrder] = []
        for salt in 1...count {
            orders.append(try await order { $0.salt = UInt256(UInt64(salt)) })
        }
        return orders
    }

    /// An order in the wire form, with members changed or taken out.
    func json(
        _ order: any SignedOrder,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> [UInt8] {
        guard case .object(var object) = ZeroExV1().encodeOrder(order) else { return [] }
        change(&object)
        return JSONValue.object(object).utf8
    }

    /// Puts orders on the book as a seed does.
    func add(_ orders: [any SignedOrder]) async throws {
        let outcome = try await server.intake.add(orders)
        guard outcome.refused.isEmpty else { throw Unexpected("\(outcome.refused)") }
    }
}

extension OrderStore {
    /// The stored orders of a version that have not ended, in the order of their last change.
    func open(_ version: ProtocolVersion) async throws -> [OrderHash] {
        var hashes: [OrderHash] = []
        _ = try await load(goneSince: .max) { order in
            guard order.version == version, !order.state.isGone else { return }
            hashes.append(order.hash)
        }
        return hashes
    }
}

/// A fixture did not do what the test builds upon.
struct Unexpected: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}
