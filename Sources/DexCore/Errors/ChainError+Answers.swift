import Ethereum

extension ChainError {
    /// No answer came to the question: the node is gone, or limits us.
    ///
    /// It may be asked again.
    ///
    /// Any other failure is the node's word that it does not tell this, as of the state of an old
    /// block.
    var isUnanswered: Bool {
        switch self {
        case .unreachable, .badStatus, .rateLimited: true
        default: false
        }
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
