/// The gas that is enough for a call, by revision: what was measured, and what of it revisions price
/// otherwise.
///
/// Amsterdam prices the state again, so that a figure that was measured before it is less than half
/// of what the same call needs. The counts are of what a call does to the state; where they depend
/// on the state, they are the most.
///
/// Source: EIP-8037 and the other prices of Sepolia since October 2026. An interpreter with these
/// prices needs 215,000 for a fill of 0x v4, 324,000 for one of 0x v1, 618,000 for three.
public struct GasFloor: Hashable, Sendable {
    /// Units of gas from Cancun to Osaka.
    public let measured: UInt64
    /// Words that were zero.
    public let newWords: UInt64
    /// Other words that change.
    public let changedWords: UInt64
    /// Accounts beside the sender, and contracts, that are asked for the first time.
    public let accounts: UInt64
    /// Payments of ether by a contract.
    public let payments: UInt64
    /// Accounts that a payment of ether creates.
    public let newAccounts: UInt64

    public init(
        _ measured: UInt64,
        newWords: Int = 0,
        changedWords: Int = 0,
        accounts: Int = 0,
        payments: Int = 0,
        newAccounts: Int = 0
    ) {
        self.measured = measured
        self.newWords = UInt64(clamping: newWords)
        self.changedWords = UInt64(clamping: changedWords)
        self.accounts = UInt64(clamping: accounts)
        self.payments = UInt64(clamping: payments)
        self.newAccounts = UInt64(clamping: newAccounts)
    }

    /// Units of gas under a revision's prices; it saturates at the maximum number.
    ///
    /// Example: `GasFloor(108_000, newWords: 1, changedWords: 4).units(.amsterdam)` is 218320.
    public func units(_ revision: Revision) -> UInt64 {
        guard revision >= .amsterdam, measured > 0 else { return measured }
        let (transaction, usual) = (TransactionGas(revision), TransactionGas(.osaka).base)
        let (now, before) = (StateGas(revision), StateGas(.osaka))
        let more: [(count: UInt64, price: UInt64)] = [
            (newWords, now.newWord - before.newWord),
            (changedWords, now.changedWord - before.changedWord),
            (accounts, now.coldAccount - before.coldAccount),
            (payments, now.callValue - before.callValue),
            (newAccounts, now.newAccount - before.newAccount),
        ]
        let base = transaction.base + transaction.otherTarget
        let start = measured >= usual ? measured - usual + base : measured
        return more.reduce(start) { sum, part in
            let (cost, overflow) = part.count.multipliedReportingOverflow(by: part.price)
            return overflow ? .max : sum.addingSaturating(cost)
        }
    }
}
