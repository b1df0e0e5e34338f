import DexStore
import Ethereum

extension InFlight {
    /// A transaction and where a batch has what a node shows of it.
    struct Question {
        let transaction: JournalTransaction
        let places: TransactionReading.Places

        var reading: TransactionReading { TransactionReading(transaction) }
    }

    /// How far a node and the account on it are.
    struct View {
        /// The number of the latest block.
        let head: UInt64
        /// Transactions of the account that are mined.
        let count: UInt64
    }

    /// What a look shows of a transaction.
    struct Seen {
        let transaction: JournalTransaction
        var life: TransactionLife
        var sighting: Sighting
    }

    /// What a node answered to all that was asked at once.
    struct Asked {
        let questions: [Question]
        let answers: ReadAnswers
        let view: View
    }

    /// Asks about transactions of an account, in one request.
    ///
    /// - Throws: `DexError`, exit 3 where the node is on another chain, exit 4.
    func ask(
        _ transactions: [JournalTransaction],
        account: Address
    ) async throws(DexError) -> Asked {
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        let mined = batch.add(.transactionCount(account, .latest))
        let newest = batch.add(.blockNumber)
        let questions = transactions.map {
            Question(transaction: $0, places: TransactionReading($0).ask(in: &batch))
        }
        let answers = try await batch.send(to: session.chain)
        let number = { (answer: ChainAnswer) throws(ChainError) in try answer.number() }
        let node = try answers.value(chain, number)
        guard node == session.network.chainID else {
            throw .wrongChain(node: node, network: session.network)
        }
        return Asked(
            questions: questions,
            answers: answers,
            view: View(
                head: try answers.value(newest, number),
                count: try answers.value(mined, number)
            )
        )
    }

    /// What became of each.
    ///
    /// Replaced only where a second look agrees, a while later: a node may count a block before it
    /// serves the receipts in it, and what is wrongly taken for replaced would be traded again.
    ///
    /// - Throws: `DexError`, exit 4, where the node does not tell.
    func look(_ asked: Asked, account: Address) async throws(DexError) -> [Seen] {
        var all = try await see(
            asked,
            lives: asked.questions.map { TransactionLife($0.transaction) }
        )
        // What was signed to take a place and did leaves no doubt.
        let mined = all.filter(\.life.stage.isInBlock).map(\.transaction.nonce)
        for index in all.indices where all[index].life.isInDoubt {
            if mined.contains(all[index].transaction.nonce) {
                all[index].life.see(all[index].sighting)
            }
        }
        let doubted = all.indices.filter { all[$0].life.isInDoubt }
        guard !doubted.isEmpty else { return all }
        try await Broadcast.sleep(session.network.receiptInterval, session)
        let again = try await see(
            ask(doubted.map { all[$0].transaction }, account: account),
            lives: doubted.map { all[$0].life }
        )
        for (index, seen) in zip(doubted, again) { all[index] = seen }
        return all
    }

    private func see(
        _ asked: Asked,
        lives: [TransactionLife]
    ) async throws(DexError) -> [Seen] {
        var sightings: [Sighting] = []
        for question in asked.questions {
            sightings.append(
                try question.reading.sighting(
                    question.places,
                    in: asked.answers,
                    head: asked.view.head,
                    count: asked.view.count
                )
            )
        }
        try await TransactionReading.check(&sightings, on: session.chain)
        var all: [Seen] = []
        for (question, (life, sighting)) in zip(asked.questions, zip(lives, sightings)) {
            var life = life
            life.see(sighting)
            all.append(
                Seen(transaction: question.transaction, life: life, sighting: sighting)
            )
        }
        return all
    }
}
