package import DexStore

/// A guard as the user wrote it.
package struct GuardRequest: Hashable, Sendable {
    package var side: TradeSide
    /// `ZRX/WETH`, or addresses.
    package var pair: String
    /// Human units of BASE.
    package var amount: String
    package var trigger: JournalGuard.Trigger
    /// QUOTE per BASE in human units.
    package var price: String
    /// In hundredths of a percent.
    package var slippage: UInt64
    /// A slippage above 5 % is allowed.
    package var allowsHighSlippage: Bool
    /// It may be added although its price is reached: it fires at once, or cannot.
    package var allowsImmediate: Bool
    /// It may be added although the account has less than it pays.
    package var allowsUnfunded: Bool

    package init(
        side: TradeSide,
        pair: String,
        amount: String,
        trigger: JournalGuard.Trigger,
        price: String,
        slippage: UInt64 = 100,
        allowsHighSlippage: Bool = false,
        allowsImmediate: Bool = false,
        allowsUnfunded: Bool = false
    ) {
        self.side = side
        self.pair = pair
        self.amount = amount
        self.trigger = trigger
        self.price = price
        self.slippage = slippage
        self.allowsHighSlippage = allowsHighSlippage
        self.allowsImmediate = allowsImmediate
        self.allowsUnfunded = allowsUnfunded
    }
}
