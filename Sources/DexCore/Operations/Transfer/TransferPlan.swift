package import Ethereum

/// What `dex send`, `dex wrap` and `dex unwrap` will do.
package struct TransferPlan: OperationPlan {
    package enum Kind: String, Sendable {
        case send
        case wrap
        case unwrap

        var purpose: TransactionPurpose {
            switch self {
            case .send: .send
            case .wrap: .wrap
            case .unwrap: .unwrap
            }
        }
    }

    package let kind: Kind
    package let account: Address
    /// Who gets it: the account itself where ether is wrapped or unwrapped.
    package let recipient: Address
    /// What leaves the account, and what arrives, in base units of both.
    package let amount: UInt256
    package let paid: Currency
    package let arriving: Currency
    /// What the account has of `paid` now.
    package let balance: UInt256
    package let block: UInt64
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that it takes: what goes along and the gas.
    package let total: Wei
    package let warnings: [String]
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    package var stop: DexError?
}
