import DexRelay
import DexSandbox
import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore

/// A request with a connection that can be closed.
protocol ConnectedContext: RequestContext {
    /// nil within the process.
    var connection: (any Channel)? { get }
}

extension SandboxRequestContext: ConnectedContext {
    var connection: (any Channel)? { channel }
}

extension RelayRequestContext: ConnectedContext {
    var connection: (any Channel)? { channel }
}

/// Applies the active faults to a server's requests.
struct FaultMiddleware<Context: ConnectedContext>: RouterMiddleware {
    let server: SandboxServer
    let board: FaultRegistry
    /// Answers instead of the server, before any fault: for the commands that set faults.
    var control: @Sendable (inout Request, Context) async throws -> Response? = { _, _ in nil }
    /// Gets each request before it is executed.
    var watch: @Sendable (inout Request) async throws -> Void = { _ in }

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var request = request
        if let response = try await control(&request, context) { return response }
        let verdict = board.verdict(on: server)
        if verdict.isDown { return await closed(context) }
        if verdict.isHanging {
            while board.isHanging(server) {
                guard context.connection?.isActive != false else { return Self.unavailable }
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
        }
        if verdict.delay > 0 {
            try await ContinuousClock().sleep(for: .milliseconds(Int64(verdict.delay)))
        }
        switch verdict.failure {
        case nil: break
        case .cut: return await closed(context)
        case .throttled:
            return Response(status: .tooManyRequests, headers: [.retryAfter: "1"])
        case .unavailable: return Self.unavailable
        case .lost:
            try await watch(&request)
            _ = try await next(request, context)
            return await closed(context)
        case .body:
            try await watch(&request)
            var response = try await next(request, context)
            var piece = try await response.body.collected()
            let length = max(1, piece.readableBytes)
            let half = piece.readSlice(length: piece.readableBytes / 2) ?? ByteBuffer()
            response.body = ResponseBody(contentLength: length) { writer in
                try await writer.write(half)
                throw CutOff()
            }
            return response
        }
        try await watch(&request)
        return try await next(request, context)
    }

    private func closed(_ context: Context) async -> Response {
        // If it is already closed, there is no client left.
        try? await context.connection?.close()
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

/// Thrown to break off a connection.
private struct CutOff: Error {}
