import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexSandbox

@Suite("Blocks")
struct BlockTests {
    @Test("each block names the hash of the one before, and its time is later")
    func chainOfHashes() async throws {
        let test = try TestChain()
        for _ in 0..<5 { try await test.chain.mine() }
        var parent: JSONValue?
        var time: UInt256 = 0
        for number in 0...5 {
            let block = try await test.rpc(
                "eth_getBlockByNumber",
                [.string("0x\(number)"), false]
            )
            if number > 0 { #expect(block["parentHash"] == parent) }
            let byHash = try await test.rpc("eth_getBlockByHash", [block["hash"] ?? .null, false])
            #expect(byHash == block)
            let timestamp = try #require(
                UInt256(quantity: block["timestamp"]?.stringValue ?? "")
            )
            #expect(timestamp > time)
            time = timestamp
            parent = block["hash"]
        }
    }

    @Test("a block's hash is the Keccak-256 hash of the header that JSON shows, as RLP")
    func headerHash() async throws {
        let test = try TestChain()
        try await test.send(from: test.alice, to: test.bob.address, value: 1)
        let block = try await test.rpc("eth_getBlockByNumber", ["latest", false])
        let names = [
            "parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot",
            "logsBloom", "#difficulty", "#number", "#gasLimit", "#gasUsed", "#timestamp",
            "extraData", "mixHash", "nonce", "#baseFeePerGas", "withdrawalsRoot", "#blobGasUsed",
            "#excessBlobGas", "parentBeaconBlockRoot", "requestsHash",
        ]
        let items = try names.map { name -> RLP in
            if name.hasPrefix("#") {
                let text = block[String(name.dropFirst())]?.stringValue ?? ""
                return .integer(try #require(UInt256(quantity: text)))
            }
            return .bytes(try Hex.decode(block[name]?.stringValue ?? ""))
        }
        #expect(Keccak256.hash(RLP.list(items).encoded).hex == block["hash"]?.stringValue)
    }

    @Test(
        "the base fee moves by at most an eighth, as EIP-1559 has it",
        arguments: [
            // Worked by hand from the formula of the EIP.
            (1_000_000_000, 0, 30_000_000, 875_000_000),
            (1_000_000_000, 15_000_000, 30_000_000, 1_000_000_000),
            (1_000_000_000, 30_000_000, 30_000_000, 1_125_000_000),
            (1_000_000_000, 22_500_000, 30_000_000, 1_062_500_000),
            (7, 0, 30_000_000, 7),
            (7, 30_000_000, 30_000_000, 8),
        ] as [(UInt64, UInt64, UInt64, UInt64)]
    )
    func baseFee(_ fee: UInt64, _ used: UInt64, _ limit: UInt64, _ next: UInt64) {
        let header = SandboxHeader(
            parentHash: .zero,
            coinbase: .zero,
            stateRoot: .zero,
            transactionsRoot: .zero,
            receiptsRoot: .zero,
            bloom: .empty,
            number: 1,
            gasLimit: limit,
            gasUsed: used,
            timestamp: 2,
            baseFee: fee
        )
        #expect(header.nextBaseFee == next)
    }

    @Test("the clock gives a block's time, but never one that is not later than the parent's")
    func time() async throws {
        let test = try TestChain()
        #expect(try await test.chain.mine().timestamp == TestChain.start + 100)
        #expect(try await test.chain.mine().timestamp == TestChain.start + 101)
        test.clock.advance(50)
        #expect(try await test.chain.mine().timestamp == TestChain.start + 150)
        try await test.chain.increaseTime(by: 1_000)
        #expect(try await test.chain.mine().timestamp == TestChain.start + 1_150)
    }

    @Test("an order that expires is expired from its very second, also for eth_call")
    func expiry() async throws {
        let test = try TestChain()
        let order = try test.order(
            by: test.makers[0],
            expiry: UInt256(TestChain.start + 200)
        )
        let call = CallRequest(
            from: test.alice.address,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether)
        )
        test.clock.advance(99)
        #expect(UInt256(bigEndian: try await test.client.call(call)) == ether)
        test.clock.advance(1)
        #expect(UInt256(bigEndian: try await test.client.call(call)) == 0)
    }

    @Test("without automining transactions wait for a block; turning it on mines them")
    func automine() async throws {
        let test = try TestChain()
        #expect(try await test.rpc("evm_setAutomine", [false]) == true)
        let signed = try await test.transaction(from: test.alice, to: test.bob.address)
        let hash = try await test.client.send(raw: signed.raw)
        #expect(try await test.client.read(.receipt(hash)) == nil)
        let pending = try await test.client.read(.transactionCount(test.alice.address, .pending))
        #expect(pending == 1)
        let latest = try await test.client.read(.transactionCount(test.alice.address, .latest))
        #expect(latest == 0)
        #expect(try await test.rpc("evm_setAutomine", [true]) == true)
        #expect(try await test.client.read(.receipt(hash))?.blockNumber == 1)
    }

    @Test("the state of earlier blocks is answered for 256 blocks, and no further")
    func history() async throws {
        let test = try TestChain()
        for _ in 0..<3 { try await test.send(from: test.alice, to: test.bob.address, value: ether) }
        func balance(at block: UInt64) async throws -> UInt256 {
            try await test.client.read(.balance(test.bob.address, .number(block))).rawValue
        }
        for block in 0...3 {
            #expect(try await balance(at: UInt64(block)) == (100 + UInt256(block)) * ether)
        }
        for _ in 0..<253 { try await test.chain.mine() }
        #expect(try await balance(at: 0) == 100 * ether)
        try await test.chain.mine()
        #expect(try await balance(at: 1) == 101 * ether)
        let error = await chainError { _ = try await balance(at: 0) }
        guard case .missingBlock(-32000, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.hasPrefix("missing trie node 0x"))
        let future = await chainError { _ = try await balance(at: 258) }
        #expect(future == .missingBlock(code: -32000, message: "header not found"))
    }

    @Test("a block is read by its hash, with its state and logs, until a reorganization undoes it")
    func byHash() async throws {
        let test = try TestChain()
        let data = ERC20.transfer(to: test.bob.address, amount: 5)
        let receipt = try await test.send(from: test.alice, to: TestChain.dai, data: data)
        try await test.send(from: test.alice, to: TestChain.dai, data: data)
        let tag = BlockTag.hash(receipt.blockHash)
        let balance = CallRequest(to: TestChain.dai, data: ERC20.balanceOf(test.bob.address))
        func ask() async throws -> (Block?, UInt256?, [Log]) {
            (
                try await test.client.read(.block(tag)),
                UInt256(bigEndian: try await test.client.call(balance, at: tag)),
                try await test.client.read(.logs(LogFilter(block: receipt.blockHash)))
            )
        }
        let (block, amount, logs) = try await ask()
        #expect(block?.number == 1)
        #expect(amount == 1_000 * ether + 5)
        #expect(logs == receipt.logs)
        let hash = JSONValue.string(receipt.blockHash.hex)
        let place: JSONValue = ["blockHash": hash, "requireCanonical": true]
        let request: JSONValue = [
            "to": .string(TestChain.dai.lowercaseHex),
            "data": .string(Hex.encode(ERC20.balanceOf(test.bob.address))),
        ]
        let answer = try await test.rpc("eth_call", [request, place])
        #expect(answer.stringValue.flatMap { Bytes32(ifHex: $0) } == amount?.word)
        _ = try await test.chain.reorganize(blocks: 2, transactions: .gone)
        #expect(try await test.client.read(.block(tag)) == nil)
        let state = await chainError { _ = try await test.client.call(balance, at: tag) }
        #expect(state == .missingBlock(code: -32000, message: "header for hash not found"))
        let missing = await chainError {
            _ = try await test.client.read(.logs(LogFilter(block: receipt.blockHash)))
        }
        #expect(missing == .missingBlock(code: -32000, message: "unknown block"))
        let error = try await test.rpc("eth_call", [request, place])
        #expect(error["message"] == "header for hash not found")
    }

    @Test("a fee history has a base fee more than blocks, and tips by percentile")
    func feeHistory() async throws {
        let test = try TestChain()
        for _ in 0..<3 { try await test.send(from: test.alice, to: test.bob.address) }
        let history = try await test.client.read(
            .feeHistory(blocks: 2, percentiles: [10, 50, 90])
        )
        #expect(history.oldestBlock == 2)
        #expect(history.baseFeePerGas.count == 3)
        #expect(history.rewards == [[Wei(gwei), Wei(gwei), Wei(gwei)]] + [history.rewards[0]])
        let all = try await test.client.read(.feeHistory(blocks: 99, percentiles: []))
        #expect(all.oldestBlock == 0)
        #expect(all.baseFeePerGas.count == 5)
        #expect(all.rewards.isEmpty)
        let tip = try await test.client.read(.maxPriorityFeePerGas)
        #expect(tip == Wei(gwei))
        let price = try await test.client.read(.gasPrice)
        #expect(price.rawValue == tip.rawValue + (all.baseFeePerGas.last?.rawValue ?? 0))
    }
}
