public import Ethereum

/// A swap of a call of SwapRouter02: a part of the trade, through one path.
public struct RouterSwap: Hashable, Sendable {
    /// From what is sold to what is bought, in both directions of `amount`.
    public var path: PoolPath
    /// The amount that is fixed; base units.
    public var amount: PoolAmount
    /// The least that must arrive of an exact amount in, or the most that is paid for an exact
    /// amount out; base units.
    public var bound: UInt256
    /// Who gets what is bought; `inRouter` leaves it in the router for the call that unwraps it.
    public var recipient: Address

    public init(path: PoolPath, amount: PoolAmount, bound: UInt256, recipient: Address) {
        self.path = path
        self.amount = amount
        self.bound = bound
        self.recipient = recipient
    }

    /// 0x…01, which the router's swaps take as its sender: other contracts take it literally, so we
    /// never write it.
    static let sender = Address(truncating: .number(1))
    /// 0x…02, which the router's swaps take as the router itself.
    public static let inRouter = Address(truncating: .number(2))

    /// The amount itself, whichever it is.
    var fixed: UInt256 {
        switch amount {
        case .exactIn(let amount), .exactOut(let amount): amount
        }
    }

    var isExactIn: Bool {
        if case .exactIn = amount { true } else { false }
    }

    /// The most that the swap takes, base units of `path.sold`.
    public var maximum: UInt256 { isExactIn ? fixed : bound }

    /// The least that the swap gives to its recipient, base units of `path.bought`.
    ///
    /// Of a token that takes a fee when it moves, less arrives and the router does not notice.
    public var minimum: UInt256 { isExactIn ? bound : fixed }

    /// Of a path of one v3 pool, the functions for one pool, which cost less gas.
    var function: RouterFunction {
        switch (path.isV2, path.pools.count == 1, isExactIn) {
        case (true, _, true): .swapExactTokensForTokens
        case (true, _, false): .swapTokensForExactTokens
        case (false, true, true): .exactInputSingle
        case (false, true, false): .exactOutputSingle
        case (false, false, true): .exactInput
        case (false, false, false): .exactOutput
        }
    }

    /// The call data of the swap alone, without a deadline: only within a multicall.
    var data: [UInt8] {
        var call = CallEncoder(selector: function.selector)
        if path.isV2 {
            // v2 takes the order of the trade in both directions.
            call.add(fixed.word, bound.word, .number(128), recipient.word)
            call.add(addresses: path.tokens)
        } else if path.pools.count == 1 {
            call.add(path.sold.word, path.bought.word, .number(UInt64(path.pools[0].kind.fee)))
            call.add(recipient.word, fixed.word, bound.word, .zero)
        } else {
            call.add(.number(32), .number(128), recipient.word, fixed.word, bound.word)
            call.add(bytes: path.encoded(reversed: !isExactIn))
        }
        return call.data
    }

    /// A swap from its call data.
    ///
    /// - Throws: `RouterFault`: not strictly encoded, a price limit, no path.
    init(_ function: RouterFunction, _ data: [UInt8]) throws(RouterFault) {
        let arguments = data.dropFirst(4)
        switch function {
        case .exactInputSingle, .exactOutputSingle:
            try self.init(single: function, arguments)
        case .exactInput, .exactOutput:
            try self.init(path: function, arguments)
        case .swapExactTokensForTokens, .swapTokensForExactTokens:
            try self.init(v2: function, arguments)
        default:
            throw .forbidden(function)
        }
    }

    private init(
        single function: RouterFunction,
        _ data: ArraySlice<UInt8>
    ) throws(RouterFault) {
        // A tuple of fixed size is encoded like its members.
        let types: [ABIType] = [
            .address, .address, .uint(24), .address, .uint(256), .uint(256), .uint(160),
        ]
        guard var arguments = CallArguments(data, as: types),
            let sold = arguments.address(), let bought = arguments.address(),
            let fee = arguments.number()?.uint64, let fee = UInt32(exactly: fee),
            let recipient = arguments.address(), let fixed = arguments.number(),
            let bound = arguments.number(), let limit = arguments.number()
        else { throw .malformed(function) }
        guard limit == 0 else { throw .priceLimit }
        guard let path = PoolPath([sold, bought], [.v3(fee: fee)]) else { throw .badPath }
        let amount: PoolAmount = function == .exactInputSingle ? .exactIn(fixed) : .exactOut(fixed)
        self.init(path: path, amount: amount, bound: bound, recipient: recipient)
    }

    private init(path function: RouterFunction, _ data: ArraySlice<UInt8>) throws(RouterFault) {
        guard
            var call = CallArguments(
                data,
                as: [.tuple([.bytes, .address, .uint(256), .uint(256)])]
            ),
            var arguments = call.tuple(), let bytes = arguments.bytes(),
            let recipient = arguments.address(), let fixed = arguments.number(),
            let bound = arguments.number()
        else { throw .malformed(function) }
        let isExactIn = function == .exactInput
        guard let path = PoolPath(encoded: bytes, reversed: !isExactIn) else { throw .badPath }
        let amount: PoolAmount = isExactIn ? .exactIn(fixed) : .exactOut(fixed)
        self.init(path: path, amount: amount, bound: bound, recipient: recipient)
    }

    private init(v2 function: RouterFunction, _ data: ArraySlice<UInt8>) throws(RouterFault) {
        let types: [ABIType] = [.uint(256), .uint(256), .array(.address), .address]
        guard var arguments = CallArguments(data, as: types),
            let fixed = arguments.number(), let bound = arguments.number(),
            let tokens = arguments.addresses(), let recipient = arguments.address()
        else { throw .malformed(function) }
        guard !tokens.isEmpty,
            let path = PoolPath(tokens, Array(repeating: .v2, count: tokens.count - 1))
        else { throw .badPath }
        let isExactIn = function == .swapExactTokensForTokens
        let amount: PoolAmount = isExactIn ? .exactIn(fixed) : .exactOut(fixed)
        self.init(path: path, amount: amount, bound: bound, recipient: recipient)
    }
}
