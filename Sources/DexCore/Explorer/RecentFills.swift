package import Ethereum

/// The fills of an exchange in the newest blocks, kept until the chain has another latest block.
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

    package init(_ session: Session) { self.session = session }

    /// - Throws: `DexError`, the error of a read; more fills than can be kept.
    package func read() async throws(DexError) -> Reading {
        let head = try await ChainHead.read(session)
        if let last, last.head.hash == head.hash { return last }
        let lower = head.number - min(head.number, Self.blocks - 1)
        var batch = ReadBatch()
        let slot = batch.add(.block(.number(lower)))
        guard let first = try await batch.send(to: session.chain).value(slot) else {
            throw BlockError.missing(lower)
        }
        var fills: [MarketFill] = []
        if session.network.hasExchange {
            var pages = MarketPager(session: session, blocks: lower...head.number)
            while let page = try await pages.next() {
                fills += page.fills
                guard fills.count <= MarketSync.mostFills else {
                    throw ReadError.tooManyFills(most: MarketSync.mostFills)
                }
            }
        }
        let reading = Reading(head: head, fills: fills, first: first)
        last = reading
        return reading
    }
}
