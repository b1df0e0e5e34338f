import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A checkup of relay, exchange and account")
struct DoctorModelTests {
    private let patient: DoctorPatient
    private var market: TestMarket { patient.market }

    init() throws {
        patient = try DoctorPatient()
    }

    private static let ofAccount: [DoctorState.Check] = [
        .ether, .allowances, .orders, .guards, .transactions,
    ]

    @Test("where all is well every row is ok, and nothing is signed or sent")
    func healthy() async throws {
        let rows = try await patient.rows()
        #expect(rows.values.allSatisfy { $0.mark == .ok }, "\(rows)")
        #expect(rows.count == 16)
        #expect(market.chain.sent.isEmpty && market.relay.posted.isEmpty)
        let state = DoctorState(network: "n", account: nil, rows: Array(rows.values))
        #expect(state.failure == nil)
    }

    @Test("where no node answers, what needs one is skipped, and the relay is asked all the same")
    func noNode() async throws {
        let dead = FakeProbe { $0.chainID = .failure(.unreachable(url: "u", reason: "down")) }
        let rows = try await patient.rows([dead])
        for check in [.exchange] + Self.ofAccount {
            #expect(rows[check]?.mark == .skipped, "\(check)")
        }
        #expect(rows[.relay]?.mark == .ok)
        #expect(market.chain.rounds.isEmpty)
    }

    @Test("without a node the relay is asked all the same, and its row says how to get one")
    func nodeless() async throws {
        let missing = DexError(.unreachable, code: "none", message: "None.", hint: "Make one.")
        let rows = await DoctorModel(
            session: try market.session(),
            nodes: .failure(missing),
            account: nil,
            journal: nil,
            settings: TradeSettings()
        ).rows()
        #expect(rows.first { $0.check == .node } == .fail(.node, missing))
        #expect(rows.first { $0.check == .relay }?.mark == .ok)
        #expect(rows.count { $0.mark == .skipped } == 6)
        #expect(market.chain.rounds.isEmpty)
    }

    /// A guard of the account, signed by its key unless an earlier version added it.
    private func guardRow(isSigned: Bool = true, created: UInt64? = nil) async throws -> Int64 {
        let session = try market.session()
        let network = session.network
        let before = try patient.store.journal
            .guards(chainID: network.chainID, exchange: network.exchange).count
        let price = try #require(Price(quote: 1, base: 10))
        var made = JournalGuard(
            chainID: session.network.chainID,
            exchange: session.network.exchange,
            account: market.trader.address,
            side: .sell,
            pair: PairAddresses(base: TestMarket.zrx, quote: TestMarket.weth),
            pairName: "ZRX/WETH",
            amount: "1",
            trigger: .below,
            price: "0.1",
            slippage: 100,
            limit: "0.1",
            created: created ?? session.environment.now(),
            terms: isSigned
                ? GuardTerms(
                    baseDecimals: 18,
                    quoteDecimals: 18,
                    amount: 1,
                    price: price,
                    limit: price,
                    nonce: UInt256(UInt64(before)).word
                ) : nil
        )
        if let message = GuardMessage.bytes(made) {
            made.signature = try await market.trader.sign(digest: EthereumMessage.hash(message))
        }
        return try patient.store.journal.add(made).id
    }

    @Test("a guard whose price nothing watches is a warning, until a process watches it")
    func guards() async throws {
        let journal = patient.store.journal
        var ids: Set<Int64> = []
        for count in 1...2 {
            ids.insert(try await guardRow())
            let row = try #require(try await patient.rows()[.guards])
            #expect(row.mark == .warn)
            #expect(row.remedy?.contains("dex guard run") == true)
            let words = count == 1 ? "Guard 1 waits" : "2 guards wait"
            #expect(row.found.hasPrefix(words), "\(row)")
        }
        let runner = Journal(path: journal.path)
        try runner.watch(ids)
        #expect(try await patient.rows()[.guards]?.mark == .ok)
        try runner.watch([])
        #expect(try await patient.rows()[.guards]?.mark == .warn)
    }

    @Test("guards that never fire are named, with the commands that mend it, watched or not")
    func deadGuards() async throws {
        let good = try await guardRow()
        let runner = Journal(path: patient.store.journal.path)
        try runner.watch([good])
        #expect(try await patient.rows()[.guards]?.mark == .ok)
        // Of an earlier version, which signed nothing.
        let unsigned = try await guardRow(isSigned: false)
        try runner.watch([good, unsigned])
        var row = try #require(try await patient.rows()[.guards])
        #expect(row.mark == .warn)
        #expect(row.found.hasPrefix("Guard 2 never fires. Its terms are not those"), "\(row)")
        #expect(row.remedy?.contains("dex guard remove 2") == true)
        #expect(row.remedy?.contains("dex guard list") == true)
        _ = try await guardRow(created: 7)
        row = try #require(try await patient.rows()[.guards])
        #expect(row.found.hasPrefix("Guards 2, 3 never fire. Of 2: "), "\(row)")
    }

    @Test("no relay is a warning: reading balances needs none", arguments: [false, true])
    func noRelay(isSandbox: Bool) async throws {
        var session = try market.session(withRelay: false)
        session.network.isSandbox = isSandbox
        let rows = await DoctorModel(
            session: session,
            nodes: .success([FakeProbe()]),
            account: nil,
            journal: nil,
            settings: TradeSettings()
        ).rows()
        let row = try #require(rows.first { $0.check == .relay })
        // A sandbox that runs has one, and nobody can set another for it.
        #expect(row.mark == (isSandbox ? .skipped : .warn))
        #expect(row.remedy?.contains("--relay") == (isSandbox ? nil : true))
    }

    @Test("one of two nodes is enough for the rest, and both have their rows in their order")
    func twoNodes() async throws {
        let dead = FakeProbe(name: "https://dead.example") {
            $0.chainID = .failure(.unreachable(url: "u", reason: "down"))
        }
        let all = await DoctorModel(
            session: try market.session(),
            nodes: .success([dead, FakeProbe()]),
            account: nil,
            journal: patient.store.journal,
            settings: TradeSettings()
        ).rows()
        #expect(all.prefix(3).map(\.check) == [.journal, .node, .node])
        #expect(all.prefix(3).map(\.mark) == [.ok, .fail, .ok])
        #expect(all.first { $0.check == .exchange }?.mark == .ok)
        let state = DoctorState(network: "n", account: nil, rows: all)
        #expect(state.failure?.exit == .unreachable)
        #expect(state.failure?.message == "One check failed: node.")
    }

    // MARK: The relay

    @Test("a relay that does not answer fails as other commands would")
    func deadRelay() async throws {
        market.relay.set { $0.pairs = .failure(.unreachable(url: "r", reason: "down")) }
        let row = try await patient.rows()[.relay]
        #expect(row?.mark == .fail && row?.kind == .unreachable)
        market.relay.set { state in
            state.pairs = .success([])
        }
        #expect(try await patient.rows()[.relay]?.mark == .warn)
    }

    @Test("a relay that would not have our orders is told with its reason")
    func otherRelay() async throws {
        market.relay.set {
            $0.fees = .failure(
                .refused(status: 400, code: 100, reason: "not our exchange", fields: [])
            )
        }
        let row = try await patient.rows()[.relay]
        #expect(row?.mark == .warn)
        #expect(row?.found.hasSuffix("an order of our exchange: not our exchange.") == true)
        market.relay.set { $0.fees = .failure(.nonsense("it is a web page")) }
        let nonsense = try await patient.rows()[.relay]
        #expect(nonsense?.mark == .fail && nonsense?.kind == .unreachable)
    }

    @Test("an address of a relay loses what may be a key")
    func origin() {
        for (url, shown) in [
            ("https://me:key@relay.example:8/v0?k=1#f", "https://relay.example:8"),
            ("http://127.0.0.1/v0", "http://127.0.0.1"), ("x", "an address that is not a URL"),
        ] { #expect(PlainText.origin(of: url) == shown) }
    }

    // MARK: The exchange and the account

    @Test("an exchange that is not authorized fails, and so does one that is none")
    func exchange() async throws {
        market.setReady(false)
        let closed = try await patient.rows()
        #expect(closed[.exchange]?.mark == .fail && closed[.exchange]?.kind == .refused)
        #expect(closed[.ether]?.mark == .ok)
        for call in market.protocolV1.contractCalls(exchange: TestMarket.exchange) {
            market.chain.answer(call.to, call.data, with: .success([]))
        }
        let none = try await patient.rows()
        #expect(none[.exchange]?.mark == .fail)
        for check in Self.ofAccount.prefix(3) { #expect(none[check]?.mark == .skipped) }
        // What is in the journal needs no exchange.
        for check in Self.ofAccount.dropFirst(3) { #expect(none[check]?.mark == .ok) }
    }

    @Test("without an account its rows are skipped, and nothing is in flight")
    func nobody() async throws {
        let rows = try await patient.rows(withAccount: false)
        #expect(rows[.exchange]?.mark == .ok)
        for check in Self.ofAccount { #expect(rows[check]?.mark == .skipped) }
    }

    @Test(
        "ether that does not pay a trade's gas is told",
        arguments: [("0", .warn), ("0.0006", .warn), ("0.001", .ok)]
            as [(String, DoctorState.Mark)]
    )
    func ether(amount: String, mark: DoctorState.Mark) async throws {
        market.fundTrader(ether: amount)
        let row = try await patient.rows()[.ether]
        #expect(row?.mark == mark)
        if mark == .warn {
            #expect(row?.remedy?.contains(market.trader.address.checksummed) == true)
        }
    }

    @Test("ether is no all-clear where the price of gas could not be read")
    func priceless() async throws {
        market.fundTrader(ether: "5")
        market.chain.set { state in
            state.gasPrice = .failure(.nonsense("no price"))
            state.feeHistory = .failure(.nonsense("no history"))
        }
        let row = try await patient.rows()[.ether]
        #expect(row?.mark == .warn && row?.found.contains("is unknown") == true)
    }

    @Test("a node that fails at the account's tokens is told once")
    func unreadable() async throws {
        market.chain.set { state in
            state.onRound = { _, reads in
                let asksEther = reads.contains { read in
                    if case .balance = read { true } else { false }
                }
                return asksEther ? .failure(.unreachable(url: "u", reason: "gone")) : nil
            }
        }
        let rows = try await patient.rows()
        #expect(rows[.ether]?.mark == .fail && rows[.ether]?.kind == .unreachable)
        #expect(rows[.allowances]?.mark == .skipped)
    }

    @Test("an unlimited allowance is told by name, a limited one is fine")
    func allowances() async throws {
        market.fundTrader(zrx: 5, allowance: 7)
        let limited = try await patient.rows()[.allowances]
        #expect(limited?.mark == .ok)
        #expect(limited?.found.contains("may be moved in part") == true)
        market.fund(market.trader.address, TestMarket.weth, balance: 1, allowance: .max)
        let unlimited = try await patient.rows()[.allowances]
        #expect(unlimited?.mark == .warn)
        #expect(unlimited?.found.hasPrefix("All of the account's WETH may be moved") == true)
        #expect(unlimited?.remedy?.hasSuffix("dex allowance revoke WETH") == true)
    }

    // MARK: Code

    @Test("an account that runs the code of another one is warned of it, by name")
    func delegation() async throws {
        #expect(try await patient.rows()[.delegation] == nil)
        let trader = market.trader.address
        let code = Delegation.code(for: TestMarket.exchange)
        market.chain.set { $0.code[trader] = .success(code) }
        let row = try #require(try await patient.rows()[.delegation])
        #expect(row.mark == .warn && row.found.contains(TestMarket.exchange.checksummed))
        market.chain.set { $0.code[trader] = .failure(.unreachable(url: "u", reason: "gone")) }
        #expect(try await patient.rows()[.delegation]?.mark == .fail)
    }

    // MARK: Orders

    @Test("an own order that nobody can fill is told with its hash")
    func orders() async throws {
        let order = try await market.ask(by: market.trader, "10", for: "1")
        try save(order)
        market.fundTrader(zrx: TestMarket.units("10"), allowance: .max)
        let funded = try await patient.rows()[.orders]
        #expect(funded == .ok(.orders, "One own order is open, and can be filled."))
        market.fundTrader(zrx: TestMarket.units("10"), allowance: 0)
        let unfunded = try await patient.rows()[.orders]
        #expect(unfunded?.mark == .warn)
        #expect(
            unfunded?.found
                == "The one open own order cannot be filled: balance or allowance is missing."
        )
        #expect(unfunded?.remedy?.hasSuffix("dex why \(order.hash)") == true)
        market.use(order, cancelled: order.takerAmount)
        #expect(try await patient.rows()[.orders]?.mark == .ok)
    }

    @Test("orders that can each be filled, and not all, are no all-clear")
    func sharedBalance() async throws {
        for salt: UInt256 in [1, 2] {
            try save(try await market.ask(by: market.trader, "10", for: "1", salt: salt))
        }
        market.fundTrader(zrx: TestMarket.units("15"), allowance: .max)
        let short = try await patient.rows()[.orders]
        #expect(
            short
                == .warn(
                    .orders,
                    "Each of the 2 open own orders can be filled, but not all: together they take "
                        + "20 ZRX, and balance and allowance cover 15 ZRX.",
                    "Add what is missing, or cancel one. See them: dex orders --mine"
                )
        )
        market.fundTrader(zrx: TestMarket.units("20"), allowance: TestMarket.units("19"))
        #expect(try await patient.rows()[.orders]?.mark == .warn)
        market.fundTrader(zrx: TestMarket.units("20"), allowance: TestMarket.units("20"))
        let funded = try await patient.rows()[.orders]
        #expect(funded == .ok(.orders, "2 own orders are open, and all can be filled."))
    }

    @Test("orders that cannot be read fail the row")
    func unreadableOrders() async throws {
        let order = try await market.ask(by: market.trader, "10", for: "1")
        try save(order)
        let hash = order.hash.word.bytes
        market.chain.set { state in
            state.onRound = { _, reads in
                let isAskedFor = reads.contains { read in
                    switch read {
                    case .call(let call, _): call.data.firstRange(of: hash) != nil
                    case .transactionCount(_, .latest): true
                    default: false
                    }
                }
                // The account itself is read with its fees.
                let isHead = reads.contains { if case .feeHistory = $0 { true } else { false } }
                return isAskedFor && !isHead
                    ? .failure(.unreachable(url: "u", reason: "gone")) : nil
            }
        }
        let rows = try await patient.rows()
        #expect(rows[.orders]?.mark == .fail && rows[.orders]?.kind == .unreachable)
        #expect(rows[.transactions]?.mark == .fail)
        #expect(rows[.ether]?.mark == .ok)
    }

    private func save(_ order: any SignedOrder) throws {
        try patient.store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: order.hash,
                maker: order.maker,
                wire: market.protocolV1.encodeOrder(order).text,
                created: TestMarket.now
            )
        )
    }
}
