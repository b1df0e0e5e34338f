package import Ethereum

/// Whether a block is recent enough for what is decided by it.
package enum BookAge {
    /// Why a block is too old to act on, as a sentence; nil if it is not.
    ///
    /// On the sandbox, which mines on demand, no block is too old.
    ///
    /// - Parameter head: the latest known block's number.
    package static func problem(
        of block: Block,
        head: UInt64,
        network: Network,
        now: UInt64
    ) -> String? {
        if block.number < head {
            return "The book is of block \(block.number), and block \(head) is the latest."
        }
        let maximum = network.maximumClockLead
        guard !network.isSandbox, now > block.timestamp, now - block.timestamp > maximum else {
            return nil
        }
        return "The latest block is \(TimeSpan.text(now - block.timestamp)) old: the chain stands "
            + "still, or the node is far behind."
    }
}
