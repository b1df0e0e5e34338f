import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a checkup tells of nodes that must agree")
struct QuorumCheckTests {
    private typealias Change = (inout FakeProbe.State) -> Void

    private static func rows(
        quorum: UInt64 = 2,
        _ changes: [Change]
    ) async throws -> [DoctorState.Row] {
        var network = try TestMarket().network
        network.name = "mine"
        network.quorum = quorum
        let names = changes.indices.map { "https://\("abc".dropFirst($0).prefix(1)).example" }
        network.rpc = names
        return await QuorumCheck(
            probes: zip(names, changes).map { FakeProbe(name: $0, $1) },
            network: network
        ).rows()
    }

    private static func head(_ number: UInt64, timestamp: UInt64 = TestMarket.now) -> Change {
        { $0.block = .success(TestMarket.block(number, timestamp: timestamp)) }
    }

    @Test("nodes that agree are one row that names chain and block; one node has none")
    func healthy() async throws {
        let rows = try await Self.rows([Self.head(100), Self.head(100), Self.head(100)])
        #expect(rows.map(\.mark) == [.ok])
        #expect(
            rows.first?.found
                == "3 of 3 nodes agree on chain 1337 and block 100 (0x00000000), 2 must."
        )
        let behind = try await Self.rows([Self.head(100), Self.head(99)])
        #expect(behind.first?.found.hasSuffix(", 2 must; one is 1 blocks behind.") == true)
        #expect(try await Self.rows(quorum: 1, [Self.head(100)]).isEmpty)
    }

    @Test("nodes of other chains, other blocks and far behind are named with what they say")
    func disagreement() async throws {
        let chain = try await Self.rows([{ $0.chainID = .success(1) }, { _ in }])
        let block = try await Self.rows([
            Self.head(100),
            {
                $0.fork = 1; Self.head(101)(&$0)
            },
        ])
        let old = try await Self.rows([
            Self.head(100), Self.head(7, timestamp: TestMarket.now - 1_116),
        ])
        for (rows, words) in [
            (chain, "the chain id: https://a.example says 1; https://b.example says 1337."),
            (
                block,
                "block 100: https://a.example says \(TestMarket.blockHash(100)); "
                    + "https://b.example says \(TestMarket.blockHash(100, fork: 1))."
            ),
            (
                old,
                "the latest block: https://a.example says block 100; https://b.example says block 7."
            ),
        ] {
            #expect(rows.map(\.mark) == [.fail])
            #expect(rows.first?.found == "The nodes disagree about \(words)")
            #expect(rows.first?.kind == .unreachable)
            #expect(
                rows.first?.remedy?.contains("dex config set networks.mine.rpc URL,URL") == true
            )
        }
    }

    @Test("too few nodes, in the settings or that answer, fail with the command that mends it")
    func tooFew() async throws {
        let few = try await Self.rows(quorum: 3, [Self.head(100), Self.head(100)])
        #expect(few.first?.kind == .configuration)
        #expect(few.first?.found == "3 nodes must agree, and 2 are given.")
        #expect(few.first?.remedy?.hasSuffix("dex config set networks.mine.quorum 2") == true)
        let silent = try await Self.rows([
            Self.head(100), { $0.chainID = .failure(.unreachable(url: "u", reason: "gone")) },
        ])
        #expect(silent.first?.kind == .unreachable)
        #expect(silent.first?.found == "2 nodes must agree, and 1 of 2 can be used.")
    }
}
