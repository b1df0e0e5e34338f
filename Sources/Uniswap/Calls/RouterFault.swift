public import Ethereum

/// The reason why a call of SwapRouter02 is not signed.
public enum RouterFault: Error, Hashable, Sendable {
    /// Fewer than four bytes.
    case noFunction
    /// By its selector.
    case unknownFunction(UInt32)
    case forbidden(RouterFunction)
    /// The outermost call.
    case noDeadline(RouterFunction)
    /// The arguments are not the strict encoding of their types.
    case malformed(RouterFunction)
    case otherEncoding
    case wrongOrder(RouterFunction)
    case noSwaps
    case badPath
    case priceLimit
    case zeroAmount
    case zeroBound
    case mixedDirections
    case poolTwice(PoolID)
    case reservedRecipient(Address)
    case leftInRouter
    case notUnwrapped
    /// Seconds since 1970.
    case deadlinePassed(UInt64)
    /// Seconds since 1970; 2^64 - 1 for all that are later.
    case deadlineTooFar(UInt64)
    case noWrappedCoin
    case sameToken
    case otherSold(Address)
    case otherBought(Address)
    case v2NotReached
    case unwrapMissing
    case unwrapNotWanted
    case otherRecipient(Address)
    /// A sum exceeds 256 bits.
    case tooMuch
    /// Base units of what is sold.
    case aboveMaximum(UInt256, maximum: UInt256)
    /// Base units of what is bought.
    case belowMinimum(UInt256, minimum: UInt256)
    /// Wei.
    case otherUnwrapMinimum(UInt256)
    case otherValue(Wei, due: Wei)
    case refundMissing
    case refundNotWanted
}

extension RouterFault: CustomStringConvertible {
    /// The message shown to the user.
    public var description: String {
        switch self {
        case .noFunction, .unknownFunction, .forbidden, .noDeadline, .malformed, .otherEncoding,
            .wrongOrder, .noSwaps, .badPath, .priceLimit:
            shape
        case .zeroAmount, .zeroBound, .mixedDirections, .poolTwice, .tooMuch, .aboveMaximum,
            .belowMinimum, .otherUnwrapMinimum, .otherValue, .refundMissing, .refundNotWanted:
            amounts
        case .reservedRecipient, .leftInRouter, .notUnwrapped, .deadlinePassed, .deadlineTooFar,
            .noWrappedCoin, .sameToken, .otherSold, .otherBought, .v2NotReached, .unwrapMissing,
            .unwrapNotWanted, .otherRecipient:
            parties
        }
    }

    private var shape: String {
        switch self {
        case .noFunction: "The router's call holds no function."
        case .unknownFunction(let selector):
            "The router's call holds an unknown function, \(Self.hex(selector))."
        case .forbidden(let function):
            "The router's call holds \(function.name), which is no part of a trade."
        case .noDeadline(let function): "The router's call is \(function.name) without a deadline."
        case .malformed(let function):
            "The arguments of \(function.name) in the router's call are not exactly encoded."
        case .otherEncoding: "The router's call is not encoded as this program would."
        case .wrongOrder(let function):
            "\(function.name) is in the wrong place of the router's call, or there twice."
        case .noSwaps: "The router's call holds no swap."
        case .badPath: "The path of a swap in the router's call is not one of tokens and pools."
        default: "A swap in the router's call stops at a price, and so may trade less than it says."
        }
    }

    private var amounts: String {
        switch self {
        case .zeroAmount: "A swap in the router's call has the amount 0: all that the router holds."
        case .zeroBound: "A swap in the router's call has no minimum or maximum."
        case .mixedDirections:
            "The router's call fixes what is sold in one swap and what is bought in another."
        case .poolTwice(let pool):
            "The router's call uses the pool of \(pool.token0) and \(pool.token1) twice."
        case .tooMuch: "The amounts of the router's call are beyond any number of the chain."
        case .aboveMaximum(let amount, let maximum):
            "The router's call may take \(amount) base units, more than the \(maximum) agreed to."
        case .belowMinimum(let amount, let minimum):
            "The router's call may give \(amount) base units, less than the \(minimum) agreed to."
        case .otherUnwrapMinimum(let minimum):
            "The router's call unwraps at least \(minimum) wei, not what its swaps must give."
        case .otherValue(let value, let due):
            "The router's call sends \(value) wei along, not \(due)."
        case .refundMissing: "The router's call leaves unspent coins in the router."
        default: "The router's call asks for a refund, though it sends no coins along."
        }
    }

    private var parties: String {
        switch self {
        case .reservedRecipient(let address):
            "The router's call gives to \(address), which is no account."
        case .leftInRouter:
            "The router's call leaves what it buys in the router, where anybody can take it."
        case .notUnwrapped: "The router's call unwraps what a swap does not leave in the router."
        case .deadlinePassed: "The deadline of the router's call has passed."
        case .deadlineTooFar: "The deadline of the router's call is too far away."
        case .noWrappedCoin: "The router cannot wrap this chain's coin."
        case .sameToken: "The router's call would trade a token for itself."
        case .otherSold(let token): "The router's call sells \(token), another token."
        case .otherBought(let token): "The router's call buys \(token), another token."
        case .v2NotReached: "The router does not reach the v2 pairs of this chain."
        case .unwrapMissing: "The router's call does not unwrap the coins that it buys."
        case .unwrapNotWanted: "The router's call unwraps coins, though a token is bought."
        default: otherRecipient
        }
    }

    private var otherRecipient: String {
        guard case .otherRecipient(let address) = self else { return "" }
        return "The router's call gives to \(address), not to the account."
    }

    private static func hex(_ selector: UInt32) -> String {
        Hex.encode(withUnsafeBytes(of: selector.bigEndian) { Array($0) })
    }
}
