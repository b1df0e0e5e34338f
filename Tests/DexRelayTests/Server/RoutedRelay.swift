import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

@testable import DexRelay

/// One router of a relay for many requests, so that what it counts goes on.
struct RoutedRelay: Sendable {
    private let responder: RouterResponder<RelayRequestContext>

    init(_ server: RelayServer, isLocal: Bool = false) {
        responder = server.router(isLocal: isLocal).buildResponder()
    }

    /// The status of the answer to a GET.
    func status(_ path: String, _ headers: HTTPFields, _ client: String) async throws -> Int {
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "relay.test",
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = RelayRequestContext(client: client, logger: logger)
        return try await responder.respond(to: request, context: context).status.code
    }
}
