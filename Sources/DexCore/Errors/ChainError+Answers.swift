import Ethereum

extension ChainError {
    /// The question got no answer: the node is gone, or limits us.
    ///
    /// A retry may succeed. Any other failure means that the node does not provide this, such as
    /// the state of an old block.
    var isUnanswered: Bool {
        switch self {
        case .unreachable, .badStatus, .rateLimited: true
        default: false
        }
    }

    /// The node does not have this, or has nothing usable, now or later.
    var meansNone: Bool {
        if case .nonsense = self { true } else { isMethodMissing }
    }

    /// The node does not have the method.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-1474#error-codes
    var isMethodMissing: Bool {
        switch self {
        case .rpc(code: -32_601, _), .rpc(code: -32_004, _): true
        default: false
        }
    }
}
