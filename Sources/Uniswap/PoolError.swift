/// The reason why a pool's state gives no amount.
public enum PoolError: Error, Hashable, Sendable {
    /// The amount is 0: "AS", "INSUFFICIENT_INPUT_AMOUNT", "INSUFFICIENT_OUTPUT_AMOUNT".
    case zeroAmount
    /// The amount, or one that follows from it, is more than the contracts count with.
    case overflow
    /// The pool has no price yet: "LOK".
    case notInitialised
    /// The price limit is not in the direction of the swap, or the price is at its bound: "SPL".
    case priceLimit
    /// The swap leads into a word of the tick bitmap that was not read.
    case missingWord(Int16)
    /// The pool cannot give the amount, or ends at its price bound.
    case dry
    /// What is sold buys nothing: "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT".
    case noOutput
    /// No genuine pool is in such a state.
    case malformed
    /// A path goes through a pool twice: the second quote would be on the state before.
    case repeatedPool
    /// The state of a pool of the path is not known.
    case unknownPool(PoolID)
}
