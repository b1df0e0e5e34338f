package import DexStore
package import Ethereum
package import ZeroEx

/// The result of `dex activity`.
package struct ActivityState: Sendable {
    package struct Row: Sendable {
        package let kind: ActivityRecord.Kind
        /// The account sent the transaction.
        package let isOwn: Bool
        /// `mined` or `reverted`; of a transaction in no block its stage.
        package let stage: TransactionStage
        package internal(set) var currency: Currency
        /// Base units; nil if it is not known.
        package let amount: UInt256?
        /// What a trade brings.
        package internal(set) var other: Token?
        package let otherAmount: UInt256?
        package let counterparty: Address?
        /// The name by which the user knows the counterparty; nil if it has none.
        package let counterpartyName: String?
        package let function: String?
        /// What its transaction paid for gas, in one of its rows; nil in the others.
        package let gas: Wei?
        package let orderHash: OrderHash?
        package let transaction: TransactionHash?
        /// nil before it is mined.
        package let block: UInt64?
        /// The block's time, or that of signing before it is mined; seconds since 1970.
        package let time: UInt64
        /// nil before it is mined.
        package let cursor: ActivityCursor?
    }

    /// The coin of all gas.
    package let coin: CoinSymbol
    package let account: Address
    /// The latest block; nil if the node did not answer.
    package let block: UInt64?
    /// Seconds since 1970; nil if it is not known, as the node did not answer.
    package let since: UInt64?
    /// The latest first.
    package var rows: [Row]
    /// Rows that look like deception and are left out.
    package let hidden: Int
    /// The first block that the node knows; nil if it knows all that were asked for.
    package let firstKnown: UInt64?
    /// The first block from which on payments in ether are complete; nil if all are.
    package let etherFrom: UInt64?
    /// Where the next rows are, if there are more.
    package var next: ActivityCursor?
    package let warnings: [String]
}

extension ActivityState {
    /// Leaves the rows that are shown.
    ///
    /// Transactions in no block are always shown, and do not count. The list can go on behind the
    /// last row only where the latest come first.
    ///
    /// - Returns: the number of rows beyond the limit.
    package mutating func select(
        _ selection: ListSelection<Row>,
        isInOrder: Bool
    ) -> Int {
        let waiting = rows.filter { $0.cursor == nil }
        var mined = rows.filter { $0.cursor != nil }
        let left = selection.apply(to: &mined)
        next = left > 0 && isInOrder ? mined.last?.cursor : nil
        rows = waiting + mined
        return left
    }
}
