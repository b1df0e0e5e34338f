extension JournalSchema {
    /// Adds what a rollup took beside the gas of a mined transaction, in wei; NULL for nothing.
    static let rollupFees = """
        ALTER TABLE receipts ADD COLUMN rollup_fee TEXT;
        ALTER TABLE trade_transactions ADD COLUMN rollup_fee TEXT;
        """
}
