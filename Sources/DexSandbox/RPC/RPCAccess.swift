/// What a client of the node may do.
package enum RPCAccess: Hashable, Sendable {
    /// Everything: a program of this machine.
    case full
    /// Everything but to steer the chain: blocks on request and its clock are the operator's.
    case remote
    /// A copy of another machine's chain: transactions are passed on to that one, never taken here.
    case copy

    func allows(_ method: RPCMethod) -> Bool {
        switch method {
        case .eth_sendRawTransaction: self != .copy
        default: !method.steers || self == .full
        }
    }

    /// The answer to a method that is not allowed.
    func refusal(of method: RPCMethod) -> NodeError {
        guard self != .copy else {
            return NodeError(
                code: -32601,
                message: "this node is a copy of another machine's sandbox: \(method.rawValue) is "
                    + (method == .eth_sendRawTransaction
                        ? "taken alone, not in a batch" : "not available here")
            )
        }
        return NodeError(
            code: -32601,
            message: "the method \(method.rawValue) is only for programs of the node's machine"
        )
    }
}
