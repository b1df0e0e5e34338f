import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@Suite("Blocks that are replaced")
struct ReorganizationTests {
    private func number(_ test: TestChain) async throws -> UInt64 {
        try await test.client.read(.blockNumber)
    }

    private func nonce(_ test: TestChain, _ tag: BlockTag = .latest) async throws -> UInt64 {
        try await test.client.read(.transactionCount(test.alice.address, tag))
    }

    /// Three payments of alice's to bob, a block each.
    private func paid(_ test: TestChain) async throws -> [TransactionReceipt] {
        var receipts: [TransactionReceipt] = []
        for _ in 0..<3 {
            receipts.append(
                try await test.send(
                    from: test.alice,
                    to: TestChain.dai,
                    data: ERC20.transfer(to: test.bob.address, amount: 5 * ether)
                )
            )
        }
        return receipts
    }

    @Test("what was in replaced blocks waits again, and nothing of it is left in the state")
    func pool() async throws {
        let test = try TestChain()
        let start = try await test.balance(TestChain.dai, test.bob.address)
        let etherBefore = try await test.etherBalance(test.alice.address)
        let receipts = try await paid(test)
        let done = try await test.chain.reorganize(blocks: 2, transactions: .pool)
        #expect(done.fork == 1)
        #expect(done.replaced == 2)
        #expect(done.head == 4)
        #expect(done.transactions.map(\.hash) == receipts.dropFirst().map(\.transactionHash))
        #expect(done.transactions.map(\.block) == [2, 3])
        #expect(done.transactions.allSatisfy { $0.fate == .pool })
        #expect(try await number(test) == 4)
        #expect(try await test.balance(TestChain.dai, test.bob.address) == start + 5 * ether)
        #expect(try await nonce(test) == 1)
        #expect(try await nonce(test, .pending) == 3)
        #expect(try await test.client.read(.receipt(receipts[0].transactionHash)) == receipts[0])
        for receipt in receipts.dropFirst() {
            #expect(try await test.client.read(.receipt(receipt.transactionHash)) == nil)
            let info = try await test.client.read(.transaction(receipt.transactionHash))
            #expect(info?.blockNumber == nil && info?.hash == receipt.transactionHash)
            let old = try await test.rpc(
                "eth_getBlockByHash",
                [.string(receipt.blockHash.hex), false]
            )
            #expect(old == .null)
        }
        #expect(try await test.etherBalance(test.alice.address) < etherBefore)

        // The next block takes them, in their order.
        try await test.chain.mine()
        #expect(try await nonce(test) == 3)
        #expect(try await test.balance(TestChain.dai, test.bob.address) == start + 15 * ether)
        let again = try await test.client.read(.receipt(receipts[1].transactionHash))
        #expect(again?.blockNumber == 5)
        #expect(again?.blockHash != receipts[1].blockHash)
    }

    @Test("what is gone is unknown, its nonce is free, and its bytes can be sent again")
    func gone() async throws {
        let test = try TestChain()
        let signed = try await test.transaction(from: test.alice, to: test.bob.address)
        let hash = try await test.client.send(raw: signed.raw)
        let done = try await test.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(done.transactions.map(\.fate) == [.gone])
        #expect(try await test.client.read(.transaction(hash)) == nil)
        #expect(try await nonce(test, .pending) == 0)
        #expect(try await test.client.send(raw: signed.raw) == hash)
        #expect(try await test.client.read(.receipt(hash))?.blockNumber == 3)
    }

    @Test("what is mined again has another block, and the same effect")
    func mined() async throws {
        let test = try TestChain()
        let start = try await test.balance(TestChain.dai, test.bob.address)
        let receipts = try await paid(test)
        let done = try await test.chain.reorganize(blocks: 3, transactions: .mined)
        #expect(done.fork == 0 && done.head == 4)
        #expect(done.transactions.allSatisfy { $0.fate == .mined })
        for receipt in receipts {
            let again = try await test.client.read(.receipt(receipt.transactionHash))
            #expect(again?.succeeded == true && again?.blockHash != receipt.blockHash)
            #expect(again?.blockNumber == 1)
        }
        #expect(try await test.balance(TestChain.dai, test.bob.address) == start + 15 * ether)
        #expect(await test.chain.waiting.isEmpty)
    }

    @Test("filters report the blocks and logs of the new branch")
    func filters() async throws {
        let test = try TestChain()
        _ = try await paid(test)
        let blocks = try await test.rpc("eth_newBlockFilter")
        let logs = try await test.rpc(
            "eth_newFilter",
            [["address": .string(TestChain.dai.checksummed)]]
        )
        _ = try await test.chain.reorganize(blocks: 2, transactions: .mined)
        let hashes = try await test.rpc("eth_getFilterChanges", [blocks]).arrayValue
        #expect(hashes?.count == 3)
        #expect(try await test.rpc("eth_getFilterChanges", [logs]).arrayValue?.count == 2)
        #expect(try await test.rpc("eth_getFilterChanges", [blocks]).arrayValue?.isEmpty == true)
    }

    @Test("blocks that are not there, or are final, are not replaced")
    func bounds() async throws {
        let test = try TestChain()
        _ = try await paid(test)
        for count in [0, 4, 65, .max] as [UInt64] {
            await #expect(throws: SandboxError.self) {
                try await test.chain.reorganize(blocks: count, transactions: .pool)
            }
        }
        #expect(try await number(test) == 3)
    }

    @Test("a kept chain is the same after a restart: blocks, state, and what waits")
    func kept() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-reorg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "chain.sqlite").path
        let first = try TestChain(storePath: path)
        let receipts = try await paid(first)
        _ = try await first.chain.reorganize(blocks: 2, transactions: .pool)
        let head = try await first.rpc("eth_getBlockByNumber", ["latest", true])
        let balance = try await first.balance(TestChain.dai, first.bob.address)

        let second = try TestChain(storePath: path)
        #expect(try await second.rpc("eth_getBlockByNumber", ["latest", true]) == head)
        #expect(try await second.balance(TestChain.dai, second.bob.address) == balance)
        #expect(
            await second.chain.waiting == receipts.dropFirst().map { $0.transactionHash }
        )
        try await second.chain.mine()
        #expect(try await nonce(second) == 3)
        // A second time over the same blocks.
        _ = try await second.chain.reorganize(blocks: 4, transactions: .gone)
        let third = try TestChain(storePath: path)
        #expect(try await nonce(third, .pending) == 1)
        #expect(await third.chain.waiting.isEmpty)
    }

    @Test("a base fee that is set holds for one block, and is told before")
    func baseFee() async throws {
        let test = try TestChain()
        let usual = await test.chain.baseFeeOfNextBlock
        await test.chain.setNextBaseFee(50 * 1_000_000_000)
        let history = try await test.client.read(.feeHistory(blocks: 1, percentiles: []))
        #expect(history.baseFeePerGas.last == Wei(50 * gwei))
        // Below it a transaction is taken, and waits.
        let poor = try await test.transaction(from: test.alice, to: test.bob.address)
        let hash = try await test.client.send(raw: poor.raw)
        #expect(try await test.client.read(.receipt(hash)) == nil)
        #expect(await test.chain.waiting == [hash])
        let known = await chainError { _ = try await test.client.send(raw: poor.raw) }
        #expect(known == .rpc(code: -32000, message: "already known"))
        // An empty block at that fee lets it fall by an eighth.
        try await test.chain.mine()
        #expect(await test.chain.baseFeeOfNextBlock == 50 * 1_000_000_000 / 8 * 7)
        #expect(try await test.client.read(.receipt(hash)) == nil)
        await test.chain.setNextBaseFee(usual)
        try await test.chain.mineWhatCanRun()
        #expect(try await test.client.read(.receipt(hash))?.succeeded == true)
    }

    @Test("a chain that claims to be another says so everywhere, and refuses our transactions")
    func claim() async throws {
        let test = try TestChain()
        let signed = try await test.transaction(from: test.alice, to: test.bob.address)
        await test.chain.claim(chainID: 5)
        #expect(try await test.rpc("eth_chainId") == "0x5")
        #expect(try await test.rpc("net_version") == "5")
        let error = await chainError { _ = try await test.client.send(raw: signed.raw) }
        #expect(
            error
                == .notTaken(
                    code: -32000,
                    message: "invalid sender: invalid chain id for signer: have 1337 want 5"
                )
        )
        await test.chain.claim(chainID: nil)
        #expect(try await test.rpc("eth_chainId") == "0x539")
        _ = try await test.client.send(raw: signed.raw)
    }
}
