package import Ethereum
import StrictJSON

/// One or more nodes behind JSON-RPC 2.0 over HTTP, tried in order.
///
/// All questions of a read go to one node, so that their answers match. If it fails, the whole read
/// goes to the next one. Questions are sent in batches, several at once; a node that refuses a
/// batch for its size gets smaller ones from then on. Reads are retried, sends never.
package struct JSONRPCChainClient: NodeChoice {
    private let urls: [String]
    private let transport: any HTTPTransport
    private let limits: BatchLimits
    private let retry: RetryPolicy
    private let answers: AnswerLimits
    private let clock: NetworkClock
    private let memory = NodeMemory()

    /// - Parameters:
    ///   - urls: the nodes' URLs, the preferred one first.
    ///   - answers: limits for all answers to one read together, at each node.
    package init(
        urls: [String],
        transport: any HTTPTransport,
        limits: BatchLimits = BatchLimits(),
        retry: RetryPolicy = RetryPolicy(),
        answers: AnswerLimits = AnswerLimits(),
        clock: NetworkClock = .system
    ) {
        self.urls = urls
        self.transport = transport
        self.limits = limits
        self.retry = retry
        self.answers = answers
        self.clock = clock
    }

    /// Answers many questions in as few requests as the limits allow.
    ///
    /// - Throws: `ChainError` if no node answered.
    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        guard !reads.isEmpty else { return [] }
        var failures: [ChainError] = []
        let order = memory.order(of: urls.count)
        for node in order {
            do throws(NodeFailure) {
                let answers = try await conversation(with: node, hasNext: failures.count + 1)
                    .ask(reads)
                memory.prefer(node, inPlaceOf: order.first)
                return answers
            } catch {
                failures.append(error.error)
                if Task.isCancelled { break }
            }
        }
        throw Self.summary(of: failures)
    }

    package var nodeCount: Int { urls.count }

    package func read(
        _ reads: [ChainRead],
        at node: Int
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        guard !reads.isEmpty else { return [] }
        guard urls.indices.contains(node) else { throw Self.summary(of: []) }
        do throws(NodeFailure) {
            // There are others, so one that does not answer is not waited for.
            return try await conversation(with: node, hasNext: 0).ask(reads)
        } catch {
            throw error.error
        }
    }

    package func prefer(_ node: Int) {
        memory.prefer(node)
    }

    /// Broadcasts a signed transaction to one node after another, until one is known to have it.
    ///
    /// The bytes, and so the transaction, are the same at every node.
    ///
    /// - Throws: `ChainError`; `.nonceUsed` and `.notTaken` only if no node can have accepted it.
    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        let hash = TransactionHash(Keccak256.hash(raw))
        let body = RPCRequestWriter.sendRequest(raw: raw)
        var failures: [ChainError] = []
        var mayHaveArrived = false
        let order = memory.order(of: urls.count)
        for node in order {
            do throws(NodeFailure) {
                let conversation = conversation(with: node, hasNext: failures.count + 1)
                try await broadcast(body, hash: hash, conversation)
                memory.prefer(node, inPlaceOf: order.first)
                return hash
            } catch {
                failures.append(error.error)
                switch error.error {
                case .nonceUsed, .notTaken: if !mayHaveArrived { throw error.error }
                default: mayHaveArrived = mayHaveArrived || error.mayHaveArrived
                }
                if Task.isCancelled { break }
            }
        }
        guard mayHaveArrived, failures.count > 1, let first = failures.first else {
            throw Self.summary(of: failures)
        }
        if let error = Self.declined(failures) { throw error }
        // A refusal among them may only mean that another node accepted it.
        let (url, reason) = Self.words(of: first)
        let others = failures.dropFirst().map { failure in
            switch failure {
            case .nonceUsed, .notTaken, .declined, .rpc:
                return "another node said: \(failure.reason)"
            default:
                let (url, reason) = Self.words(of: failure)
                return "\(url): \(reason)"
            }
        }
        throw .unreachable(url: url, reason: ([reason] + others).joined(separator: "; "))
    }

    /// One error if every node answered that it does not take a transaction.
    private static func declined(_ failures: [ChainError]) -> ChainError? {
        var words: [(code: Int, message: String)] = []
        for failure in failures {
            switch failure {
            case .declined(let code, let message), .notTaken(let code, let message):
                if !words.contains(where: { $0.message == message }) {
                    words.append((code, message))
                }
            default: return nil
            }
        }
        guard let first = words.first else { return nil }
        return .declined(
            code: first.code,
            message: words.map(\.message).joined(separator: " / ")
        )
    }

    private func broadcast(
        _ body: [UInt8],
        hash: TransactionHash,
        _ conversation: NodeConversation
    ) async throws(NodeFailure) {
        let reply = try await conversation.exchange(body, ids: [0])
        guard case .answers(let outcomes) = reply, let outcome = outcomes.first ?? nil else {
            throw NodeFailure(.nonsense("the node did not say whether it took the transaction"))
        }
        switch outcome {
        case .success(let json):
            guard let reported = json.stringValue.flatMap(TransactionHash.init(ifHex:)) else {
                throw NodeFailure(
                    .nonsense("what it says to have taken is not a transaction hash")
                )
            }
            guard reported == hash else {
                throw NodeFailure(.nonsense("the node took a transaction with another hash"))
            }
        case .failure(let fault):
            if fault.isAlreadyKnown { return }
            guard fault.isRateLimit else { throw NodeFailure(fault.errorOfSend) }
            throw NodeFailure(
                .rateLimited(url: WebAddress.shown(conversation.url), retryAfter: nil)
            )
        }
    }

    private func conversation(with node: Int, hasNext tried: Int) -> NodeConversation {
        NodeConversation(
            node: node,
            url: urls[node],
            hasAlternative: tried < urls.count,
            transport: BudgetedTransport(
                wrapped: transport,
                budget: AnswerBudget(answers, clock: clock)
            ),
            limits: limits,
            retry: retry,
            clock: clock,
            memory: memory
        )
    }

    /// One error for the failures of all nodes: the first error, with the other reasons appended.
    private static func summary(of failures: [ChainError]) -> ChainError {
        guard let first = failures.first else {
            return .unreachable(
                url: "no address",
                reason: "no node is configured; give one with --rpc"
            )
        }
        guard failures.count > 1 else { return first }
        let others = failures.dropFirst().map { failure in
            let (url, reason) = words(of: failure)
            return "\(url): \(reason)"
        }
        let all = { (reason: String) in ([reason] + others).joined(separator: "; ") }
        switch first {
        case .unreachable(let url, let reason): return .unreachable(url: url, reason: all(reason))
        case .badStatus(let url, let reason, _):
            return .badStatus(
                url: url,
                reason: all(reason),
                isPermanent: failures.allSatisfy(\.isPermanent)
            )
        default: return first
        }
    }

    private static func words(of failure: ChainError) -> (url: String, reason: String) {
        switch failure {
        case .unreachable(let url, let reason), .badStatus(let url, let reason, _): (url, reason)
        case .rateLimited(let url, _): (url, failure.reason)
        case .nonsense(let reason): ("a node", "its answer makes no sense: \(reason)")
        default: ("a node", failure.reason)
        }
    }
}
