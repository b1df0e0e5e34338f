package import Ethereum

/// The first page of an explorer: the newest blocks and transactions.
package struct ChainOverview: Sendable {
    package struct BlockRow: Sendable {
        package let block: Block
        /// The number of its transactions.
        package let count: Int
    }

    /// The latest block.
    package let head: Block
    /// The newest first.
    package let blocks: [BlockRow]
    /// The newest first.
    package let transactions: [TransactionRow]
    /// The lowest block whose transactions were looked at.
    package let lowest: UInt64
}

/// Reads the newest blocks and transactions of a chain, of which it looks at a bounded number.
package struct ChainOverviewModel: Sendable {
    private let scope: ChainScope

    /// Blocks of a page.
    package static let blocks: UInt64 = 12
    /// Transactions of a page.
    package static let transactions = 20
    /// The most blocks that are searched for transactions.
    package static let maximumBlocks: UInt64 = 240

    package init(_ scope: ChainScope) { self.scope = scope }

    /// The blocks up to one, and the transactions in them and before.
    ///
    /// - Parameter last: the newest block that is shown; nil, or a later one than there is, is the
    ///   latest.
    /// - Throws: `DexError`: not reachable, another chain; `reorganized` if the chain changed
    ///   meanwhile.
    package func load(upTo last: UInt64? = nil) async throws(DexError) -> ChainOverview {
        let head = try await ChainHead.read(scope.session)
        let top = min(last ?? head.number, head.number)
        var blocks: [FullBlock] = []
        var found = 0
        var next: UInt64? = top
        // The blocks of the page, then as many as hold the transactions of the page.
        while let upper = next, UInt64(blocks.count) < Self.maximumBlocks,
            blocks.isEmpty || found < Self.transactions
        {
            let size = blocks.isEmpty ? Self.blocks : Self.maximumBlocks - UInt64(blocks.count)
            let lower = upper - min(upper, size - 1)
            let read = try await BlockWindow.read(lower...upper, of: scope.session)
            blocks += read.reversed()
            found += read.reduce(0) { $0 + $1.transactions.count }
            next = lower == 0 ? nil : lower - 1
        }
        let newest = blocks.lazy.flatMap { full in
            full.transactions.reversed().map { (block: full.block, transaction: $0) }
        }
        return ChainOverview(
            head: head,
            blocks: blocks.prefix(Int(Self.blocks)).map { full in
                ChainOverview.BlockRow(block: full.block, count: full.transactions.count)
            },
            transactions: try await TransactionRows(scope: scope)
                .load(Array(newest.prefix(Self.transactions))),
            lowest: blocks.last?.block.number ?? top
        )
    }
}

/// A range of blocks with their transactions.
enum BlockWindow {
    /// The blocks in ascending order, in one request.
    ///
    /// - Throws: `DexError`: `block-not-found`; `reorganized` if they are not one chain.
    static func read(
        _ range: ClosedRange<UInt64>,
        of session: Session
    ) async throws(DexError) -> [FullBlock] {
        var batch = ReadBatch()
        let slots = range.map { batch.add(.fullBlock(.number($0))) }
        let answers = try await batch.send(to: session.chain)
        var blocks: [FullBlock] = []
        for (number, slot) in zip(range, slots) {
            guard let block = try answers.value(slot) else {
                throw BlockError.missing(number)
            }
            if let before = blocks.last, before.block.hash != block.block.parentHash {
                throw ReadError.reorganized
            }
            blocks.append(block)
        }
        return blocks
    }
}
