import HTTPServing
import HTTPTypes
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
        try await router(isLocal: isLocal).answer(
            HTTPRequest(
                method: method,
                scheme: "http",
                authority: host,
                path: path,
                headerFields: headers
            ),
            body: body,
            client: client
        )
    }
}

extension Answer {
    var text: String { String(decoding: body, as: UTF8.self) }
}
