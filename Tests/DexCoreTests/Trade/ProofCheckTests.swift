import DexSandbox
import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a checkup tells of proofs")
struct ProofCheckTests {
    private typealias Change = @Sendable (TamperedNode) -> Void

    private static func row(
        proofs: Bool?,
        quorum: UInt64 = 1,
        _ changes: [Change]
    ) async throws -> DoctorState.Row {
        let market = try LiveMarket()
        var network = market.network
        network.name = "mine"
        network.proofs = proofs
        network.quorum = quorum
        let probes = zip(["https://a.example", "https://b.example"], changes).map { name, change in
            let node = TamperedNode(market.chain)
            change(node)
            return ChainProbe(name: name, node: node)
        }
        return await ProofCheck(probes: probes, network: network).row()
    }

    private static let honest: Change = { _ in }
    private static let without: Change = { $0.hideProofs() }

    @Test("whether they are on, and how many nodes give them")
    func counts() async throws {
        let off = try await Self.row(proofs: nil, [Self.honest, Self.honest])
        #expect(off == .ok(.proofs, "Proofs are off. 2 of 2 nodes give them (eth_getProof)."))
        let none = try await Self.row(proofs: false, quorum: 2, [Self.without])
        #expect(none == .ok(.proofs, "Proofs are off. 0 of 1 node gives them (eth_getProof)."))
        for (proofs, quorum) in [(true, 1), (nil, 2)] as [(Bool?, UInt64)] {
            let on = try await Self.row(proofs: proofs, quorum: quorum, [Self.honest, Self.honest])
            #expect(on == .ok(.proofs, "Proofs are on. 2 of 2 nodes give them (eth_getProof)."))
        }
        let one = try await Self.row(proofs: true, [Self.honest])
        #expect(one.mark == .ok && one.found.contains("could invent the header"))
    }

    @Test("a node that lacks the method, or whose proof is none, is named with the reason")
    func missing() async throws {
        let some = try await Self.row(proofs: true, [Self.honest, Self.without])
        #expect(some.mark == .ok)
        #expect(
            some.found.hasPrefix(
                "Proofs are on. 1 of 2 nodes give them (eth_getProof). https://b.example: "
            )
        )
        #expect(some.found.contains("the method does not exist"))
        let none = try await Self.row(proofs: true, [Self.without, Self.without])
        #expect(none.mark == .warn)
        #expect(none.found.hasPrefix("Proofs are on, and no node gives one, so nothing is proven."))
        for name in ["a", "b"] { #expect(none.found.contains("https://\(name).example: ")) }
        #expect(none.remedy?.contains("dex config set networks.mine.proofs false") == true)
        let wrong = try await Self.row(
            proofs: true,
            [
                { node in
                    node.proofs { proof in
                        AccountProof(
                            address: proof.address,
                            account: TrieProof(nodes: []),
                            storage: proof.storage
                        )
                    }
                }
            ]
        )
        #expect(wrong.mark == .warn && wrong.found.contains("its proof is none"), "\(wrong.found)")
    }
}

/// A node of a simulated chain.
private struct ChainProbe: NodeProbe {
    let name: String
    let node: TamperedNode

    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer {
        let results = await Result { () async throws(ChainError) in try await node.read(reads) }
        return NodeProbeAnswer(results: results, date: nil, sent: 0, received: 0)
    }
}
