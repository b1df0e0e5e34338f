import Ethereum

@testable import DexNetwork

/// What suites about failing nodes have in common.
protocol NodeSuite {
    /// Does not wait, and keeps how long it was to.
    var clock: FakeClock { get }
}

extension NodeSuite {
    func client(
        _ urls: [String],
        _ transport: FakeTransport
    ) -> JSONRPCChainClient {
        JSONRPCChainClient(urls: urls, transport: transport, clock: clock.clock)
    }

    /// A node that answers 7, whatever it is asked.
    func good(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
        .success(
            HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, "\"0x7\"") })
        )
    }

    /// How reading fails; nil where it does not.
    func failure(
        _ client: JSONRPCChainClient,
        _ reads: [ChainRead] = [.chainID]
    ) async -> ChainError? {
        do throws(ChainError) {
            _ = try await client.read(reads)
            return nil
        } catch {
            return error
        }
    }
}
