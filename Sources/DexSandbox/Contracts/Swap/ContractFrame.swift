import Ethereum

/// A running contract of the swap venue: its message, and what its code can do.
struct ContractFrame {
    let contracts: Contracts
    let execution: Execution
    let message: Message

    var address: Address { message.to }

    /// The function's selector; nil if the data is too short for one.
    var selector: UInt32? {
        CalldataReader(bytes: message.data).selector
    }

    func load(_ slot: Slot) throws(CallFailure) -> UInt256 {
        try execution.load(StorageKey(address, slot))
    }

    func store(_ slot: Slot, _ value: UInt256) throws(CallFailure) {
        try execution.store(StorageKey(address, slot), value)
    }

    /// Reverts if ether came along.
    func refuseEther() throws(CallFailure) {
        guard message.value == .zero else { throw .revert([]) }
    }

    // MARK: Calls

    /// Calls an account; a failure reverts with its data, if there is any.
    func call(
        _ to: Address,
        value: UInt256 = .zero,
        _ data: [UInt8] = []
    ) throws(CallFailure) -> [UInt8] {
        try execution.touch(to)
        try execution.charge(GasSchedule.copy(bytes: data.count))
        if value != .zero { try contracts.payForEther(to: to, in: execution) }
        let message = Message(caller: address, to: to, value: value, data: data)
        switch contracts.call(message, in: execution) {
        case .success(let answer): return answer
        case .failure(.revert(let data)): throw .revert(data)
        case .failure: throw .revert([])
        }
    }

    /// Calls a contract for one word.
    func ask(_ contract: Address, _ data: [UInt8]) throws(CallFailure) -> UInt256 {
        let answer = try call(contract, data)
        guard answer.count >= 32 else { throw .revert([]) }
        return UInt256(CalldataReader(bytes: answer).word(at: 0))
    }

    // MARK: Tokens

    /// An account's balance of a token.
    func balance(_ token: Address, of owner: Address) throws(CallFailure) -> UInt256 {
        try ask(token, ERC20.balanceOf(owner))
    }

    /// Moves this contract's own tokens.
    func transfer(_ token: Address, to: Address, _ amount: UInt256) throws(CallFailure) {
        try move(token, ERC20.transfer(to: to, amount: amount), "TransferFailed()")
    }

    /// Moves tokens that their owner approved for this contract.
    func transferFrom(
        _ token: Address,
        from: Address,
        to: Address,
        _ amount: UInt256
    ) throws(CallFailure) {
        let data = ERC20.call(
            "transferFrom(address,address,uint256)",
            from.word,
            to.word,
            amount.word
        )
        try move(token, data, "TransferFromFailed()")
    }

    /// Calls a token that may return nothing, or true.
    private func move(
        _ token: Address,
        _ data: [UInt8],
        _ failure: StaticString
    ) throws(CallFailure) {
        try execution.charge(.swapTransfer)
        guard contracts.isContract(token), Words.isNothingOrTrue(try call(token, data)) else {
            throw .failed(failure)
        }
    }
}

extension CallFailure {
    /// A revert with an error of a contract: its signature and its static members.
    static func failed(_ signature: StaticString, _ members: Bytes32...) -> CallFailure {
        var data = ERC20.call(signature)
        for member in members { member.append(to: &data) }
        return .revert(data)
    }

    /// A revert with Solidity's code for arithmetic beyond the type.
    static var overflow: CallFailure {
        .failed("Panic(uint256)", UInt256(0x11).word)
    }
}
