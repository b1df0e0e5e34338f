import DexResources
import Glibc
import HTTPServing
import HTTPTypes
package import Logging
import NIOCore
import StrictJSON

/// The reason why a server does not listen.
package struct ServingFailure: Error, Hashable, Sendable {
    /// The system's words.
    package let reason: String
}

/// Serves a gateway's JSON-RPC on loopback, and the script that makes a page an EIP-1193 provider.
///
/// Each request names this machine as its host (DNS rebinding), is JSON, and is of a paired origin.
/// Only a pairing itself may be asked for by any page, at a path of its own.
package struct DappServer: Sendable {
    /// The most bytes of a request: call data of almost 256 KiB, in hexadecimal.
    package static let maximumBody = 512 << 10
    /// The most values in a request.
    private static let maximumValues = 50_000
    /// How long answers may take to leave after the end, in seconds.
    private static let lastAnswers: Int64 = 2

    private let gateway: DappGateway
    private let host = "127.0.0.1"
    private let port: Int
    private let logger: Logger

    /// A server that is not running yet.
    ///
    /// - Parameter port: 0 takes any free port; `run` reports which.
    package init(
        gateway: DappGateway,
        port: Int,
        logger: Logger = Logger(label: "dex.provider") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.gateway = gateway
        self.port = port
        self.logger = logger
    }

    /// Serves until the body ends; then the gateway is closed and the last answers leave.
    ///
    /// - Parameter body: gets the URL, such as `http://127.0.0.1:8548`, once the server answers.
    /// - Throws: `ServingFailure` if the address cannot be bound.
    package func run(
        while body: @escaping @Sendable (_ url: String) async -> Void
    ) async throws {
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServer(router, host: host, port: port, logger: logger)
        let stop = ServerStop()
        // Not a child: a signal cancels the body, and the answers that wait must still leave.
        let serving = Task {
            defer { report.finish() }
            try await server.run(until: stop) { port in
                report.yield(port)
                report.finish()
            }
        }
        for await port in ports { await body("http://\(host):\(port)") }
        await gateway.close()
        stop.make(within: .seconds(Self.lastAnswers))
        do {
            try await serving.value
        } catch let error as IOError {
            throw ServingFailure(reason: String(cString: strerror(error.errnoCode)))
        }
    }

    // MARK: Routes

    private enum Path {
        static let requests = "/"
        /// Where pages that are not paired ask to be.
        static let pairing = "/pair"
        static let script = "/provider.js"
    }

    private var router: Router {
        var router = Router()
        router.add(LocalRequestGuard(takesPages: true))
        for path in [Path.requests, Path.pairing] {
            router.on(.post, path) { receive($0, at: path) }
            router.on(
                .options,
                path,
                answer: { request in .task { await preflight(request, at: path) } }
            )
        }
        router.get(Path.script) { _ in
            var headers: HTTPFields = [
                .contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache",
            ]
            headers.set("Cross-Origin-Resource-Policy", "cross-origin")
            return Response(
                status: .ok,
                headers: headers,
                body: ByteBuffer(bytes: DexResources.providerScript)
            )
        }
        router.get("/") { _ in
            Response(
                type: "text/plain; charset=utf-8",
                ByteBuffer(string: "dex provider: POST JSON-RPC here, or load /provider.js\n")
            )
        }
        return router
    }

    /// The answer to the question of a browser whether a page may ask at all.
    private func preflight(_ request: Request, at path: String) async -> Response {
        guard request.headers[.origin] != nil,
            let origin = DappOrigin(header: request.headers[.origin]),
            request.headers[.accessControlRequestMethod] == "POST"
        else { return Response(status: .forbidden) }
        var headers = await access(origin, at: path)
        guard !headers.isEmpty else { return Response(status: .forbidden) }
        headers[.accessControlAllowMethods] = "POST"
        headers[.accessControlAllowHeaders] = "Content-Type, Authorization"
        // Source: the draft Private Network Access, for pages of the internet.
        if request.headers.value("Access-Control-Request-Private-Network") == "true" {
            headers.set("Access-Control-Allow-Private-Network", "true")
        }
        return Response(status: .noContent, headers: headers)
    }

    /// The headers that let a page read an answer; none where it may not.
    private func access(_ origin: DappOrigin, at path: String) async -> HTTPFields {
        guard let header = origin.header else { return [:] }
        if path != Path.pairing, !(await gateway.isPaired(origin)) { return [:] }
        return [.accessControlAllowOrigin: header, .vary: "Origin"]
    }

    private func receive(_ request: Request, at path: String) -> Reception {
        guard let origin = DappOrigin(header: request.headers[.origin]) else {
            return .now(Response(status: .forbidden))
        }
        return .body(maximum: Self.maximumBody) { body in
            .result {
                let bytes = Array(try body.get().readableBytesView)
                // A client that goes away withdraws its request.
                return .task(endsWithClient: true) {
                    await answer(
                        bytes,
                        of: origin,
                        token: Self.token(request.headers[.authorization]),
                        at: path
                    )
                }
            }
        }
    }

    /// The answer to the body of a request.
    private func answer(
        _ body: [UInt8],
        of origin: DappOrigin,
        token: String?,
        at path: String
    ) async -> Response {
        var id = JSONValue.null
        let outcome: (key: String, value: JSONValue)
        do throws(DappError) {
            let call = try DappCall(body, id: &id, Self.maximumValues)
            guard path == Path.requests || call.method == "wallet_pair" else {
                throw .unauthorized("Only wallet_pair is asked for here.")
            }
            let result = try await gateway.answer(
                call.method,
                call.parameters,
                of: origin,
                token: token
            )
            outcome = ("result", result)
        } catch {
            outcome = ("error", error.json)
        }
        var object = JSONObject()
        object["jsonrpc"] = "2.0"
        object["id"] = id
        object[outcome.key] = outcome.value
        var headers = await access(origin, at: path)
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        headers[.connection] = "close"
        return Response(
            status: .ok,
            headers: headers,
            body: ByteBuffer(bytes: JSONValue.object(object).utf8)
        )
    }

    /// The token of `Bearer TOKEN`.
    private static func token(_ header: String?) -> String? {
        let scheme = "bearer "
        guard let header, header.lowercased().hasPrefix(scheme) else { return nil }
        return String(header.dropFirst(scheme.count))
    }
}

/// One JSON-RPC request.
struct DappCall {
    let method: String
    let parameters: [JSONValue]

    /// - Parameter id: gets the request's id as soon as it is read.
    init(
        _ body: [UInt8],
        id: inout JSONValue,
        _ maximumValues: Int
    ) throws(DappError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(body, maximumValues: maximumValues)
        } catch {
            throw .parse
        }
        guard json.objectValue != nil else {
            throw .invalidRequest(
                json.arrayValue == nil
                    ? "A request is an object." : "Batches are not taken: send one request."
            )
        }
        switch json["id"] {
        case .number(let text)?: id = .number(text)
        case .string(let text)? where text.utf8.count <= 100: id = .string(text)
        case nil, .null?: break
        default: throw .invalidRequest("The id is a number or a short text.")
        }
        guard let method = json["method"]?.stringValue else {
            throw .invalidRequest("The request has no method.")
        }
        let parameters = json["params"] ?? .array([])
        guard let list = parameters.isNull ? [] : parameters.arrayValue else {
            throw .invalidParameters("The parameters are a list.")
        }
        self.method = method
        self.parameters = list
    }
}

extension HTTPFields {
    /// Sets a header that has no constant; a name that is none is left out.
    fileprivate mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }
}

extension RequestHeaders {
    fileprivate func value(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}
