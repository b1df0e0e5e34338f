extension JournalSchema {
    /// Adds what of a fill reached its taker and its maker: base units, `unknown` where the balances
    /// do not show it, and NULL where they were not read yet, as in all earlier rows.
    static let arrivals = """
        ALTER TABLE trades ADD COLUMN taker_arrived TEXT
            CHECK (taker_arrived IS NULL OR kind = 'fill');
        ALTER TABLE trades ADD COLUMN maker_arrived TEXT
            CHECK (maker_arrived IS NULL OR kind = 'fill');
        """
}
