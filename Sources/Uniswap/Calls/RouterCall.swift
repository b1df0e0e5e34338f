public import Ethereum

/// The one kind of call of SwapRouter02 that we sign: swaps, then perhaps the unwrapping of what
/// they bought and the return of unspent ether, all or nothing until a deadline.
///
/// Whatever a call leaves in the router is the first comer's; a value that `check` accepts leaves
/// nothing there.
public struct RouterCall: Hashable, Sendable {
    /// The last second, since 1970, of a block that may hold the call.
    public var deadline: UInt64
    /// In the order of execution, with a recipient each.
    public var swaps: [RouterSwap]
    /// Gives the wrapped coins that the swaps left in the router to an account as native coin.
    public var unwrap: RouterUnwrap?
    /// Ends with `refundETH()`: ether that the swaps did not take goes back to the sender.
    public var refunds: Bool
    /// The ether that is sent along.
    public var value: Wei

    public init(
        deadline: UInt64,
        swaps: [RouterSwap],
        unwrap: RouterUnwrap? = nil,
        refunds: Bool = false,
        value: Wei = .zero
    ) {
        self.deadline = deadline
        self.swaps = swaps
        self.unwrap = unwrap
        self.refunds = refunds
        self.value = value
    }

    /// The call data: always `multicall(uint256 deadline, bytes[])`, 0x5ae401dc.
    ///
    /// Source: SwapRouter02, MulticallExtended.
    public var data: [UInt8] {
        var calls = swaps.map(\.data)
        if let unwrap { calls.append(unwrap.data) }
        if refunds { calls.append(CallEncoder(selector: RouterFunction.refundETH.selector).data) }
        return multicall(calls)
    }

    /// Calls of the router, all or nothing until the deadline.
    func multicall(_ calls: [[UInt8]]) -> [UInt8] {
        var outer = CallEncoder(selector: RouterFunction.multicall.selector)
        outer.add(.number(deadline), .number(64), .number(UInt64(calls.count)))
        var offset = 32 * calls.count
        for call in calls {
            outer.add(.number(UInt64(offset)))
            offset += 32 + CallEncoder.padded(call.count)
        }
        for call in calls { outer.add(bytes: call) }
        return outer.data
    }

    /// A call from its bytes, if it is one that this type can say, byte for byte.
    ///
    /// Its terms are not checked: the recipients, amounts and tokens may be anybody's.
    ///
    /// - Throws: `RouterFault`: another function, another order of calls, another encoding, an
    ///   amount or a bound of zero, a price limit, something left in the router.
    public init(data: [UInt8], value: Wei) throws(RouterFault) {
        self.init(deadline: 0, swaps: [], value: value)
        for (function, call) in try Self.calls(in: data, &deadline) {
            try append(function, call)
        }
        try checkStructure()
        // What the types do not see: one v3 pool in a path function.
        guard self.data == data else { throw .otherEncoding }
    }

    /// The inner calls of a multicall and their functions.
    private static func calls(
        in data: [UInt8],
        _ deadline: inout UInt64
    ) throws(RouterFault) -> [(RouterFunction, [UInt8])] {
        let outer = try function(of: data)
        guard outer == .multicall else {
            throw outer.couldBeTraded ? .noDeadline(outer) : .forbidden(outer)
        }
        guard
            var arguments = CallArguments(data.dropFirst(4), as: [.uint(256), .array(.bytes)]),
            let latest = arguments.number(), let calls = arguments.byteStrings()
        else { throw .malformed(.multicall) }
        guard let seconds = latest.uint64 else { throw .deadlineTooFar(.max) }
        deadline = seconds
        var inner: [(RouterFunction, [UInt8])] = []
        for call in calls { inner.append((try function(of: call), call)) }
        return inner
    }

    private static func function(of data: [UInt8]) throws(RouterFault) -> RouterFunction {
        guard let selector = RouterFunction.selector(of: data) else { throw .noFunction }
        guard let function = RouterFunction(selector: selector) else {
            throw .unknownFunction(selector)
        }
        return function
    }

    private mutating func append(
        _ function: RouterFunction,
        _ call: [UInt8]
    ) throws(RouterFault) {
        switch function {
        case .exactInputSingle, .exactOutputSingle, .exactInput, .exactOutput,
            .swapExactTokensForTokens, .swapTokensForExactTokens:
            guard unwrap == nil, !refunds else { throw .wrongOrder(function) }
            swaps.append(try RouterSwap(function, call))
        case .unwrap:
            guard unwrap == nil, !refunds, !swaps.isEmpty else { throw .wrongOrder(function) }
            unwrap = try RouterUnwrap(call)
        case .refundETH:
            guard !refunds, !swaps.isEmpty else { throw .wrongOrder(function) }
            guard call.count == 4 else { throw .malformed(function) }
            refunds = true
        default:
            throw .forbidden(function)
        }
    }
}

/// The call that takes the router's wrapped coins and gives an account the native coin.
public struct RouterUnwrap: Hashable, Sendable {
    /// The least that there must be, in wei; never zero: another contract may empty the router
    /// between two calls.
    public var minimum: UInt256
    /// Taken literally: the router's constants for itself and its sender would lose the coins.
    public var recipient: Address

    public init(minimum: UInt256, recipient: Address) {
        self.minimum = minimum
        self.recipient = recipient
    }

    var data: [UInt8] {
        var call = CallEncoder(selector: RouterFunction.unwrap.selector)
        call.add(minimum.word, recipient.word)
        return call.data
    }

    init(_ data: [UInt8]) throws(RouterFault) {
        guard var arguments = CallArguments(data.dropFirst(4), as: [.uint(256), .address]),
            let minimum = arguments.number(), let recipient = arguments.address()
        else { throw .malformed(.unwrap) }
        self.init(minimum: minimum, recipient: recipient)
    }
}
