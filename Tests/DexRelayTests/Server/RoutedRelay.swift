import HTTPServing
import HTTPTypes

@testable import DexRelay

/// One router of a relay for many requests, so that what it counts goes on.
struct RoutedRelay: Sendable {
    private let router: Router

    init(_ server: RelayServer, isLocal: Bool = false) {
        router = server.router(isLocal: isLocal)
    }

    /// The status of the answer to a GET.
    func status(_ path: String, _ headers: HTTPFields, _ client: String) async throws -> Int {
        try await router.answer(
            HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "relay.test",
                path: path,
                headerFields: headers
            ),
            client: client
        ).status
    }
}
