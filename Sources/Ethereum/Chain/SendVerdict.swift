/// What a node's answer to eth_sendRawTransaction says of where the transaction is.
///
/// An error is no proof that nobody has it: a gateway passes it on and fails afterwards. Only words
/// that a client gives before it takes anything are a refusal; their codes prove nothing, since
/// gateways use them too.
public enum SendVerdict: Hashable, Sendable {
    /// The node has exactly this transaction.
    case alreadyKnown
    /// The account has used its nonce, perhaps by this very transaction.
    case nonceUsed
    /// This node cannot have taken it.
    case refused(SendRefusal)
    /// It may be on its way.
    case doubtful

    /// Reads the error of a broadcast.
    public init(_ error: ChainError) {
        switch error {
        case .rpc(_, let message): self.init(message: message)
        case .unreachable, .badStatus, .nonsense, .rateLimited, .reverted: self = .doubtful
        }
    }

    /// Reads a node's words, in any spelling of upper and lower case.
    ///
    /// `insufficient funds for gas * price + value` is a refusal, `Internal error` is doubtful.
    ///
    /// - Parameter message: of a JSON-RPC error.
    public init(message: String) {
        let text = message.lowercased()
        // "unknown transaction type" is none of these.
        if text.hasPrefix("known transaction") || Self.known.contains(where: text.contains) {
            self = .alreadyKnown
        } else if Self.doubts.contains(where: text.contains) {
            self = .doubtful
        } else if Self.used.contains(where: text.contains) {
            self = .nonceUsed
        } else if let refusal = SendRefusal(text) {
            self = .refused(refusal)
        } else {
            self = .doubtful
        }
    }

    private static let known = [
        // geth, Reth, Erigon; old ones and Besu begin with "known transaction".
        "already known", "existing tx with same hash",
        // Nethermind, OpenEthereum, gateways.
        "alreadyknown", "already imported", "already exists", "already_exists",
        "already in mempool", "already in the mempool",
    ]

    private static let used = [
        // geth, Reth, Erigon, Besu; Nethermind and OpenEthereum.
        "nonce too low", "nonce is too low", "old nonce", "oldnonce",
    ]

    /// What a gateway says of itself, whatever it quotes of the node behind it.
    private static let doubts = [
        "internal error", "server error", "timed out", "timeout", "time out", "deadline",
        "cancel", "unavailable", "gateway", "upstream", "try again", "limit exceeded",
        "rate limit", "too many requests",
    ]
}

/// Why a node cannot have taken a transaction.
///
/// All else that nodes say is left out, such as "transaction underpriced" or "txpool is full":
/// those speak of one pool at one moment, and another node may have taken the same bytes.
public enum SendRefusal: String, Hashable, Sendable, CaseIterable {
    case insufficientFunds
    case wrongChain
    case belowIntrinsicGas
    case belowBaseFee
    case replacementUnderpriced
    case overBlockLimit
    case unsupportedType

    /// - Parameter text: a node's words in lower case.
    init?(_ text: String) {
        let found = Self.allCases.first { $0.words.contains(where: text.contains) }
        guard let found else { return nil }
        self = found
    }

    /// How the clients say it, in lower case.
    ///
    /// Source: geth core/error.go, core/txpool/errors.go, core/types/transaction_signing.go;
    /// Nethermind AcceptTxResult, TxErrorMessages; Erigon txpool DiscardReason; Besu
    /// RpcErrorType, TransactionInvalidReason; Reth RpcInvalidTransactionError, RpcPoolError.
    private var words: [String] {
        switch self {
        case .insufficientFunds:
            [
                "insufficient funds",  // geth, Erigon, Reth
                "insufficientfunds",  // Nethermind
                "upfront cost exceeds account balance",  // Besu
            ]
        case .wrongChain:
            [
                "invalid chain id",  // geth, Reth
                "invalid chainid",  // Erigon
                "invalidtxchainid",  // Nethermind
                "wrong chainid", "wrong chain id",  // Besu
            ]
        case .belowIntrinsicGas:
            [
                "intrinsic gas too low",  // geth, Erigon, Nethermind, Reth
                "insufficient gas for floor data gas cost",  // geth
                "intrinsic gas exceeds gas limit",  // Besu
            ]
        case .belowBaseFee:
            [
                "max fee per gas less than block base fee",  // geth, Reth, Nethermind
                "below current base fee",  // Besu
            ]
        case .replacementUnderpriced:
            [
                "replacement transaction underpriced",  // geth, Besu, Reth
                "could not replace existing tx",  // Erigon
                "replacementnotallowed",  // Nethermind
            ]
        case .overBlockLimit:
            [
                "exceeds block gas limit",  // geth, Reth, Erigon, Besu
                "gaslimitexceeded",  // Nethermind
            ]
        case .unsupportedType:
            [
                "transaction type not supported",  // geth, Erigon, Reth
                "notsupportedtxtype",  // Nethermind
                "invalid transaction type",  // Besu, Nethermind
            ]
        }
    }
}
