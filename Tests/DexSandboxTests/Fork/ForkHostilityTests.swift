import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("A fork of a chain whose node does not do as it should")
struct ForkHostilityTests {
    /// What beginning a fork says.
    private func beginning(
        _ behaviour: LiveNode.Behaviour,
        at number: UInt64? = 1
    ) async throws -> ForkError? {
        let live = try TestChain()
        for _ in 0..<3 { try await live.chain.mine() }
        let node = LiveNode(live.chain)
        node.behaviour = behaviour
        do throws(ForkError) {
            _ = try await ForkUpstream.begin(node, at: number, now: live.clock.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("it does not begin")
    func begin() async throws {
        #expect(try await beginning(.honest) == nil)
        #expect(try await beginning(.byNumber) == nil)
        #expect(try await beginning(.gone) == .silent(reason: "no connection"))
        #expect(try await beginning(.limited) == .silent(reason: "it limits our requests"))
        #expect(
            try await beginning(.otherBlock)
                == .silent(reason: "asked for block 1, it gave block 0")
        )
        #expect(try await beginning(.empty) == .silent(reason: "it has no newest block"))
        guard case .noBlock(1, _) = try await beginning(.pruned) else {
            Issue.record("a node without the state")
            return
        }
        #expect(try await beginning(.honest, at: 4) == .ahead(4, newest: 3))
    }

    @Test("it begins some blocks behind a young head, and at the head of a quiet chain")
    func distance() async throws {
        let live = try TestChain()
        for _ in 0..<20 { try await live.chain.mine() }
        let node = LiveNode(live.chain)
        let newest = try #require(try await live.client.read(.block(.latest)))
        let young = try await ForkUpstream.begin(node, at: nil, now: newest.timestamp + 60)
        #expect(young.point.block.number == 4)
        let quiet = try await ForkUpstream.begin(node, at: nil, now: newest.timestamp + 61)
        #expect(quiet.point.block == newest)
    }

    @Test("chains that no EVM runs, or by rules to come, are not forked")
    func unsupported() async throws {
        for (chainID, expected) in [
            (324, ForkError.otherMachine(chain: 324)),
            (11_155_111, .newerRules(chain: 11_155_111)),
        ] as [(UInt64, ForkError)] {
            let live = try TestChain(clock: TestClock(1_800_000_000)) { genesis in
                genesis.chainID = chainID
                genesis.timestamp = 1_799_999_999
            }
            let node = LiveNode(live.chain)
            await #expect(throws: expected) {
                _ = try await ForkUpstream.begin(node, at: nil, now: 1_900_000_000)
            }
        }
    }

    @Test("a replaced block ends all reading, and nothing of the other branch is taken")
    func reorganization() async throws {
        let forked = try await ForkedChain()
        let alice = forked.live.alice.address
        #expect(try await forked.client.read(.balance(alice, .latest)) == Wei(100 * ether))
        forked.node.behaviour = .reorganized
        let error = await chainError {
            _ = try await forked.balance(TestChain.dai, alice)
        }
        #expect(error?.reason.contains("has replaced block 0") == true)
        let batches = forked.node.batches
        // The node is asked no more, even if it has the block again.
        forked.node.behaviour = .honest
        let later = await chainError {
            _ = try await forked.balance(TestChain.dai, alice)
        }
        #expect(later?.reason == error?.reason)
        #expect(forked.node.batches == batches)
        // What was fetched stays.
        #expect(try await forked.client.read(.balance(alice, .latest)) == Wei(100 * ether))
    }

    @Test(
        "a node that fails in the middle makes no transaction and no zero",
        arguments: [
            LiveNode.Behaviour.gone, .limited, .pruned, .empty, .confused,
        ]
    )
    func middle(behaviour: LiveNode.Behaviour) async throws {
        let forked = try await ForkedChain()
        let alice = forked.live.alice.address
        _ = try await forked.client.read(.balance(alice, .latest))
        forked.node.behaviour = behaviour
        let error = await chainError { _ = try await forked.sale(ether, on: forked.client) }
        #expect(error != nil)
        #expect(await forked.chain.waiting.isEmpty)
        #expect(await forked.chain.latestBlock.number == 0)
        let block = try await forked.chain.mine()
        #expect(block.number == 1)
        // It comes back, and the same trade goes through.
        forked.node.behaviour = .honest
        #expect(try await forked.sale(ether, on: forked.client).succeeded)
    }

    @Test("a node that takes no hashes is asked by number")
    func byNumber() async throws {
        let forked = try await ForkedChain(behaviour: .byNumber)
        #expect(try await forked.sale(ether, on: forked.client).succeeded)
        let asked = forked.node.questions.contains { question in
            if case .storage(_, _, .number(0)) = question { true } else { false }
        }
        #expect(asked)
    }

    @Test("a node of another chain, or with another block there, does not go on with a kept fork")
    func resume() async throws {
        let live = try TestChain()
        for _ in 0..<3 { try await live.chain.mine() }
        let node = LiveNode(live.chain)
        let point = try await ForkUpstream.begin(node, at: 2, now: live.clock.now).point
        _ = try await ForkUpstream.resume(node, at: point)
        node.behaviour = .otherChain
        await #expect(throws: ForkError.otherChain(found: 5, kept: 1_337)) {
            _ = try await ForkUpstream.resume(node, at: point)
        }
        node.behaviour = .reorganized
        do throws(ForkError) {
            _ = try await ForkUpstream.resume(node, at: point)
            Issue.record("another block was taken")
        } catch {
            guard case .reorganized(block: 2, hash: point.block.hash, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
