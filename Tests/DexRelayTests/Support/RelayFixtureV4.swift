import DexRelay
import Ethereum
import EthereumWallet
import Logging
import StrictJSON

@testable import ZeroEx

/// A relay that carries orders of v1 and of v4 over one fake chain and one store.
struct RelayFixtureV4: ServedRelay {
    static let domain = ExchangeDomainV4(
        chainID: 137,
        exchange: Address(truncating: UInt256(0xF4).word)
    )
    static let base = RelayFixture.zrx.lowercaseHex
    static let quote = RelayFixture.weth.lowercaseHex

    let chain = FakeChain(spender: RelayFixture.proxy, domain: RelayFixtureV4.domain)
    let clock = RelayFixture.Clock()
    let maker: PrivateKeySigner
    let other: PrivateKeySigner
    let store: SQLiteOrderStore
    let server: RelayServer

    init(
        storePath: String? = nil,
        configure: (inout RelayConfiguration) -> Void = { _ in }
    ) throws {
        maker = try PrivateKeySigner(key: UInt256(0x1111).word)
        other = try PrivateKeySigner(key: UInt256(0x2222).word)
        store = try SQLiteOrderStore(path: storePath)
        let pairs = [
            RelayFixture.pair(RelayFixture.zrx, RelayFixture.weth),
            RelayFixture.pair(RelayFixture.dai, RelayFixture.weth),
        ]
        var configuration = RelayConfiguration(
            contracts: ExchangeContracts(
                exchange: Self.domain.exchange,
                transferContract: Self.domain.exchange,
                feeToken: nil
            ),
            pairs: pairs
        )
        configure(&configuration)
        let clock = clock
        server = RelayServer(
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(
                        contracts: RelayFixture.contracts,
                        pairs: pairs,
                        requestsPerHour: configuration.requestsPerHour
                    )
                ),
                exchangeProtocol: ZeroExV1()
            ),
            [
                RelayMarket.Terms(
                    configuration: LiveConfiguration(configuration),
                    exchangeProtocol: Self.zeroEx()
                )
            ],
            chain: chain,
            recoverer: Secp256k1(),
            store: store,
            now: { clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        for owner in [maker.address, other.address] {
            for token in [RelayFixture.zrx, RelayFixture.weth, RelayFixture.dai] {
                chain.fund(owner, token, 1 << 100)
            }
        }
    }

    static func zeroEx(_ kind: SignatureKindV4 = .ethSign) -> ZeroExV4 {
        ZeroExV4(domain: domain, signatureKind: kind)
    }

    var market: RelayMarket {
        get throws {
            guard let market = server.market(.v4) else { throw Unexpected("no market of v4") }
            return market
        }
    }

    /// Terms that the relay takes as they are: 1000 ZRX units for 2000 WETH units.
    func terms(_ change: (inout LimitOrderV4) -> Void = { _ in }) -> LimitOrderV4 {
        var terms = LimitOrderV4(
            makerToken: RelayFixture.zrx,
            takerToken: RelayFixture.weth,
            makerAmount: 1000,
            takerAmount: 2000,
            maker: maker.address,
            expiry: RelayFixture.startTime + 3600,
            salt: 1
        )
        change(&terms)
        return terms
    }

    /// Terms signed by their maker.
    func order(
        kind: SignatureKindV4 = .ethSign,
        in domain: ExchangeDomainV4 = RelayFixtureV4.domain,
        _ change: (inout LimitOrderV4) -> Void = { _ in }
    ) async throws -> SignedOrderV4 {
        let terms = terms(change)
        let signer = terms.maker == other.address ? other : maker
        return try await SignedOrderV4.sign(terms, in: domain, kind: kind, with: signer)
    }

    /// An order in the wire form, with members changed or taken out.
    func json(
        _ order: SignedOrderV4,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> [UInt8] {
        guard case .object(var object) = order.json else { return [] }
        change(&object)
        return JSONValue.object(object).utf8
    }

    /// Puts orders on the book as a seed does.
    func add(_ orders: [any SignedOrder]) async throws {
        let outcome = try await market.intake.add(orders)
        guard outcome.refused.isEmpty else { throw Unexpected("\(outcome.refused)") }
    }
}

/// A page of the relay's records as a test looks at it.
struct PageV4 {
    let total: Int
    let hashes: [OrderHash]
    let remaining: [String]
    let states: [String]

    init(_ json: JSONValue?) throws {
        guard let json, let records = json["records"]?.arrayValue,
            let total = json["total"]?.numberText.flatMap({ Int($0) })
        else { throw Unexpected("no page: \(String(describing: json))") }
        self.total = total
        let read = try records.map { try OrderRecordV4(json: $0) }
        for record in read where record.metadata.orderHash != record.order.hash {
            throw Unexpected("another hash than the order's")
        }
        hashes = read.map(\.order.hash)
        remaining = read.map { $0.metadata.remaining?.description ?? "" }
        states = read.map { $0.metadata.state ?? "" }
    }
}
