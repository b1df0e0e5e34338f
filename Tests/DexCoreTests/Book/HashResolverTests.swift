import DexStore
import Ethereum
import EthereumWallet
import Foundation
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Orders and transactions by the start of their hash")
struct HashResolverTests {
    private let market: TestMarket
    private let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
    }

    private func resolver(list: ShownList? = nil) throws -> HashResolver {
        HashResolver(session: try market.session(), journal: store.journal) {
            () throws(DexError) in
            guard let list else { throw HashError.noList }
            return list
        }
    }

    private func serve(_ orders: [any SignedOrder]) {
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: orders)) } }
    }

    /// A hash with these first digits.
    private static func word(_ start: UInt64, _ end: UInt64 = 1) -> Bytes32 {
        Bytes32(limbs: (start << 48, 0, 0, end))
    }

    private func record(_ word: Bytes32) throws {
        try store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: OrderHash(word),
                maker: market.trader.address,
                wire: "{}",
                created: TestMarket.now
            )
        )
    }

    private func log(_ word: Bytes32, nonce: UInt64 = 0) throws {
        let intent = JournalIntent(
            chainID: 1337,
            account: market.trader.address,
            command: "wrap",
            plan: nil,
            created: 1
        )
        let reservation = try store.journal.reserveNonce(
            intent: try store.journal.open(intent),
            purpose: "wrap",
            chainID: 1337,
            sender: market.trader.address,
            pendingCount: nonce,
            now: 1
        )
        try store.journal.record(
            raw: [1],
            hash: TransactionHash(word),
            for: reservation,
            now: 1
        )
    }

    private func error(_ body: () async throws -> Void) async -> DexError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? DexError
        }
    }

    private let start: HashReference = {
        // The first digits of `word(0xE649)`.
        guard let reference = try? HashReference("0xe649") else { preconditionFailure() }
        return reference
    }()

    @Test("an own order of the journal is found, and the relay is not asked")
    func journal() async throws {
        try record(Self.word(0xE649))
        try record(Self.word(0xE648))
        #expect(try await resolver().order(start) == OrderHash(Self.word(0xE649)))
        #expect(try await resolver().any(start) == Self.word(0xE649))
        let own = try await resolver().ownOrder(start) { throw HashError.noList }
        #expect(own == OrderHash(Self.word(0xE649)))
        #expect(market.relay.requests.isEmpty)
    }

    @Test("a relay's order is found by 4 digits; one with the same digits makes it ambiguous")
    func relay() async throws {
        var orders: [any SignedOrder] = []
        // Two of 700 share their first 4 digits; the salts are always the same.
        for salt in 1...700 {
            orders.append(
                try await market.ask(
                    by: market.makers[0],
                    "10",
                    for: "1",
                    salt: UInt256(UInt64(salt))
                )
            )
        }
        serve(orders)
        let groups = Dictionary(grouping: orders) { String($0.hash.hex.prefix(6)) }
        let alone = try #require(groups.first { $0.value.count == 1 })
        let same = try #require(groups.first { $0.value.count == 2 })

        let found = try await resolver().order(try HashReference(alone.key))
        #expect(found == alone.value[0].hash)
        #expect(try await resolver().any(try HashReference(alone.key)) == alone.value[0].hash.word)

        let ambiguous = await error {
            _ = try await resolver().order(try HashReference(same.key))
        }
        #expect(ambiguous?.code == "ambiguous-hash" && ambiguous?.exit == .usage)
        for order in same.value {
            #expect(ambiguous?.message.contains("order \(order.hash.hex)") == true)
        }

        // A forged one does not stand in the way of a genuine one.
        let genuine = same.value[0]
        let other = try #require(same.value[1] as? SignedOrderV1)
        let signer = try #require(alone.value[0] as? SignedOrderV1)
        serve([SignedOrderV1(terms: other.terms, signature: signer.signature), genuine])
        #expect(try await resolver().order(try HashReference(same.key)) == genuine.hash)
    }

    @Test("no relay can make an own hash ambiguous, or put its order in its place")
    func grinding() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        serve([order])
        // Ours begins like the relay's.
        let own = Bytes32(limbs: (order.hash.word.limbs.0, 0, 0, 7))
        try record(own)
        let reference = try HashReference(String(order.hash.hex.prefix(8)))
        #expect(try await resolver().order(reference) == OrderHash(own))
        #expect(try await resolver().any(reference) == own)
        #expect(market.relay.requests.isEmpty)
    }

    @Test("an order to cancel is looked for among the account's own orders only")
    func ownOnly() async throws {
        let foreign = try await market.ask(by: market.makers[0], "10", for: "1")
        let own = try await market.ask(by: market.makers[1], "10", for: "1")
        serve([foreign, own])
        let found = try await resolver().ownOrder(
            try HashReference(String(own.hash.hex.prefix(10)))
        ) { market.makers[1].address }
        #expect(found == own.hash)
        let refused = await error {
            _ = try await resolver().ownOrder(
                try HashReference(String(foreign.hash.hex.prefix(10)))
            ) { market.makers[1].address }
        }
        #expect(refused?.code == "unknown-order")
        #expect(
            refused?.message == "None of your orders starts with \(foreign.hash.hex.prefix(10))."
        )
    }

    @Test("what nobody knows is said so; a relay without an answer is an error of its own")
    func unknown() async throws {
        serve([])
        let order = await error { _ = try await resolver().order(start) }
        #expect(order?.code == "unknown-order" && order?.exit == .usage)
        #expect(order?.message == "No order starts with 0xe649.")
        let any = await error { _ = try await resolver().any(start) }
        #expect(any?.code == "unknown-hash")
        let own = await error { _ = try resolver().ownTransaction(start) }
        #expect(own?.code == "unknown-transaction")
        market.relay.set {
            $0.onOrders = { _ in .failure(.unreachable(url: "http://relay.example", reason: "gone"))
            }
        }
        let away = await error { _ = try await resolver().order(start) }
        #expect(away?.code == "relay-unreachable" && away?.exit == .unreachable)
    }

    @Test("status finds transactions and orders; both at once are ambiguous")
    func both() async throws {
        try log(Self.word(0xE649, 2))
        #expect(try await resolver().any(start) == Self.word(0xE649, 2))
        #expect(try resolver().ownTransaction(start) == TransactionHash(Self.word(0xE649, 2)))
        try record(Self.word(0xE649, 3))
        let ambiguous = await error { _ = try await resolver().any(start) }
        #expect(ambiguous?.code == "ambiguous-hash")
        let message = ambiguous?.message ?? ""
        #expect(message.contains("order \(Self.word(0xE649, 3))"))
        #expect(message.contains("transaction \(Self.word(0xE649, 2))"))
        #expect(try await resolver().order(start) == OrderHash(Self.word(0xE649, 3)))
    }

    @Test("of many candidates five are named")
    func many() async throws {
        for end in 1...9 { try record(Self.word(0xE649, UInt64(end))) }
        let ambiguous = await error { _ = try await resolver().order(start) }
        let message = try #require(ambiguous?.message)
        #expect(message.components(separatedBy: "order 0x").count == 6)
        #expect(message.hasSuffix(" and more."))
    }

    @Test("a whole hash is passed on, whoever knows it")
    func whole() async throws {
        let word = Self.word(1)
        #expect(try await resolver().order(.whole(word)) == OrderHash(word))
        #expect(try await resolver().any(.whole(word)) == word)
        #expect(try resolver().ownTransaction(.whole(word)) == TransactionHash(word))
        #expect(market.relay.requests.isEmpty)
    }

    // MARK: Lists

    @Test("a row is that of the list shown last, of its network and kind")
    func rows() async throws {
        let words = [Self.word(1), Self.word(2)]
        let name = try market.session().network.name
        let orders = ShownList(network: name, kind: .orders, hashes: words)
        #expect(try await resolver(list: orders).order(.row(2)) == OrderHash(words[1]))
        #expect(try await resolver(list: orders).any(.row(1)) == words[0])
        for (list, reference, code) in [
            (orders, HashReference.row(3), "no-such-row"),
            (ShownList(network: name, kind: .transactions, hashes: words), .row(1), "no-such-row"),
            (ShownList(network: "other", kind: .orders, hashes: words), .row(1), "no-list"),
            (nil, .row(1), "no-list"),
        ] {
            let refused = await error { _ = try await resolver(list: list).order(reference) }
            #expect(refused?.code == code && refused?.exit == .usage, "\(code)")
        }
        let transactions = ShownList(network: name, kind: .transactions, hashes: words)
        let found = try resolver(list: transactions).ownTransaction(.row(1))
        #expect(found == TransactionHash(words[0]))
        #expect(market.relay.requests.isEmpty)
    }

    @Test("a list is bounded")
    func bounded() {
        let list = ShownList(
            network: "sandbox",
            kind: .orders,
            hashes: (1...2_000).map { Self.word(1, $0) }
        )
        #expect(list.hashes.count == ShownList.maximum)
    }
}
