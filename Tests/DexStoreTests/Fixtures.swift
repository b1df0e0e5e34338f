import DexStore
import Ethereum
import FoundationEssentials
import ZeroEx

/// A journal in a folder of its own.
struct TestJournal {
    static let alice = address(1)
    static let bob = address(2)
    static let now: UInt64 = 1_800_000_000

    let folder: URL
    let path: String
    let journal: Journal

    init() {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-store-tests-\(UUID().uuidString)")
        path = folder.appending(path: "data/journal.sqlite").path
        journal = Journal(path: path)
    }

    static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    static func hash(_ number: UInt64) -> TransactionHash {
        TransactionHash(UInt256(number).word)
    }

    static let intent = JournalIntent(
        chainID: 1,
        account: alice,
        command: "market-buy",
        plan: "{}",
        created: now
    )

    func reserve(
        _ journal: Journal? = nil,
        intent: Int64? = nil,
        chainID: UInt64 = 1,
        sender: Address = alice,
        pendingCount: UInt64 = 0,
        now: UInt64 = now
    ) throws -> NonceReservation {
        let journal = journal ?? self.journal
        return try journal.reserveNonce(
            intent: try intent ?? journal.open(Self.intent),
            purpose: "fill",
            chainID: chainID,
            sender: sender,
            pendingCount: pendingCount,
            now: now
        )
    }

    /// Reserves and signs; the hash is the number.
    @discardableResult
    func sign(_ number: UInt64, pendingCount: UInt64 = 0) throws -> NonceReservation {
        let reservation = try reserve(pendingCount: pendingCount)
        try journal.record(
            raw: [UInt8(truncatingIfNeeded: number), 2, 3],
            hash: Self.hash(number),
            for: reservation,
            now: Self.now
        )
        return reservation
    }

    /// An event in the block of `receipt`.
    static func logged(
        _ event: ExchangeEvent,
        at logIndex: UInt64,
        in number: UInt64 = 1
    ) -> LoggedEvent {
        LoggedEvent(
            event: event,
            block: 77,
            blockHash: BlockHash(UInt256(5).word),
            transaction: hash(number),
            logIndex: logIndex
        )
    }

    static func receipt(_ number: UInt64, succeeded: Bool = true) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: hash(number),
            blockNumber: 77,
            blockHash: BlockHash(UInt256(5).word),
            from: alice,
            to: bob,
            succeeded: succeeded,
            gasUsed: 120_000,
            effectiveGasPrice: Wei(7),
            logs: []
        )
    }
}
