/// What a change of the book took from the shown orders, and what it put there.
struct ShownChange: Sendable {
    let before: Listing?
    let after: Listing?
}

/// The latest changes of the shown orders, by revision.
///
/// They are kept in blocks, so that who reads them copies little of them.
struct RecentListings: Sendable {
    private static let blockSize = 256
    private static let maximumBlocks = 64

    private var blocks: [[ShownChange]] = []
    /// The revision before the first kept change.
    private var start: UInt64

    init(after revision: UInt64) {
        start = revision
    }

    /// Notes the change that makes the next revision.
    mutating func append(_ change: ShownChange) {
        if blocks.last.map({ $0.count == Self.blockSize }) ?? true {
            if blocks.count == Self.maximumBlocks {
                blocks.removeFirst()
                start += UInt64(Self.blockSize)
            }
            var block: [ShownChange] = []
            block.reserveCapacity(Self.blockSize)
            blocks.append(block)
        }
        blocks[blocks.count - 1].append(change)
    }

    /// The changes after a revision that was read from the same book; nil if the first of them are
    /// no longer kept.
    func changes(after revision: UInt64) -> [ArraySlice<ShownChange>]? {
        guard revision >= start else { return nil }
        let passed = Int(clamping: revision - start)
        let (block, index) = passed.quotientAndRemainder(dividingBy: Self.blockSize)
        guard block < blocks.count else { return [] }
        return [blocks[block].dropFirst(index)] + blocks[(block + 1)...].map { $0[...] }
    }
}
