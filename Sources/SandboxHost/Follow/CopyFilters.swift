import DexRelay
import DexSandbox
import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON

/// What a copy's node answers itself: its status, transactions to pass on, and nothing at all once
/// something did not verify.
struct CopyNodeFilter: RequestFilter {
    let chain: SandboxChain
    let forwarder: TransactionForwarder
    let state: CopyState
    let now: @Sendable () -> UInt64
    /// Blocks may be there to fetch.
    let wake: @Sendable () -> Void

    static let statusMethod = "sandbox_copy"

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        guard request.method == .post else {
            if let reason = state.value.stop { return .now(Self.unavailable(reason)) }
            return next(request)
        }
        return .whole(maximum: ChainServer.maximumBody) { answer(request, $0, next) }
    }

    private func answer(_ request: Request, _ buffer: ByteBuffer, _ next: Responder) -> Answer {
        let body = Array(buffer.readableBytesView)
        let call = Self.call(body)
        if call?["method"]?.stringValue == Self.statusMethod,
            request.channel?.isFromThisMachine == true
        {
            return .now(Self.answer(call?["id"], ("result", state.value.json(now: now()))))
        }
        if let reason = state.value.stop {
            let id = (try? JSONParser.parse(body))?["id"]  // nil: a batch, or no JSON
            return .now(Self.answer(id, Self.error(-32_000, reason)))
        }
        guard let call, call["method"]?.stringValue == TransactionForwarder.method else {
            return next(request).answer(to: buffer)
        }
        return .task { try await passOn(call, body) }
    }

    /// A single request that this answers; nil for every other body.
    private static func call(_ body: [UInt8]) -> JSONValue? {
        // Most requests are large batches of calls, which are not parsed twice.
        guard body.first != UInt8(ascii: "["),
            let json = try? JSONParser.parse(body),  // nil: the node answers that
            let method = json["method"]?.stringValue,
            [statusMethod, TransactionForwarder.method].contains(method)
        else { return nil }
        return json
    }

    /// Verifies a transaction as every node does, and passes it on to the machine that makes blocks.
    private func passOn(_ call: JSONValue, _ body: [UInt8]) async throws -> Response {
        let own = await chain.answer(body: body)
        let verdict = (try? JSONParser.parse(own)) ?? .null  // our own answer is JSON
        if let error = verdict["error"],
            error["message"]?.stringValue != TransactionForwarder.known
        {
            return Response(json: ByteBuffer(bytes: own))
        }
        guard let text = call["params"]?.arrayValue?.first?.stringValue,
            let raw = try? Hex.decode(text)  // never nil: the node has decoded it
        else { return Response(json: ByteBuffer(bytes: own)) }
        let answer: TransactionForwarder.Verdict
        do {
            answer = try await forwarder.forward(raw)
        } catch let silence as LeaderSilence {
            // It may have arrived, so this is no refusal.
            return Self.unreachable(silence.reason)
        }
        wake()
        switch answer {
        case .taken:
            // The hash is ours: the other machine cannot make us watch another transaction.
            return Self.answer(call["id"], ("result", .string(Keccak256.hash(raw).hex)))
        case .refused(let code, let words):
            return Self.answer(call["id"], Self.error(code, words))
        }
    }

    private static func error(_ code: Int, _ message: String) -> (String, JSONValue) {
        ("error", ["code": .integer(code), "message": .string(message)])
    }

    private static func answer(
        _ id: JSONValue?,
        _ member: (name: String, value: JSONValue)
    ) -> Response {
        var reply = JSONObject()
        reply["jsonrpc"] = "2.0"
        reply["id"] = id ?? .null
        reply[member.name] = member.value
        return Response(json: ByteBuffer(bytes: JSONValue.object(reply).utf8))
    }

    static func unreachable(_ reason: String) -> Response {
        let words = TransactionForwarder.plain(reason)
        return text(
            .badGateway,
            "The sandbox that this is a copy of does not answer: \(words)."
        )
    }

    static func unavailable(_ reason: String) -> Response {
        text(.serviceUnavailable, reason)
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status, type: "text/plain; charset=utf-8", ByteBuffer(string: text + "\n"))
    }
}

/// What a copy's relay passes on: posted orders.
///
/// Once something did not verify, it answers nothing.
struct CopyRelayFilter: RequestFilter {
    let leader: any LeaderConnection
    /// The port of the other machine's relay, once that is known.
    let relayPort: LeaderRoutes.RelayPort
    let state: CopyState
    let hosts: AcceptedHosts
    let wake: @Sendable () -> Void

    private static let maximumBytes = 1 << 20
    /// The endings of paths that take orders.
    private static let endings = ["/order", "/orders"]

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        if let reason = state.value.stop { return .now(CopyNodeFilter.unavailable(reason)) }
        let path = request.path
        guard request.method == .post, Self.endings.contains(where: path.hasSuffix) else {
            return next(request)
        }
        // It stands before the relay's own guard.
        let refusal = LocalRequest.refusal(
            host: request.authority,
            origin: request.headers[.origin],
            contentType: request.headers[.contentType],
            isPost: true,
            hosts: hosts
        )
        if let refusal { return .failed(refusal) }
        let isPlain = path.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_")
        }
        guard isPlain else { return .now(Response(status: .notFound)) }
        guard let port = relayPort.value else {
            return .now(CopyNodeFilter.unreachable("its relay is not known yet"))
        }
        return .whole(maximum: Self.maximumBytes) { body in
            .task { await passOn(path, body, to: port) }
        }
    }

    private func passOn(_ path: String, _ body: ByteBuffer, to port: Int) async -> Response {
        let answer: LeaderAnswer
        do throws(LeaderSilence) {
            answer = try await leader.post(
                path,
                to: .relay(port: port),
                Array(body.readableBytesView)
            )
        } catch {
            // It may have another port after a restart.
            relayPort.forget()
            return CopyNodeFilter.unreachable(error.reason)
        }
        wake()
        return Response(
            HTTPResponse.Status(code: (200...599).contains(answer.status) ? answer.status : 502),
            type: "application/json; charset=utf-8",
            ByteBuffer(bytes: answer.body)
        )
    }
}
