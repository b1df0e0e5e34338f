import CProcess
package import Ethereum
import Glibc
package import StrictJSON

/// A client of an account's agent.
package struct AgentClient: Sendable {
    package let socket: AgentSocket

    package init(_ socket: AgentSocket) {
        self.socket = socket
    }

    /// The agent's unlocked keys; nil if there is no agent.
    package func status() throws(SigningError) -> JSONValue? {
        try ask(["version": .integer(AgentCodec.version), "ask": "status"])
    }

    /// A process listens there; it may still not answer.
    package func isRunning() throws(SigningError) -> Bool {
        guard let descriptor = try socket.connect() else { return false }
        close(descriptor)
        return true
    }

    /// Sends a question and waits for the answer; nil if there is no agent.
    ///
    /// - Throws: `SigningError`: the agent's own, or an unreadable answer.
    func ask(_ question: JSONValue) throws(SigningError) -> JSONValue? {
        guard let descriptor = try socket.connect() else { return nil }
        defer { close(descriptor) }
        var rest = AgentFrame.encode(question)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                dex_socket_send(descriptor, $0.baseAddress, UInt($0.count))
            }
            if sent == -Int(EINTR) { continue }
            // An agent that refuses us closes at once: there is no answer to read either.
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            answer += chunk.prefix(count)
            guard answer.count <= 4 + AgentFrame.limit else { break }
        }
        guard case .whole(let json) = AgentFrame.decode(answer) else {
            throw SigningError.agentSilent(socket.account)
        }
        if let error = AgentCodec.error(json["error"]) { throw error }
        return json
    }

    /// Ends the agent, and returns when it is gone; false if there was none.
    package func lock() throws(SigningError) -> Bool {
        var attempts = 0
        while let descriptor = try socket.connect() {
            defer { close(descriptor) }
            guard let peer = AgentSocket.peer(descriptor) else { break }
            // By a signal, since an agent of another build would not listen to us.
            if attempts == 0 { kill(peer.process, SIGTERM) }
            if attempts == Self.maximumAttempts { kill(peer.process, SIGKILL) }
            guard attempts < 2 * Self.maximumAttempts else {
                throw SigningError.notLocked(socket.account, process: peer.process)
            }
            attempts += 1
            usleep(Self.pause)
        }
        return attempts > 0
    }

    /// Checks before SIGKILL, and microseconds between them: two seconds in all.
    private static let maximumAttempts = 400
    private static let pause: UInt32 = 5_000
}

/// A key that our agent keeps unlocked.
///
/// The agent itself checks requests against policy.toml and writes the audit log: this key holder
/// does neither.
package struct AgentKey: KeyHolder {
    private let client: AgentClient

    package init(_ client: AgentClient) {
        self.client = client
    }

    package var address: Address { client.socket.account }
    package let place = KeyPlace.agent

    /// The agent's rules and limits, so that no approval is sent for a trade that it then refuses.
    package func check(_ planned: [PlannedRequest]) throws(SigningError) {
        guard let last = planned.last else { return }
        let question = Self.question(
            last.request,
            ask: "check",
            replacing: last.replacing,
            before: planned.dropLast().map { Self.question($0.request, replacing: $0.replacing) }
        )
        guard try client.ask(question) != nil else { throw .agentGone(address) }
    }

    package func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        let question = Self.question(authorized.request, ask: "sign")
        let result = await DetachedThread.run { [client] in
            Result { () throws(SigningError) in try client.ask(question) }
        }
        guard let answer = try result.get() else { throw .agentGone(address) }
        guard let signature = AgentCodec.signature(answer["signature"]) else {
            throw SigningError.noAgentSignature(address)
        }
        return signature
    }

    private static func question(
        _ request: SigningRequest,
        ask: String = "check",
        replacing: Bool = false,
        before: [JSONValue] = []
    ) -> JSONValue {
        question(
            request.content,
            network: request.scope.network,
            purpose: request.terms.purpose,
            slippage: request.terms.slippage,
            genuine: request.terms.genuine,
            firedGuard: request.terms.firedGuard,
            origin: request.terms.origin,
            rollupFee: request.terms.rollupFee,
            ask: ask,
            replacing: replacing,
            before: before
        )
    }

    /// A question to an agent.
    ///
    /// - Parameters:
    ///   - slippage: the maximum deviation from the quote, in hundredths of a percent.
    ///   - genuine: the swap venue's contracts, as its registry names them.
    ///   - firedGuard: the signed number of the guard that fires by it.
    ///   - origin: the plan of `dex mcp` that it is for.
    ///   - rollupFee: the most that a rollup takes beside the gas, in wei.
    ///   - ask: `sign`, or `check` to ask without signing.
    ///   - replacing: for `check`: the nonce is known.
    ///   - before: for `check`: such questions about what is signed before it, which count for it.
    package static func question(
        _ content: SigningRequest.Content,
        network: String,
        purpose: String,
        slippage: UInt64? = nil,
        genuine: Set<Address> = [],
        firedGuard: Bytes32? = nil,
        origin: PlanOrigin? = nil,
        rollupFee: Wei = .zero,
        ask: String = "sign",
        replacing: Bool = false,
        before: [JSONValue] = []
    ) -> JSONValue {
        [
            "version": .integer(AgentCodec.version), "ask": .string(ask),
            "network": .string(network), "purpose": .string(purpose),
            "slippage": slippage.map { AgentCodec.number(UInt256($0)) } ?? .null,
            "genuine": AgentCodec.addresses(genuine),
            "guard": firedGuard.map { .string($0.hex) } ?? .null,
            "origin": origin.map { .string($0.word) } ?? .null,
            "plan": origin.map { .string(PlanOrigin.text($0.plan)) } ?? .null,
            "rollupFee": AgentCodec.number(rollupFee.rawValue),
            "content": AgentCodec.content(content),
            "replacing": .bool(replacing),
            "before": .array(before),
        ]
    }
}
