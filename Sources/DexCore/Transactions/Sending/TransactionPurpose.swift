/// What a transaction is for.
package enum TransactionPurpose: String, Sendable {
    case approve
    case resetAllowance = "reset-allowance"
    case fill
    case cancel
    case send
    case wrap
    case unwrap
    /// A call of any contract.
    case transact
    /// Nothing, in place of a transaction that is not wanted any more.
    case cancelTransaction = "void-nonce"

    /// In a sentence: `an earlier fill`.
    var noun: String {
        switch self {
        case .transact: "call of a contract"
        case .cancelTransaction: "empty transaction"
        case .approve, .resetAllowance, .fill, .cancel, .send, .wrap, .unwrap: rawValue
        }
    }

    /// What it lets happen comes behind it.
    var isApproval: Bool {
        switch self {
        case .approve, .resetAllowance: true
        case .fill, .send, .wrap, .unwrap, .transact, .cancel, .cancelTransaction: false
        }
    }

    /// Whoever repeats it by mistake moves money twice.
    var movesMoney: Bool {
        switch self {
        case .fill, .send, .wrap, .unwrap, .transact: true
        case .approve, .resetAllowance, .cancel, .cancelTransaction: false
        }
    }
}
