import Ethereum

/// The times of blocks whose logs were read, without a header for each.
///
/// Times never decrease, so where two blocks lie in one minute all between them do, and only those
/// around the ends of minutes must be asked for: a time is exact to the minute, and with it the
/// candle that a trade falls in. Where the node writes times into its logs only three headers are
/// asked.
struct BlockTimes {
    /// A block as its logs tell it.
    struct Known: Equatable {
        let number: UInt64
        let hash: BlockHash
        /// Seconds since 1970; nil if the node does not write it into logs.
        let time: UInt64?
    }

    private let session: Session
    private let known: [Known]
    private var headers: [UInt64: Block] = [:]

    /// Blocks of a range for which each header is asked: the newest may still change.
    static let fewBlocks: UInt64 = 256
    /// Seconds of the shortest candle.
    private static let minute: UInt64 = 60

    /// - Parameter known: ascending, each once.
    init(session: Session, known: [Known]) {
        self.session = session
        self.known = known
    }

    /// The time of each block, and the headers that were asked: of the range's last block too.
    ///
    /// - Parameter others: blocks whose headers are needed as well.
    /// - Throws: `DexError`: exit 4; `reorganized` if a block is another one than its logs say.
    static func read(
        _ session: Session,
        _ known: [Known],
        in range: ClosedRange<UInt64>,
        and others: Set<UInt64>
    ) async throws(DexError) -> (times: [UInt64: UInt64], headers: [UInt64: Block]) {
        var times = Self(session: session, known: known)
        let isShort = range.upperBound - range.lowerBound < fewBlocks
        let first =
            isShort ? known.map(\.number) : [known.first, known.last].compactMap { $0?.number }
        try await times.ask(others.union(first).union([range.upperBound]))
        if let own = times.own { return (own, times.headers) }
        let searched = try await times.searched()
        return (searched, times.headers)
    }

    /// The times that the logs tell, if the headers do not contradict them.
    private var own: [UInt64: UInt64]? {
        var times: [UInt64: UInt64] = [:]
        var before: UInt64 = 0
        for block in known {
            guard let time = block.time ?? headers[block.number]?.timestamp, time >= before,
                headers[block.number].map({ $0.timestamp == time }) ?? true
            else { return nil }
            times[block.number] = time
            before = time
        }
        return times
    }

    /// Splits what spans the end of a minute until each end is known.
    private mutating func searched() async throws(DexError) -> [UInt64: UInt64] {
        var times: [UInt64: UInt64] = [:]
        var spans = known.isEmpty ? [] : [(first: 0, last: known.count - 1)]
        while !spans.isEmpty {
            var open: [(first: Int, last: Int)] = []
            for span in spans {
                let (first, last) = (known[span.first].number, known[span.last].number)
                guard let start = headers[first]?.timestamp, let end = headers[last]?.timestamp
                else { throw ReadError.blockNotFound(last) }
                guard start <= end else {
                    throw DexError(ChainError.nonsense("block \(last) is older than \(first)"))
                }
                if span.last - span.first <= 1 || start / Self.minute == end / Self.minute {
                    for block in known[span.first...span.last] {
                        times[block.number] =
                            headers[block.number]?.timestamp
                            ?? Self.between(block.number, (first, start), (last, end))
                    }
                } else {
                    open.append(span)
                }
            }
            // A few wide steps first, then narrow ones: each is a round trip.
            let parts = open.count < 8 ? 16 : 4
            spans = open.flatMap { Self.split($0, parts) }
            try await ask(Set(spans.flatMap { [known[$0.first].number, known[$0.last].number] }))
        }
        return times
    }

    private static func split(
        _ span: (first: Int, last: Int),
        _ parts: Int
    ) -> [(first: Int, last: Int)] {
        let count = span.last - span.first
        let ends = Set((0...parts).map { span.first + count * $0 / parts }).sorted()
        return zip(ends, ends.dropFirst()).map { ($0, $1) }
    }

    /// The time at the pace of two blocks around it.
    private static func between(
        _ block: UInt64,
        _ first: (block: UInt64, time: UInt64),
        _ last: (block: UInt64, time: UInt64)
    ) -> UInt64 {
        let blocks = max(1, last.block - first.block)
        let (product, overflow) = (last.time - first.time)
            .multipliedReportingOverflow(by: block - first.block)
        return overflow ? first.time : first.time + product / blocks
    }

    /// Reads headers that are not read yet.
    private mutating func ask(_ numbers: Set<UInt64>) async throws(DexError) {
        let open = numbers.subtracting(headers.keys)
        guard !open.isEmpty else { return }
        let found = try await session.chain.blocks(open)
        headers.merge(found) { $1 }
        for block in known where open.contains(block.number) {
            guard found[block.number]?.hash == block.hash else {
                throw ReadError.reorganized
            }
        }
    }
}
