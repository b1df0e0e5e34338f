import Ethereum
import StrictJSON

/// One read of many questions at one node: split into requests, sent concurrently up to a limit,
/// and retried if that may help.
struct NodeConversation: Sendable {
    /// The node's index in the list of URLs.
    let node: Int
    let url: String
    /// There is another node to try.
    let hasAlternative: Bool
    let transport: any HTTPTransport
    let limits: BatchLimits
    let retry: RetryPolicy
    let clock: NetworkClock
    let memory: NodeMemory

    private static let unanswered = ChainError.nonsense("it leaves a question unanswered")

    /// Questions sent in one request.
    private struct Chunk: Sendable {
        var indices: [Int]
        /// 1 for the first attempt.
        var attempt = 1
        /// Milliseconds to wait before sending.
        var delay: UInt64 = 0
    }

    /// The outcome of a chunk.
    private struct Settlement: Sendable {
        var chunk: Chunk
        var answers: [(index: Int, answer: Result<ChainAnswer, ChainError>)] = []
        /// Questions to ask again, with the error to return if that fails too.
        var open: [(index: Int, error: ChainError)] = []
        /// The open questions were too many for one request.
        var isTooLarge = false
        var failure: NodeFailure?
    }

    /// The answers, in the order of the questions.
    ///
    /// A node that does not count what waits in its pool is asked for the mined transactions
    /// instead: the journal knows of the user's own ones that wait.
    ///
    /// - Throws: `NodeFailure` if the node returns nothing useful.
    func ask(
        _ reads: [ChainRead]
    ) async throws(NodeFailure) -> [Result<ChainAnswer, ChainError>] {
        let mined = reads.map(\.minedCount)
        let pools = mined.indices.filter { mined[$0] != nil }
        guard !pools.isEmpty else { return try await answers(to: reads) }
        guard !memory.hasNoPool(node) else {
            return try await answers(to: zip(reads, mined).map { $1 ?? $0 })
        }
        var answers = try await answers(to: reads)
        let refused = pools.filter { index in
            if case .failure(let error) = answers[index] { error.refusesPending } else { false }
        }
        guard !refused.isEmpty else { return answers }
        let counts = try await self.answers(to: refused.compactMap { mined[$0] })
        for (index, count) in zip(refused, counts) { answers[index] = count }
        if counts.contains(where: { (try? $0.get()) != nil }) {  // nil: it counts nothing at all
            memory.noteNoPool(node)
        }
        return answers
    }

    private func answers(
        to reads: [ChainRead]
    ) async throws(NodeFailure) -> [Result<ChainAnswer, ChainError>] {
        let outcome = await withTaskGroup(
            of: Settlement.self,
            returning: Result<[Result<ChainAnswer, ChainError>], NodeFailure>.self
        ) { group in
            var answers = [Result<ChainAnswer, ChainError>](
                repeating: .failure(Self.unanswered),
                count: reads.count
            )
            var queue = chunks(of: Array(reads.indices), in: reads, attempt: 1, delay: 0)[...]
            var running = 0
            while true {
                while running < limits.concurrency, let chunk = queue.popFirst() {
                    let parts = self.parts(of: chunk)
                    queue.insert(contentsOf: parts.dropFirst(), at: queue.startIndex)
                    guard let first = parts.first else { continue }
                    group.addTask { await settle(first, reads) }
                    running += 1
                }
                guard let settlement = await group.next() else { return .success(answers) }
                running -= 1
                for (index, answer) in settlement.answers { answers[index] = answer }
                do throws(NodeFailure) {
                    let (again, given) = try next(after: settlement, reads)
                    for (index, error) in given { answers[index] = .failure(error) }
                    queue.append(contentsOf: again)
                } catch {
                    group.cancelAll()
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }

    /// Splits questions by number and bytes.
    private func chunks(
        of indices: [Int],
        in reads: [ChainRead],
        attempt: Int,
        delay: UInt64
    ) -> [Chunk] {
        let maximum = min(limits.items, memory.batchLimit(of: node) ?? limits.items)
        var chunks: [Chunk] = []
        var current: [Int] = []
        var bytes = 0
        for index in indices {
            let size = RPCRequestWriter.size(of: reads[index])
            if !current.isEmpty, current.count >= maximum || bytes + size > limits.bytes {
                chunks.append(Chunk(indices: current, attempt: attempt, delay: delay))
                current = []
                bytes = 0
            }
            current.append(index)
            bytes += size
        }
        if !current.isEmpty {
            chunks.append(Chunk(indices: current, attempt: attempt, delay: delay))
        }
        return chunks
    }

    /// Splits a chunk further if the node's limit became known after it was made.
    private func parts(of chunk: Chunk) -> [Chunk] {
        guard let maximum = memory.batchLimit(of: node), chunk.indices.count > maximum else {
            return [chunk]
        }
        return stride(from: 0, to: chunk.indices.count, by: maximum).map { start in
            var part = chunk
            part.indices = Array(chunk.indices[start..<min(start + maximum, chunk.indices.count)])
            return part
        }
    }

    // MARK: Retries

    /// The chunks to send again after a request, and the errors of questions that are given up.
    ///
    /// - Throws: `NodeFailure` if the whole read is given up.
    private func next(
        after settlement: Settlement,
        _ reads: [ChainRead]
    ) throws(NodeFailure) -> (again: [Chunk], given: [(Int, ChainError)]) {
        let chunk = settlement.chunk
        if let failure = settlement.failure {
            if failure.isTooLarge, chunk.indices.count > 1 {
                return (halves(of: chunk.indices, reads), [])
            }
            let isHopeless = hasAlternative && failure.isConnectionFailure
            guard failure.isRetryable, !isHopeless, chunk.attempt < retry.tries,
                (failure.wait ?? 0) <= retry.longestWait
            else { throw failure }
            var again = chunk
            again.delay = delay(after: chunk.attempt, wait: failure.wait)
            again.attempt += 1
            return ([again], [])
        }
        guard !settlement.open.isEmpty else { return ([], []) }
        let indices = settlement.open.map(\.index)
        if settlement.isTooLarge, chunk.indices.count > 1 {
            // Only a part was answered, so smaller requests follow.
            return (halves(of: indices, reads, tooLarge: chunk.indices.count), [])
        }
        // A single question that is refused for its size is refused again.
        guard chunk.attempt < retry.tries, !settlement.isTooLarge else {
            return ([], settlement.open.map { ($0.index, $0.error) })
        }
        let delay = delay(after: chunk.attempt, wait: nil)
        return (chunks(of: indices, in: reads, attempt: chunk.attempt + 1, delay: delay), [])
    }

    private func halves(of indices: [Int], _ reads: [ChainRead], tooLarge: Int? = nil) -> [Chunk] {
        memory.lowerBatchLimit(of: node, to: (tooLarge ?? indices.count) / 2)
        return chunks(of: indices, in: reads, attempt: 1, delay: 0)
    }

    private func delay(after attempt: Int, wait: UInt64?) -> UInt64 {
        guard let wait else { return retry.delay(after: attempt) }
        return min(wait, retry.longestWait) * 1000
    }

    // MARK: One request

    /// Sends a chunk and sorts the answers, concurrently with other chunks.
    @concurrent
    private func settle(_ chunk: Chunk, _ reads: [ChainRead]) async -> Settlement {
        var settlement = Settlement(chunk: chunk)
        do throws(NodeFailure) {
            if chunk.delay > 0 {
                do {
                    try await clock.sleep(chunk.delay)
                } catch {
                    throw NodeFailure(.cancelled, url: url)
                }
            }
            let body = RPCRequestWriter.request(reads, at: chunk.indices)
            switch try await exchange(body, ids: chunk.indices) {
            case .answers(let outcomes): sort(outcomes, reads, into: &settlement)
            case .refused(let fault): throw refusal(fault)
            }
        } catch {
            settlement.failure = error
        }
        return settlement
    }

    /// Sends a request and reads the answer.
    func exchange(_ body: [UInt8], ids: [Int]) async throws(NodeFailure) -> RPCReply {
        let request = HTTPRequest.question(to: url, json: body)
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            throw NodeFailure(error, url: url)
        }
        // For these statuses the body does not matter.
        guard response.status != 429, response.status != 413,
            !(300..<400).contains(response.status)
        else { throw NodeFailure(response, url: url, now: clock.now()) }
        var words: String?
        do throws(ChainError) {
            let reply = try RPCReply(body: response.body, ids: ids)
            // Errors of single calls, and of a batch as a whole, may come with any HTTP status.
            guard case .refused(let fault) = reply, response.status >= 500, !fault.isBatchLimit,
                !fault.isRateLimit
            else { return reply }
            words = fault.message
        } catch {
            if response.isSuccess { throw NodeFailure(error) }
        }
        throw NodeFailure(response, url: url, now: clock.now(), words: words)
    }

    private func refusal(_ fault: RPCFault) -> NodeFailure {
        if fault.isRateLimit {
            return NodeFailure(limited, isRetryable: true)
        }
        return NodeFailure(fault.error, isTooLarge: fault.isBatchLimit)
    }

    private func sort(
        _ outcomes: [RPCReply.Outcome?],
        _ reads: [ChainRead],
        into settlement: inout Settlement
    ) {
        settlement.answers.reserveCapacity(outcomes.count)
        for (index, outcome) in zip(settlement.chunk.indices, outcomes) {
            guard let outcome else {
                settlement.open.append((index, Self.unanswered))
                continue
            }
            switch outcome {
            case .success(let json):
                let answer = Result { () throws(ChainError) in
                    try ChainAnswer(json, to: reads[index])
                }
                settlement.answers.append((index, answer))
            case .failure(let fault):
                let error = fault.error(of: reads[index])
                // A contract may revert with any words.
                if error.isExecutionFailure {
                    settlement.answers.append((index, .failure(error)))
                } else if fault.isAnswerLimit {
                    settlement.isTooLarge = true
                    settlement.open.append((index, error))
                } else if fault.isQuestionLimit {
                    // Whatever else it says, such as to try again with fewer blocks.
                    settlement.answers.append((index, .failure(error)))
                } else if fault.isRateLimit {
                    settlement.open.append((index, limited))
                } else if fault.isLagging {
                    settlement.open.append((index, error))
                } else {
                    settlement.answers.append((index, .failure(error)))
                }
            }
        }
    }

    private var limited: ChainError {
        .rateLimited(url: WebAddress.shown(url), retryAfter: nil)
    }
}

extension ChainRead {
    /// The same count without what waits in the pool; nil for every other question.
    fileprivate var minedCount: ChainRead? {
        if case .transactionCount(let account, .pending) = self {
            .transactionCount(account, .latest)
        } else {
            nil
        }
    }
}

extension ChainError {
    /// The answer to a count of the pool says that the node has none.
    fileprivate var refusesPending: Bool {
        switch self {
        case .rpc(let code, let message), .missingBlock(let code, let message):
            RPCFault(code: code, message: message).isPendingMissing
        default: false
        }
    }
}
