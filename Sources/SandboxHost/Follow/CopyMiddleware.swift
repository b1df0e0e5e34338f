import DexRelay
import DexSandbox
import Ethereum
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// What a copy's node answers itself: its status, transactions to pass on, and nothing at all once
/// something did not verify.
struct CopyNodeMiddleware: RouterMiddleware {
    typealias Context = SandboxRequestContext

    let chain: SandboxChain
    let forwarder: TransactionForwarder
    let state: CopyState
    let now: @Sendable () -> UInt64
    /// Blocks may be there to fetch.
    let wake: @Sendable () -> Void

    static let statusMethod = "sandbox_copy"

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post else {
            if let reason = state.value.stop { return Self.unavailable(reason) }
            return try await next(request, context)
        }
        var request = request
        let body = Array(
            try await request.collectBody(upTo: ChainServer.maximumBody).readableBytesView
        )
        let call = Self.call(body)
        if call?["method"]?.stringValue == Self.statusMethod, context.channel.isFromThisMachine {
            return Self.answer(call?["id"], ("result", state.value.json(now: now())))
        }
        if let reason = state.value.stop {
            let id = (try? JSONParser.parse(body))?["id"]  // nil: a batch, or no JSON
            return Self.answer(id, Self.error(-32_000, reason))
        }
        guard let call, call["method"]?.stringValue == TransactionForwarder.method else {
            return try await next(request, context)
        }
        return try await passOn(call, body)
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
struct CopyRelayMiddleware: RouterMiddleware {
    typealias Context = RelayRequestContext

    let leader: any LeaderConnection
    /// The port of the other machine's relay, once that is known.
    let relayPort: LeaderRoutes.RelayPort
    let state: CopyState
    let hosts: AcceptedHosts
    let wake: @Sendable () -> Void

    private static let mostBytes = 1 << 20
    /// The endings of paths that take orders.
    private static let endings = ["/order", "/orders"]

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let reason = state.value.stop { return CopyNodeMiddleware.unavailable(reason) }
        let path = request.uri.path
        guard request.method == .post, Self.endings.contains(where: path.hasSuffix) else {
            return try await next(request, context)
        }
        // It runs before the relay's own guard.
        let refusal = LocalRequest.refusal(
            host: request.head.authority,
            origin: request.headers[.origin],
            contentType: request.headers[.contentType],
            isPost: true,
            hosts: hosts
        )
        if let refusal { throw refusal }
        let isPlain = path.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_")
        }
        guard isPlain else { return Response(status: .notFound) }
        guard let port = relayPort.value else {
            return CopyNodeMiddleware.unreachable("its relay is not known yet")
        }
        let body = try await request.body.collect(upTo: Self.mostBytes)
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
            return CopyNodeMiddleware.unreachable(error.reason)
        }
        wake()
        return Response(
            HTTPResponse.Status(code: (200...599).contains(answer.status) ? answer.status : 502),
            type: "application/json; charset=utf-8",
            ByteBuffer(bytes: answer.body)
        )
    }
}
