import DexStore
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

    /// Where it stands once nothing more is waited for.
    struct End {
        /// `confirmed` or `reverted` in a block that is canonical and deep enough, `mined` in one
        /// that is not, or not surely; `replaced`, `dropped`, or `pooled` where a node may have it.
        let stage: TransactionStage
        /// Of what is in a block.
        var receipt: TransactionReceipt?
    }

    /// Waits until it is mined, replaced, or the time is up.
    ///
    /// - Throws: `DexError`, exit 130, where the user interrupts.
    func wait() async throws(DexError) -> End {
        let start = session.environment.now()
        let interval = session.network.receiptInterval
        var slept: UInt64 = 0
        var life = TransactionLife(isAcknowledged ? .broadcast : .signed)
        var last = TransactionObservation.nothing
        var misses = 0
        while true {
            // A node that does not answer, or tells of another transaction, shows nothing.
            let observation = (try? await observe()) ?? .nothing
            if Task.isCancelled { throw DexError(EndedError.inFlight(hash: hash)) }
            let meaning = observation.meaning(confirmations: settings.confirmations)
            life.observe(observation, confirmations: settings.confirmations)
            switch (meaning, observation.receipt) {
            case (.included(succeeded: _, isDeep: true), let receipt?):
                return End(stage: life.stage, receipt: receipt)
            case (.missing, _):
                misses += 1
                if misses.isMultiple(of: 5) { _ = try? await session.chain.send(raw: raw) }
            case (.unseen, _): break
            default: misses = 0
            }
            if life.stage == .replaced { return End(stage: .replaced) }
            if meaning != .unseen { last = observation }
            let now = session.environment.now()
            let elapsed = max(now > start ? now - start : 0, slept / 1_000)
            guard elapsed < settings.receiptTimeout else {
                if let receipt = last.receipt { return End(stage: .mined, receipt: receipt) }
                let isLost = life.stage == .dropped && !life.isInDoubt
                return End(stage: isLost ? .dropped : .pooled)
            }
            do {
                try await session.environment.sleep(interval)
            } catch {
                throw DexError(EndedError.inFlight(hash: hash))
            }
            slept += interval
        }
    }

    /// One observation; a receipt that is deep enough is checked against the chain.
    private func observe() async throws(DexError) -> TransactionObservation {
        let reading = TransactionReading(hash: hash, sender: sender, nonce: nonce, raw: raw)
        let answers = try await TransactionObserver(session: session).ask([reading])
        guard let observation = try answers.observations().first else { return .nothing }
        guard observation.depth >= max(settings.confirmations, 1) else { return observation }
        do throws(DexError) {
            return try await reading.confirm(observation, on: session.chain)
        } catch {
            return observation
        }
    }
}
