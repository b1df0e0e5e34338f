import DexSandbox
import HTTPServing
import HTTPTypes
import NIOCore

/// Applies the active faults to a server's requests.
struct FaultFilter: RequestFilter {
    let server: SandboxServer
    let board: FaultRegistry
    /// Answers a post instead of the server, before any fault: for the commands that set faults.
    var control: (@Sendable (Request, _ body: ByteBuffer) async throws -> Response?)?
    /// Gets each post before it is executed.
    var watch: (@Sendable (Request, _ body: ByteBuffer) async throws -> Void)?

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        if control != nil || watch != nil, request.method == .post {
            return .whole(maximum: ChainServer.maximumBody) { body in
                .task { try await answer(request, body, next) }
            }
        }
        let verdict = board.verdict(on: server)
        if verdict == FaultRegistry.Verdict() { return next(request) }
        guard request.method == .post else {
            return .answer(.task { try await answer(request, ByteBuffer(), verdict, next) })
        }
        return .whole(maximum: ChainServer.maximumBody) { body in
            .task { try await answer(request, body, verdict, next) }
        }
    }

    private func answer(
        _ request: Request,
        _ body: ByteBuffer,
        _ next: Responder
    ) async throws -> Response {
        if let response = try await control?(request, body) { return response }
        return try await answer(request, body, board.verdict(on: server), next)
    }

    private func answer(
        _ request: Request,
        _ body: ByteBuffer,
        _ verdict: FaultRegistry.Verdict,
        _ next: Responder
    ) async throws -> Response {
        if verdict.isDown { return await closed(request) }
        if verdict.isHanging {
            while board.isHanging(server) {
                guard request.channel?.isActive != false else { return Self.unavailable }
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
        }
        if verdict.delay > 0 {
            try await ContinuousClock().sleep(for: .milliseconds(Int64(verdict.delay)))
        }
        switch verdict.failure {
        case nil, .lost, .body: break
        case .cut: return await closed(request)
        case .throttled:
            return Response(status: .tooManyRequests, headers: [.retryAfter: "1"])
        case .unavailable: return Self.unavailable
        }
        try await watch?(request, body)
        var response = try await next(request).answer(to: body).response()
        switch verdict.failure {
        case .lost: return await closed(request)
        case .body:
            let length = max(1, response.body.readableBytes)
            var piece = response.body
            response.body = piece.readSlice(length: piece.readableBytes / 2) ?? ByteBuffer()
            response.headers[.contentLength] = String(length)
            response.isCutOff = true
            return response
        default: return response
        }
    }

    private func closed(_ request: Request) async -> Response {
        // If it is already closed, there is no client left.
        try? await request.channel?.close()
        return Self.unavailable
    }

    private static var unavailable: Response {
        Response(
            .serviceUnavailable,
            type: "text/plain",
            ByteBuffer(string: "A fault of the sandbox.\n")
        )
    }
}
