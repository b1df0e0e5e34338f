import Ethereum

/// The amounts that a token's own Transfer events in a receipt show, whatever a contract sent.
struct TokenTransfers {
    private let moves: [(from: Bytes32, to: Bytes32, amount: UInt256)]

    /// nil if the token logs no standard transfers, as some old ones do not.
    init?(of token: Address, in logs: [Log]?) {
        let moves = (logs ?? []).compactMap {
            log -> (from: Bytes32, to: Bytes32, amount: UInt256)? in
            guard log.address == token, log.topics.count == 3,
                log.topics[0] == ERC20.transferTopic, log.data.count == 32,
                let amount = UInt256(bigEndian: log.data)
            else { return nil }
            return (log.topics[1], log.topics[2], amount)
        }
        guard !moves.isEmpty else { return nil }
        self.moves = moves
    }

    /// Base units that left an account.
    func sent(by account: Address) -> UInt256 {
        moves.filter { $0.from == account.word }.reduce(.zero) { $0.addingSaturating($1.amount) }
    }

    /// Base units that reached an account.
    func received(by account: Address) -> UInt256 {
        moves.filter { $0.to == account.word }.reduce(.zero) { $0.addingSaturating($1.amount) }
    }
}
