import Ethereum

extension ContractFrame {
    /// Calls a token's function that returns nothing, or true.
    ///
    /// - Parameter text: what this contract reverts with, whatever the token says.
    ///
    /// Source: TransferHelper of Uniswap v3.
    func move(_ token: Address, _ data: [UInt8], or text: String) throws(CallFailure) {
        let answer: [UInt8]
        do throws(CallFailure) {
            answer = try call(token, data)
        } catch {
            guard case .revert = error else { throw error }
            throw .error(text)
        }
        guard Words.isNothingOrTrue(answer) else { throw .error(text) }
    }

    /// Runs another contract's code in a call of its own, with this contract as its caller; a
    /// failure reverts with its data, if there is any.
    func enter<Value>(
        _ contract: Address,
        _ body: (ContractFrame) throws(CallFailure) -> Value
    ) throws(CallFailure) -> Value {
        try execution.touch(contract)
        let inner = ContractFrame(
            contracts: contracts,
            execution: execution,
            message: Message(caller: address, to: contract, value: .zero, data: [])
        )
        let result = execution.frame { () throws(CallFailure) -> Value in try body(inner) }
        switch result {
        case .success(let value): return value
        case .failure(.revert(let data)): throw .revert(data)
        case .failure: throw .revert([])
        }
    }
}

extension CallFailure {
    /// A revert with a text, as Solidity's `require` makes it.
    static func error(_ text: String) -> CallFailure {
        .revert(ERC20.call("Error(string)") + Words.string(text))
    }
}
