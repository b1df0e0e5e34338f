package import Ethereum

/// A call of a token or wrapped ether that moves money or gives an allowance.
///
/// Sources: https://eips.ethereum.org/EIPS/eip-20, https://eips.ethereum.org/EIPS/eip-2612, WETH9,
/// OpenZeppelin's ERC20 (`increaseAllowance`, earlier `increaseApproval`).
package enum TokenCall: Hashable, Sendable {
    case transfer(to: Address, amount: UInt256)
    case transferFrom(owner: Address, to: Address, amount: UInt256)
    case approve(spender: Address, amount: UInt256)
    /// Adds to the spender's earlier allowance.
    case increaseAllowance(spender: Address, added: UInt256)
    /// Takes from the spender's earlier allowance.
    case decreaseAllowance(spender: Address, removed: UInt256)
    /// EIP-2612: an allowance by the owner's signature, from any sender.
    case permit(owner: Address, spender: Address, amount: UInt256)
    /// WETH9: ether sent along becomes a token.
    case deposit
    /// WETH9: a token becomes ether again.
    case withdraw(amount: UInt256)

    /// Reads call data; nil for other functions and for arguments that are not canonical.
    package init?(data: [UInt8]) {
        guard data.count >= 4, (data.count - 4).isMultiple(of: 32) else { return nil }
        let words = stride(from: 4, to: data.count, by: 32).compactMap {
            Bytes32(bytes: data[$0..<$0 + 32])
        }
        guard let kind = Self.kinds[Array(data.prefix(4))], let call = Self.read(kind, words)
        else { return nil }
        self = call
    }

    private static func read(_ kind: Kind, _ words: [Bytes32]) -> TokenCall? {
        switch (kind, words.count) {
        case (.deposit, 0): return .deposit
        case (.withdraw, 1): return .withdraw(amount: UInt256(words[0]))
        case (.transfer, 2), (.approve, 2), (.increase, 2), (.decrease, 2):
            guard let other = Address(ifWord: words[0]) else { return nil }
            let amount = UInt256(words[1])
            switch kind {
            case .transfer: return .transfer(to: other, amount: amount)
            case .approve: return .approve(spender: other, amount: amount)
            case .increase: return .increaseAllowance(spender: other, added: amount)
            default: return .decreaseAllowance(spender: other, removed: amount)
            }
        case (.transferFrom, 3), (.permit, 7):
            guard let owner = Address(ifWord: words[0]), let other = Address(ifWord: words[1])
            else { return nil }
            let amount = UInt256(words[2])
            return kind == .permit
                ? .permit(owner: owner, spender: other, amount: amount)
                : .transferFrom(owner: owner, to: other, amount: amount)
        default: return nil
        }
    }

    static let approveName = "approve"
    static let permitName = "permit"

    /// The contract function: `transfer`.
    package var function: String {
        switch self {
        case .transfer: "transfer"
        case .transferFrom: "transferFrom"
        case .approve: Self.approveName
        case .increaseAllowance: "increaseAllowance"
        case .decreaseAllowance: "decreaseAllowance"
        case .permit: Self.permitName
        case .deposit: "deposit"
        case .withdraw: "withdraw"
        }
    }

    private enum Kind {
        case transfer
        case transferFrom
        case approve
        case increase
        case decrease
        case permit
        case deposit
        case withdraw
    }

    /// By selector.
    private static let kinds: [[UInt8]: Kind] = [
        ERC20.call("transfer(address,uint256)"): .transfer,
        ERC20.call("transferFrom(address,address,uint256)"): .transferFrom,
        ERC20.call("approve(address,uint256)"): .approve,
        ERC20.call("increaseAllowance(address,uint256)"): .increase,
        ERC20.call("increaseApproval(address,uint256)"): .increase,
        ERC20.call("decreaseAllowance(address,uint256)"): .decrease,
        ERC20.call("decreaseApproval(address,uint256)"): .decrease,
        ERC20.call("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"): .permit,
        ERC20.call("deposit()"): .deposit,
        ERC20.call("withdraw(uint256)"): .withdraw,
    ]
}
