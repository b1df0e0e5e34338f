import Ethereum
import Uniswap

/// Uniswap's SwapRouter02, as far as dex calls it: swaps in a multicall with a deadline, the native
/// coin's way out, and a token's.
///
/// Every other function of the genuine one reverts like an unknown selector: the other multicalls,
/// wrapETH, pull, selfPermit, approve and what belongs to the position manager.
struct SwapRouterContract {
    let frame: ContractFrame
    let deployment: UniswapDeployment

    private enum Function: UInt32 {
        case multicall = 0x5ae4_01dc
        case exactInputSingle = 0x04e4_5aaf
        case exactOutputSingle = 0x5023_b4df
        case exactInput = 0xb858_183f
        case exactOutput = 0x09b8_1346
        case swapExactTokensForTokens = 0x472b_43f3
        case swapTokensForExactTokens = 0x4271_2a67
        case unwrapWETH9 = 0x4940_4b7c
        case refundETH = 0x1221_0e8a
        case sweepToken = 0xdf2a_b5bb
        case factory = 0xc45a_0155
        case factoryV2 = 0x68e0_d4e1
        case wrapped = 0x4aa4_a4fc
    }

    /// Recipients with a meaning in the swaps: the sender, and the router.
    private static let sender = Address(truncating: UInt256(1).word)
    private static let router = Address(truncating: UInt256(2).word)

    var execution: Execution { frame.execution }
    var caller: Address { frame.message.caller }
    /// The genesis has checked that there is one.
    var wrapped: Address { deployment.wrapped ?? .zero }

    /// Runs a function.
    ///
    /// - Parameter data: of the message, or of a call inside its multicall.
    func run(_ data: [UInt8]) throws(CallFailure) -> [UInt8] {
        try execution.charge(.uniswapEntry)
        if data.isEmpty { throw .error("Not WETH9") }
        guard let function = CalldataReader(bytes: data).selector.flatMap(Function.init(rawValue:))
        else { throw .revert([]) }
        var input = ProxyCalldata(data)
        switch function {
        case .multicall: return try multicall(&input, data)
        case .exactInputSingle: return try exactInputSingle(&input)
        case .exactOutputSingle: return try exactOutputSingle(&input)
        case .exactInput:
            var input = try ProxyCalldata(data, at: try input.uint64())
            return try exactInput(&input)
        case .exactOutput:
            var input = try ProxyCalldata(data, at: try input.uint64())
            return try exactOutput(&input)
        case .swapExactTokensForTokens: return try swapExactTokensForTokens(&input)
        case .swapTokensForExactTokens: return try swapTokensForExactTokens(&input)
        case .unwrapWETH9:
            return try unwrap(atLeast: try input.number(), to: try input.address())
        case .refundETH: return try refund()
        case .sweepToken:
            return try sweep(
                try input.address(),
                atLeast: try input.number(),
                to: try input.address()
            )
        case .factory: return try view(deployment.v3Factory)
        case .factoryV2: return try view(deployment.v2Factory)
        case .wrapped: return try view(wrapped)
        }
    }

    private func view(_ address: Address) throws(CallFailure) -> [UInt8] {
        try frame.refuseEther()
        return Words.bytes(address.word)
    }

    /// Runs calls of this contract one after the other, all or none.
    ///
    /// - Parameter input: at its arguments: the last second in which it may run, and the calls.
    private func multicall(
        _ input: inout ProxyCalldata,
        _ data: [UInt8]
    ) throws(CallFailure) -> [UInt8] {
        let deadline = try input.number()
        let start = try input.uint64()
        var list = try ProxyCalldata(data, at: start)
        let count = try list.uint64()
        // Offsets count from behind the length.
        var items = try ProxyCalldata(data, at: start &+ 32)
        guard count <= UInt64(data.count / 32) else { throw .revert([]) }
        guard UInt256(execution.block.timestamp) <= deadline else {
            throw .error("Transaction too old")
        }
        var answers: [[UInt8]] = []
        for _ in 0..<count {
            let call = try items.byteString()
            // Each is a delegated call, with a frame of its own.
            let result = execution.frame { () throws(CallFailure) -> [UInt8] in try run(call) }
            switch result {
            case .success(let answer): answers.append(answer)
            case .failure(.revert(let data)): throw .revert(data)
            case .failure: throw .revert([])
            }
        }
        return Words.byteStrings(answers)
    }

    // MARK: Native coin

    private func unwrap(
        atLeast least: UInt256,
        to recipient: Address
    ) throws(CallFailure) -> [UInt8] {
        let balance = try frame.balance(wrapped, of: frame.address)
        guard balance >= least else { throw .error("Insufficient WETH9") }
        guard balance > .zero else { return [] }
        _ = try frame.call(wrapped, ERC20.call("withdraw(uint256)", balance.word))
        return try send(balance, to: recipient)
    }

    private func sweep(
        _ token: Address,
        atLeast least: UInt256,
        to recipient: Address
    ) throws(CallFailure) -> [UInt8] {
        let balance = try frame.balance(token, of: frame.address)
        guard balance >= least else { throw .error("Insufficient token") }
        guard balance > .zero else { return [] }
        try frame.move(token, ERC20.transfer(to: recipient, amount: balance), or: "ST")
        return []
    }

    private func refund() throws(CallFailure) -> [UInt8] {
        let ether = execution.peek(StorageKey(frame.address, .ether))
        return ether > .zero ? try send(ether, to: caller) : []
    }

    private func send(_ ether: UInt256, to: Address) throws(CallFailure) -> [UInt8] {
        do throws(CallFailure) {
            _ = try frame.call(to, value: ether)
        } catch {
            guard case .revert = error else { throw error }
            throw .error("STE")
        }
        return []
    }

    // MARK: For all swaps

    /// Pays a pool: with the router's ether if the token is wrapped ether and it has enough, else
    /// with the router's or the payer's tokens.
    ///
    /// Source: `pay` of Uniswap's PeripheryPaymentsExtended.
    func pay(
        _ token: Address,
        from payer: Address,
        to recipient: Address,
        _ amount: UInt256
    ) throws(CallFailure) {
        if token == wrapped,
            execution.peek(StorageKey(frame.address, .ether)) >= amount
        {
            _ = try frame.call(token, value: amount, ERC20.call("deposit()"))
            _ = try frame.call(token, ERC20.transfer(to: recipient, amount: amount))
        } else if payer == frame.address {
            try frame.move(token, ERC20.transfer(to: recipient, amount: amount), or: "ST")
        } else {
            let data = ERC20.call(
                "transferFrom(address,address,uint256)",
                payer.word,
                recipient.word,
                amount.word
            )
            try frame.move(token, data, or: "STF")
        }
    }

    /// What is sold, and who pays it: an amount of 0 is all that the router has.
    func payment(
        _ amount: UInt256,
        of token: Address
    ) throws(CallFailure) -> (amount: UInt256, payer: Address) {
        guard amount == .zero else { return (amount, caller) }
        return (try frame.balance(token, of: frame.address), frame.address)
    }

    func recipient(_ named: Address) -> Address {
        named == Self.sender ? caller : named == Self.router ? frame.address : named
    }
}

extension ProxyCalldata {
    /// The words from an offset behind the selector on, as the arguments of a call.
    fileprivate init(_ data: [UInt8], at start: UInt64) throws(CallFailure) {
        guard data.count >= 4, start <= UInt64(data.count - 4) else { throw .revert([]) }
        self.init(Array(data.prefix(4) + data.dropFirst(4 + Int(start))))
    }
}

extension Words {
    /// An array of byte strings as a contract returns it.
    static func byteStrings(_ items: [[UInt8]]) -> [UInt8] {
        var offsets: [UInt8] = []
        var contents: [UInt8] = []
        for item in items {
            offsets += number(UInt256(UInt64(32 * items.count + contents.count)))
            contents += dynamic(item).dropFirst(32)
        }
        return bytes(UInt256(32).word, UInt256(UInt64(items.count)).word) + offsets + contents
    }
}
