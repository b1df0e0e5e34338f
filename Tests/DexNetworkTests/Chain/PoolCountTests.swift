import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("nodes without a pool, empty lists and old blocks")
struct PoolCountTests: NodeSuite {
    let clock = FakeClock()

    private static let account = Address(truncating: UInt256(7).word)

    @Test(
        "a count of the pool that a node refuses is the chain's, and is asked for once",
        arguments: [
            (-32_602, "pending block is not supported"), (-32_000, "Unsupported block tag"),
            (-32_601, "the method with this block parameter is not available"),
            (-32_602, "invalid argument 1: unsupported value"),
        ]
    )
    func pending(code: Int, words: String) async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { call in
                        call.parameters.last?.stringValue == "pending"
                            ? FakeNode.error(call.id, code: code, words)
                            : FakeNode.answer(call.id, "\"0x5\"")
                    }
                )
            )
        }
        let client = client(transport)
        let reads: [ChainRead] = [
            .transactionCount(Self.account, .pending), .blockNumber,
            .transactionCount(Self.account, .latest),
        ]
        for requests in [2, 3] {
            let answers = try await client.read(reads)
            #expect(answers == Array(repeating: .success(.number(5)), count: 3))
            #expect(transport.requests.count == requests)
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("another failure of that count stays one")
    func otherFailure() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { FakeNode.error($0.id, code: -32_603, "disk failure") }
                )
            )
        }
        let answers = try await client(transport)
            .read([.transactionCount(Self.account, .pending)])
        #expect(answers == [.failure(.rpc(code: -32_603, message: "disk failure"))])
        #expect(transport.requests.count == 1)
    }

    @Test("null is an empty list of logs, and a block may have no gas limit")
    func empty() throws {
        let filter = LogFilter(fromBlock: .number(1), toBlock: .number(2))
        #expect(try ChainAnswer(.null, to: .logs(filter)) == .logs([]))
        let block = try JSONParser.parse(
            text: """
                {"number":"0x1","hash":"\(UInt256(1).word.hex)","parentHash":"\(UInt256(2).word.hex)",
                 "timestamp":"0x5","gasUsed":"0x5208"}
                """
        )
        guard case .block(let read) = try ChainAnswer(block, to: .block(.number(1))) else {
            Issue.record("no block")
            return
        }
        #expect(read?.gasLimit == .max && read?.gasUsed == 21_000)
    }

    @Test("a receipt's logs may be null where its filter is empty")
    func receipt() throws {
        let hash = TransactionHash(UInt256(9).word)
        func read(_ logs: String, bloom: String) throws -> ChainAnswer {
            try ChainAnswer(
                try JSONParser.parse(
                    text: """
                        {"transactionHash":"\(hash)","status":"0x1","blockNumber":"0x1",
                         "blockHash":"\(UInt256(1).word.hex)","from":"\(Self.account.lowercaseHex)",
                         "gasUsed":"0x5208",\(logs)"logsBloom":"\(bloom)"}
                        """
                ),
                to: .receipt(hash)
            )
        }
        guard case .receipt(let receipt) = try read(#""logs":null,"#, bloom: "0x0000") else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt?.logs.isEmpty == true)
        #expect(throws: ChainError.self) { try read(#""logs":null,"#, bloom: "0x0001") }
        #expect(throws: ChainError.self) { try read("", bloom: "0x0000") }
    }

    @Test("what a node said behind a gateway stands in the error's data, and is shown")
    func data() throws {
        let fault = RPCFault(
            try JSONParser.parse(text: #"{"code":-32000,"message":"upstream","data":"no quota"}"#)
        )
        #expect(fault.message == "upstream: no quota")
        let silent = RPCFault(try JSONParser.parse(text: #"{"code":1,"data":"no quota"}"#))
        #expect(silent.message == "no quota")
    }

    @Test("a server's own error is shown with its status and its words")
    func words() async throws {
        let transport = FakeTransport { request, _ in
            .success(HTTPResponse(500, FakeNode.error("null", code: 31, "no backend")))
        }
        let error = await #expect(throws: ChainError.self) {
            try await client(transport).read([.chainID, .blockNumber])
        }
        #expect(error?.reason == "it answered with HTTP 500: no backend")
    }
}
