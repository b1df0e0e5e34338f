package import Ethereum

package struct AllowancesState: Sendable {
    package let owner: Address
    package let spender: Address
    package let block: UInt64
    package var rows: [BalanceState.Row]
    /// Those of other spenders, none of them zero.
    package var others: [TokenGrant] = []
    /// What could not be read, and whose decimals are wrong; sentences.
    package var warnings: [String] = []
}
