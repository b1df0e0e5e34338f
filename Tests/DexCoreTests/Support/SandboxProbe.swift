import Ethereum

@testable import DexCore

/// One node over a client.
struct SandboxProbe: NodeProbe {
    let name = "https://node.example"
    private let client: any ChainClient

    init(_ client: any ChainClient) { self.client = client }

    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer {
        let results = await Result { () async throws(ChainError) in try await client.read(reads) }
        return NodeProbeAnswer(results: results, date: nil, sent: 0, received: 0)
    }
}

/// A node that is down.
struct DeadProbe: NodeProbe {
    let name = "https://dead.example"

    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer {
        NodeProbeAnswer(results: .failure(.lost), date: nil, sent: 0, received: 0)
    }
}
