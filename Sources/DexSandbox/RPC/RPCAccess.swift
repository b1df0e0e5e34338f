/// What a client of the node may do.
package enum RPCAccess: Hashable, Sendable {
    /// Everything: a program of this machine.
    case full
    /// Everything but to steer the chain: blocks on request and its clock are the operator's.
    case remote

    func allows(_ method: RPCMethod) -> Bool {
        switch method {
        case .evm_mine, .evm_setAutomine, .evm_increaseTime: self == .full
        default: true
        }
    }

    /// The answer to a method that is not allowed.
    func refusal(of method: RPCMethod) -> NodeError {
        NodeError(
            code: -32601,
            message: "the method \(method.rawValue) is only for programs of the node's machine"
        )
    }
}
