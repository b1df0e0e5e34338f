import DexCore

/// Names of what a transaction is for, by the word that the journal and JSON keep.
enum PurposeText {
    /// The word in a list, and of a transaction's line: `fill`, `cancel-tx`.
    static func word(_ purpose: String) -> String {
        purpose == TransactionPurpose.cancelTransaction.rawValue
            ? "cancel-tx" : TerminalText.clean(purpose)
    }

    /// A noun for a sentence: `Speed up the transfer`.
    static func noun(_ purpose: String) -> String {
        switch TransactionPurpose(rawValue: purpose) {
        case .approve: "approval"
        case .resetAllowance: "reset of the allowance"
        case .send: "transfer"
        case .cancel: "cancel of orders"
        case .transact: "call of a contract"
        case .cancelTransaction: "empty transaction"
        case .fill, .swap, .wrap, .unwrap, nil: TerminalText.clean(purpose)
        }
    }
}
