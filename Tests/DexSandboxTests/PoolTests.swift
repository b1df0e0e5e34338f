import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Transactions that wait")
struct PoolTests {
    @Test("a gap in the nonces waits until it is filled; then each gets its block, in order")
    func gap() async throws {
        let test = try TestChain()
        let second = try await test.transaction(from: test.alice, to: test.bob.address, nonce: 1)
        let hash = try await test.client.send(raw: second.raw)
        #expect(try await test.client.read(.receipt(hash)) == nil)
        let waiting = try await test.client.read(.transaction(hash))
        #expect(waiting?.blockNumber == nil)
        #expect(waiting?.nonce == 1)
        let pending = try await test.client.read(.transactionCount(test.alice.address, .pending))
        #expect(pending == 0)
        let first = try await test.transaction(from: test.alice, to: test.bob.address, nonce: 0)
        let firstHash = try await test.client.send(raw: first.raw)
        #expect(try await test.client.read(.receipt(firstHash))?.blockNumber == 1)
        #expect(try await test.client.read(.receipt(hash))?.blockNumber == 2)
        let again = await chainError { _ = try await test.client.send(raw: second.raw) }
        #expect(
            again == .nonceUsed(code: -32000, message: "nonce too low: next nonce 2, tx nonce 1")
        )
    }

    @Test("a replacement needs 10 % more of both cap and tip")
    func replacement() async throws {
        let test = try TestChain(mining: .manual)
        func send(maxFee: UInt256, tip: UInt256, value: UInt256 = 0) async throws
            -> TransactionHash
        {
            let signed = try await test.transaction(
                from: test.alice,
                to: test.bob.address,
                value: value,
                nonce: 0,
                maxFee: maxFee,
                tip: tip
            )
            return try await test.client.send(raw: signed.raw)
        }
        let first = try await send(maxFee: 100 * gwei, tip: 10 * gwei)
        let known = await chainError { _ = try await send(maxFee: 100 * gwei, tip: 10 * gwei) }
        #expect(known == .rpc(code: -32000, message: "already known"))
        let underpriced = ChainError.notTaken(
            code: -32000,
            message: "replacement transaction underpriced"
        )
        for (maxFee, tip) in [(109, 11), (110, 10), (200, 10), (100, 11)] as [(UInt256, UInt256)] {
            let error = await chainError {
                _ = try await send(maxFee: maxFee * gwei, tip: tip * gwei)
            }
            #expect(error == underpriced)
        }
        let second = try await send(maxFee: 110 * gwei, tip: 11 * gwei, value: 5)
        #expect(try await test.client.read(.transaction(first)) == nil)
        try await test.chain.mine()
        #expect(try await test.client.read(.receipt(second))?.succeeded == true)
        #expect(try await test.client.read(.receipt(first)) == nil)
    }

    @Test("what waits must be affordable together")
    func queuedCost() async throws {
        let test = try TestChain(mining: .manual)
        let first = try await test.transaction(
            from: test.alice,
            to: test.bob.address,
            value: 60 * ether
        )
        _ = try await test.client.send(raw: first.raw)
        let second = try await test.transaction(
            from: test.alice,
            to: test.bob.address,
            value: 60 * ether
        )
        let error = await chainError { _ = try await test.client.send(raw: second.raw) }
        guard case .notTaken(-32000, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("queued cost"))
    }

    @Test("a block takes the best tips first, and of equals the first to arrive")
    func ordering() async throws {
        let test = try TestChain(mining: .manual)
        var hashes: [TransactionHash] = []
        let tips: [UInt256] = [gwei, 3 * gwei, gwei]
        for (signer, tip) in zip([test.alice, test.bob, test.makers[0]], tips) {
            let signed = try await test.transaction(
                from: signer,
                to: TestChain.address(1),
                tip: tip
            )
            hashes.append(try await test.client.send(raw: signed.raw))
        }
        try await test.chain.mine()
        let mined = try await test.rpc("eth_getBlockByNumber", ["latest", false])
        let order = mined["transactions"]?.arrayValue?.map { $0.stringValue }
        #expect(order == [hashes[1], hashes[0], hashes[2]].map { $0.hex })
    }

    @Test("a block is never fuller than its gas limit; the rest waits for the next")
    func fullBlock() async throws {
        let test = try TestChain(mining: .manual) { $0.blockGasLimit = 1_000_000 }
        for signer in test.makers.prefix(3) {
            let signed = try await test.transaction(
                from: signer,
                to: TestChain.address(1),
                gas: 990_000
            )
            _ = try await test.client.send(raw: signed.raw)
        }
        // The gas limit counts while the block is filled, what was used afterwards.
        var counts: [Int] = []
        for _ in 0..<3 {
            try await test.chain.mine()
            let mined = try await test.rpc("eth_getBlockByNumber", ["latest", false])
            counts.append(mined["transactions"]?.arrayValue?.count ?? -1)
        }
        #expect(counts == [1, 1, 1])
    }
}
