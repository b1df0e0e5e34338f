import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A checkup of the journal and of what is in flight")
struct DoctorTransactionTests {
    private let patient: DoctorPatient
    private var market: TestMarket { patient.market }

    init() throws {
        patient = try DoctorPatient()
    }

    @Test("a transaction that waits is told, and is stuck from the time that a receipt may take")
    func waiting() async throws {
        let old = try await sign(nonce: 7, created: TestMarket.now - 179)
        set(old, receipt: nil, info: market.info(old, nonce: 7))
        let young = try await patient.rows()[.transactions]
        #expect(young?.mark == .warn)
        #expect(
            young?.found
                == "One transaction (fill), signed 179 s ago, is not mined yet: \(old)."
        )
        #expect(young?.remedy == "Wait for it: dex status \(old) --wait")
        let next = try await sign(nonce: 8, created: TestMarket.now)
        set(next, receipt: nil, info: market.info(next, nonce: 8))
        try await market.session().environment.sleep(1_000)
        let stuck = try await patient.rows()[.transactions]
        #expect(stuck?.mark == .fail && stuck?.kind == .notMinedYet)
        // The lower nonce holds the other up.
        #expect(stuck?.found.hasPrefix("2 transactions are not mined yet") == true)
        #expect(stuck?.found.contains(old.hex) == true)
    }

    @Test("a transaction that no node knows is lost, and one whose nonce is used was replaced")
    func lost() async throws {
        let hash = try await sign(nonce: 7, created: TestMarket.now)
        set(hash, receipt: nil, info: nil)
        let lost = try await patient.rows()[.transactions]
        #expect(lost?.mark == .fail && lost?.kind == .replacedOrDropped)
        #expect(lost?.found.contains("is signed, and no node knows it: \(hash)") == true)
        market.fundTrader(nonce: 8)
        let replaced = try await patient.rows()[.transactions]
        #expect(replaced?.mark == .warn)
        #expect(replaced?.found.contains("was mined in the place") == true)
    }

    @Test("a transaction that was mined and told to nobody is named")
    func unavailable() async throws {
        let hash = try await sign(nonce: 7, created: TestMarket.now)
        set(hash, receipt: market.receipt(hash, block: TestMarket.head), info: nil)
        let row = try await patient.rows()[.transactions]
        #expect(row?.mark == .warn)
        #expect(row?.remedy == "See what it did: dex status \(hash)")
    }

    @Test("another program's transactions are counted")
    func others() async throws {
        let trader = market.trader.address
        market.chain.set { $0.pendingNonces[trader] = 9 }
        let row = try await patient.rows()[.transactions]
        #expect(row?.mark == .warn)
        #expect(row?.found.hasPrefix("2 transactions are of another program") == true)
    }

    @Test("what took the place of a transaction is what counts, and the first of them is not lost")
    func spedUp() async throws {
        let old = try await sign(nonce: 7, created: TestMarket.now - 1_000)
        let journal = patient.store.journal
        let new = try await signed(nonce: 7, price: 2)
        try journal.record(
            raw: new.raw,
            hash: new.hash,
            replacing: old,
            intent: try open(created: TestMarket.now),
            purpose: "fill",
            now: TestMarket.now
        )
        set(old, receipt: nil, info: nil)
        set(new.hash, receipt: nil, info: market.info(new.hash, nonce: 7))
        let row = try await patient.rows()[.transactions]
        #expect(row?.mark == .warn)
        #expect(row?.found.contains(new.hash.hex) == true)
        #expect(row?.found.contains(old.hex) == false)
    }

    @Test("a transaction behind a free nonce is stuck at once, and the row names the nonce")
    func gap() async throws {
        let hash = try await sign(nonce: 9, created: TestMarket.now)
        set(hash, receipt: nil, info: market.info(hash, nonce: 9))
        let row = try await patient.rows()[.transactions]
        #expect(row?.mark == .fail && row?.kind == .notMinedYet)
        #expect(row?.found.contains("a transaction with the nonce 7, which is free") == true)
    }

    @Test("what another account has in flight is told with whose it is, also where none is named")
    func accounts() async throws {
        let other = market.makers[0]
        let whose = other.address.checksummed
        let stuck = try await sign(nonce: 3, created: TestMarket.now - 1_000, by: other)
        market.chain.set { chain in
            chain.minedNonces[other.address] = 3
            chain.pendingNonces[other.address] = 4
        }
        set(stuck, receipt: nil, info: market.info(stuck, nonce: 3))
        for isNamed in [true, false] {
            let row = try await patient.rows(withAccount: isNamed)[.transactions]
            #expect(row?.mark == .fail && row?.kind == .notMinedYet)
            #expect(
                row?.found.hasPrefix("One transaction (fill) of \(whose), signed 1000 s ago")
                    == true
            )
            #expect(row?.remedy?.contains("dex tx cancel \(stuck) --wallet \(whose)") == true)
        }
        let own = try await sign(nonce: 7, created: TestMarket.now)
        set(own, receipt: nil, info: market.info(own, nonce: 7))
        // What fails is told before what only waits.
        let both = try await patient.rows()[.transactions]
        #expect(both?.found.contains(stuck.hex) == true)
        #expect(both?.remedy?.hasSuffix("dex tx list --unsettled") == true)
        set(own, receipt: nil, info: nil)
        let lost = try await patient.rows()[.transactions]
        #expect(lost?.found.contains(own.hex) == true && lost?.kind == .replacedOrDropped)
        #expect(lost?.remedy?.contains("--wallet") == false)
    }

    // MARK: The journal

    @Test("without a journal nothing is made, and what is in flight is looked for all the same")
    func noJournal() async throws {
        let rows = await DoctorModel(
            session: try market.session(),
            nodes: .success([FakeProbe()]),
            account: market.trader.address,
            journal: nil,
            settings: TradeSettings()
        ).rows()
        #expect(rows.first { $0.check == .journal }?.found.hasPrefix("No journal yet") == true)
        #expect(rows.first { $0.check == .orders }?.mark == .ok)
        #expect(rows.first { $0.check == .transactions }?.mark == .ok)
    }

    @Test("a journal that cannot be read fails, and what needs it is skipped")
    func damagedJournal() async throws {
        let broken = Journal(path: "/dev/null/journal.sqlite")
        let rows = try await patient.rows(journal: broken)
        #expect(rows[.journal]?.mark == .fail && rows[.journal]?.kind == .configuration)
        #expect(rows[.orders]?.mark == .skipped && rows[.transactions]?.mark == .skipped)
        #expect(rows[.ether]?.mark == .ok)
    }

    @Test("what was left unfinished is named once nobody can be at it any more")
    func unfinished() async throws {
        var other: Journal? = Journal(path: patient.store.journal.path)
        let intent = try open(created: TestMarket.now, in: other)
        _ = try open(created: TestMarket.now, in: other)
        _ = try other?.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: market.trader.address,
            pendingCount: 7,
            now: TestMarket.now
        )
        #expect(try await patient.rows()[.journal]?.mark == .ok)
        // Its process ends.
        other = nil
        let row = try await patient.rows()[.journal]
        #expect(row?.mark == .warn)
        #expect(
            row?.found
                == "Left unfinished: a transaction (fill) that was not signed, dex market-buy, "
                + "which signed nothing."
        )
        #expect(row?.remedy?.hasSuffix("dex resume") == true)
    }

    private func sign(
        nonce: UInt64,
        created: UInt64,
        by signer: PrivateKeySigner? = nil
    ) async throws -> TransactionHash {
        let journal = patient.store.journal
        let intent = try open(created: created)
        let reservation = try journal.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: signer?.address ?? market.trader.address,
            pendingCount: nonce,
            now: created
        )
        let signed = try await signed(nonce: nonce, price: 1, by: signer)
        try journal.record(raw: signed.raw, hash: signed.hash, for: reservation, now: created)
        return signed.hash
    }

    private func open(created: UInt64, in journal: Journal? = nil) throws -> Int64 {
        try (journal ?? patient.store.journal).open(
            JournalIntent(
                chainID: 1337,
                account: market.trader.address,
                command: "market-buy",
                plan: "{}",
                created: created
            )
        )
    }

    private func signed(
        nonce: UInt64,
        price: UInt64,
        by signer: PrivateKeySigner? = nil
    ) async throws -> (raw: [UInt8], hash: TransactionHash) {
        let transaction = Transaction(
            chainID: 1337,
            nonce: nonce,
            fee: .legacy(gasPrice: Wei(UInt256(price))),
            gasLimit: 100_000,
            to: TestMarket.exchange,
            data: []
        )
        let signed = try await (signer ?? market.trader).sign(transaction, chainID: 1337)
        return (signed.raw, signed.hash)
    }

    private func set(
        _ hash: TransactionHash,
        receipt: TransactionReceipt?,
        info: TransactionInfo?
    ) {
        market.chain.set { state in
            state.receipts[hash] = .some(receipt)
            state.transactions[hash] = .some(info)
        }
    }
}
