import Ethereum

/// Polls for a transaction's receipt and, when time is up, tells what became of it.
struct ReceiptWaiter {
    let session: Session
    let settings: TradeSettings
    let hash: TransactionHash
    let sender: Address
    let nonce: UInt64
    let raw: [UInt8]
    /// A node said that it has it: it can be lost only then.
    let isAcknowledged: Bool

    enum Result {
        /// In a block that is canonical and deep enough.
        case mined(TransactionReceipt)
        /// Known to the node, or nobody knows.
        case pending
        /// In a block that is not deep enough yet, or not surely part of the chain.
        case unconfirmed(TransactionReceipt)
        /// Another transaction with the same nonce was mined.
        case replaced
        /// No longer known to the node.
        case dropped
    }

    /// Waits until it is mined, replaced, or the time is up.
    ///
    /// - Throws: `DexError`, exit 130, where the user interrupts.
    func wait() async throws(DexError) -> Result {
        let start = session.environment.now()
        let interval = session.network.receiptInterval
        var slept: UInt64 = 0
        var life = TransactionLife(isAcknowledged ? .broadcast : .signed)
        var last = TransactionObservation.nothing
        var misses = 0
        while true {
            // A node that does not answer, or tells of another transaction, shows nothing.
            let observation = (try? await look()) ?? .nothing
            if Task.isCancelled { throw DexError(EndedError.inFlight(hash: hash)) }
            let finding = observation.finding(confirmations: settings.confirmations)
            life.see(observation, confirmations: settings.confirmations)
            switch (finding, observation.receipt) {
            case (.included(succeeded: _, isDeep: true), let receipt?): return .mined(receipt)
            case (.missing, _):
                misses += 1
                if misses.isMultiple(of: 5) { _ = try? await session.chain.send(raw: raw) }
            case (.unseen, _): break
            default: misses = 0
            }
            if life.stage == .replaced { return .replaced }
            if finding != .unseen { last = observation }
            let now = session.environment.now()
            let elapsed = max(now > start ? now - start : 0, slept / 1_000)
            guard elapsed < settings.receiptTimeout else {
                if let receipt = last.receipt { return .unconfirmed(receipt) }
                return life.stage == .dropped && !life.isInDoubt ? .dropped : .pending
            }
            do {
                try await session.environment.sleep(interval)
            } catch {
                throw DexError(EndedError.inFlight(hash: hash))
            }
            slept += interval
        }
    }

    /// One look; a receipt that is deep enough is checked against the chain.
    private func look() async throws(DexError) -> TransactionObservation {
        let reading = TransactionReading(hash: hash, sender: sender, nonce: nonce, raw: raw)
        var batch = ReadBatch()
        let slots = reading.ask(in: &batch)
        let count = batch.add(.transactionCount(sender, .latest))
        let newest = batch.add(.blockNumber)
        let chain = batch.add(.chainID)
        let answers = try await batch.send(to: session.chain)
        // A node of another chain knows nothing of it, which says nothing about it.
        guard try answers.value(chain) == session.network.chainID else { return .nothing }
        let observation = try reading.observation(
            slots,
            in: answers,
            head: try answers.value(newest),
            count: answers.optional(count)
        )
        guard observation.depth >= max(settings.confirmations, 1) else { return observation }
        do throws(DexError) {
            return try await reading.confirm(observation, on: session.chain)
        } catch {
            return observation
        }
    }
}
