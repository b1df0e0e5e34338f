public import Ethereum

/// A swap by v2 Router02, through pairs alone: for chains whose SwapRouter02 reaches none.
///
/// Tokens are approved for that router, and it has no multicall. It takes every recipient literally
/// and gives back by itself what a swap leaves of the coins that were sent.
///
/// Source: IUniswapV2Router02.
public struct V2RouterCall: Hashable, Sendable {
    /// Of pairs; it begins or ends with the wrapped coin if the coin is traded.
    public var path: PoolPath
    /// Base units.
    public var amount: PoolAmount
    /// The least out of an exact amount in, the most in for an exact amount out; base units.
    public var bound: UInt256
    public var recipient: Address
    /// The last second, since 1970, of a block that may hold the call.
    public var deadline: UInt64
    public var coin: Coin
    /// Measures what arrives, as a token needs that takes a fee when it moves; only of an exact
    /// amount in.
    public var measures: Bool

    /// Which side is the chain's own coin.
    public enum Coin: Hashable, Sendable {
        case none
        case sold
        case bought
    }

    public init(
        path: PoolPath,
        amount: PoolAmount,
        bound: UInt256,
        recipient: Address,
        deadline: UInt64,
        coin: Coin,
        measures: Bool
    ) {
        self.path = path
        self.amount = amount
        self.bound = bound
        self.recipient = recipient
        self.deadline = deadline
        self.coin = coin
        self.measures = measures
    }

    /// The call for the one leg of a trade, with the coin's side by what is traded.
    ///
    /// Of an exact amount in it always measures what arrives, so that the minimum holds for a token
    /// that takes a fee when it moves too.
    ///
    /// - Parameter deadline: seconds since 1970.
    /// - Throws: `RouterFault`, as `check`: the leg does not meet the terms.
    public static func make(
        _ leg: RouterLeg,
        _ terms: RouterTerms,
        deadline: UInt64
    ) throws(RouterFault) -> V2RouterCall {
        let isExactIn = if case .exactIn = leg.amount { true } else { false }
        let call = V2RouterCall(
            path: leg.path,
            amount: leg.amount,
            bound: leg.bound,
            recipient: terms.account,
            deadline: deadline,
            coin: terms.sold == .native ? .sold : terms.bought == .native ? .bought : .none,
            measures: isExactIn
        )
        try call.check(terms)
        return call
    }

    /// The same amounts as a swap of the other router has.
    private var swap: RouterSwap {
        RouterSwap(path: path, amount: amount, bound: bound, recipient: recipient)
    }

    /// The ether that is sent along: all that the swap may take of it.
    public var value: Wei { coin == .sold ? Wei(swap.maximum) : .zero }

    /// The call data.
    ///
    /// A swap that measures has an exact amount in: of another, `check` refuses it.
    public var data: [UInt8] {
        var call = CallEncoder(selector: function.selector)
        // Of sold coins the amount or the maximum is the value.
        let words = coin == .sold ? [swap.minimum] : [swap.fixed, bound]
        for word in words { call.add(word.word) }
        call.add(.number(UInt64(32 * (words.count + 3))), recipient.word, .number(deadline))
        call.add(addresses: path.tokens)
        return call.data
    }

    private var function: V2RouterFunction {
        switch (coin, swap.isExactIn, measures) {
        case (.none, true, false): .tokensForTokens
        case (.none, true, true): .tokensForTokensMeasured
        case (.none, false, _): .tokensForExactTokens
        case (.sold, true, false): .coinsForTokens
        case (.sold, true, true): .coinsForTokensMeasured
        case (.sold, false, _): .coinsForExactTokens
        case (.bought, true, false): .tokensForCoins
        case (.bought, true, true): .tokensForCoinsMeasured
        case (.bought, false, _): .tokensForExactCoins
        }
    }

    /// A call from its bytes and its value, if it is one that this type can say, byte for byte.
    ///
    /// Its terms are not checked.
    ///
    /// - Throws: `RouterFault`: another function, another encoding, an amount or bound of zero.
    public init(data: [UInt8], value: Wei) throws(RouterFault) {
        guard let selector = RouterFunction.selector(of: data) else { throw .noFunction }
        guard let function = V2RouterFunction(selector: selector) else {
            throw .unknownFunction(selector)
        }
        let count = function.coin == .sold ? 1 : 2
        let types = Array(repeating: ABIType.uint(256), count: count)
        guard
            var arguments = CallArguments(
                data.dropFirst(4),
                as: types + [.array(.address), .address, .uint(256)]
            ),
            let first = arguments.number(), let second = count == 2 ? arguments.number() : first,
            let tokens = arguments.addresses(), let recipient = arguments.address(),
            let latest = arguments.number()
        else { throw .otherEncoding }
        guard !tokens.isEmpty,
            let path = PoolPath(tokens, Array(repeating: .v2, count: tokens.count - 1))
        else { throw .badPath }
        guard let deadline = latest.uint64 else { throw .deadlineTooFar(.max) }
        let isSold = function.coin == .sold
        let fixed = isSold && function.isExactIn ? value.rawValue : first
        let bound = isSold && !function.isExactIn ? value.rawValue : second
        self.init(
            path: path,
            amount: function.isExactIn ? .exactIn(fixed) : .exactOut(fixed),
            bound: bound,
            recipient: recipient,
            deadline: deadline,
            coin: function.coin,
            measures: function.measures
        )
        try checkStructure()
        guard self.value == value else { throw .otherValue(value, due: self.value) }
        guard self.data == data else { throw .otherEncoding }
    }

    private func checkStructure() throws(RouterFault) {
        guard path.isV2 else { throw .badPath }
        guard swap.fixed != 0 else { throw .zeroAmount }
        guard bound != 0 else { throw .zeroBound }
        guard swap.isExactIn || !measures else { throw .mixedDirections }
        var pools: Set<PoolID> = []
        for pool in path.pools {
            guard pools.insert(pool).inserted else { throw .poolTwice(pool) }
        }
        guard !RouterCall.isReserved(recipient) else { throw .reservedRecipient(recipient) }
    }

    /// Refuses a call that is not within the terms in every part: the rule before signing.
    ///
    /// `allowsV2` is about the other router and has no part in it.
    ///
    /// - Throws: `RouterFault`, the first that is found.
    public func check(_ terms: RouterTerms) throws(RouterFault) {
        try checkStructure()
        guard deadline > terms.now else { throw .deadlinePassed(deadline) }
        guard deadline <= terms.latestDeadline else { throw .deadlineTooFar(deadline) }
        guard let sold = terms.sold.token(wrapped: terms.wrapped),
            let bought = terms.bought.token(wrapped: terms.wrapped)
        else { throw .noWrappedCoin }
        guard sold != bought else { throw .sameToken }
        guard path.sold == sold else { throw .otherSold(path.sold) }
        guard path.bought == bought else { throw .otherBought(path.bought) }
        guard recipient == terms.account else { throw .otherRecipient(recipient) }
        guard swap.maximum <= terms.maximum else {
            throw .aboveMaximum(swap.maximum, maximum: terms.maximum)
        }
        guard swap.minimum >= terms.minimum else {
            throw .belowMinimum(swap.minimum, minimum: terms.minimum)
        }
        let due = terms.sold == .native ? Wei(swap.maximum) : .zero
        guard value == due else { throw .otherValue(value, due: due) }
        guard (coin == .bought) == (terms.bought == .native) else {
            throw coin == .bought ? .unwrapNotWanted : .unwrapMissing
        }
    }

    /// The name of the function that is called.
    public var functionName: String { String(function.rawValue.prefix { $0 != "(" }) }

    /// The most that the call takes from its sender and the least that arrives.
    public var effects: RouterEffects {
        RouterEffects(
            pays: coin == .sold ? [:] : [path.sold: swap.maximum],
            value: value,
            receives: [
                RouterEffects.Receipt(
                    asset: coin == .bought ? .native : .token(path.bought),
                    recipient: recipient,
                    minimum: swap.minimum
                )
            ]
        )
    }
}
