import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("JSON-RPC")
struct RPCTests {
    private func answer(_ test: TestChain, _ body: String) async -> String {
        String(decoding: await test.chain.answer(body: Array(body.utf8)), as: UTF8.self)
    }

    @Test("what is no request gets JSON-RPC's own errors")
    func envelopes() async throws {
        let test = try TestChain()
        let invalid =
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}"#
        #expect(await answer(test, "5") == invalid)
        #expect(await answer(test, #"{"id":null,"method":"eth_chainId"}"#) == invalid)
        #expect(await answer(test, "[1]") == "[\(invalid)]")
        #expect(
            await answer(test, "[]")
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}"#
        )
        let parse = await answer(test, "{")
        #expect(parse.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
        let deep = String(repeating: "[", count: 100_000)
        #expect(await answer(test, deep).contains("-32700"))
        #expect(
            await answer(test, #"{"jsonrpc":"2.0","id":"a","method":"eth_sign","params":[]}"#)
                == #"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"#
                + #""the method eth_sign does not exist/is not available"}}"#
        )
        #expect(
            await answer(test, #"{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{}}"#)
                .contains("-32602")
        )
        #expect(
            await answer(test, #"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#)
                == #"{"jsonrpc":"2.0","id":1,"result":"0x539"}"#
        )
    }

    @Test("a batch is answered in order, notifications are not, and 1,000 is the most")
    func batches() async throws {
        let test = try TestChain()
        let batch = #"""
            [{"jsonrpc":"2.0","id":3,"method":"eth_blockNumber"},
             {"jsonrpc":"2.0","method":"eth_blockNumber"},
             {"jsonrpc":"2.0","id":1,"method":"nope"},
             {"jsonrpc":"2.0","id":2,"method":"net_version"}]
            """#
        let answers = try JSONParser.parse(text: await answer(test, batch)).arrayValue ?? []
        #expect(answers.map { $0["id"] } == [3, 1, 2])
        #expect(answers[2]["result"] == "1337")
        #expect(
            await answer(test, #"{"jsonrpc":"2.0","method":"eth_blockNumber"}"#) == ""
        )
        func many(_ count: Int) -> String {
            let item = #"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#
            return "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
        }
        let full = try JSONParser.parse(text: await answer(test, many(1_000)))
        #expect(full.arrayValue?.count == 1_000)
        #expect(await answer(test, many(1_001)).contains("batch too large"))
    }

    @Test("a batch of fee histories ends at 25 MB, the rest in geth's words")
    func largeBatch() async throws {
        let test = try TestChain()
        _ = try await test.rpc("evm_mine", [["blocks": 1_024]])
        let percentiles = (0..<100).map(String.init).joined(separator: ",")
        let items = (0..<100).map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"eth_feeHistory","#
                + #""params":["0x400","latest",[\#(percentiles)]]}"#
        }
        let text = await answer(test, "[\(items.joined(separator: ","))]")
        #expect(text.utf8.count < 28_000_000)
        let answers = try JSONParser.parse(text: text, maximumValues: .max).arrayValue ?? []
        #expect(answers.map { $0["id"] } == (0..<100).map { .integer($0) })
        #expect(answers.first?["result"] != nil)
        #expect(answers.last?["error"] == ["code": -32003, "message": "response too large"])
    }

    @Test("a batch of work ends where it is a second's, the rest in geth's words")
    func heavyBatch() async throws {
        let test = try TestChain()
        let item = #"{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[{"blocks":1024}]}"#
        let body = "[" + Array(repeating: item, count: 20).joined(separator: ",") + "]"
        let answers = try JSONParser.parse(text: await answer(test, body)).arrayValue ?? []
        #expect(answers.count == 20)
        #expect(answers.prefix(10).allSatisfy { $0["result"] == "0x0" })
        #expect(
            answers.suffix(10).allSatisfy {
                $0["error"] == ["code": -32002, "message": "request timed out"]
            }
        )
        // The next one begins anew.
        #expect(await answer(test, "[\(item)]").contains("result"))
    }

    @Test("a book's worth of calls in full batches is answered call by call, in order")
    func bookOfCalls() async throws {
        let test = try TestChain()
        let owners = ([test.alice, test.bob] + test.makers).map(\.address)
        var next = 0
        for _ in 0..<4 {
            let first = next
            let items = (0..<1_000).map { _ -> String in
                defer { next += 1 }
                let data = Hex.encode(ERC20.balanceOf(owners[next % owners.count]))
                return #"{"jsonrpc":"2.0","id":\#(next),"method":"eth_call","params":["#
                    + #"{"to":"\#(TestChain.dai.lowercaseHex)","data":"\#(data)"},"0x0"]}"#
            }
            let body = Array("[\(items.joined(separator: ","))]".utf8)
            let answers = try JSONParser.parse(await test.chain.answer(body: body)).arrayValue ?? []
            #expect(answers.count == 1_000)
            for (index, answer) in answers.enumerated() {
                #expect(answer["id"] == .integer(first + index))
                #expect(answer["result"]?.stringValue == (1_000 * ether).word.hex)
            }
        }
    }

    /// A request with wrong parameters and the error that it must get.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let method: String
        let parameters: String
        let code: Int

        var testDescription: String { "\(method) \(parameters.prefix(60))" }
    }

    static let wrongs: [Wrong] = [
        Wrong(method: "eth_getBalance", parameters: "[]", code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["0x12"]"#, code: -32602),
        Wrong(method: "eth_getBalance", parameters: "[5]", code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)","soon"]"#, code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)","0x99"]"#, code: -32000),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)",{}]"#, code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)","0x00"]"#, code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)","\#(word)"]"#, code: -32000),
        Wrong(method: "eth_getBlockByNumber", parameters: #"["\#(word)",false]"#, code: -32602),
        Wrong(method: "eth_getBalance", parameters: #"["\#(zero)","latest",1]"#, code: -32602),
        Wrong(
            method: "eth_getBalance",
            parameters: #"["\#(zero)","0x1ffffffffffffffff"]"#,
            code: -32602
        ),
        Wrong(
            method: "eth_getBalance",
            parameters: #"["\#(zero)",{"blockHash":"\#(word)"}]"#,
            code: -32000
        ),
        Wrong(
            method: "eth_getTransactionByBlockNumberAndIndex",
            parameters: #"["0x0"]"#,
            code: -32602
        ),
        Wrong(
            method: "eth_getTransactionByBlockHashAndIndex",
            parameters: #"["0x0","0x0"]"#,
            code: -32602
        ),
        Wrong(method: "eth_call", parameters: "[]", code: -32602),
        Wrong(method: "eth_call", parameters: "[[]]", code: -32602),
        Wrong(method: "eth_call", parameters: #"[{"to":"\#(zero)","data":"0x1"}]"#, code: -32602),
        Wrong(
            method: "eth_call",
            parameters: #"[{"to":"\#(zero)","value":"0x1\#(String(repeating: "0", count: 64))"}]"#,
            code: -32602
        ),
        Wrong(method: "eth_call", parameters: #"[{"to":"\#(zero)","gas":"0x5207"}]"#, code: -32000),
        Wrong(
            method: "eth_call",
            parameters: #"[{"to":"\#(zero)","data":"0x01","input":"0x02"}]"#,
            code: -32000
        ),
        Wrong(
            method: "eth_call",
            parameters: #"[{"to":"\#(zero)","accessList":[{}]}]"#,
            code: -32602
        ),
        Wrong(method: "eth_call", parameters: #"[{"to":"\#(zero)","value":"0x1"}]"#, code: -32000),
        Wrong(method: "eth_feeHistory", parameters: "[1]", code: -32602),
        Wrong(method: "eth_feeHistory", parameters: #"[1,"latest",[101]]"#, code: -32000),
        Wrong(method: "eth_feeHistory", parameters: #"[1,"latest",[50,10]]"#, code: -32000),
        Wrong(method: "eth_feeHistory", parameters: #"[-1,"latest",[]]"#, code: -32602),
        Wrong(method: "eth_feeHistory", parameters: #"[1e9,"latest",[]]"#, code: -32602),
        Wrong(method: "eth_getLogs", parameters: "[]", code: -32602),
        Wrong(method: "eth_getLogs", parameters: #"[{"topics":5}]"#, code: -32602),
        Wrong(
            method: "eth_getLogs",
            parameters: #"[{"topics":[null,null,null,null,null]}]"#,
            code: -32602
        ),
        Wrong(
            method: "eth_getLogs",
            parameters: #"[{"fromBlock":"0x0","blockHash":"\#(word)"}]"#,
            code: -32602
        ),
        Wrong(method: "eth_getLogs", parameters: #"[{"blockHash":"\#(word)"}]"#, code: -32000),
        Wrong(
            method: "eth_getLogs",
            parameters: #"[{"fromBlock":"0x5","toBlock":"0x1"}]"#,
            code: -32000
        ),
        Wrong(method: "eth_getFilterChanges", parameters: #"["0x77"]"#, code: -32000),
        Wrong(method: "eth_sendRawTransaction", parameters: #"["0x"]"#, code: -32000),
        Wrong(method: "eth_sendRawTransaction", parameters: #"["zz"]"#, code: -32602),
        Wrong(method: "eth_getTransactionReceipt", parameters: #"["0x"]"#, code: -32602),
        Wrong(method: "eth_getStorageAt", parameters: #"["\#(zero)"]"#, code: -32602),
        Wrong(method: "eth_getStorageAt", parameters: #"["\#(zero)","0x"]"#, code: -32602),
        Wrong(method: "eth_getStorageAt", parameters: #"["\#(zero)","\#(word)1"]"#, code: -32602),
        Wrong(method: "eth_getProof", parameters: #"["\#(zero)"]"#, code: -32602),
        Wrong(method: "eth_getProof", parameters: #"["\#(zero)",["zz"],"latest"]"#, code: -32602),
        Wrong(method: "eth_getProof", parameters: #"["\#(zero)",[],"0x99"]"#, code: -32000),
        Wrong(method: "evm_mine", parameters: #"[{"blocks":1025}]"#, code: -32602),
        Wrong(method: "evm_mine", parameters: "[{}]", code: -32602),
        Wrong(method: "evm_increaseTime", parameters: "[-5]", code: -32602),
        Wrong(method: "evm_setAutomine", parameters: "[1]", code: -32602),
    ]
    static let zero = "0x0000000000000000000000000000000000000000"
    static let word = "0x" + String(repeating: "11", count: 32)

    @Test("wrong parameters get an error with the code that geth gives", arguments: wrongs)
    func wrongParameters(_ wrong: Wrong) async throws {
        let test = try TestChain()
        let parameters = try JSONParser.parse(text: wrong.parameters)
        let error = try await test.rpc(wrong.method, parameters)
        #expect(error["code"] == .integer(wrong.code), "\(error)")
        #expect(error["message"]?.stringValue?.isEmpty == false)
    }

    @Test("a node's plain facts")
    func facts() async throws {
        let test = try TestChain()
        #expect(try await test.rpc("net_listening") == true)
        #expect(try await test.rpc("eth_syncing") == false)
        #expect(try await test.rpc("eth_accounts") == [])
        let version = try await test.rpc("web3_clientVersion").stringValue
        #expect(version?.contains("dex-sandbox") == true)
        let code = try await test.rpc("eth_getCode", [.string(TestChain.dai.lowercaseHex)])
        #expect((code.stringValue?.count ?? 0) > 2)
        let none = try await test.rpc("eth_getCode", [.string(test.alice.address.lowercaseHex)])
        #expect(none == "0x")
        let future = try await test.rpc("eth_getBlockByNumber", ["0x99", false])
        #expect(future == .null)
        let unknown = try await test.rpc("eth_getTransactionByHash", [.string(Self.word)])
        #expect(unknown == .null)
        #expect(try await test.rpc("evm_increaseTime", [60]) == 60)
        #expect(try await test.rpc("evm_mine") == "0x0")
        #expect(try await test.rpc("evm_mine", [["blocks": 3]]) == "0x0")
        #expect(try await test.rpc("eth_blockNumber") == "0x4")
    }

    @Test("a revert has code 3 and its data; burnt gas is an invalid opcode")
    func callErrors() async throws {
        let test = try TestChain()
        let revert = try await test.rpc(
            "eth_call",
            [
                [
                    "from": .string(test.alice.address.lowercaseHex),
                    "to": .string(TestChain.dai.lowercaseHex),
                    "data": .string(
                        Hex.encode(ERC20.transfer(to: test.bob.address, amount: 5_000 * ether))
                    ),
                ]
            ]
        )
        #expect(revert == ["code": 3, "message": "execution reverted", "data": "0x"])
        let invalid = try await test.rpc(
            "eth_call",
            [["to": .string(TestChain.exchange.lowercaseHex), "input": "0x00"], "latest"]
        )
        #expect(invalid == ["code": -32000, "message": "invalid opcode: INVALID"])
    }

    @Test("a receipt, its transaction and its block agree, and the bloom has each log")
    func records() async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0])
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether)
        )
        let hash = JSONValue.string(receipt.transactionHash.hex)
        let json = try await test.rpc("eth_getTransactionReceipt", [hash])
        #expect(json["status"] == "0x1")
        #expect(json["gasUsed"]?.stringValue == UInt256(receipt.gasUsed).quantity)
        #expect(json["logs"]?.arrayValue?.count == 3)
        #expect(json["logs"]?.arrayValue?.map { $0["logIndex"] } == ["0x0", "0x1", "0x2"])
        let block = try await test.rpc("eth_getBlockByNumber", ["latest", true])
        #expect(block["logsBloom"] == json["logsBloom"])
        let transaction = try await test.rpc("eth_getTransactionByHash", [hash])
        #expect(block["transactions"]?.arrayValue == [transaction])
        #expect(transaction["blockHash"] == block["hash"])
        #expect(transaction["from"]?.stringValue == test.alice.address.lowercaseHex)
        #expect(transaction["gasPrice"] == json["effectiveGasPrice"])
        #expect(try await test.rpc("eth_getBlockReceipts", ["latest"]) == [json])
        let number = try #require(block["number"])
        let blockHash = try #require(block["hash"])
        for (name, place) in [("Number", number), ("Hash", blockHash)] {
            let byIndex = "eth_getTransactionByBlock\(name)AndIndex"
            #expect(try await test.rpc(byIndex, [place, "0x0"]) == transaction)
            #expect(try await test.rpc(byIndex, [place, "0x1"]) == .null)
            let count = "eth_getBlockTransactionCountBy\(name)"
            #expect(try await test.rpc(count, [place]) == "0x1")
        }
        let unknown = JSONValue.string(Self.word)
        #expect(try await test.rpc("eth_getBlockTransactionCountByHash", [unknown]) == .null)
        // The state at a block is asked for by number or by hash, in both forms.
        let owner = try #require(transaction["from"])
        let objects: [JSONValue] = [number, blockHash, ["blockHash": blockHash]]
        for place in objects {
            #expect(try await test.rpc("eth_getTransactionCount", [owner, place]) == "0x1")
        }
        let bloom = try Hex.decode(json["logsBloom"]?.stringValue ?? "")
        #expect(bloom.count == 256)
        for log in receipt.logs {
            for item in [log.address.bytes] + log.topics.map(\.bytes) {
                let digest = Keccak256.hash(item).bytes
                for pair in [0, 2, 4] {
                    let bit = (Int(digest[pair]) * 256 + Int(digest[pair + 1])) % 2048
                    #expect(bloom[255 - bit / 8] & 1 << UInt8(bit % 8) != 0)
                }
            }
        }
    }
}
