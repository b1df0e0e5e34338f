import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("calls as they are written")
struct RPCRequestWriterTests {
    private static let address = "0x1111111111111111111111111111111111111111"
    private static let word = "0x" + String(repeating: "ab", count: 32)

    private func written(_ read: ChainRead) -> String {
        String(decoding: RPCRequestWriter.request([read], at: [0]), as: UTF8.self)
    }

    private func call(_ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":[\#(parameters)],"id":0}"#
    }

    @Test("every question is the call that the specification of Ethereum's JSON-RPC names")
    func calls() throws {
        let address = try Address(lenient: Self.address)
        let word = try Bytes32(hex: Self.word)
        let a = "\"\(Self.address)\""
        let w = "\"\(Self.word)\""
        let plain = CallRequest(to: address, data: [0xDE, 0xAD])
        let full = CallRequest(
            from: address,
            to: address,
            data: [],
            value: Wei(256),
            gas: 21_000,
            accessList: [
                AccessListEntry(address: address, storageKeys: [word, word]),
                AccessListEntry(address: address, storageKeys: []),
            ]
        )
        let fullText =
            #"{"from":\#(a),"to":\#(a),"data":"0x","value":"0x100","gas":"0x5208","accessList":["#
            + #"{"address":\#(a),"storageKeys":[\#(w),\#(w)]},{"address":\#(a),"storageKeys":[]}]}"#
        let expected: [(ChainRead, String)] = [
            (.chainID, call("eth_chainId", "")),
            (.blockNumber, call("eth_blockNumber", "")),
            (.block(.latest), call("eth_getBlockByNumber", #""latest",false"#)),
            (.block(.number(255)), call("eth_getBlockByNumber", #""0xff",false"#)),
            (.fullBlock(.number(255)), call("eth_getBlockByNumber", #""0xff",true"#)),
            (
                .block(.hash(BlockHash(word))),
                call("eth_getBlockByHash", #"\#(w),false"#)
            ),
            (
                .fullBlock(.hash(BlockHash(word))),
                call("eth_getBlockByHash", #"\#(w),true"#)
            ),
            (
                .code(address, .hash(BlockHash(word))),
                call("eth_getCode", #"\#(a),{"blockHash":\#(w),"requireCanonical":true}"#)
            ),
            (
                .call(plain, .hash(BlockHash(word))),
                call(
                    "eth_call",
                    #"{"to":\#(a),"data":"0xdead"},{"blockHash":\#(w),"requireCanonical":true}"#
                )
            ),
            (
                .logs(LogFilter(block: BlockHash(word), addresses: [address])),
                call("eth_getLogs", #"{"blockHash":\#(w),"address":[\#(a)]}"#)
            ),
            (.balance(address, .pending), call("eth_getBalance", #"\#(a),"pending""#)),
            (
                .transactionCount(address, .number(0)),
                call("eth_getTransactionCount", #"\#(a),"0x0""#)
            ),
            (.code(address, .finalized), call("eth_getCode", #"\#(a),"finalized""#)),
            (
                .call(plain, .earliest),
                call("eth_call", #"{"to":\#(a),"data":"0xdead"},"earliest""#)
            ),
            (.call(full, .latest), call("eth_call", #"\#(fullText),"latest""#)),
            (.estimateGas(full), call("eth_estimateGas", fullText)),
            (.accessList(full), call("eth_createAccessList", #"\#(fullText),"latest""#)),
            (.header(.number(16)), call("eth_getBlockByNumber", #""0x10",false"#)),
            (.header(.hash(BlockHash(word))), call("eth_getBlockByHash", #"\#(w),false"#)),
            (.proof(address, [], .number(16)), call("eth_getProof", #"\#(a),[],"0x10""#)),
            (
                .proof(address, [word, word], .latest),
                call("eth_getProof", #"\#(a),[\#(w),\#(w)],"latest""#)
            ),
            (
                .estimateGas(
                    CallRequest(to: address, data: [], fee: .legacy(gasPrice: Wei(1_000)))
                ),
                call("eth_estimateGas", #"{"to":\#(a),"data":"0x","gasPrice":"0x3e8"}"#)
            ),
            (
                .call(
                    CallRequest(
                        to: address,
                        data: [],
                        gas: 16,
                        fee: .dynamic(maxFeePerGas: Wei(2), maxPriorityFeePerGas: Wei(1))
                    ),
                    .latest
                ),
                call(
                    "eth_call",
                    #"{"to":\#(a),"data":"0x","gas":"0x10","maxFeePerGas":"0x2","#
                        + #""maxPriorityFeePerGas":"0x1"},"latest""#
                )
            ),
            (.gasPrice, call("eth_gasPrice", "")),
            (.maxPriorityFeePerGas, call("eth_maxPriorityFeePerGas", "")),
            (
                .feeHistory(blocks: 10, percentiles: [20, 50]),
                call("eth_feeHistory", #""0xa","latest",[20,50]"#)
            ),
            (
                .feeHistory(blocks: -1, percentiles: []),
                call("eth_feeHistory", #""0x0","latest",[]"#)
            ),
            (
                .logs(LogFilter(fromBlock: .number(1), toBlock: .latest)),
                call("eth_getLogs", #"{"fromBlock":"0x1","toBlock":"latest"}"#)
            ),
            (
                .logs(
                    LogFilter(
                        fromBlock: .earliest,
                        toBlock: .number(2),
                        addresses: [address, address],
                        topics: [[word], [], [word, word]]
                    )
                ),
                call(
                    "eth_getLogs",
                    #"{"fromBlock":"earliest","toBlock":"0x2","address":[\#(a),\#(a)],"#
                        + #""topics":[[\#(w)],null,[\#(w),\#(w)]]}"#
                )
            ),
            (.transaction(TransactionHash(word)), call("eth_getTransactionByHash", w)),
            (.receipt(TransactionHash(word)), call("eth_getTransactionReceipt", w)),
        ]
        for (read, text) in expected {
            #expect(written(read) == text)
            #expect(text.utf8.count <= RPCRequestWriter.size(of: read))
        }
    }

    @Test("a batch is a list of calls with their own ids")
    func batch() throws {
        let bytes = RPCRequestWriter.request([.chainID, .gasPrice, .blockNumber], at: [2, 0])
        let json = try JSONParser.parse(bytes)
        let calls = try #require(json.arrayValue)
        #expect(calls.map { $0["id"]?.numberText } == ["2", "0"])
        #expect(calls.map { $0["method"]?.stringValue } == ["eth_blockNumber", "eth_chainId"])
    }

    @Test("a transaction is broadcast as its raw bytes")
    func send() {
        #expect(
            String(decoding: RPCRequestWriter.sendRequest(raw: [2, 0xF8]), as: UTF8.self)
                == call("eth_sendRawTransaction", #""0x02f8""#)
        )
    }
}
