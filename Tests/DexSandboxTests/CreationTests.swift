import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexSandbox

/// Anybody can deploy anything.
@Suite("Contracts that transactions create")
struct CreationTests {
    /// Answers the word at slot 0, and stores the first word of a call that has one.
    private static let runtime = Hex.bytes("0x36600c575f545f5260205ff35b5f355f5500") ?? []
    /// Stores 7 at slot 0 and returns the code behind it.
    private static let creation =
        (Hex.bytes("0x60075f5560128060105f395ff3fe000000") ?? []).prefix(16) + runtime

    private func deploy(
        _ test: TestChain,
        _ code: [UInt8] = Array(creation),
        gas: UInt64 = 300_000,
        value: UInt256 = 0
    ) async throws -> JSONValue {
        let signed = try await test.transaction(
            from: test.alice,
            to: nil,
            data: code,
            value: value,
            gas: gas
        )
        let hash = try await test.client.send(raw: signed.raw)
        return try await test.rpc("eth_getTransactionReceipt", [.string(hash.hex)])
    }

    private func contract(_ receipt: JSONValue) throws -> Address {
        try #require(receipt["contractAddress"]?.stringValue.flatMap { Address(ifHex: $0) })
    }

    @Test("a contract has its address, code, nonce and words, is called, and is undone")
    func life() async throws {
        let test = try TestChain()
        let receipt = try await deploy(test)
        #expect(receipt["status"] == "0x1")
        #expect(receipt["to"] == .null)
        let contract = try contract(receipt)
        #expect(try await test.client.read(.code(contract, .latest)) == Self.runtime)
        #expect(try await test.client.read(.transactionCount(contract, .latest)) == 1)
        #expect(try await test.answer(contract, []) == UInt256(7).word.bytes)
        let stored = UInt256(41)
        try await test.send(from: test.bob, to: contract, data: stored.word.bytes)
        let place: JSONValue = [.string(contract.lowercaseHex), "0x0", "latest"]
        #expect(try await test.rpc("eth_getStorageAt", place) == .string(stored.word.hex))
        let before: JSONValue = [.string(contract.lowercaseHex), "0x0", "0x1"]
        #expect(
            try await test.rpc("eth_getStorageAt", before) == .string(UInt256(7).word.hex)
        )
        _ = try await test.chain.reorganize(blocks: 2, transactions: .gone)
        #expect(try await test.client.read(.code(contract, .latest)) == [])
        #expect(
            try await test.rpc("eth_getStorageAt", place) == .string(Bytes32.zero.hex)
        )
        // The same transaction again makes the same contract.
        #expect(try self.contract(await deploy(test)) == contract)
    }

    @Test("eth_call, eth_estimateGas and eth_createAccessList take a creation")
    func calls() async throws {
        let test = try TestChain()
        let call: JSONValue = [
            "from": .string(test.alice.address.lowercaseHex),
            "data": .string(Hex.encode(Array(Self.creation))),
        ]
        #expect(try await test.rpc("eth_call", [call]) == .string(Hex.encode(Self.runtime)))
        let estimate = try #require(
            try await test.rpc("eth_estimateGas", [call]).stringValue
                .flatMap { UInt256(quantity: $0)?.uint64 }
        )
        let enough = try await deploy(test, gas: estimate)
        #expect(enough["status"] == "0x1")
        #expect(enough["gasUsed"] == .string(UInt256(estimate).quantity))
        let short = try await deploy(test, gas: estimate - 1)
        #expect(short["status"] == "0x0")
        #expect(short["contractAddress"] == .null)
        let list = try await test.rpc("eth_createAccessList", [call])
        #expect(list["error"] == nil)
        #expect(list["accessList"]?.arrayValue?.count == 1)
    }

    @Test("a contract survives a restart, and one that reverts takes nothing but gas")
    func failure() async throws {
        let test = try TestChain()
        let before = try await test.etherBalance(test.alice.address)
        // REVERT(0, 0)
        let receipt = try await deploy(test, [0x5F, 0x5F, 0xFD], value: ether)
        #expect(receipt["status"] == "0x0")
        #expect(receipt["contractAddress"] == .null)
        #expect(try await test.etherBalance(test.alice.address) > before - ether / 100)
        #expect(try await test.client.read(.transactionCount(test.alice.address, .latest)) == 1)
    }

    @Test("a precompile that is not there is a refusal with its sentence, and nothing is mined")
    func precompile() async throws {
        let test = try TestChain()
        let pairing = Address(truncating: UInt256(8).word)
        let signed = try await test.transaction(from: test.alice, to: pairing)
        let words =
            "it calls the precompile 0x0000000000000000000000000000000000000008, which this chain "
            + "does not have"
        let sent = await chainError { _ = try await test.client.send(raw: signed.raw) }
        #expect(sent == .notTaken(code: -32000, message: words))
        let called = try await test.rpc("eth_call", [["to": .string(pairing.lowercaseHex)]])
        #expect(called["message"]?.stringValue == words)
        let estimated = try await test.rpc(
            "eth_estimateGas",
            [["to": .string(pairing.lowercaseHex)]]
        )
        #expect(estimated["message"]?.stringValue == words)
        #expect(try await test.client.read(.blockNumber) == 0)
        #expect(try await test.client.read(.transactionCount(test.alice.address, .pending)) == 0)
    }

    @Test("code that needs the hashes of blocks before has them")
    func blockHash() async throws {
        let test = try TestChain()
        try await test.chain.mine()
        // BLOCKHASH(NUMBER - 1), stored at slot 0 and returned.
        let code = Hex.bytes("0x4360019003405f525f515f5560205ff3") ?? []
        let hash = try #require(await test.chain.hash(ofBlock: 1))
        let answer = try await test.rpc("eth_call", [["data": .string(Hex.encode(code))]])
        #expect(answer == .string(hash.hex))
        let receipt = try await deploy(test, code)
        #expect(receipt["status"] == "0x1")
    }
}
