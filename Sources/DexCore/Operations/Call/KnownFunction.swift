import Ethereum

/// A function of tokens that is read from call data of another program.
struct KnownFunction {
    let signature: ABISignature
    let arguments: [ContractValue]

    /// By ERC-20, its usual extensions, and wrapped ether.
    private static let lines = [
        "transfer(address to,uint256 amount)", "approve(address spender,uint256 amount)",
        "transferFrom(address from,address to,uint256 amount)",
        "increaseAllowance(address spender,uint256 addedValue)",
        "decreaseAllowance(address spender,uint256 subtractedValue)", "deposit()",
        "withdraw(uint256 amount)",
    ]
    private static let signatures = lines.compactMap { line in
        // Every line is valid: `KnownFunctionTests` reads each.
        try? ABISignature("function " + line)
    }

    /// nil if no known function has this selector, or the rest does not fit it exactly.
    init?(_ data: [UInt8]) {
        let selector = data.prefix(4)
        let known = Self.signatures.first { $0.function.selector[...] == selector }
        guard let known else { return nil }
        let function = known.function
        // nil: other arguments than the function has
        guard let values = try? ABI.decode(Array(data.dropFirst(4)), as: function.inputs),
            // nil: never, of values that were just decoded
            let encoded = try? function.encode(values), encoded == data
        else { return nil }
        signature = known
        arguments = ContractValue.list(
            values,
            types: function.inputs,
            names: known.inputNames
        )
    }
}
