package import Ethereum

/// An event of a contract.
package struct ContractEvent: Hashable, Sendable {
    package let contract: Address
    /// The contract's token in the map, if any.
    package let token: Token?
    package let topics: [Bytes32]
    package let data: [UInt8]

    /// The text of a token's transfer or approval; nil for other events.
    package var words: String? {
        let parts = topics.dropFirst().flatMap(\.bytes) + data
        guard parts.count == 96, let topic = topics.first,
            let first = Self.address(parts.prefix(32)),
            let second = Self.address(parts[32..<64]),
            let raw = UInt256(bigEndian: parts.suffix(32))
        else { return nil }
        let unit =
            token ?? Token(address: contract, symbol: contract.shortened, name: "", decimals: nil)
        let amount =
            raw == .max
            ? "unlimited \(PlainText.name(unit.symbol))" : Currency.token(unit).text(raw)
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
