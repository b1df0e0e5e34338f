import Ethereum

/// The AllowanceHolder: takers approve it, and it lets an operator move their tokens within one
/// transaction.
struct AllowanceHolderContract {
    let frame: ContractFrame

    private enum Function: UInt32 {
        case exec = 0x2213_bc0b
        case transferFrom = 0x15da_cbea
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.swapEntry)
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        var input = ProxyCalldata(frame.message.data)
        switch function {
        case .exec:
            return try exec(
                operator: try input.address(),
                token: try input.address(),
                amount: try input.number(),
                target: try input.address(),
                data: try input.byteString()
            )
        case .transferFrom:
            try frame.refuseEther()
            return try transferFrom(
                token: try input.address(),
                owner: try input.address(),
                recipient: try input.address(),
                amount: try input.number()
            )
        }
    }

    /// Allows an operator an amount of the sender's token and calls the target.
    ///
    /// - Returns: the target's answer, as a byte string.
    private func exec(
        operator spender: Address,
        token: Address,
        amount: UInt256,
        target: Address,
        data: [UInt8]
    ) throws(CallFailure) -> [UInt8] {
        let sender = frame.message.caller
        try refuseToken(target)
        try frame.execution.setTransient(
            allowance(of: spender, owner: sender, token: token),
            amount
        )
        // The target learns the sender from the last 20 bytes.
        let answer = try frame.call(target, value: frame.message.value, data + sender.bytes)
        return Words.dynamic(answer)
    }

    /// Reverts for a target that answers like an ERC-20 token: a call of it would use the
    /// allowances that everybody gave this contract.
    private func refuseToken(_ target: Address) throws(CallFailure) {
        try frame.execution.touch(target)
        let question = Message(
            caller: frame.address,
            to: target,
            value: .zero,
            data: ERC20.balanceOf(frame.message.caller)
        )
        let result = frame.contracts.call(question, in: frame.execution)
        if case .success(let answer) = result, answer.count >= 32 {
            throw .failed("ConfusedDeputy()")
        }
    }

    /// Moves tokens within what the owner's `exec` allows the caller.
    private func transferFrom(
        token: Address,
        owner: Address,
        recipient: Address,
        amount: UInt256
    ) throws(CallFailure) -> [UInt8] {
        let key = allowance(of: frame.message.caller, owner: owner, token: token)
        let (rest, isShort) = try frame.execution.transient(key)
            .subtractingReportingOverflow(amount)
        guard !isShort else { throw .overflow }
        try frame.execution.setTransient(key, rest)
        try frame.transferFrom(token, from: owner, to: recipient, amount)
        return Words.bool(true)
    }

    private func allowance(of spender: Address, owner: Address, token: Address) -> StorageKey {
        let hash = Keccak256.hash(Words.bytes(spender.word, owner.word, token.word))
        return StorageKey(frame.address, .fixed(hash))
    }
}
