package import Ethereum

/// What a contract emitted.
package struct ContractEvent: Hashable, Sendable {
    package let contract: Address
    /// Where the contract is a token of the map.
    package let token: Token?
    package let topics: [Bytes32]
    package let data: [UInt8]

    /// In words, where it is a token's transfer or approval; nil for anything else.
    package var words: String? {
        let parts = topics.dropFirst().flatMap(\.bytes) + data
        guard parts.count == 96, let topic = topics.first,
            let first = Self.address(parts.prefix(32)),
            let second = Self.address(parts[32..<64]),
            let raw = UInt256(bigEndian: parts.suffix(32))
        else { return nil }
        let unit =
            token ?? Token(address: contract, symbol: contract.shortened, name: "", decimals: nil)
        let amount = raw == .max ? "unlimited \(unit.symbol)" : Currency.token(unit).text(raw)
        switch topic {
        case ERC20.transferTopic:
            return "\(amount) from \(first.checksummed) to \(second.checksummed)"
        case ERC20.approvalTopic:
            return "\(first.checksummed) lets \(second.checksummed) move \(amount)"
        default: return nil
        }
    }

    private static func address(_ word: ArraySlice<UInt8>) -> Address? {
        word.prefix(12).allSatisfy { $0 == 0 } ? Address(bytes: Array(word.suffix(20))) : nil
    }
}
