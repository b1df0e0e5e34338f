/// A node of an Ethereum chain.
///
/// Two methods are required; the typed ones derive from them. Many reads go in one `ReadBatch`: a
/// book of 400 orders takes two round trips.
public protocol ChainClient: Sendable {
    /// Answers many questions in as few requests as the node's batch limit allows.
    ///
    /// The answers are in the order of the questions. If one question fails, the others do not.
    ///
    /// - Throws: `ChainError` if there was no answer at all (not reachable, nonsense).
    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>]

    /// Broadcasts a signed transaction (eth_sendRawTransaction), without retries.
    ///
    /// - Parameter raw: `SignedTransaction.raw`.
    /// - Returns: its hash, also if the node already had it.
    /// - Throws: `ChainError`: `.nonceUsed` and `.notTaken` only if none of the requested nodes can
    ///   have accepted it. After any other error it may be on its way.
    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash
}

/// Several nodes of one chain, of which one answers at a time.
public protocol NodeChoice: ChainClient {
    /// How many nodes there are.
    var nodeCount: Int { get }

    /// As `read`, at one of them alone.
    ///
    /// - Parameter node: from 0 on, in the order of the settings.
    /// - Throws: `ChainError` if it did not answer.
    func read(
        _ reads: [ChainRead],
        at node: Int
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>]

    /// Asks a node first from now on, and sends to it first.
    func prefer(_ node: Int)
}

extension ChainClient {
    /// Asks a single question.
    ///
    /// - Throws: `ChainError`.
    public func read<Value: Sendable>(_ read: Read<Value>) async throws(ChainError) -> Value {
        let answers = try await self.read([read.question])
        guard let answer = answers.first, answers.count == 1 else {
            throw .nonsense("the node gave \(answers.count) answers to one question")
        }
        return try read.unwrap(answer.get())
    }

    /// eth_call at a block.
    ///
    /// - Throws: `ChainError`; a revert is `.reverted` with its data.
    public func call(
        _ request: CallRequest,
        at block: BlockTag = .latest
    ) async throws(ChainError) -> [UInt8] {
        try await read(.call(request, block))
    }
}

/// The reason why a node gave no usable answer.
///
/// The node's texts are unchanged: strip control characters before showing them.
public enum ChainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No connection or a time-out: another node or a retry may help.
    case unreachable(url: String, reason: String)
    /// An HTTP status without JSON-RPC.
    ///
    /// Another node may help, and so may a retry, unless it is permanent, such as HTTP 404.
    case badStatus(url: String, reason: String, isPermanent: Bool = false)
    /// An answer that is not what JSON-RPC promises: HTML, wrong JSON, a number too large.
    case nonsense(String)
    /// HTTP 429 or the like; seconds to wait if the node names them.
    case rateLimited(url: String, retryAfter: Int?)
    /// eth_call or eth_estimateGas failed in the contract: a revert with its data, or another
    /// failure.
    case reverted(data: [UInt8], message: String)
    /// A call was not run: it has too little gas, or the account too little ether.
    case unaffordable(code: Int, message: String)
    /// The node does not have the requested block, or no longer has its state.
    case missingBlock(code: Int, message: String)
    /// The account has already used this nonce, perhaps for this very transaction.
    case nonceUsed(code: Int, message: String)
    /// The node cannot have accepted the transaction, for example because ether is missing.
    case notTaken(code: Int, message: String)
    /// The node answered that it does not take the transaction, now or at this price: another one, or
    /// another server behind the same address, may have it.
    case declined(code: Int, message: String)
    /// Any other JSON-RPC error; the transaction may still be on its way.
    case rpc(code: Int, message: String)
    /// Nodes that must agree do not: no answer counts.
    case disagreement(NodeDisagreement)
    /// Fewer nodes gave a usable answer than must agree; the reason names each that did not.
    case tooFewAnswers(needed: Int, answered: Int, reason: String)

    /// A retry of the same request does not help.
    public var isPermanent: Bool {
        if case .badStatus(_, _, let isPermanent) = self { isPermanent } else { false }
    }

    /// The call failed, not the node: in its contract, or for lack of gas or ether.
    public var isExecutionFailure: Bool {
        switch self {
        case .reverted, .unaffordable: true
        default: false
        }
    }

    /// The contract's own code failed, for example because it has no such function.
    ///
    /// Any other error says nothing about the contract.
    public var isContractFailure: Bool {
        if case .reverted = self { true } else { false }
    }

    /// The node's own words, or why there are none; not a full sentence.
    public var reason: String {
        switch self {
        case .unreachable(_, let reason), .badStatus(_, let reason, _), .nonsense(let reason),
            .tooFewAnswers(_, _, let reason):
            reason
        case .disagreement(let disagreement):
            "it disagrees with another node about \(disagreement.subject)"
        case .rateLimited: "it limits our requests"
        case .reverted(_, let message), .unaffordable(_, let message),
            .missingBlock(_, let message), .nonceUsed(_, let message), .notTaken(_, let message),
            .declined(_, let message), .rpc(_, let message):
            Self.quoted(message)
        }
    }

    /// A node's or a contract's words in a sentence of ours.
    private static func quoted(_ message: String) -> String {
        ForeignWords.quoted(message, limit: 300)
    }

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .unreachable(let url, let reason):
            "The node at \(url) cannot be reached: \(reason)."
        case .badStatus(let url, let reason, _):
            "The node at \(url) gave no usable answer: \(reason)."
        case .nonsense(let reason): "The node's answer makes no sense: \(reason)."
        case .rateLimited(let url, let seconds):
            "The node at \(url) limits our requests"
                + (seconds.map { "; try again in \($0) s." } ?? "; try again later.")
        case .reverted(_, let message): "The call would revert: \(Self.quoted(message))"
        case .unaffordable(let code, let message), .missingBlock(let code, let message),
            .nonceUsed(let code, let message), .notTaken(let code, let message),
            .declined(let code, let message), .rpc(let code, let message):
            "The node answered with error \(code): \(Self.quoted(message))"
        case .disagreement(let disagreement): disagreement.description
        case .tooFewAnswers(let needed, let answered, let reason):
            "\(needed) nodes must agree, and \(answered == 0 ? "none" : "only \(answered)") can be "
                + "used. \(reason)"
        }
    }
}
