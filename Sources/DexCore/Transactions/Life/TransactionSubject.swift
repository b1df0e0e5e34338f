package import Ethereum

/// What a transaction moves or allows, and who gets it.
package struct TransactionSubject: Hashable, Sendable {
    /// Base units; nil if the call does not name one amount.
    package let amount: UInt256?
    package let currency: Currency
    /// The amount is an allowance.
    package let isAllowance: Bool
    /// The recipient or the spender, else the called contract; nil creates a contract.
    package let recipient: Address?

    /// - Parameter call: nil without call data.
    init(_ call: TransactionCall?, to: Address?, value: Wei, coin: CoinSymbol) {
        var recipient = to
        var moved: TokenAmount?
        var isAllowance = false
        switch call?.action {
        case .transfer(let amount, _, let to): (moved, recipient) = (amount, to)
        case .approve(let amount, _, let spender), .increaseAllowance(let amount, let spender),
            .decreaseAllowance(let amount, let spender):
            (moved, recipient, isAllowance) = (amount, spender, true)
        case .unwrap(let amount): moved = amount
        case .fill(let pays, _): moved = pays.count == 1 ? pays.first : nil
        case .wrap, .cancel, .other, nil: break
        }
        // A call that moves no ether and no known token has no amount.
        let ether = call == nil || value != .zero ? value.rawValue : nil
        amount = moved?.raw ?? ether
        currency = moved.map { .token($0.token) } ?? .coin(coin)
        self.isAllowance = isAllowance
        self.recipient = recipient
    }

    /// The subject of one of our transactions.
    init(_ transaction: Transaction, by sender: Address, session: Session) {
        let call = TransactionCall(
            to: transaction.to,
            value: transaction.value,
            data: transaction.data,
            by: sender,
            session: session
        )
        self.init(
            call,
            to: transaction.to,
            value: transaction.value,
            coin: session.network.coin
        )
    }
}
