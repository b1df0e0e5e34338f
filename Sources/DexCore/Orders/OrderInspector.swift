package import Ethereum
package import ZeroEx

/// Reads where single orders stand: the same reads as the book's, for any list of orders.
package struct OrderInspector: Sendable {
    let session: Session
    let settings: ReadSettings

    package init(session: Session, settings: ReadSettings = ReadSettings()) {
        self.session = session
        self.settings = settings
    }

    /// One row for each order that verifies, in the order given, and everything read with them.
    ///
    /// Each order's `fillable` is what it alone could fill: unlike in a book nothing is netted.
    ///
    /// - Throws: `DexError`.
    package func rows(
        for orders: [any SignedOrder],
        account: Address? = nil
    ) async throws(DexError) -> OrderInspection {
        fatalError("unimplemented")
    }
}

/// Orders with their state, all at one block.
package struct OrderInspection: Sendable {
    package let rows: [OrdersState.Row]
    /// Orders that do not verify.
    package let dropped: [OrderbookState.Dropped]
    package let block: Block
    package let contracts: ExchangeContracts
    /// nil where no account was given. Balances of all tokens of the orders and the fee token.
    package let account: AccountSnapshot?
    /// nil where no account was given.
    package let fees: FeeSnapshot?

    package init(
        rows: [OrdersState.Row],
        dropped: [OrderbookState.Dropped],
        block: Block,
        contracts: ExchangeContracts,
        account: AccountSnapshot?,
        fees: FeeSnapshot?
    ) {
        self.rows = rows
        self.dropped = dropped
        self.block = block
        self.contracts = contracts
        self.account = account
        self.fees = fees
    }
}
