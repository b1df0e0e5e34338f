import Ethereum
package import StrictJSON
import Synchronization

/// Decides who may ask for what, and brings what needs the user before them one at a time.
package actor DappGateway {
    /// Requests that wait for the user, in all and of one origin.
    package static let maximumWaiting = 8
    package static let maximumOfOrigin = 4
    /// Reads that wait for the node.
    package static let maximumReads = 16

    private let wallet: any DappWallet
    private var pairings: DappPairings
    /// What waits for the user, in its order.
    private let waiting: AsyncStream<DappJob>
    private let entry: AsyncStream<DappJob>.Continuation
    private var open: [DappJob] = []
    private var reads = 0
    private var isClosed = false

    package init(wallet: any DappWallet, pairings: DappPairings) {
        self.wallet = wallet
        self.pairings = pairings
        let stream = AsyncStream.makeStream(of: DappJob.self)
        waiting = stream.stream
        entry = stream.continuation
    }

    /// Whether a page of this origin may read answers.
    package func isPaired(_ origin: DappOrigin) -> Bool {
        pairings.isPaired(origin)
    }

    /// How many requests wait for the user.
    var waits: Int { open.count }

    // MARK: Requests

    /// The result of a request.
    ///
    /// - Parameters:
    ///   - token: of the pairing; nil if none is given.
    /// - Throws: `DappError`.
    package func answer(
        _ method: String,
        _ parameters: [JSONValue],
        of origin: DappOrigin,
        token: String?
    ) async throws(DappError) -> JSONValue {
        guard !isClosed else { throw Self.ended }
        if method == "wallet_pair" {
            return try await pair(DappRequest(method: method, parameters: parameters), origin)
        }
        guard pairings.holds(token, of: origin) else {
            // What it asks for says nothing to it, not even whether the method exists.
            if method == "eth_requestAccounts" { try await begin(origin) }
            throw .unauthorized(
                "Pair first: call wallet_pair with the code that dex shows in its terminal, and "
                    + "send the token as Authorization: Bearer."
            )
        }
        return try await answer(DappRequest(method: method, parameters: parameters), origin)
    }

    private func answer(
        _ request: DappRequest,
        _ origin: DappOrigin
    ) async throws(DappError) -> JSONValue {
        switch request {
        case .pair: return try await pair(request, origin)
        case .accounts: return [.string(await wallet.account().checksummed)]
        case .chainID: return .string(UInt256(await wallet.chainID()).quantity)
        case .networkVersion: return .string(String(await wallet.chainID()))
        case .read(let method, let parameters): return try await read(method, parameters)
        case .signMessage(_, let account), .signTypedData(_, let account):
            try await check(account)
        case .send(let transaction):
            try await check(transaction.from)
            if let chainID = transaction.chainID { try await check(chainID: chainID) }
        case .switchChain(let chainID):
            // No question for nothing.
            if await wallet.chainID() == chainID { return .null }
        }
        return try await asked(request, origin)
    }

    private func check(_ account: Address) async throws(DappError) {
        guard await wallet.account() == account else {
            throw .unauthorized("The account is not the one of this wallet.")
        }
    }

    private func check(chainID: UInt256) async throws(DappError) {
        guard UInt256(await wallet.chainID()) == chainID else {
            throw .otherChain("The wallet is on another chain: call wallet_switchEthereumChain.")
        }
    }

    private func read(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(DappError) -> JSONValue {
        guard reads < Self.maximumReads else { throw .limit("Too many reads wait.") }
        reads += 1
        defer { reads -= 1 }
        return try await wallet.read(method, parameters)
    }

    // MARK: Pairing

    private func pair(
        _ request: DappRequest,
        _ origin: DappOrigin
    ) async throws(DappError) -> JSONValue {
        guard case .pair(let code?) = request else {
            try await begin(origin)
            return ["pending": true]
        }
        let token = try pairings.enter(code, origin)
        // Behind the questions, so that it does not get between one and its answer.
        entry.yield(DappJob(origin, .paired))
        return ["token": .string(token)]
    }

    private func begin(_ origin: DappOrigin) async throws(DappError) {
        guard let code = try pairings.begin(origin) else { return }
        try await wait(DappJob(origin, .code(code)))
    }

    // MARK: The user

    private func asked(
        _ request: DappRequest,
        _ origin: DappOrigin
    ) async throws(DappError) -> JSONValue {
        try await wait(DappJob(origin, .request(request)))
    }

    @discardableResult
    private func wait(_ job: DappJob) async throws(DappError) -> JSONValue {
        guard !isClosed else { throw Self.ended }
        let others = open.filter { $0.origin == job.origin }.count
        guard open.count < Self.maximumWaiting, others < Self.maximumOfOrigin else {
            throw .limit("Too many requests wait for the user.")
        }
        open.append(job)
        defer { open.removeAll { $0 === job } }
        entry.yield(job)
        return try await job.result().get()
    }

    /// Brings what waits before the user, until the task is cancelled or the gateway is closed.
    package func run() async {
        for await job in waiting where job.isOpen {
            await perform(job)
            if Task.isCancelled { return }
        }
    }

    private func perform(_ job: DappJob) async {
        do throws(DappError) {
            job.end(.success(try await result(of: job)))
        } catch {
            job.end(.failure(error))
        }
    }

    private func result(of job: DappJob) async throws(DappError) -> JSONValue {
        let client = DappClient(job.origin) { job.isOpen }
        switch job.work {
        case .code(let code):
            await wallet.show(code: code, for: job.origin)
            return .null
        case .paired:
            await wallet.notePaired(job.origin)
            return .null
        case .request(.signMessage(let bytes, let account)):
            try await check(account)
            return .string(try await wallet.sign(message: bytes, for: client))
        case .request(.signTypedData(let data, let account)):
            try await check(account)
            return .string(try await wallet.sign(typedData: data, for: client))
        case .request(.send(let transaction)):
            // The network may have changed while it waited.
            try await check(transaction.from)
            if let chainID = transaction.chainID { try await check(chainID: chainID) }
            let hash = try await wallet.send(transaction, for: client) { hash in
                job.end(.success(.string(hash.hex)))
            }
            return .string(hash.hex)
        case .request(.switchChain(let chainID)):
            try await wallet.switchChain(to: chainID, for: client)
            return .null
        case .request: throw .invalidRequest("It asks the user nothing.")
        }
    }

    // MARK: The end

    private static let ended = DappError.disconnected("The wallet has ended.")

    /// Answers everything that waits with 4900, and takes nothing more.
    package func close() {
        isClosed = true
        entry.finish()
        for job in open { job.end(.failure(Self.ended)) }
    }
}

/// One request that waits for the user, and its answer.
final class DappJob: Sendable {
    enum Work: Sendable {
        /// A code to show.
        case code(String)
        /// That the origin is paired.
        case paired
        case request(DappRequest)
    }

    private enum State {
        case open
        case awaited(CheckedContinuation<Result<JSONValue, DappError>, Never>)
        case ended(Result<JSONValue, DappError>)
    }

    let origin: DappOrigin
    let work: Work
    private let state = Mutex(State.open)

    init(_ origin: DappOrigin, _ work: Work) {
        self.origin = origin
        self.work = work
    }

    var isOpen: Bool {
        state.withLock { state in
            if case .ended = state { false } else { true }
        }
    }

    /// Gives the answer; a second one is ignored.
    func end(_ result: Result<JSONValue, DappError>) {
        let awaited: CheckedContinuation<Result<JSONValue, DappError>, Never>? =
            state.withLock { state in
                switch state {
                case .ended: return nil
                case .open:
                    state = .ended(result)
                    return nil
                case .awaited(let continuation):
                    state = .ended(result)
                    return continuation
                }
            }
        awaited?.resume(returning: result)
    }

    /// Waits for the answer; a client that has gone gets none, and its request is not shown.
    func result() async -> Result<JSONValue, DappError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: Result<JSONValue, DappError>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let ended { continuation.resume(returning: ended) }
            }
        } onCancel: {
            end(.failure(.disconnected("The request was withdrawn.")))
        }
    }
}
