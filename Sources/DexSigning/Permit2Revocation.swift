package import Ethereum

/// A token, and who may move it.
package struct TokenSpender: Hashable, Sendable {
    package let token: Address
    package let spender: Address

    package init(token: Address, spender: Address) {
        self.token = token
        self.spender = spender
    }
}

/// A call of Permit2 that takes allowances away, and does nothing else.
///
/// Those are the allowances that Permit2 keeps itself, of the sender's tokens. A permit that was
/// signed and never used still sets one later.
///
/// Source: Permit2's IAllowanceTransfer.sol
package struct Permit2Revocation: Hashable, Sendable {
    /// The contract function: `lockdown`.
    package let function: String
    /// Whose allowances become zero, from one on.
    package let pairs: [TokenSpender]

    private static let lockdown = ERC20.call("lockdown((address,address)[])")
    private static let approve = ERC20.call("approve(address,address,uint160,uint48)")

    /// Reads call data: `lockdown` of one pair or more, or `approve` of nothing; nil for other
    /// functions and for arguments that are not canonical.
    package init?(data: [UInt8]) {
        guard data.count >= 4, (data.count - 4).isMultiple(of: 32) else { return nil }
        let words = stride(from: 4, to: data.count, by: 32).compactMap {
            Bytes32(bytes: data[$0..<$0 + 32])
        }
        switch Array(data.prefix(4)) {
        case Self.lockdown:
            guard words.count >= 4, words.count.isMultiple(of: 2), UInt256(words[0]) == 32,
                UInt256(words[1]) == UInt256(UInt64(words.count / 2 - 1))
            else { return nil }
            var pairs: [TokenSpender] = []
            for index in stride(from: 2, to: words.count, by: 2) {
                guard let pair = Self.pair(words[index], words[index + 1]) else { return nil }
                pairs.append(pair)
            }
            (function, self.pairs) = ("lockdown", pairs)
        case Self.approve:
            guard words.count == 4, let pair = Self.pair(words[0], words[1]),
                UInt256(words[2]) == .zero, UInt256(words[3]) >> 48 == .zero
            else { return nil }
            (function, pairs) = ("approve", [pair])
        default: return nil
        }
    }

    private static func pair(_ token: Bytes32, _ spender: Bytes32) -> TokenSpender? {
        guard let token = Address(ifWord: token), let spender = Address(ifWord: spender) else {
            return nil
        }
        return TokenSpender(token: token, spender: spender)
    }

    /// Call data of `lockdown((address token, address spender)[])`: one call for all pairs.
    package static func lockdown(_ pairs: [TokenSpender]) -> [UInt8] {
        var data = lockdown
        data.reserveCapacity(4 + 64 * (pairs.count + 1))
        UInt256(32).word.append(to: &data)
        UInt256(UInt64(pairs.count)).word.append(to: &data)
        for pair in pairs {
            pair.token.word.append(to: &data)
            pair.spender.word.append(to: &data)
        }
        return data
    }
}
