import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

/// How a program of the operator's steers time, fees and the past of the chain.
@Suite("A test chain is steered as hardhat's and anvil's are")
struct SnapshotTests {
    private func pay(_ test: TestChain, _ amount: UInt256) async throws {
        _ = try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: amount)
        )
    }

    /// The words with which a request is refused; nil if it is not.
    private func refusal(
        _ test: TestChain,
        _ method: String,
        _ parameters: JSONValue
    ) async throws -> String? {
        try await test.rpc(method, parameters)["message"]?.stringValue
    }

    private func balance(_ test: TestChain) async throws -> UInt256 {
        try await test.balance(TestChain.dai, test.bob.address)
    }

    @Test("a snapshot brings blocks, state, waiting transactions and the clock back, once")
    func snapshot() async throws {
        let test = try TestChain()
        try await pay(test, 1 * ether)
        _ = try await test.rpc("evm_setAutomine", [false])
        let waiting = try await test.transaction(from: test.bob, to: test.alice.address)
        _ = try await test.client.send(raw: waiting.raw)
        let before = try await test.rpc("eth_getBlockByNumber", ["latest", false])
        let held = try await balance(test)
        #expect(try await test.rpc("evm_snapshot") == "0x1")

        _ = try await test.rpc("evm_mine", [["blocks": 2]])
        _ = try await test.rpc("evm_increaseTime", [3_600])
        _ = try await test.rpc("evm_setAutomine", [true])
        try await pay(test, 5 * ether)
        #expect(try await balance(test) == held + 5 * ether)
        #expect(try await test.client.read(.receipt(waiting.hash)) != nil)

        #expect(try await test.rpc("evm_revert", ["0x1"]) == true)
        #expect(try await test.rpc("eth_getBlockByNumber", ["latest", false]) == before)
        #expect(try await balance(test) == held)
        #expect(try await test.client.read(.receipt(waiting.hash)) == nil)
        #expect(await test.chain.waiting == [waiting.hash])
        // It is used up, mining waits for evm_mine again, and the clock is what it was.
        #expect(try await test.rpc("evm_revert", ["0x1"]) == false)
        let block = try await test.chain.mine()
        #expect(block.timestamp == TestChain.start + 101)
        #expect(try await test.client.read(.receipt(waiting.hash))?.succeeded == true)
    }

    @Test("an earlier snapshot uses up the later ones; one of a replaced block is none any more")
    func order() async throws {
        let test = try TestChain()
        let start = try await balance(test)
        #expect(try await test.rpc("evm_snapshot") == "0x1")
        try await pay(test, 1 * ether)
        #expect(try await test.rpc("evm_snapshot") == "0x2")
        try await pay(test, 1 * ether)
        for unknown in ["0x0", "0x3", "0xffffffffffffffff"] as [JSONValue] {
            #expect(try await test.rpc("evm_revert", [unknown]) == false)
        }
        #expect(try await test.rpc("evm_revert", [1]) == true)
        #expect(try await balance(test) == start)
        #expect(try await test.rpc("evm_revert", ["0x2"]) == false)

        try await pay(test, 1 * ether)
        #expect(try await test.rpc("evm_snapshot") == "0x1")
        _ = try await test.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(try await test.rpc("evm_revert", ["0x1"]) == false)
    }

    @Test("a state that is not kept any more is not gone back to, and nothing changes")
    func old() async throws {
        let test = try TestChain()
        _ = try await test.rpc("evm_snapshot")
        try await pay(test, 1 * ether)
        _ = try await test.rpc("evm_mine", [["blocks": 300]])
        let failure = try #require(try await refusal(test, "evm_revert", ["0x1"]))
        #expect(failure.contains("the state of block 0 is not kept any more"))
        #expect(try await test.rpc("eth_blockNumber") == "0x12d")
    }

    @Test("what is gone back to is what a chain that is opened again has")
    func stored() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-snapshots-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "chain.sqlite").path
        let test = try TestChain(mining: .manual, storePath: path)
        let first = try await test.transaction(from: test.alice, to: test.bob.address)
        _ = try await test.client.send(raw: first.raw)
        _ = try await test.rpc("evm_snapshot")
        _ = try await test.rpc("evm_mine")
        let second = try await test.transaction(from: test.alice, to: test.bob.address)
        _ = try await test.client.send(raw: second.raw)
        _ = try await test.rpc("evm_increaseTime", [60])
        #expect(try await test.rpc("evm_revert", ["0x1"]) == true)

        let again = try TestChain(mining: .manual, storePath: path)
        #expect(await again.chain.latestBlock.number == 0)
        #expect(await again.chain.waiting == [first.hash])
        #expect(try await again.chain.mine().timestamp == TestChain.start + 100)
    }

    @Test("the next block alone has the time and the base fee that are set for it")
    func next() async throws {
        let test = try TestChain()
        let time = TestChain.start + 1_000
        #expect(try await test.rpc("evm_setNextBlockTimestamp", [.integer(time)]) == .null)
        #expect(try await test.rpc("hardhat_setNextBlockBaseFeePerGas", ["0x77"]) == true)
        let set = try await test.chain.mine()
        #expect(set.timestamp == time)
        #expect(set.baseFeePerGas == Wei(0x77))
        let next = try await test.chain.mine()
        #expect(next.timestamp == time + 1)
        #expect(next.baseFeePerGas != Wei(0x77))

        for (method, parameter) in [
            ("evm_setNextBlockTimestamp", .integer(next.timestamp)),
            ("evm_setNextBlockTimestamp", .integer(UInt64(1) << 40)),
            ("evm_setNextBlockTimestamp", "soon"),
            ("hardhat_setNextBlockBaseFeePerGas", .integer(UInt64(1) << 56)),
            ("hardhat_setNextBlockBaseFeePerGas", -1),
        ] as [(String, JSONValue)] {
            let words = try await refusal(test, method, [parameter])
            #expect(words != nil, "\(method) \(parameter.text)")
        }
        #expect(try await test.chain.mine().timestamp == next.timestamp + 1)
    }

    @Test("a thousand snapshots are enough")
    func maximum() async throws {
        let test = try TestChain()
        for _ in 0..<1_024 { _ = try await test.rpc("evm_snapshot") }
        let failure = try #require(try await refusal(test, "evm_snapshot", []))
        #expect(failure.contains("at most 1024 snapshots"))
        #expect(try await test.rpc("evm_revert", ["0x400"]) == true)
        #expect(try await test.rpc("evm_snapshot") == "0x400")
    }
}
