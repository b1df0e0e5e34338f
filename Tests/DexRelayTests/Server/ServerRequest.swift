import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

@testable import DexRelay

extension RelayServer {
    /// The answer to one request within the process, with any headers and from any address.
    func answer(
        _ path: String,
        _ headers: HTTPFields = [:],
        method: HTTPRequest.Method = .get,
        body: [UInt8] = [],
        host: String = "relay.test",
        client: String = "203.0.113.9",
        isLocal: Bool = false
    ) async throws -> Answer {
        let responder = router(isLocal: isLocal).buildResponder()
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: host,
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer(bytes: body))
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = RelayRequestContext(client: client, logger: logger)
        let response = try await responder.respond(to: request, context: context)
        var fields: [String: String] = [:]
        for field in response.headers { fields[field.name.canonicalName] = field.value }
        return Answer(
            status: response.status.code,
            headers: fields,
            body: Array(try await response.body.collected().readableBytesView)
        )
    }
}

extension Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
}
