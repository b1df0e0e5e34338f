import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Logs and filters")
struct LogTests {
    @Test("logs are found by address, topics, range and block hash")
    func logs() async throws {
        let test = try TestChain()
        var receipts: [TransactionReceipt] = []
        for index in 0..<3 {
            let order = try test.order(by: test.makers[index])
            receipts.append(
                try await test.send(
                    from: test.alice,
                    to: TestChain.exchange,
                    data: TestChain.fill(order, ether)
                )
            )
        }
        func count(_ filter: JSONValue) async throws -> Int? {
            try await test.rpc("eth_getLogs", [filter]).arrayValue?.count
        }
        let transfer = JSONValue.string(ERC20.transferTopic.hex)
        let maker = JSONValue.string(test.makers[1].address.word.hex)
        #expect(try await count(["fromBlock": "0x0"]) == 9)
        #expect(try await count(["fromBlock": "earliest", "toBlock": "latest"]) == 9)
        #expect(try await count([:]) == 3)
        #expect(try await count(["fromBlock": "0x1", "toBlock": "0x2"]) == 6)
        #expect(try await count(["fromBlock": "0x2", "toBlock": "0x99"]) == 6)
        #expect(try await count(["blockHash": .string(receipts[0].blockHash.hex)]) == 3)
        #expect(try await count(["fromBlock": "0x0", "topics": [transfer]]) == 6)
        #expect(try await count(["fromBlock": "0x0", "topics": [[transfer], maker]]) == 1)
        #expect(try await count(["fromBlock": "0x0", "topics": [.null, maker]]) == 2)
        #expect(try await count(["fromBlock": "0x0", "topics": [.null, .null, maker]]) == 1)
        let exchange = JSONValue.string(TestChain.exchange.lowercaseHex)
        #expect(try await count(["fromBlock": "0x0", "address": exchange]) == 3)
        let dai = JSONValue.string(TestChain.dai.lowercaseHex)
        #expect(try await count(["fromBlock": "0x0", "address": [exchange, dai]]) == 6)
        let protocolV1 = ZeroExV1()
        let contracts = ExchangeContracts(
            exchange: TestChain.exchange,
            transferContract: TestChain.proxy,
            feeToken: TestChain.zrx
        )
        let filter = protocolV1.eventFilter(
            maker: test.makers[2].address,
            from: .number(0),
            to: .latest,
            exchange: contracts.exchange
        )
        let found = try await test.client.read(.logs(filter))
        #expect(found == [receipts[2].logs[2]])
    }

    @Test("filters report what is new, once")
    func filters() async throws {
        let test = try TestChain()
        let blocks = try await test.rpc("eth_newBlockFilter")
        let dai = JSONValue.string(TestChain.dai.lowercaseHex)
        let logs = try await test.rpc("eth_newFilter", [["address": dai]])
        let pending = try await test.rpc("eth_newPendingTransactionFilter")
        func changes(_ id: JSONValue) async throws -> [JSONValue]? {
            try await test.rpc("eth_getFilterChanges", [id]).arrayValue
        }
        #expect(try await changes(blocks) == [])
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: 1)
        )
        #expect(try await changes(blocks) == [.string(receipt.blockHash.hex)])
        #expect(try await changes(blocks) == [])
        #expect(try await changes(logs)?.count == 1)
        #expect(try await changes(logs)?.count == 0)
        #expect(try await changes(pending) == [.string(receipt.transactionHash.hex)])
        #expect(try await test.rpc("eth_getFilterLogs", [logs]).arrayValue?.count == 1)
        #expect(try await test.rpc("eth_uninstallFilter", [logs]) == true)
        #expect(try await test.rpc("eth_uninstallFilter", [logs]) == false)
    }
}
