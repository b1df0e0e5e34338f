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

    private var halfBlock: UInt64 {
        let (product, overflow) = blockTime.multipliedReportingOverflow(by: 500)
        return overflow ? 60_000 : min(product, 60_000)
    }
}
