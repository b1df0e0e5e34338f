import Ethereum

/// The amounts that a token's own Transfer events in a receipt show, whatever a contract sent.
struct TokenTransfers {
    private let moves: [TokenTransfer]

    /// nil if the token logs no standard transfers, as some old ones do not.
    init?(of token: Address, in logs: [Log]?) {
        let moves = (logs ?? []).compactMap { $0.address == token ? TokenTransfer($0) : nil }
        guard !moves.isEmpty else { return nil }
        self.moves = moves
    }

    /// Base units that left an account.
    func sent(by account: Address) -> UInt256 {
        moves.filter { $0.from == account }.reduce(.zero) { $0.addingSaturating($1.amount) }
    }

    /// Base units that reached an account.
    func received(by account: Address) -> UInt256 {
        moves.filter { $0.to == account }.reduce(.zero) { $0.addingSaturating($1.amount) }
    }
}
