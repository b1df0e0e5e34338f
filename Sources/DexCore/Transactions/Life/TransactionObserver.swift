import DexStore
import Ethereum

/// Asks nodes about transactions of any accounts, and moves their lives by the answers.
struct TransactionObserver {
    let session: Session
    /// Where the other transactions with a nonce are; nil without one.
    var journal: Journal?
    /// The required number of blocks that hold a transaction, including its own.
    var confirmations: UInt64 = 1

    struct Answers {
        fileprivate let readings: [TransactionReading]
        fileprivate let slots: [TransactionReading.Slots]
        fileprivate let counts: [Address: ReadSlot<UInt64>]
        fileprivate let answers: ReadAnswers
        /// The number of the latest block.
        let head: UInt64
        /// The pending counts of the accounts whose pools were requested.
        let pending: [Address: UInt64]

        /// The number of an account's mined transactions.
        ///
        /// - Throws: `DexError`, exit 4, if the node does not report it.
        func count(of account: Address) throws(DexError) -> UInt64 {
            guard let slot = counts[account] else { return 0 }
            return try answers.value(slot)
        }

        /// The observation of one transaction, by its place among the questions; its receipt is not
        /// checked against the chain yet.
        ///
        /// - Throws: `DexError`, exit 4, if the node does not answer.
        func observation(_ index: Int) throws(DexError) -> TransactionObservation {
            let reading = readings[index]
            var observation = try reading.observation(slots[index], in: answers, head: head)
            let slot = reading.sender.flatMap { counts[$0] }
            if let nonce = reading.nonce, let slot {
                // With a receipt nothing else is needed.
                let count =
                    try observation.receipt == nil
                    ? answers.value(slot) : answers.optional(slot)
                observation.isNonceUsed = count.map { $0 > nonce }
            }
            return observation
        }

        fileprivate func observations() throws(DexError) -> [TransactionObservation] {
            var observations: [TransactionObservation] = []
            for index in readings.indices { observations.append(try observation(index)) }
            return observations
        }
    }

    // MARK: One request

    /// Asks about transactions in a batch.
    ///
    /// The answers throw `DexError`, exit 3 if the node is on another chain, exit 4.
    ///
    /// - Parameters:
    ///   - accounts: further accounts whose mined transactions are counted.
    ///   - hasPools: also counts the accounts' pools.
    func ask(
        _ readings: [TransactionReading],
        accounts: [Address] = [],
        hasPools: Bool = false,
        in batch: inout ReadBatch
    ) -> JointRead<Answers> {
        let network = session.network
        let chainID = batch.add(.chainID)
        let head = batch.add(.blockNumber)
        let senders = Set(readings.compactMap(\.sender))
        var counts: [Address: ReadSlot<UInt64>] = [:]
        for sender in senders.union(accounts).sorted() {
            counts[sender] = batch.add(.transactionCount(sender, .latest))
        }
        var pools: [Address: ReadSlot<UInt64>] = [:]
        for sender in senders.sorted() where hasPools {
            pools[sender] = batch.add(.transactionCount(sender, .pending))
        }
        let slots = readings.map { $0.ask(in: &batch) }
        return JointRead { [counts, pools] answers throws(DexError) in
            let node = try answers.value(chainID)
            guard node == network.chainID else {
                throw NetworkError.wrongChain(node: node, network)
            }
            var pending: [Address: UInt64] = [:]
            for (sender, slot) in pools { pending[sender] = try answers.value(slot) }
            return Answers(
                readings: readings,
                slots: slots,
                counts: counts,
                answers: answers,
                head: try answers.value(head),
                pending: pending
            )
        }
    }

    /// Asks about transactions, in one request.
    ///
    /// - Throws: `DexError`, exit 3 if the node is on another chain, exit 4.
    func ask(_ readings: [TransactionReading]) async throws(DexError) -> Answers {
        var batch = ReadBatch()
        let asked = ask(readings, in: &batch)
        return try await batch.send(to: session.chain).value(asked)
    }

    /// Asks about our transactions and their accounts' pools, in one request.
    ///
    /// - Parameter accounts: further accounts whose mined transactions are counted.
    /// - Throws: `DexError`, exit 3 if the node is on another chain, exit 4.
    func ask(
        _ transactions: [JournalTransaction],
        accounts: [Address] = []
    ) async throws(DexError) -> Answers {
        var batch = ReadBatch()
        let asked = ask(
            transactions.map { TransactionReading($0, rules: session.network.fees) },
            accounts: accounts,
            hasPools: true,
            in: &batch
        )
        return try await batch.send(to: session.chain).value(asked)
    }

    // MARK: Lives

    /// Moves each life by the node's answers.
    ///
    /// Where a nonce is used and no receipt shows by what, the node is asked again a while later:
    /// it may count a block before it serves its receipts. A transaction counts as replaced only if
    /// that is proved, since a trade wrongly taken for replaced would be repeated.
    ///
    /// - Throws: `DexError`, exit 4, if the node does not answer.
    func observe(
        _ lives: [TransactionLife],
        _ answers: Answers
    ) async throws(DexError) -> [(life: TransactionLife, observation: TransactionObservation)] {
        var all = try await once(lives, answers)
        let readings = answers.readings
        // A mined replacement leaves no doubt.
        let mined = all.indices.filter { all[$0].observation.receipt != nil }
            .filter { all[$0].life.stage.isInBlock }
        let used = Set(mined.map { readings[$0].slot })
        for index in all.indices
        where all[index].life.isInDoubt && used.contains(readings[index].slot) {
            all[index].observation.isReplaced = true
            all[index].life.observe(all[index].observation, confirmations: confirmations)
        }
        // What was proved to be replaced before is over, as long as nothing contradicts that.
        let doubted = all.indices.filter {
            all[$0].life.isInDoubt && all[$0].life.stage != .replaced
        }
        guard !doubted.isEmpty else { return all }
        try await Broadcast.sleep(session.network.receiptInterval, session)
        let again = try await once(
            doubted.map { all[$0].life },
            ask(doubted.map { readings[$0] })
        )
        for (index, one) in zip(doubted, again) { all[index] = one }
        try await prove(doubted.filter { all[$0].life.isInDoubt }, in: &all, readings)
        return all
    }

    /// Asks every node by itself about transactions that are in doubt still.
    private func prove(
        _ doubted: [Int],
        in all: inout [(life: TransactionLife, observation: TransactionObservation)],
        _ readings: [TransactionReading]
    ) async throws(DexError) {
        guard !doubted.isEmpty else { return }
        let proof = ReplacementProof(session: session, journal: journal)
        let findings = try await proof.findings(doubted.map { readings[$0] })
        for (index, finding) in zip(doubted, findings) {
            switch finding {
            case .unproved: continue
            case .replaced: all[index].observation.isReplaced = true
            case .seen(let observation):
                var seen = [observation]
                try await TransactionReading.check(&seen, on: session.chain)
                all[index].observation = seen.first ?? observation
            }
            all[index].life.observe(all[index].observation, confirmations: confirmations)
        }
    }

    private func once(
        _ lives: [TransactionLife],
        _ answers: Answers
    ) async throws(DexError) -> [(life: TransactionLife, observation: TransactionObservation)] {
        var observations = try answers.observations()
        try await TransactionReading.check(&observations, on: session.chain)
        return zip(lives, observations).map { life, observation in
            var life = life
            life.observe(observation, confirmations: confirmations)
            return (life, observation)
        }
    }

    /// The state of our transactions, in the order of the request.
    ///
    /// - Throws: `DexError`, exit 4, if the node does not answer.
    func observe(
        _ transactions: [JournalTransaction],
        _ answers: Answers
    ) async throws(DexError) -> [ObservedTransaction] {
        let all = try await observe(transactions.map { TransactionLife($0) }, answers)
        return zip(transactions, all).map {
            ObservedTransaction(transaction: $0, life: $1.life, observation: $1.observation)
        }
    }
}

extension TransactionReading {
    /// One nonce of one account, which at most one transaction can use.
    fileprivate struct Slot: Hashable {
        let sender: Address?
        let nonce: UInt64?
    }

    fileprivate var slot: Slot { Slot(sender: sender, nonce: nonce) }
}
