import Ethereum

/// The logs of a range of blocks, in chunks that the node allows.
///
/// Nodes limit the range or the answer, each in its own way: `LogPageSize` learns how.
struct LogPager {
    private let session: Session
    private let blocks: ClosedRange<UInt64>
    private let filters: (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    /// The range is long enough for a progress line.
    private let isLong: Bool
    /// The first unread block; nil at the end.
    private var start: UInt64?
    private var failures = 0
    /// Blocks in the next request.
    private var size: LogPageSize

    /// Consecutive failures other than refusals before it gives up.
    private static let mostFailures = 4

    /// - Parameters:
    ///   - filters: the filters for a range of blocks; each chunk is one request.
    init(
        session: Session,
        blocks: ClosedRange<UInt64>,
        filters: @escaping (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    ) {
        self.session = session
        self.blocks = blocks
        self.filters = filters
        size = session.logPages.size
        isLong = blocks.upperBound - blocks.lowerBound >= size.size
        start = blocks.lowerBound
    }

    /// The next chunk; nil after the last.
    ///
    /// - Throws: `DexError`: exit 4, `logs-refused`, if the node refuses even one block.
    mutating func next() async throws(DexError) -> (blocks: ClosedRange<UInt64>, logs: [Log])? {
        while let first = start {
            let (sum, overflow) = first.addingReportingOverflow(size.size - 1)
            let piece = first...(overflow ? blocks.upperBound : min(sum, blocks.upperBound))
            let logs: [Log]
            do throws(ChainError) {
                logs = try await read(piece)
            } catch {
                try shrink(after: error, blocks: piece)
                continue
            }
            // Logs of other blocks make the answer untrusted.
            guard logs.allSatisfy({ $0.blockNumber.map(piece.contains) ?? true }) else {
                throw DexError(
                    ChainError.nonsense("it returns logs of blocks that were not asked for")
                )
            }
            failures = 0
            if piece.upperBound == blocks.upperBound {
                start = nil
            } else {
                start = piece.upperBound + 1
                size.answer(
                    piece.upperBound - piece.lowerBound + 1,
                    left: blocks.upperBound - piece.upperBound
                )
                session.logPages.note(size)
            }
            tell(piece.upperBound)
            return (piece, logs)
        }
        return nil
    }

    private func read(_ piece: ClosedRange<UInt64>) async throws(ChainError) -> [Log] {
        var batch = ReadBatch()
        let slots = filters(.number(piece.lowerBound), .number(piece.upperBound))
            .map { batch.add(.logs($0)) }
        let answers = try await session.chain.read(batch)
        var logs: [Log] = []
        for slot in slots { logs += try answers[slot].get() }
        return logs
    }

    private mutating func shrink(
        after error: ChainError,
        blocks: ClosedRange<UInt64>
    ) throws(DexError) {
        let length = blocks.upperBound - blocks.lowerBound + 1
        switch error {
        // Shorter answers would be as different.
        case .rateLimited, .disagreement: throw DexError(error)
        // A broken or slow answer may be too long.
        case .unreachable, .badStatus, .nonsense, .tooFewAnswers:
            failures += 1
            guard failures < Self.mostFailures, length > 1 else { throw DexError(error) }
        default:
            // A missing method does not depend on the length.
            let isUnknown = if case .rpc(code: -32_601, _) = error { true } else { false }
            guard length > 1, !isUnknown else {
                throw ReadError.logsRefused(block: blocks.lowerBound, error)
            }
        }
        size.refuse(
            length,
            named: LogPageSize.named(in: error.reason, from: blocks.lowerBound, length: length)
        )
        session.logPages.note(size)
    }

    private func tell(_ last: UInt64) {
        guard isLong else { return }
        session.environment.progress("read the logs up to block \(last) of \(blocks.upperBound)")
    }
}
