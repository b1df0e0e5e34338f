import Ethereum

@testable import DexNetwork

/// What suites about nodes have in common.
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

    func client(
        _ transport: FakeTransport,
        limits: BatchLimits = BatchLimits()
    ) -> JSONRPCChainClient {
        JSONRPCChainClient(
            urls: ["http://127.0.0.1:8545/key"],
            transport: transport,
            limits: limits,
            clock: clock.clock
        )
    }

    /// The lowest 64 bits of what was answered; nil where it is not bytes.
    func numbers(_ answers: [Result<ChainAnswer, ChainError>]) -> [UInt64?] {
        answers.map { answer in
            guard case .success(.bytes(let bytes)) = answer else { return nil }
            return UInt256(bigEndian: bytes)?.w0
        }
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
