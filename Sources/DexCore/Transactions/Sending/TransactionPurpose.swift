/// The purpose of a transaction, such as `fill`, `approve` or `send`.
package enum TransactionPurpose: String, CaseIterable, Sendable {
    case approve
    case resetAllowance = "reset-allowance"
    case fill
    /// A trade at a swap venue.
    case swap
    case cancel
    case send
    case wrap
    case unwrap
    /// A call of any contract.
    case transact
    /// Cancels an unwanted transaction by replacing it with one that does nothing.
    case cancelTransaction = "void-nonce"

    /// A noun phrase: `an earlier fill`.
    var noun: String {
        switch self {
        case .transact: "call of a contract"
        case .cancelTransaction: "empty transaction"
        case .approve, .resetAllowance, .fill, .swap, .cancel, .send, .wrap, .unwrap: rawValue
        }
    }

    /// It only allows a later step.
    var isApproval: Bool {
        switch self {
        case .approve, .resetAllowance: true
        case .fill, .swap, .send, .wrap, .unwrap, .transact, .cancel, .cancelTransaction: false
        }
    }

    /// It exchanges one asset for another at a market.
    var isTrade: Bool {
        switch self {
        case .fill, .swap: true
        case .approve, .resetAllowance, .send, .wrap, .unwrap, .transact, .cancel,
            .cancelTransaction:
            false
        }
    }

    /// A mistaken repetition moves money twice.
    var movesMoney: Bool {
        switch self {
        case .fill, .swap, .send, .wrap, .unwrap, .transact: true
        case .approve, .resetAllowance, .cancel, .cancelTransaction: false
        }
    }
}
