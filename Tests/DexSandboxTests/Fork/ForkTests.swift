import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@Suite("A fork of a live chain")
final class ForkTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-fork-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String { folder.appendingPathComponent("chain.sqlite").path }

    @Test("a trade has the status, gas and logs that it has on the live chain")
    func trade() async throws {
        let forked = try await ForkedChain()
        let here = try await forked.sale(ether, on: forked.client)
        #expect(here.succeeded)
        #expect(try await forked.live.client.read(.blockNumber) == 0)
        let there = try await forked.sale(ether, on: forked.live.client)
        #expect(here.succeeded == there.succeeded)
        #expect(here.gasUsed == there.gasUsed)
        #expect(here.logs.map(\.topics) == there.logs.map(\.topics))
        #expect(here.logs.map(\.data) == there.logs.map(\.data))
        #expect(here.logs.map(\.address) == there.logs.map(\.address))
        let owner = forked.live.alice.address
        for token in [TestChain.dai, TestChain.weth] {
            let balance = try await forked.balance(token, owner)
            #expect(try await forked.live.balance(token, owner) == balance)
        }
    }

    @Test("it goes on at the block after the one that was forked")
    func numbers() async throws {
        let live = try TestChain.withUniswap()
        for _ in 0..<3 { try await live.chain.mine() }
        let forked = try await ForkedChain(of: live)
        let newest = try #require(try await live.client.read(.block(.latest)))
        #expect(forked.point.block == newest)
        let first = try #require(try await forked.client.read(.block(.latest)))
        #expect(first.hash == newest.hash && first.number == 3)
        let next = try await forked.chain.mine()
        #expect(next.number == 4)
        #expect(next.parentHash == newest.hash)
        #expect(next.timestamp > newest.timestamp)
        #expect(next.baseFeePerGas.map { $0 <= newest.baseFeePerGas ?? .zero } == true)
        #expect(try await forked.client.read(.chainID) == ForkedChain.chainID)
        let old = await chainError {
            _ = try await forked.client.read(.balance(.zero, .number(2)))
        }
        #expect(old?.reason.contains("begins at block 3") == true)
        #expect(try await forked.client.read(.block(.number(2))) == nil)
        let everything = LogFilter(fromBlock: .number(0), toBlock: .latest)
        let logs = await chainError { _ = try await forked.client.read(.logs(everything)) }
        #expect(logs?.reason.contains("up to block 3") == true)
    }

    @Test("what the live chain does later is not seen")
    func pinned() async throws {
        let forked = try await ForkedChain()
        try await forked.live.send(
            from: forked.live.alice,
            to: TestChain.dai,
            data: ERC20.call(
                "transfer(address,uint256)",
                forked.live.bob.address.word,
                (100 * ether).word
            )
        )
        let alice = forked.live.alice.address
        #expect(try await forked.balance(TestChain.dai, alice) == 1_000 * ether)
        #expect(try await forked.client.read(.transactionCount(alice, .latest)) == 0)
    }

    @Test("a transaction of the fork is none of the live chain's")
    func chainID() async throws {
        let forked = try await ForkedChain()
        let signed = try await forked.live.transaction(
            from: forked.live.alice,
            to: forked.live.bob.address,
            value: 1,
            chainID: ForkedChain.chainID
        )
        _ = try await forked.client.send(raw: signed.raw)
        let refused = await chainError { _ = try await forked.live.client.send(raw: signed.raw) }
        #expect(refused?.reason.contains("invalid chain id") == true)
    }

    @Test("it goes on offline after a restart, with the same balances, and trades again")
    func offline() async throws {
        let forked = try await ForkedChain(storePath: path)
        let owner = forked.live.alice.address
        #expect(try await forked.sale(ether, on: forked.client).succeeded)
        let weth = try await forked.balance(TestChain.weth, owner)
        let dai = try await forked.balance(TestChain.dai, owner)
        let head = try await forked.client.read(.block(.latest))
        forked.node.behaviour = .gone
        let asked = forked.node.batches

        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        let again = try ForkedChain(forked.live, forked.node, fork, storePath: path)
        #expect(try await again.client.read(.block(.latest)) == head)
        #expect(try await again.balance(TestChain.weth, owner) == weth)
        #expect(try await again.balance(TestChain.dai, owner) == dai)
        let receipt = try await again.sale(ether, on: again.client)
        #expect(receipt.succeeded)
        #expect(forked.node.batches == asked)
        // Never fetched: an error that names it, and no zero.
        let stranger = TestChain.address(0x57)
        let unknown = await chainError {
            _ = try await again.client.read(.balance(stranger, .latest))
        }
        #expect(unknown?.reason.contains("the account \(stranger.checksummed)") == true)
        let word = await chainError {
            _ = try await again.client.read(.storage(TestChain.dai, UInt256(77).word, .latest))
        }
        #expect(word?.reason.contains("the word \(UInt256(77).word.hex)") == true)
        #expect(word?.reason.contains("--fork") == true)
    }

    @Test("a transaction that needs what was never fetched is refused offline")
    func unknownOffline() async throws {
        let forked = try await ForkedChain(storePath: path)
        _ = try await forked.client.read(.balance(forked.live.alice.address, .latest))
        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        let again = try ForkedChain(forked.live, forked.node, fork, storePath: path)
        let error = await chainError { _ = try await again.sale(ether, on: again.client) }
        #expect(error?.reason.contains("has never fetched") == true)
        #expect(await again.chain.waiting.isEmpty)
        #expect(await again.chain.latestBlock.number == 0)
    }

    @Test("a word that the fork has set to zero stays zero after a restart")
    func zeros() async throws {
        let forked = try await ForkedChain(storePath: path)
        let (alice, bob) = (forked.live.alice, forked.live.bob.address)
        let all = ERC20.call("transfer(address,uint256)", bob.word, (1_000 * ether).word)
        let receipt = try await ForkedChain.send(
            all,
            to: TestChain.dai,
            from: alice,
            on: forked.client
        )
        #expect(receipt.succeeded)
        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        let again = try ForkedChain(forked.live, forked.node, fork, storePath: path)
        #expect(try await again.balance(TestChain.dai, alice.address) == 0)
        #expect(try await again.balance(TestChain.dai, bob) == 2_000 * ether)
        // Its past too.
        let call = CallRequest(to: TestChain.dai, data: ERC20.balanceOf(alice.address))
        let before = try await again.client.read(.call(call, .number(0)))
        #expect(UInt256(bigEndian: before) == 1_000 * ether)
    }

    @Test("a file of another fork is not opened, and a kept chain is none")
    func otherFork() async throws {
        _ = try await ForkedChain(storePath: path)
        await #expect(throws: SandboxError.otherGenesis(ChainFile(path))) {
            _ = try await ForkedChain(storePath: self.path, chainID: 99)
        }
        let own = path + "2"
        _ = try TestChain(storePath: own)
        await #expect(throws: SandboxError.otherGenesis(ChainFile(own))) {
            _ = try await ForkedChain(storePath: own)
        }
    }

    @Test("nobody can prove its state, and it says so")
    func proofs() async throws {
        let forked = try await ForkedChain()
        let answer = try await forked.rpc(
            "eth_getProof",
            [.string(TestChain.dai.checksummed), [], "latest"]
        )
        #expect(answer["message"]?.stringValue?.contains("nobody can prove its state") == true)
    }

    @Test("the hash of a block before it is fetched")
    func blockHash() async throws {
        let live = try TestChain { genesis in
            // PUSH1 1, BLOCKHASH, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN
            let code: [UInt8] = [0x60, 1, 0x40, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xF3]
            genesis.contracts = [GenesisContract(address: TestChain.address(0x40), code: code)]
        }
        for _ in 0..<4 { try await live.chain.mine() }
        let forked = try await ForkedChain(of: live)
        let call = CallRequest(to: TestChain.address(0x40), data: [])
        let answer = try await forked.client.call(call)
        let block = try #require(try await live.client.read(.block(.number(1))))
        #expect(answer == block.hash.word.bytes)
    }

    @Test("a batch over JSON-RPC fetches what all of its calls lack together")
    func batch() async throws {
        let forked = try await ForkedChain()
        let owners = [forked.live.alice, forked.live.bob] + forked.live.makers
        let calls = owners.enumerated().map { index, owner in
            let data = Hex.encode(ERC20.balanceOf(owner.address))
            let call = #"{"to":"\#(TestChain.dai.lowercaseHex)","data":"\#(data)"}"#
            let head = #"{"jsonrpc":"2.0","id":\#(index),"method":"eth_call""#
            return #"\#(head),"params":[\#(call),"latest"]}"#
        }
        let before = forked.node.batches
        let answer = await forked.chain.answer(
            body: Array("[\(calls.joined(separator: ","))]".utf8)
        )
        let text = String(decoding: answer, as: UTF8.self)
        let thousand = (1_000 * ether).word.hex
        #expect(text.components(separatedBy: thousand).count - 1 == owners.count)
        #expect(forked.node.batches - before <= 3)
    }

    @Test("a trade takes few round trips")
    func roundTrips() async throws {
        let forked = try await ForkedChain()
        let before = forked.node.batches
        #expect(try await forked.sale(ether, on: forked.client).succeeded)
        let first = forked.node.batches - before
        // Beside it the nonce is asked for, which the helper needs.
        #expect(first == 3, "\(first) round trips")
        #expect(try await forked.sale(ether, on: forked.client).succeeded)
        #expect(forked.node.batches - before == first)
    }
}
