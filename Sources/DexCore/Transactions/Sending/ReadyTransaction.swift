import ZeroEx

/// The one transaction of a confirmed plan, checked again and simulated right before signing.
package struct ReadyTransaction {
    let request: TransactionSender.Request
    /// The contracts whose fee token it may move; nil if it fills nothing.
    let contracts: ExchangeContracts?
    /// When what it does expires by itself, in seconds since 1970; nil if it does not.
    var validUntil: UInt64?
}
