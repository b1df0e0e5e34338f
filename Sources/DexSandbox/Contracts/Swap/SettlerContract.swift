import Ethereum

/// The stand-in for 0x Settler: runs a taker's actions, then checks what they brought.
///
/// Only some of its actions are those of the genuine contract; the trade itself is ours.
struct SettlerContract {
    let frame: ContractFrame
    let swap: GenesisSwap

    private static let execute: UInt32 = 0x1fff_991f

    /// What has to be there after the actions.
    private struct Slippage {
        var recipient: Address
        var buyToken: Address
        /// Base units.
        var minAmountOut: UInt256

        /// There is nothing to check, or it was checked by an action.
        var isNone: Bool { buyToken == .zero && minAmountOut == .zero }
    }

    func run() throws(CallFailure) -> [UInt8] {
        // Ether from wrapped ether.
        guard !frame.message.data.isEmpty else { return [] }
        try frame.execution.charge(.swapEntry)
        guard frame.selector == Self.execute else { throw .revert([]) }
        var input = ProxyCalldata(frame.message.data)
        var slippage = Slippage(
            recipient: try input.address(),
            buyToken: try input.address(),
            minAmountOut: try input.number()
        )
        let actions = try SettlerActions(frame.message.data, offset: try input.number())
        _ = try input.word()
        for index in 0..<actions.count {
            try frame.execution.charge(.swapAction)
            try run(try actions.action(at: index), at: index, &slippage)
        }
        if !slippage.isNone { try pay(slippage, exactly: false) }
        return Words.bool(true)
    }

    /// The call came through the AllowanceHolder, which appends the taker.
    private var isForwarded: Bool { frame.message.caller == swap.allowanceHolder }

    private func taker() throws(CallFailure) -> Address {
        guard isForwarded else { return frame.message.caller }
        guard let taker = Address(bytes: frame.message.data.suffix(20)) else { throw .revert([]) }
        return taker
    }

    // MARK: Actions

    private func run(
        _ action: SettlerAction,
        at index: Int,
        _ slippage: inout Slippage
    ) throws(CallFailure) {
        guard let function = action.function else {
            try frame.execution.charge(GasSchedule.copy(bytes: action.arguments.count))
            throw .revert(
                ERC20.call("ActionInvalid(uint256,bytes4,bytes)")
                    + UInt256(UInt64(index)).word.bytes
                    + (UInt256(UInt64(action.selector)) << 224).word.bytes
                    + UInt256(0x60).word.bytes + Words.dynamic(action.arguments).dropFirst(32)
            )
        }
        switch function {
        case .transferFrom: try transferFrom(action)
        case .nativeCheck:
            try checkDeadline(try action.number(0))
            let expected = try action.number(1)
            guard frame.message.value <= expected else {
                throw .failed(
                    "MsgValueMismatch(uint256,uint256)",
                    expected.word,
                    frame.message.value.word
                )
            }
        case .checkSlippage:
            let isExact = try action.flag(0)
            try pay(slippage, exactly: isExact)
            slippage = Slippage(recipient: .zero, buyToken: .zero, minAmountOut: .zero)
        case .wrap:
            let ether = frame.execution.peek(StorageKey(frame.address, .ether))
            _ = try frame.call(swap.wrapped, value: ether, ERC20.call("deposit()"))
        case .unwrap:
            let amount = try frame.balance(swap.wrapped, of: frame.address)
            _ = try frame.call(swap.wrapped, ERC20.call("withdraw(uint256)", amount.word))
        case .sell:
            try sell(
                at: try action.address(0),
                try action.address(1),
                to: try action.address(2)
            )
        }
    }

    private func checkDeadline(_ deadline: UInt256) throws(CallFailure) {
        guard UInt256(frame.execution.block.timestamp) <= deadline else {
            throw .failed("SignatureExpired(uint256)", deadline.word)
        }
    }

    /// Fetches the taker's tokens: `(recipient, ((token, amount), nonce, deadline), signature)`.
    private func transferFrom(_ action: SettlerAction) throws(CallFailure) {
        let recipient = try action.address(0)
        let token = try action.address(1)
        let amount = try action.number(2)
        let nonce = try action.number(3)
        let deadline = try action.number(4)
        let signature = try action.byteString(5)
        let taker = try taker()
        guard isForwarded else {
            var data = ERC20.call(
                """
                permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,\
                bytes)
                """
            )
            for word in [
                token.word, amount.word, nonce.word, deadline.word, recipient.word, amount.word,
                taker.word, UInt256(0x100).word,
            ] {
                word.append(to: &data)
            }
            _ = try frame.call(swap.permit2, data + Words.dynamic(signature).dropFirst(32))
            return
        }
        guard signature.isEmpty else { throw .failed("InvalidSignatureLen()") }
        guard nonce == .zero else { throw .overflow }
        try checkDeadline(deadline)
        _ = try frame.call(
            swap.allowanceHolder,
            ERC20.call(
                "transferFrom(address,address,address,uint256)",
                token.word,
                taker.word,
                recipient.word,
                amount.word
            )
        )
    }

    /// Sells the whole balance of a token at a pool.
    private func sell(
        at pool: Address,
        _ token: Address,
        to recipient: Address
    ) throws(CallFailure) {
        try frame.transfer(token, to: pool, try frame.balance(token, of: frame.address))
        _ = try frame.ask(
            pool,
            ERC20.call("sell(address,address)", token.word, recipient.word)
        )
    }

    // MARK: What was bought

    /// Checks the minimum and pays the recipient: everything, or exactly the minimum.
    private func pay(_ slippage: Slippage, exactly isExact: Bool) throws(CallFailure) {
        let isNative = slippage.buyToken == NativeCoin.address
        let held =
            isNative
            ? frame.execution.peek(StorageKey(frame.address, .ether))
            : try frame.balance(slippage.buyToken, of: frame.address)
        guard held >= slippage.minAmountOut else {
            throw .failed(
                "TooMuchSlippage(address,uint256,uint256)",
                slippage.buyToken.word,
                slippage.minAmountOut.word,
                held.word
            )
        }
        let amount = isExact ? slippage.minAmountOut : held
        if isNative {
            _ = try frame.call(slippage.recipient, value: amount)
        } else {
            try frame.transfer(slippage.buyToken, to: slippage.recipient, amount)
        }
    }
}
