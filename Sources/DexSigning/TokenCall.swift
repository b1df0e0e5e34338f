import Ethereum

/// A call of a token, or of wrapped ether, that is known to move money.
enum TokenCall: Hashable, Sendable {
    case transfer(to: Address, amount: UInt256)
    case approve(spender: Address, amount: UInt256)
    /// WETH9: the ether that is sent along becomes a token.
    case deposit
    /// WETH9: so much becomes ether again.
    case withdraw(amount: UInt256)

    /// Reads call data; nil for any other function, and for arguments that are not written in
    /// their one plain form.
    init?(data: [UInt8]) {
        guard data.count >= 4, (data.count - 4).isMultiple(of: 32) else { return nil }
        let selector = data.prefix(4)
        let words = stride(from: 4, to: data.count, by: 32).compactMap {
            Bytes32(bytes: data[$0..<$0 + 32])
        }
        switch (selector, words.count) {
        case (Self.transferSelector, 2):
            guard let to = Self.address(words[0]) else { return nil }
            self = .transfer(to: to, amount: UInt256(words[1]))
        case (Self.approveSelector, 2):
            guard let spender = Self.address(words[0]) else { return nil }
            self = .approve(spender: spender, amount: UInt256(words[1]))
        case (Self.depositSelector, 0): self = .deposit
        case (Self.withdrawSelector, 1): self = .withdraw(amount: UInt256(words[0]))
        default: return nil
        }
    }

    var function: String {
        switch self {
        case .transfer: "transfer"
        case .approve: "approve"
        case .deposit: "deposit"
        case .withdraw: "withdraw"
        }
    }

    private static let transferSelector = ERC20.call("transfer(address,uint256)")[...]
    private static let approveSelector = ERC20.call("approve(address,uint256)")[...]
    private static let depositSelector = ERC20.call("deposit()")[...]
    private static let withdrawSelector = ERC20.call("withdraw(uint256)")[...]

    private static func address(_ word: Bytes32) -> Address? {
        let address = Address(truncating: word)
        return address.word == word ? address : nil
    }
}
