package import Ethereum

/// The plan of a transfer, a wrap or an unwrap.
package struct TransferPlan: PlanContent {
    package typealias Outcome = TransferOutcome

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
    /// The recipient: the account itself for wraps and unwraps.
    package let recipient: Address
    /// The name by which the user knows the recipient.
    package var recipientName: String?
    /// The recipient runs code when the chain's coin comes: its own, or what it delegates to.
    package var runsCode = false
    /// The amount that leaves and arrives, in base units of both.
    package let amount: UInt256
    package let paid: Currency
    package let arriving: Currency
    /// The account's balance of `paid`.
    package let balance: UInt256
    package let block: UInt64
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that leaves: value and gas.
    package let total: Wei
    package let warnings: [String]
    package var stop: DexError?

    /// The token that leaves or arrives; nil for the chain's coin alone.
    package var token: Token? { paid.token ?? arriving.token }
}
