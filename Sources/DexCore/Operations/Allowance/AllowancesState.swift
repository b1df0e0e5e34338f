package import Ethereum

package struct AllowancesState: Sendable {
    package let owner: Address
    package let spender: Address
    package let block: UInt64
    package var rows: [BalanceState.Row]
    /// Those of other spenders inside tokens, none of them zero.
    package var others: [TokenGrant] = []
    /// Those that the owner gave inside Permit2, none of them zero or expired.
    package var permit2: [TokenGrant] = []
    /// What could not be read, and whose decimals are wrong; sentences.
    package var warnings: [String] = []

    /// Sorts each part and leaves the first rows of all of them together.
    ///
    /// - Returns: the number of rows beyond the limit.
    package mutating func select(_ selection: ListSelection<AllowanceSort>) -> Int {
        var left = selection.apply(to: &rows) { ($0.token, $0.allowance) }
        var rest = selection.after(rows.count)
        left += rest.apply(to: &others) { ($0.token, $0.allowance) }
        rest = rest.after(others.count)
        left += rest.apply(to: &permit2) { ($0.token, $0.allowance) }
        return left
    }
}
