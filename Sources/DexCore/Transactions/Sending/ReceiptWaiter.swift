import DexStore
import Ethereum

/// Polls for a transaction's receipt; after the time limit it returns the current state.
struct ReceiptWaiter {
    let session: Session
    /// Where the other transactions with its nonce are.
    let journal: Journal
    let settings: TradeSettings
    let hash: TransactionHash
    let sender: Address
    let nonce: UInt64
    let raw: [UInt8]
    /// A node reported that it has it: only then can it be lost.
    let isAcknowledged: Bool
    /// What the user sees meanwhile; nil shows nothing.
    var shown: TransactionWait?

    /// The stage when waiting ends.
    struct End {
        /// `confirmed` or `reverted` in a canonical block of sufficient depth, `mined` in another
        /// block; `replaced` if that is proved, `dropped`, or `pooled` if a node may have it.
        let stage: TransactionStage
        /// Its nonce is used, and no node shows by what.
        var isInDoubt = false
        /// A node showed it in its pool or in a block.
        var isSeen = false
        /// The receipt of a mined transaction.
        var receipt: TransactionReceipt?
    }

    /// Waits until it is mined, or proved to be replaced, or the time is up.
    ///
    /// - Throws: `DexError`, exit 130, if the user interrupts; exit 4, `nodes-disagree`, if nodes that
    ///   must agree tell different outcomes in one block: no waiting mends that.
    func wait() async throws(DexError) -> End {
        let start = session.environment.now()
        let interval = session.network.receiptInterval
        var slept: UInt64 = 0
        var life = TransactionLife(isAcknowledged ? .broadcast : .signed)
        var last = TransactionObservation.nothing
        var misses = 0
        var shown = shown
        session.environment.waiting(shown)
        defer { session.environment.waiting(nil) }
        while true {
            var (observation, baseFee) = try await shownNow()
            if let baseFee, shown != nil, shown?.baseFee != baseFee {
                shown?.baseFee = baseFee
                session.environment.waiting(shown)
            }
            if Task.isCancelled { throw EndedError.inFlight(hash: hash) }
            if life.isInDoubt { observation = await proved(observation) }
            let meaning = observation.meaning(confirmations: settings.confirmations)
            life.observe(observation, confirmations: settings.confirmations)
            switch (meaning, observation.receipt) {
            case (.included(succeeded: _, isDeep: true), let receipt?):
                return End(stage: life.stage, receipt: receipt)
            case (.missing, _):
                misses += 1
                // Its failure says nothing: the next observation counts.
                if misses.isMultiple(of: 5), !isReplaced {
                    // Its failure says nothing, as above.
                    _ = try? await session.chain.send(raw: raw)
                }
            case (.unseen, _): break
            default: misses = 0
            }
            if life.stage == .replaced { return End(stage: .replaced) }
            if meaning != .unseen { last = observation }
            let now = session.environment.now()
            let elapsed = max(now > start ? now - start : 0, slept / 1_000)
            guard elapsed < settings.receiptTimeout else {
                if let receipt = last.receipt { return End(stage: .mined, receipt: receipt) }
                // A private mempool shows nothing, so a node that does not know it proves nothing.
                let isLost =
                    life.stage == .dropped && !life.isInDoubt && session.network.privateRPC == nil
                return End(
                    stage: isLost ? .dropped : .pooled,
                    isInDoubt: life.isInDoubt,
                    isSeen: last.info != nil
                )
            }
            do {
                try await session.environment.sleep(interval)
            } catch {
                throw EndedError.inFlight(hash: hash)
            }
            slept += interval
        }
    }

    /// One observation; a node without an answer, or with another transaction, shows nothing.
    ///
    /// - Throws: `DexError`, `nodes-disagree`.
    private func shownNow() async throws(DexError) -> (TransactionObservation, Wei?) {
        do throws(DexError) {
            return try await observe()
        } catch {
            guard error.concerns(.disagreement) else { return (.nothing, nil) }
            throw error.adding(
                "The transaction \(hash) is sent, and in the journal. What became of it: "
                    + "`dex status \(hash)`."
            )
        }
    }

    /// What every node shows of it, where its nonce was seen as used and still is.
    private func proved(_ observation: TransactionObservation) async -> TransactionObservation {
        guard observation.meaning() == .nonceUsed else { return observation }
        let proof = ReplacementProof(session: session, journal: journal)
        var observation = observation
        // nil: nothing is proved by what cannot be read
        switch (try? await proof.findings([reading]))?.first {
        case .replaced: observation.isReplaced = true
        case .seen(let seen):
            // nil: the next observation counts
            return (try? await reading.confirm(seen, on: session.chain)) ?? observation
        case .unproved, nil: break
        }
        return observation
    }

    /// Another command signed a replacement: this one is never sent again.
    private var isReplaced: Bool {
        // nil: a journal that cannot be read has no replacement to show
        ((try? journal.transaction(hash)) ?? nil)?.successor != nil
    }

    private var reading: TransactionReading {
        TransactionReading(
            hash: hash,
            sender: sender,
            nonce: nonce,
            raw: raw,
            rules: session.network.fees
        )
    }

    /// One observation; a receipt of sufficient depth is checked against the chain.
    ///
    /// - Returns: also the latest block's base fee, if it is shown and the node reports it.
    private func observe() async throws(DexError) -> (TransactionObservation, Wei?) {
        var batch = ReadBatch()
        let asked = TransactionObserver(session: session).ask([reading], in: &batch)
        let block = shown.map { _ in batch.add(.latestBlock) }
        let answers = try await batch.send(to: session.chain)
        let observation = try answers.value(asked).observation(0)
        // Only shown: a node that does not report it fails nothing.
        let baseFee = block.flatMap { try? answers.value($0) }?.baseFeePerGas
        guard observation.depth >= max(settings.confirmations, 1) else {
            return (observation, baseFee)
        }
        do throws(DexError) {
            return (try await reading.confirm(observation, on: session.chain), baseFee)
        } catch {
            if error.concerns(.disagreement) { throw error }
            return (observation, baseFee)
        }
    }
}
