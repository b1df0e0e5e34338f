package import Ethereum

/// The allowances of an account: those of the transfer contract, of other spenders, inside Permit2.
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
}
