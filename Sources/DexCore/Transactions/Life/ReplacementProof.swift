import DexStore
import Ethereum

/// Proof that another transaction used the nonce of one of ours, so that ours never is mined.
///
/// A used nonce without a receipt proves nothing: servers behind one address lag against each other,
/// and one may count a block whose receipts another does not have yet. It is proved if the journal's
/// own transaction with that nonce is mined, or if every node was asked by itself, and all of them
/// count the nonce as used many blocks ago and know nothing of the transaction.
struct ReplacementProof {
    let session: Session
    /// Where our other transactions with the nonce are; nil without one.
    let journal: Journal?

    enum Finding: Hashable {
        case replaced
        /// A node has it in a block, or did not lose it from its pool.
        case seen(TransactionObservation)
        /// No node showed either.
        case unproved
    }

    /// The findings about transactions whose nonces are used, in their order.
    ///
    /// A node without an answer may be the one that has it: until it answers, nothing is proved.
    ///
    /// - Throws: `DexError`, exit 3, if the journal cannot be read.
    func findings(_ readings: [TransactionReading]) async throws(DexError) -> [Finding] {
        let cases = try readings.map { reading throws(DexError) in
            Case(reading: reading, siblings: try siblings(of: reading))
        }
        let views = await session.singleNodes.concurrentMap { node in await view(of: node, cases) }
        var findings: [Finding] = []
        for (index, one) in cases.enumerated() {
            let reported = views.compactMap { $0?[index] }
            findings.append(await finding(one, reported, isWhole: reported.count == views.count))
        }
        return findings
    }

    /// One of the transactions, and our others with its nonce.
    private struct Case: Sendable {
        let reading: TransactionReading
        let siblings: [JournalTransaction]
    }

    /// What one node says of a transaction.
    private struct View: Sendable {
        var observation: TransactionObservation
        /// Its nonce was used many blocks ago.
        var isUsedDeep: Bool
        /// Receipts of our other transactions with its nonce.
        var siblings: [TransactionReceipt]
    }

    private func siblings(
        of reading: TransactionReading
    ) throws(DexError) -> [JournalTransaction] {
        guard let journal, let sender = reading.sender, let nonce = reading.nonce else { return [] }
        let chainID = session.network.chainID
        return try journaled(
            try journal.transactions(chainID: chainID, sender: sender, nonce: nonce)
        ).filter { $0.hash != reading.hash && $0.stage != .forgotten }
    }

    /// - Parameter isWhole: every node answered.
    private func finding(_ one: Case, _ views: [View], isWhole: Bool) async -> Finding {
        if let seen = views.map(\.observation).first(where: { $0.receipt != nil })
            ?? views.map(\.observation).first(where: { $0.info?.blockNumber != nil })
        {
            return .seen(seen)
        }
        if one.siblings.contains(where: \.isMinedByJournal) { return .replaced }
        if await isAnyCanonical(views.flatMap(\.siblings)) { return .replaced }
        return isWhole && !views.isEmpty && views.allSatisfy(\.isUsedDeep) ? .replaced : .unproved
    }

    private func isAnyCanonical(_ receipts: [TransactionReceipt]) async -> Bool {
        guard !receipts.isEmpty else { return false }
        var all = receipts.map { TransactionObservation(receipt: $0) }
        do throws(DexError) {
            try await TransactionReading.check(&all, on: session.chain)
            return all.contains { $0.isCanonical == true }
        } catch {
            return false  // Nothing is proved by a node without an answer.
        }
    }

    // MARK: One node

    /// A node's view of all; nil if it does not answer, or is on another chain.
    private func view(of node: SingleNode, _ cases: [Case]) async -> [View]? {
        var first = ReadBatch()
        let chainID = first.add(.chainID)
        let number = first.add(.blockNumber)
        guard let answers = await node.ask(first),
            answers.optional(chainID) == session.network.chainID,
            let head = answers.optional(number)
        else { return nil }
        let (deep, isShort) = head.subtractingReportingOverflow(session.network.replacementDepth)
        var batch = ReadBatch()
        let slots = cases.map { one in
            (
                own: one.reading.ask(in: &batch),
                count: isShort
                    ? nil
                    : one.reading.sender.map {
                        batch.add(.transactionCount($0, .number(deep)))
                    },
                siblings: one.siblings.map { batch.add(.receipt($0.hash)) }
            )
        }
        guard let reported = await node.ask(batch) else { return nil }
        var views: [View] = []
        for (one, slot) in zip(cases, slots) {
            do throws(DexError) {
                let observation = try one.reading.observation(slot.own, in: reported, head: head)
                var receipts: [TransactionReceipt] = []
                for (sibling, slot) in zip(one.siblings, slot.siblings) {
                    let reading = TransactionReading(sibling, rules: session.network.fees)
                    if let receipt = try reading.receipt(slot, in: reported) {
                        receipts.append(receipt)
                    }
                }
                let count = slot.count.flatMap { reported.optional($0) }
                views.append(
                    View(
                        observation: observation,
                        isUsedDeep: one.reading.nonce.flatMap { nonce in count.map { $0 > nonce } }
                            ?? false,
                        siblings: receipts
                    )
                )
            } catch {
                return nil  // Nonsense, or a question without an answer.
            }
        }
        return views
    }
}
