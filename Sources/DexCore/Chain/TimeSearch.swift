import Ethereum

/// Finds a block by time in few requests, by the pace of the blocks.
struct TimeSearch {
    let session: Session

    /// Blocks by bisection after so many guesses: at most 64 more.
    private static let maximumGuesses = 8

    /// A block not after a time, and usually at most `slack` seconds before it.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970; block 0 counts as not after any time.
    ///   - slack: seconds by which the block may be too early: reading a little more costs less
    ///     than finding the very block.
    ///   - skipsUnknown: blocks that the node does not have count as before the time.
    /// - Throws: `DexError`, exit 4, if the node does not return a block.
    func block(
        notAfter time: UInt64,
        slack: UInt64,
        head: Block,
        skipsUnknown: Bool = false
    ) async throws(DexError) -> UInt64 {
        guard head.timestamp > time else { return head.number }
        var low: UInt64 = 0
        var high = (number: head.number, time: head.timestamp)
        // Blocks per seconds of the chain, at first as the network's settings say.
        var pace = (
            blocks: UInt64(1_000), seconds: max(1, session.network.blockMilliseconds)
        )
        var guesses = 0
        while high.number - low > 1 {
            guesses += 1
            let middle = low + (high.number - low) / 2
            let number =
                guesses > Self.maximumGuesses
                ? middle
                : Self.guess(high, time, pace).map { min(max($0, low + 1), high.number - 1) }
                    ?? middle
            guard let found = try await timestamp(of: number, skipsUnknown: skipsUnknown) else {
                low = number
                continue
            }
            if head.timestamp > found {
                pace = (head.number - number, head.timestamp - found)
            }
            if found <= time {
                low = number
                if time - found <= slack { return low }
            } else {
                high = (number, found)
            }
        }
        return low
    }

    /// One block before the place that the pace suggests; nil without one.
    private static func guess(
        _ high: (number: UInt64, time: UInt64),
        _ time: UInt64,
        _ pace: (blocks: UInt64, seconds: UInt64)
    ) -> UInt64? {
        let (product, overflow) = (high.time - min(time, high.time))
            .multipliedReportingOverflow(by: pace.blocks)
        guard !overflow else { return nil }
        let back = (product / pace.seconds).addingSaturating(1)
        return high.number - min(back, high.number)
    }

    private func timestamp(
        of number: UInt64,
        skipsUnknown: Bool
    ) async throws(DexError) -> UInt64? {
        var batch = ReadBatch()
        let slot = batch.add(.block(.number(number)))
        let answers = try await batch.send(to: session.chain)
        do throws(ChainError) {
            if let block = try answers[slot].get() { return block.timestamp }
        } catch {
            guard skipsUnknown, !error.isUnanswered else { throw DexError(error) }
        }
        guard skipsUnknown else { throw ReadError.blockNotFound(number) }
        return nil
    }
}
