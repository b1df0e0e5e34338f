import DexStore
package import Ethereum

/// The fills of an exchange in the newest blocks.
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
    private let store: Journal
    private var last: Reading?

    /// - Parameter scope: has the logs that its pages read.
    package init(_ session: Session, in scope: ChainScope) {
        self.session = session
        store = scope.store
    }

    /// - Throws: `DexError`, the error of a read; more fills than can be kept.
    package func read() async throws(DexError) -> Reading {
        let head = try await ChainHead.read(session)
        if let last, last.head.hash == head.hash { return last }
        let lower = head.number - min(head.number, Self.blocks - 1)
        guard let first = try await session.chain.blocks([lower])[lower] else {
            throw BlockError.missing(lower)
        }
        var fills: [MarketFill] = []
        if session.network.hasExchange {
            var pages = MarketPager(
                session: session,
                blocks: lower...head.number,
                store: EventStore(store, head: head)
            )
            while let page = try await pages.next() {
                fills += page.fills
                guard fills.count <= MarketSync.maximumFills else {
                    throw ReadError.tooManyFills(maximum: MarketSync.maximumFills)
                }
            }
        }
        let reading = Reading(head: head, fills: fills, first: first)
        last = reading
        return reading
    }
}
