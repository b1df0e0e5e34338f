import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@Suite("What the live chain did before it was forked")
final class ForkPastTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-fork-past-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String { folder.appendingPathComponent("chain.sqlite").path }

    /// A fork at block 3, of which each block has a transfer; the fork has one more.
    private func forked(storePath: String?) async throws -> (ForkedChain, [TransactionHash]) {
        let live = try TestChain.withUniswap()
        var hashes: [TransactionHash] = []
        for _ in 0..<3 {
            let receipt = try await ForkedChain.send(
                Self.transfer(live),
                to: TestChain.dai,
                from: live.alice,
                on: live.client
            )
            hashes.append(receipt.transactionHash)
        }
        let forked = try await ForkedChain(of: live, storePath: storePath)
        let own = try await ForkedChain.send(
            Self.transfer(live),
            to: TestChain.dai,
            from: live.bob,
            on: forked.client
        )
        return (forked, hashes + [own.transactionHash])
    }

    private static func transfer(_ live: TestChain) -> [UInt8] {
        ERC20.call("transfer(address,uint256)", live.bob.address.word, ether.word)
    }

    private static func text(_ hash: TransactionHash) -> JSONValue { .string(hash.hex) }

    /// All questions about the past of `forked()`, with what names them.
    private static func questions(
        _ hashes: [TransactionHash],
        _ block: BlockHash
    ) -> [(name: String, method: String, parameters: JSONValue)] {
        let filter: JSONValue = [
            "fromBlock": "0x0", "address": .string(TestChain.dai.checksummed),
        ]
        return [
            ("header", "eth_getBlockByNumber", ["0x2", false]),
            ("block", "eth_getBlockByNumber", ["0x2", true]),
            ("forked block", "eth_getBlockByNumber", ["0x3", true]),
            ("by hash", "eth_getBlockByHash", [.string(block.hex), true]),
            ("count", "eth_getBlockTransactionCountByNumber", ["0x2"]),
            ("index", "eth_getTransactionByBlockNumberAndIndex", ["0x2", "0x0"]),
            ("transaction", "eth_getTransactionByHash", [text(hashes[1])]),
            ("receipt", "eth_getTransactionReceipt", [text(hashes[0])]),
            ("receipts", "eth_getBlockReceipts", ["0x2"]),
            ("logs", "eth_getLogs", [filter]),
            ("logs of a block", "eth_getLogs", [["blockHash": .string(block.hex)]]),
        ]
    }

    @Test("blocks, transactions, receipts and logs are those of the live chain's node")
    func online() async throws {
        let (forked, hashes) = try await forked(storePath: nil)
        let block = try #require(try await forked.live.client.read(.block(.number(2))))
        var answers: [String: JSONValue] = [:]
        for question in Self.questions(hashes, block.hash) {
            answers[question.name] = try await forked.rpc(question.method, question.parameters)
        }
        #expect(answers["header"]?["hash"]?.stringValue == block.hash.hex)
        let transactions = try #require(answers["block"]?["transactions"]?.arrayValue)
        #expect(transactions.map { $0["hash"]?.stringValue } == [hashes[1].hex])
        #expect(transactions.first?["to"]?.stringValue == TestChain.dai.lowercaseHex)
        let newest = answers["forked block"]?["transactions"]?.arrayValue
        #expect(newest?.map { $0["hash"]?.stringValue } == [hashes[2].hex])
        #expect(answers["by hash"] == answers["block"])
        #expect(answers["count"] == "0x1")
        #expect(answers["index"] == answers["transaction"])
        #expect(answers["transaction"]?["blockNumber"] == "0x2")
        #expect(answers["receipt"]?["status"] == "0x1")
        #expect(answers["receipt"]?["logs"]?.arrayValue?.count == 1)
        let receipts = answers["receipts"]?.arrayValue?.map { $0["transactionHash"]?.stringValue }
        #expect(receipts == [hashes[1].hex])
        let numbers = answers["logs"]?.arrayValue?.map { $0["blockNumber"]?.stringValue }
        #expect(numbers == ["0x1", "0x2", "0x3", "0x4"])
        #expect(answers["logs of a block"]?.arrayValue?.count == 1)
        // Its own.
        let own = try await forked.rpc("eth_getTransactionReceipt", [Self.text(hashes[3])])
        #expect(own["blockNumber"] == "0x4")
    }

    @Test("each is all that the node says, with the signature, what it cost and its place")
    func verbatim() async throws {
        let (forked, hashes) = try await forked(storePath: path)
        let block = try #require(try await forked.live.client.read(.block(.number(2))))
        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        let offline = try ForkedChain(forked.live, forked.node, fork, storePath: path)
        // The logs of all blocks have those of the fork, too.
        for question in Self.questions(hashes, block.hash) where question.name != "logs" {
            let said = try await forked.live.rpc(question.method, question.parameters)
            for chain in [forked, offline] {
                let reported = try await chain.rpc(question.method, question.parameters)
                #expect(reported == said, "\(question.name): \(reported.text) \(said.text)")
            }
        }
        let transaction = try await forked.rpc(
            "eth_getTransactionByHash",
            [Self.text(hashes[1])]
        )
        for key in ["v", "r", "s", "yParity", "type", "transactionIndex", "maxFeePerGas"] {
            #expect(transaction[key]?.stringValue != nil, "\(key): \(transaction.text)")
        }
        let receipt = try await forked.rpc("eth_getTransactionReceipt", [Self.text(hashes[1])])
        for key in ["cumulativeGasUsed", "transactionIndex", "type", "effectiveGasPrice"] {
            #expect(receipt[key]?.stringValue != nil, "\(key): \(receipt.text)")
        }
    }

    @Test("what was fetched is there offline, and the rest is an error that names it")
    func offline() async throws {
        let (forked, hashes) = try await forked(storePath: path)
        let block = try #require(try await forked.live.client.read(.block(.number(2))))
        let questions = Self.questions(hashes, block.hash)
        var answers: [String: JSONValue] = [:]
        for question in questions {
            answers[question.name] = try await forked.rpc(question.method, question.parameters)
        }
        let asked = forked.node.batches
        for question in questions {
            let again = try await forked.rpc(question.method, question.parameters)
            #expect(again == answers[question.name], "\(question.name)")
        }
        #expect(forked.node.batches == asked, "nothing is asked twice")

        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        let offline = try ForkedChain(forked.live, forked.node, fork, storePath: path)
        for question in questions {
            let again = try await offline.rpc(question.method, question.parameters)
            #expect(again == answers[question.name], "\(question.name)")
        }
        for (method, parameters, words) in [
            ("eth_getBlockByNumber", ["0x1", true], "block 1"),
            ("eth_getBlockByNumber", ["0x0", false], "block 0"),
            (
                "eth_getTransactionByHash", [Self.text(hashes[2])],
                "the transaction \(hashes[2].hex)"
            ),
            ("eth_getTransactionReceipt", [Self.text(hashes[2])], "the receipt \(hashes[2].hex)"),
            ("eth_getLogs", [["fromBlock": "0x1"]], "these logs of blocks 1 to 3"),
        ] as [(String, JSONValue, String)] {
            let error = try await offline.rpc(method, parameters)["message"]?.stringValue ?? ""
            #expect(error.contains("has never fetched \(words) of chain 1337"), "\(error)")
            #expect(error.contains("dex sandbox up --fork URL"), "\(error)")
        }
        #expect(forked.node.batches == asked)
        // Its own need no node.
        let own = try await offline.rpc("eth_getTransactionReceipt", [Self.text(hashes[3])])
        #expect(own["blockNumber"] == "0x4")
        let logs = try await offline.rpc("eth_getLogs", [["fromBlock": "0x4"]])
        #expect(logs.arrayValue?.count == 1)
    }

    @Test("a transaction that was replaced on the fork is unknown, also offline")
    func replaced() async throws {
        let forked = try await ForkedChain(storePath: path, mining: .interval(seconds: 12))
        let live = forked.live
        var hashes: [TransactionHash] = []
        for tip in [1, 2] as [UInt64] {
            let transaction = Transaction(
                chainID: ForkedChain.chainID,
                nonce: 0,
                fee: .dynamic(
                    maxFeePerGas: Wei(UInt256(20 * tip) * gwei),
                    maxPriorityFeePerGas: Wei(UInt256(tip) * gwei)
                ),
                gasLimit: 21_000,
                to: live.bob.address,
                value: Wei(1),
                data: []
            )
            let signed = SignedTransaction(
                transaction: transaction,
                signature: try live.alice.signature(over: transaction.signingHash),
                sender: live.alice.address
            )
            hashes.append(try await forked.client.send(raw: signed.raw))
        }
        let asked = forked.node.batches
        let fork = Fork(point: forked.point, upstream: nil, chainID: ForkedChain.chainID)
        for chain in [
            forked,
            try ForkedChain(
                live,
                forked.node,
                fork,
                storePath: path,
                mining: .interval(seconds: 12)
            ),
        ] {
            let first = try await chain.rpc("eth_getTransactionByHash", [Self.text(hashes[0])])
            #expect(first.isNull, "\(first.text)")
            let receipt = try await chain.rpc("eth_getTransactionReceipt", [Self.text(hashes[0])])
            #expect(receipt.isNull, "\(receipt.text)")
            let second = try await chain.rpc("eth_getTransactionByHash", [Self.text(hashes[1])])
            #expect(second["hash"]?.stringValue == hashes[1].hex)
        }
        #expect(forked.node.batches == asked)
    }

    @Test("a batch of receipts is one round trip")
    func batch() async throws {
        let (forked, hashes) = try await forked(storePath: nil)
        let calls = hashes.prefix(3).enumerated().map { index, hash in
            #"{"jsonrpc":"2.0","id":\#(index),"method":"eth_getTransactionReceipt","#
                + #""params":["\#(hash.hex)"]}"#
        }
        let before = forked.node.batches
        let answer = await forked.chain.answer(
            body: Array("[\(calls.joined(separator: ","))]".utf8)
        )
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.components(separatedBy: #""status":"0x1""#).count - 1 == 3, "\(text)")
        #expect(forked.node.batches - before == 1)
    }

    @Test("a node that lies about a block, or is gone, and states of before, are refused")
    func refused() async throws {
        let (forked, hashes) = try await forked(storePath: nil)
        let state = try await forked.rpc(
            "eth_getBalance",
            [.string(forked.live.alice.address.checksummed), "0x1"]
        )
        #expect(state["message"]?.stringValue?.contains("begins at block 3") == true)
        // Later than the fork: the fork's chain does not have it.
        let later = try await ForkedChain.send(
            Self.transfer(forked.live),
            to: TestChain.dai,
            from: forked.live.alice,
            on: forked.live.client
        )
        #expect(later.blockNumber == 4)
        for method in ["eth_getTransactionByHash", "eth_getTransactionReceipt"] {
            let hidden = try await forked.rpc(method, [Self.text(later.transactionHash)])
            #expect(hidden.isNull, "\(hidden.text)")
        }
        forked.node.behaviour = .gone
        let gone = try await forked.rpc("eth_getTransactionReceipt", [Self.text(hashes[0])])
        #expect(gone["message"]?.stringValue?.contains("no connection") == true, "\(gone.text)")
        forked.node.behaviour = .otherBlock
        let other = try await forked.rpc("eth_getBlockByNumber", ["0x2", false])
        #expect(other["message"] != nil, "\(other.text)")
    }
}
