import Ethereum

extension Network {
    /// Milliseconds between receipt checks: half the block time, between 0.5 and 4 s; 250 ms on the
    /// sandbox.
    package var receiptInterval: UInt64 {
        isSandbox ? 250 : min(max(halfBlock, 500), 4_000)
    }

    /// Milliseconds between book reads: half the block time, at least 0.5 s; 250 ms on the sandbox.
    package var watchInterval: UInt64 {
        isSandbox ? 250 : max(halfBlock, 500)
    }

    /// The time between blocks: `12 s`, `0.25 s`.
    package var blockSpan: String {
        "\(DecimalText.format(UInt256(blockMilliseconds), decimals: 3)) s"
    }

    /// Blocks after which a used nonce without a receipt tells of another transaction: a minute of
    /// them, at least 12, and no more than ordinary nodes keep the state of; 12 on the sandbox.
    ///
    /// Servers behind one address lag a few blocks, or some seconds, behind each other.
    package var replacementDepth: UInt64 {
        isSandbox ? 12 : min(max(60_000 / max(blockMilliseconds, 1), 12), 120)
    }

    /// Blocks that may pass between two readings that follow one another: one, or as many as 4 s
    /// have on a faster chain.
    var blocksBetweenReadings: UInt64 {
        max(4_000 / max(blockMilliseconds, 1), 1)
    }

    private var halfBlock: UInt64 {
        min(blockMilliseconds / 2, 60_000)
    }
}
