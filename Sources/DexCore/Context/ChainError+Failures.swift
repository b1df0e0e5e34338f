import Ethereum

extension ChainError {
    /// The contract's own code failed, as where it has no such function: it reverted, or the node
    /// names what only code can do wrong, in the words of geth, Nethermind, Besu, Reth, Hardhat and
    /// those of old.
    ///
    /// Any other error says nothing about the contract: a time-out, a limit of the node, an error
    /// inside it.
    ///
    /// Source: https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go
    var isContractFailure: Bool {
        switch self {
        case .reverted: return true
        // A revert with data (geth), and an error of the virtual machine (OpenEthereum).
        case .rpc(code: 3, _), .rpc(code: -32_015, _): return true
        case .rpc(_, let message):
            return Self.contains(
                message,
                "revert",
                "opcode",
                "invalid jump",
                "jump destination",
                "out of gas",
                "outofgas",
                "gas uint64 overflow",
                "stack underflow",
                "stackunderflow",
                "stack overflow",
                "stack limit",
                "bad instruction",
                "write protection",
                "return data out of bounds",
                "call depth",
                "code size",
                "initcode",
                "vm execution",
                "vm exception",
                "evm error"
            )
        case .unreachable, .badStatus, .nonsense, .rateLimited: return false
        }
    }

    /// The call itself failed, as opposed to the node: its contract did, or its gas or the
    /// account's ether does not suffice.
    var isExecutionFailure: Bool {
        if isContractFailure { return true }
        guard case .rpc(_, let message) = self else { return false }
        return Self.contains(
            message,
            "gas required exceeds",
            "always failing",
            "intrinsic gas",
            "block gas limit",
            "insufficient funds",
            "insufficient balance",
            "insufficient sender balance",
            "upfront cost exceeds",
            "not enough funds"
        )
    }

    private static func contains(_ message: String, _ phrases: String...) -> Bool {
        let text = message.lowercased()
        return phrases.contains { text.contains($0) }
    }
}
