import DexNetwork

/// Carries a client's requests into a relay's router.
struct RouterTransport: HTTPTransport {
    let relay: RelayConnection

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard let path = request.url.split(separator: "relay.test", maxSplits: 1).last else {
            throw .malformedURL
        }
        do {
            let answer =
                switch request.method {
                case .get: try await relay.get(String(path))
                case .post: try await relay.post(String(path), request.body)
                }
            return HTTPResponse(
                status: answer.status,
                headers: answer.headers.map { HTTPHeader($0.key, $0.value) },
                body: answer.body
            )
        } catch {
            throw .cutOff
        }
    }
}
