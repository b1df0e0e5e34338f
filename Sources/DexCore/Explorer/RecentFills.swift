package import Ethereum

/// The fills of an exchange in the newest blocks, each read once but for those of the last blocks.
///
/// Nothing is written: the journal's own copy is for commands of one user.
package actor RecentFills {
    /// Fills and the block up to which they are read.
    package struct Reading: Sendable {
        package let head: Block
        /// By block and log.
        package let fills: [MarketFill]
        /// The first block that was read, and its time.
        package let first: Block
    }

    /// Blocks that are read.
    package static let blocks: UInt64 = 10_000

    private let session: Session
    private var last: Reading?
    /// A block of the last reading up to which its fills stay.
    private var settled: Block?

    package init(_ session: Session) { self.session = session }

    /// - Throws: `DexError`, the error of a read; more fills than can be kept.
    package func read() async throws(DexError) -> Reading {
        let head = try await ChainHead.read(session)
        if let last, last.head.hash == head.hash { return last }
        let lower = head.number - min(head.number, Self.blocks - 1)
        var batch = ReadBatch()
        let slot = batch.add(.block(.number(lower)))
        let known = settled.map { batch.add(.block(.number($0.number))) }
        let next = Reorganization.settled(below: head.number)
            .map { batch.add(.block(.number($0))) }
        let answers = try await batch.send(to: session.chain)
        guard let first = try answers.value(slot) else { throw BlockError.missing(lower) }
        var fills: [MarketFill] = []
        var start = lower
        if let last, let settled, let known, try answers.value(known)?.hash == settled.hash,
            last.first.number <= lower, (lower..<head.number).contains(settled.number)
        {
            start = settled.number + 1
            fills = last.fills.filter { (lower..<start).contains($0.block) }
        }
        if session.network.hasExchange {
            var pages = MarketPager(session: session, blocks: start...head.number)
            while let page = try await pages.next() {
                fills += page.fills
                guard fills.count <= MarketSync.maximumFills else {
                    throw ReadError.tooManyFills(maximum: MarketSync.maximumFills)
                }
            }
        }
        let reading = Reading(head: head, fills: fills, first: first)
        settled = try next.flatMap { slot throws(DexError) in try answers.value(slot) }
        last = reading
        return reading
    }
}
