import DexStore
import Ethereum

/// Looks at transactions of ours on a node, whatever accounts they are of.
struct LifeReader {
    let session: Session

    /// What a look shows of a transaction.
    struct Seen {
        let transaction: JournalTransaction
        var life: TransactionLife
        var observation: TransactionObservation
    }

    /// What a node answered to all that was asked at once.
    struct Asked {
        fileprivate let transactions: [JournalTransaction]
        fileprivate let slots: [TransactionReading.Slots]
        fileprivate let answers: ReadAnswers
        /// The number of the latest block.
        let head: UInt64
        /// The mined transactions of each account.
        let counts: [Address: UInt64]
        /// All transactions of the accounts of those that were asked about, by the node's pool.
        let pending: [Address: UInt64]
    }

    /// Asks about transactions, in one request.
    ///
    /// - Parameter accounts: whose mined transactions are counted besides.
    /// - Throws: `DexError`, exit 3 where the node is on another chain, exit 4.
    func ask(
        _ transactions: [JournalTransaction],
        accounts: [Address] = []
    ) async throws(DexError) -> Asked {
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        let newest = batch.add(.blockNumber)
        let senders = Set(transactions.map(\.sender) + accounts).sorted()
        let mined = senders.map { batch.add(.transactionCount($0, .latest)) }
        let waiting = Set(transactions.map(\.sender)).sorted()
        let pool = waiting.map { batch.add(.transactionCount($0, .pending)) }
        let slots = transactions.map { TransactionReading($0).ask(in: &batch) }
        let answers = try await batch.send(to: session.chain)
        let node = try answers.value(chain)
        guard node == session.network.chainID else {
            throw DexError(NetworkError.wrongChain(node: node, session.network))
        }
        var counts: [Address: UInt64] = [:]
        for (sender, slot) in zip(senders, mined) { counts[sender] = try answers.value(slot) }
        var pending: [Address: UInt64] = [:]
        for (sender, slot) in zip(waiting, pool) { pending[sender] = try answers.value(slot) }
        return Asked(
            transactions: transactions,
            slots: slots,
            answers: answers,
            head: try answers.value(newest),
            counts: counts,
            pending: pending
        )
    }

    /// What became of what is unsettled, and of what the journal takes for mined where the
    /// account's number of mined transactions does not count it any more.
    ///
    /// - Parameter held: nonces with which somebody is about to sign.
    /// - Returns: those, the number of the latest block, nil where there was nothing to ask, and
    ///   the free nonces that they wait for.
    /// - Throws: `DexError`, exit 3 or 4.
    func look(
        unsettled: [JournalTransaction],
        mined: [JournalTransaction],
        held: [Address: Set<UInt64>]
    ) async throws(DexError) -> (seen: [Seen], head: UInt64?, gaps: NonceGaps) {
        guard !unsettled.isEmpty || !mined.isEmpty else {
            return ([], nil, NonceGaps())
        }
        var asked = try await ask(unsettled, accounts: mined.map(\.sender))
        let lost = mined.filter { $0.nonce >= asked.counts[$0.sender] ?? .max }
        if !lost.isEmpty { asked = try await ask(lost + unsettled) }
        // A node that is behind changes nothing.
        let seen = try await look(asked).filter {
            !($0.transaction.isMinedByJournal && $0.life.block == $0.transaction.block)
        }
        let waiting = seen.filter(\.isWaiting)
        let gaps = NonceGaps(waiting.map(\.transaction), pending: asked.pending, held: held)
        return (seen, asked.head, gaps)
    }

    /// What of a network did not come to its end, as far as there is something to tell of it.
    ///
    /// It is unsettled by the journal, or a reorganization took it out of the chain. What was
    /// refused is told once a pool or a block has it after all.
    ///
    /// - Returns: those, the number of the latest block, nil where there was nothing to ask, and
    ///   the free nonces that they wait for.
    /// - Throws: `DexError`, exit 3 or 4.
    func unfinished(
        _ unfinished: JournalUnfinished,
        mined: [JournalTransaction]
    ) async throws(DexError) -> (seen: [Seen], head: UInt64?, gaps: NonceGaps) {
        let looked = try await look(
            unsettled: unfinished.transactions,
            mined: mined,
            held: unfinished.held(now: session.environment.now())
        )
        return (looked.seen.filter { $0.stage != .refused }, looked.head, looked.gaps)
    }

    /// What became of each.
    ///
    /// Replaced only where a second look agrees, a while later: a node may count a block before it
    /// serves the receipts in it, and what is wrongly taken for replaced would be traded again.
    ///
    /// - Throws: `DexError`, exit 4, where the node does not tell.
    func look(_ asked: Asked) async throws(DexError) -> [Seen] {
        var all = try await see(asked, lives: asked.transactions.map { TransactionLife($0) })
        // What was signed to take a place and did leaves no doubt.
        let mined = Set(all.filter(\.life.stage.isInBlock).map(\.slot))
        for index in all.indices where all[index].life.isInDoubt && mined.contains(all[index].slot)
        {
            all[index].life.see(all[index].observation)
        }
        let doubted = all.indices.filter { all[$0].life.isInDoubt }
        guard !doubted.isEmpty else { return all }
        try await Broadcast.sleep(session.network.receiptInterval, session)
        let again = try await see(
            ask(doubted.map { all[$0].transaction }),
            lives: doubted.map { all[$0].life }
        )
        for (index, seen) in zip(doubted, again) { all[index] = seen }
        return all
    }

    private func see(
        _ asked: Asked,
        lives: [TransactionLife]
    ) async throws(DexError) -> [Seen] {
        var observations: [TransactionObservation] = []
        for (transaction, slots) in zip(asked.transactions, asked.slots) {
            observations.append(
                try TransactionReading(transaction).observation(
                    slots,
                    in: asked.answers,
                    head: asked.head,
                    count: asked.counts[transaction.sender]
                )
            )
        }
        try await TransactionReading.check(&observations, on: session.chain)
        var all: [Seen] = []
        for (transaction, (life, observation)) in zip(asked.transactions, zip(lives, observations))
        {
            var life = life
            life.see(observation)
            all.append(Seen(transaction: transaction, life: life, observation: observation))
        }
        return all
    }
}

extension LifeReader.Seen {
    /// One nonce of one account, which one transaction at most can use.
    struct Slot: Hashable {
        let sender: Address
        let nonce: UInt64
    }

    fileprivate var slot: Slot {
        Slot(sender: transaction.sender, nonce: transaction.nonce)
    }

    /// Where it stands; what a reorganization put back into a pool is pooled.
    var stage: TransactionLife.Stage {
        life.stage == .reorganized && observation.finding() == .pooled ? .pooled : life.stage
    }

    /// It is in no block and holds its nonce.
    var isWaiting: Bool {
        !life.stage.isInBlock && life.stage != .replaced && life.stage != .refused
    }

    /// A reorganization took it out of its block.
    var wasMined: Bool {
        transaction.status == .reorganized || transaction.isMinedByJournal
    }
}
