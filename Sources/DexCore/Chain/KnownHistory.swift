import Ethereum

/// How far back a node's knowledge of the chain reaches.
///
/// A node may have dropped old receipts, whole old blocks, or only the state of old blocks. It
/// answers with an error, with nothing, or with empty logs.
struct KnownHistory {
    let session: Session

    /// The first block that a node knows, and why it does not know the one before.
    struct Start: Hashable, Sendable {
        let block: UInt64
        /// A sentence.
        let reason: String
    }

    /// Where the blocks with their receipts begin; nil if the node knows all of the range.
    ///
    /// - Parameters:
    ///   - guess: a block that is probably known, and the one before it is not.
    /// - Throws: `DexError`, exit 4, if the node does not answer at all.
    func receipts(
        in blocks: ClosedRange<UInt64>,
        account: Address,
        guess: UInt64?
    ) async throws(DexError) -> Start? {
        // Every node keeps block 0.
        guard blocks.upperBound > 0 else { return nil }
        return try await start(in: max(1, blocks.lowerBound)...blocks.upperBound, guess: guess) {
            block async throws(DexError) in try await gap(at: block, account)
        }
    }

    /// Where the states of blocks begin; nil if the node knows all of the range.
    ///
    /// - Throws: `DexError`, exit 4, if the node does not answer at all.
    func states(
        in blocks: ClosedRange<UInt64>,
        account: Address
    ) async throws(DexError) -> Start? {
        try await start(in: blocks, guess: nil) { block async throws(DexError) in
            var batch = ReadBatch()
            let slot = batch.add(.balance(account, .number(block)))
            return try await batch.send(to: session.chain).valueOrReason(slot).failure?.reason
        }
    }

    /// Bisects; the upper end counts as known.
    ///
    /// - Parameter refusal: why the node does not know a block; nil if it does.
    private func start(
        in blocks: ClosedRange<UInt64>,
        guess: UInt64?,
        _ refusal: (UInt64) async throws(DexError) -> String?
    ) async throws(DexError) -> Start? {
        guard var reason = try await refusal(blocks.lowerBound) else { return nil }
        var (low, high) = (blocks.lowerBound, blocks.upperBound)
        var next = guess.flatMap { $0 > low && $0 <= high ? $0 - 1 : nil }
        while high - low > 1 {
            let middle = next.flatMap { $0 > low ? $0 : nil } ?? low + (high - low) / 2
            if let why = try await refusal(middle) {
                (low, reason) = (middle, why)
                // The guess itself was right if the block after it is known.
                next = next == middle && middle + 1 < high ? middle + 1 : nil
            } else {
                high = middle
                next = nil
            }
        }
        return Start(block: high, reason: reason)
    }

    /// Why the node does not know a block with its receipts; nil if it does.
    private func gap(at block: UInt64, _ account: Address) async throws(DexError) -> String? {
        var batch = ReadBatch()
        let full = batch.add(.fullBlock(.number(block)))
        let logs = batch.add(
            .logs(ApprovalLog.filter(of: account, from: .number(block), to: .number(block)))
        )
        let answers = try await batch.send(to: session.chain)
        if let unavailable = try answers.valueOrReason(logs).failure { return unavailable.reason }
        if let unavailable = try answers.valueOrReason(full).failure { return unavailable.reason }
        guard let found = try answers.value(full) else {
            return "It does not have block \(block)."
        }
        guard let first = found.transactions.first else { return nil }
        var receipts = ReadBatch()
        let slot = receipts.add(.receipt(first.hash))
        switch try await receipts.send(to: session.chain).valueOrReason(slot) {
        case .success(.some): return nil
        // Without receipts it has no logs either, and answers that there are none.
        case .success(nil): return "It does not have the receipts of block \(block)."
        case .failure(let unavailable): return unavailable.reason
        }
    }
}
