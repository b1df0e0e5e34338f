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

    private var halfBlock: UInt64 {
        min(blockMilliseconds / 2, 60_000)
    }
}
