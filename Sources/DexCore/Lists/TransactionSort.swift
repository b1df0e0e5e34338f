import Ethereum

/// The keys of `dex tx list`.
package enum TransactionSort: String, ListSort {
    /// The latest signed first.
    case time
    /// By account, the lowest first.
    case nonce
    case purpose
    case account

    package func precedes(
        _ first: TransactionsState.Row,
        _ second: TransactionsState.Row
    ) -> Bool {
        switch self {
        case .time: first.created > second.created
        case .nonce: (first.account, first.nonce) < (second.account, second.nonce)
        case .purpose: first.purpose < second.purpose
        case .account: first.account < second.account
        }
    }
}
