import Ethereum

/// The storage slots of the chain's tokens: the same ones for all kinds.
enum TokenLayout {
    private static let contract = ContractCode.named(.erc20)

    static let supply = contract.slot("totalSupply")

    static func balance(_ owner: Address) -> Slot {
        contract.slot("balanceOf", owner.word)
    }

    static func allowance(owner: Address, spender: Address) -> Slot {
        contract.slot("allowance", owner.word, spender.word)
    }

    /// What a token keeps of each transfer, in millionths.
    static let fee = ContractCode.named(.feeToken).slot("fee_millionths")
    /// 1 %.
    static let feeMillionths: UInt256 = 10_000
    static let codeHash = Keccak256.hash(contract.runtime())
    static let feeCodeHash = Keccak256.hash(ContractCode.named(.feeToken).runtime())
}

extension GenesisState {
    /// Puts a token's contract and what it says of itself into the state.
    mutating func install(_ token: TokenDefinition) {
        let address = token.address
        let contract = install(token.kind.contract, at: address)
        if let implementation = token.implementation {
            install(.erc20, at: implementation)
            self[address, contract.slot("implementation")] = UInt256(implementation.word)
        }
        // What ZRX says of itself is in its code.
        guard token.kind != .zrx else { return }
        write(token.name, at: address, contract, "name")
        write(token.symbol, at: address, contract, "symbol")
        self[address, contract.slot("decimals")] = UInt256(UInt64(token.decimals))
        if token.kind == .taxed { self[address, TokenLayout.fee] = TokenLayout.feeMillionths }
        // A plain token may become one that keeps a fee.
        if token.canStartFee { keep(ContractCode.named(.feeToken).runtime()) }
    }

    /// A text of at most 32 bytes: its length, then its bytes from the left.
    private mutating func write(
        _ text: String,
        at address: Address,
        _ contract: ContractCode,
        _ variable: String
    ) {
        let bytes = Array(text.utf8.prefix(32))
        let padded = bytes + Array(repeating: 0, count: 32 - bytes.count)
        self[address, contract.slot(variable)] = UInt256(UInt64(bytes.count))
        self[address, contract.slot(variable, offset: 1)] = UInt256(bigEndian: padded) ?? .zero
    }
}
