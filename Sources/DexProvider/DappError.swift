import StrictJSON

/// The errors that a dapp gets, with the codes of EIP-1193 and of JSON-RPC.
///
/// Their texts hold nothing of this machine: the terminal shows the whole sentence.
package enum DappError: Error, Hashable, Sendable {
    /// The user, or a rule of theirs, said no.
    case rejected(String)
    /// Not paired, or another account.
    case unauthorized(String)
    case unsupported(method: String)
    /// The wallet ends, or its node is not reachable.
    case disconnected(String)
    /// Another chain than the one in use.
    case otherChain(String)
    /// Of `wallet_switchEthereumChain`: no network of the settings has it.
    case unknownChain(String)
    case invalidRequest(String)
    case invalidParameters(String)
    case parse
    /// Too many requests wait, or too much was asked for.
    case limit(String)
    /// It would fail, or it failed.
    case failed(String)
    /// The node's own error.
    case node(code: Int, message: String)

    /// Source: https://eips.ethereum.org/EIPS/eip-1193#provider-errors, EIP-3326 and EIP-1474.
    package var code: Int {
        switch self {
        case .rejected: 4_001
        case .unauthorized: 4_100
        case .unsupported: 4_200
        case .disconnected: 4_900
        case .otherChain: 4_901
        case .unknownChain: 4_902
        case .invalidRequest: -32_600
        case .invalidParameters: -32_602
        case .parse: -32_700
        case .limit: -32_005
        case .failed: -32_000
        case .node(let code, _): code
        }
    }

    package var message: String {
        switch self {
        case .rejected(let text), .unauthorized(let text), .disconnected(let text),
            .otherChain(let text), .unknownChain(let text), .invalidRequest(let text),
            .invalidParameters(let text), .limit(let text), .failed(let text):
            text
        case .unsupported(let method): "The wallet has no method \(method)."
        case .parse: "The request is not JSON."
        case .node(_, let message): message
        }
    }

    var json: JSONValue {
        ["code": .number(String(code)), "message": .string(message)]
    }
}
