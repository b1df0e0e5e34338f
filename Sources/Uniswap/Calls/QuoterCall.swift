public import Ethereum

/// A question to QuoterV2: what an amount sells or costs through a path of v3 pools, now.
///
/// It is asked with `eth_call`; a quote into the void may take 40 million gas, and a node's "out of
/// gas" is no quote. Every question is answered on the same state: quotes that share a pool do not
/// add up.
///
/// Source: QuoterV2, IQuoterV2; the view-only quoter has the same functions.
public struct QuoterCall: Hashable, Sendable {
    public let path: PoolPath
    public let amount: PoolAmount

    /// Nil for a path of v2 pairs, and for the amount 0.
    public init?(_ path: PoolPath, _ amount: PoolAmount) {
        guard !path.isV2 else { return nil }
        switch amount {
        case .exactIn(let number), .exactOut(let number):
            guard number != 0 else { return nil }
        }
        self.path = path
        self.amount = amount
    }

    private static let exactInputSingle = selector(
        "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
    )
    private static let exactOutputSingle = selector(
        "quoteExactOutputSingle((address,address,uint256,uint24,uint160))"
    )
    private static let exactInput = selector("quoteExactInput(bytes,uint256)")
    private static let exactOutput = selector("quoteExactOutput(bytes,uint256)")

    private static func selector(_ signature: String) -> UInt32 {
        UInt32(truncatingIfNeeded: Keccak256.hash(signature.utf8).limbs.0 >> 32)
    }

    /// The call data: the functions for one pool, or for a path.
    ///
    /// The amount comes before the fee here, and after it in the router's structs.
    public var data: [UInt8] {
        let (selector, fixed, isExactIn) = parts
        var call = CallEncoder(selector: selector)
        if path.pools.count == 1 {
            let fee = UInt64(path.pools[0].kind.fee)
            call.add(path.sold.word, path.bought.word, fixed.word, .number(fee), .zero)
        } else {
            call.add(.number(64), fixed.word)
            call.add(bytes: path.encoded(reversed: !isExactIn))
        }
        return call.data
    }

    private var parts: (selector: UInt32, fixed: UInt256, isExactIn: Bool) {
        let isSingle = path.pools.count == 1
        return switch amount {
        case .exactIn(let number):
            (isSingle ? Self.exactInputSingle : Self.exactInput, number, true)
        case .exactOut(let number):
            (isSingle ? Self.exactOutputSingle : Self.exactOutput, number, false)
        }
    }

    /// The quote in the answer of a call that did not revert.
    ///
    /// - Throws: `QuoterFault`: no contract, no such answer, a pool that ran dry, nothing in return.
    public func decode(_ answer: [UInt8]) throws(QuoterFault) -> QuoterAnswer {
        guard !answer.isEmpty else { throw .noPool }
        let isSingle = path.pools.count == 1
        let types: [ABIType] =
            isSingle
            ? [.uint(256), .uint(160), .uint(32), .uint(256)]
            : [.uint(256), .array(.uint(160)), .array(.uint(32)), .uint(256)]
        guard var arguments = CallArguments(answer[...], as: types),
            let quoted = arguments.number(), var prices = Self.list(&arguments, isSingle),
            let crossed = Self.list(&arguments, isSingle), let gas = arguments.number()?.uint64,
            prices.count == path.pools.count, crossed.count == path.pools.count,
            prices.allSatisfy(TickMath.pricesAfterSwap.contains)
        else { throw .malformed }
        guard !prices.contains(TickMath.pricesAfterSwap.lowerBound),
            !prices.contains(TickMath.pricesAfterSwap.upperBound)
        else { throw .dry }
        guard quoted != 0 else { throw .nothing }
        // An exact amount out is answered in the order of the reversed path.
        if !parts.isExactIn { prices.reverse() }
        return QuoterAnswer(amount: quoted, sqrtPricesAfter: prices, gas: gas)
    }

    private static func list(_ arguments: inout CallArguments, _ isSingle: Bool) -> [UInt256]? {
        isSingle ? arguments.number().map { [$0] } : arguments.numbers()
    }
}

/// What QuoterV2 answers.
public struct QuoterAnswer: Hashable, Sendable {
    /// Bought for an exact amount in, or sold for an exact amount out; base units, never 0.
    public var amount: UInt256
    /// The square root of the price of token 1 per token 0 in each pool after the trade, in units
    /// of 2^-96, in the order of the trade.
    public var sqrtPricesAfter: [UInt256]
    /// The gas of the pools' part alone: no limit for a transaction.
    public var gas: UInt64

    public init(amount: UInt256, sqrtPricesAfter: [UInt256], gas: UInt64) {
        self.amount = amount
        self.sqrtPricesAfter = sqrtPricesAfter
        self.gas = gas
    }
}

/// The reason why an answer of QuoterV2 is no quote.
public enum QuoterFault: Error, Hashable, Sendable {
    /// An empty answer: there is no such contract.
    case noPool
    /// A pool sold all that it had, and the quoter does not say of how much.
    case dry
    /// The amount buys nothing.
    case nothing
    case malformed
}

extension QuoterFault: CustomStringConvertible {
    /// The message shown to the user.
    public var description: String {
        switch self {
        case .noPool: "There is no such pool."
        case .dry: "The pool does not hold enough for this amount."
        case .nothing: "The amount is too small to buy anything."
        case .malformed: "The answer of the quoter is not one."
        }
    }
}
