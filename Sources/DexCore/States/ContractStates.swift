package import Ethereum

/// A call of any contract, as the user wrote it and as it was understood.
package struct ContractCall: Hashable, Sendable {
    package let address: Address
    /// Where the contract is a token of the map.
    package let token: Token?
    /// The function's canonical signature: `transfer(address,uint256)`.
    package let function: String
    package let arguments: [ContractValue]
    /// Selector and encoded arguments.
    package let data: [UInt8]
}

/// One argument or result.
package struct ContractValue: Hashable, Sendable {
    /// Where the signature tells one; text from the user.
    package let name: String?
    /// Its canonical name: `uint256`.
    package let type: String
    package let value: ABIValue
}

/// What `dex call` shows.
package struct ContractReadState: Sendable {
    package let call: ContractCall
    /// Who asked, as the contract saw it; nil is the zero address.
    package let caller: Address?
    package let block: UInt64
    /// What the contract returned.
    package let returned: [UInt8]
    /// The same by the signature's result types; nil where it names none.
    package let values: [ContractValue]?
}

/// What `dex transact` will do.
package struct TransactPlan: Sendable {
    package let account: Address
    package let call: ContractCall
    /// Ether that goes along.
    package let value: Wei
    package let block: UInt64
    /// What the call returned in the simulation.
    package let returned: [UInt8]
    /// The same by the signature's result types; nil where it names none or does not fit.
    package let values: [ContractValue]?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that it takes: what goes along and the gas.
    package let total: Wei
    package let warnings: [String]
    /// Why it would send nothing, as things are, so that nobody is asked; nil where it would.
    package var stop: DexError?
}

/// What `dex transact` did.
package struct TransactOutcome: Sendable {
    package let plan: TransactPlan
    package let transactions: [SentTransaction]
    package let events: [ContractEvent]
    package let warnings: [String]
    /// 0, 11, 12 or 13.
    package let exit: ExitCode
}

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
