import DexSandbox
import Ethereum
import StrictJSON
import Testing

@testable import struct DexSandbox.PlainCallScanner

/// Batches of eth_call, which are read without JSON values where they are written plainly.
@Suite("Batches of calls")
struct PlainBatchTests {
    private static let token = TestChain.dai.lowercaseHex
    private static let data = Hex.encode(ERC20.balanceOf(TestChain.feeRecipient))
    private static let object = #"{"to":"\#(token)","data":"\#(data)"}"#

    private static func item(
        _ object: String = object,
        block: String = #""latest""#,
        id: String = "7"
    ) -> String {
        #"{"jsonrpc":"2.0","method":"eth_call","params":[\#(object),\#(block)],"id":\#(id)}"#
    }

    private static func call(_ members: String) -> String {
        item("{\(members)}")
    }

    static let plain = [
        item(), item(id: "0"), item(id: "123456789012345678901234567890"),
        item(block: #""pending""#), item(block: #""earliest""#), item(block: #""finalized""#),
        item(block: #""safe""#), item(block: #""0x0""#),
        item(block: #""0x99""#), item(block: #""0xffffffffffffffff""#),
        call(#""data":"\#(data)","to":"\#(token)""#), call(#""to":"\#(token)","input":"\#(data)""#),
        call(#""from":"\#(token)","to":"\#(token)","data":"\#(data)""#),
        call(#""to":"\#(token)","data":"0x""#), call(#""to":"\#(token)","data":"0X70A0""#),
        call(#""to":"\#(token.uppercased())","data":"\#(data)""#),
        #" { "id" : 7 , "params" : [ \#(object) , "latest" ] , "method" : "eth_call" "#
            + #", "jsonrpc" : "2.0" } "#,
        item() + "," + item(block: #""0x0""#) + "," + item(block: #""0x99""#) + "," + item(),
    ]

    static let others = [
        item(id: "-1"), item(id: "1.5"), item(id: "1e2"), item(id: "null"), item(id: #""a""#),
        item(id: "[]"), item(id: "07"), item(id: ""), item(id: #"7,"id":7"#), item(id: #"7,"x":1"#),
        item(block: "null"), item(block: "0"), item(block: #""soon""#), item(block: #""""#),
        item(block: #""0x""#), item(block: #""0x00""#), item(block: #""0x1ffffffffffffffff""#),
        item(block: #""l\u0061test""#),
        item(block: #"{"blockNumber":"0x0"}"#), item(block: #""latest",{}"#),
        item(block: "\"late\u{7}\""), item("null"), item("{}"), item(#""\#(data)""#),
        call(#""to":"\#(token)""#), call(#""data":"\#(data)""#),
        call(#""to":"\#(token)","data":"0x1""#), call(#""to":"\#(token)","data":"70a0""#),
        call(#""to":"\#(token)","data":"0x7g""#), call(#""to":"\#(token)","data":"""#),
        call(#""to":"\#(token)","data":"0x70\u0061""#), call(#""to":"\#(token)","data":5"#),
        call(#""to":"\#(token)","data":"0x70é0""#), call(#""to":"0x12","data":"\#(data)""#),
        call(#""to":"\#(token.dropLast())g","data":"\#(data)""#),
        call(#""to":"\#(token)","data":"\#(data)","input":"\#(data)""#),
        call(#""to":"\#(token)","data":"\#(data)","input":"0x""#),
        call(#""to":"\#(token)","data":"\#(data)","to":"\#(token)""#),
        call(#""to":"\#(token)","data":"\#(data)","gas":"0x5300""#),
        call(#""to":"\#(token)","data":"\#(data)","value":"0x0""#),
        call(#""from":null,"to":"\#(token)","data":"\#(data)""#),
        #"{"jsonrpc":"1.0","id":7,"method":"eth_call","params":[\#(object),"latest"]}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"eth\u005fcall","params":[\#(object),"latest"]}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"eth_call","params":[\#(object)]}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"eth_call","params":{}}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"eth_call"}"#,
        #"{"jsonrpc":"2.0","method":"eth_call","params":[\#(object),"latest"]}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#,
        #"{"jsonrpc":"2.0","id":7,"params":[\#(object),"latest"]}"#,
        #"{"id":7,"method":"eth_call","params":[\#(object),"latest"]}"#,
        item() + "," + item(id: "null"), item() + ",", item() + "," + item().dropLast(), "5",
    ]

    private func isPlainBatch(_ body: [UInt8]) -> Bool {
        body.withUnsafeBufferPointer { PlainCallScanner.batch($0) } != nil
    }

    private func answer(_ test: TestChain, _ body: String) async -> String {
        String(decoding: await test.chain.answer(body: Array(body.utf8)), as: UTF8.self)
    }

    @Test(
        "however a batch is written, it gets the answers that its meaning has",
        arguments: plain.map { ($0, true) } + others.map { ($0, false) }
    )
    func sameAnswers(items: String, isPlain: Bool) async throws {
        let test = try TestChain()
        try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: TestChain.feeRecipient, amount: 5)
        )
        let body = "[\(items)]"
        #expect(isPlainBatch(Array(body.utf8)) == isPlain)
        // A notification gets no answer, and a batch with one is not plain.
        let notification = #"{"jsonrpc":"2.0","method":"net_version"}"#
        let longer = await answer(test, "[\(items),\(notification)]")
        let actual = await answer(test, body)
        if (try? JSONParser.parse(text: body)) == nil {
            // What is wrong and where may depend on what follows.
            #expect(actual.contains("-32700") && longer.contains("-32700"))
        } else {
            #expect(actual == longer)
        }
        if isPlain { #expect(actual.hasPrefix(#"[{"jsonrpc":"2.0","id":"#)) }
    }

    @Test("a plainly written batch has at most 1,000 calls, and none is no batch")
    func batchSizes() async throws {
        let test = try TestChain()
        func batch(_ count: Int) -> String {
            "[" + Array(repeating: Self.item(), count: count).joined(separator: ",") + "]"
        }
        let full = try JSONParser.parse(text: await answer(test, batch(1_000)))
        #expect(full.arrayValue?.count == 1_000)
        #expect(await answer(test, batch(1_001)).contains("batch too large"))
        #expect(await answer(test, batch(0)).contains("empty batch"))
        #expect(await answer(test, batch(1) + "]").contains("-32700"))
        let text = Array(batch(2).utf8)
        for length in 0..<text.count {
            #expect(!isPlainBatch(Array(text[..<length])))
        }
    }

    @Test("calls see what the requests of their batch have changed before them")
    func changesWithinBatch() async throws {
        let test = try TestChain()
        let transfer = try await test.transaction(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: TestChain.feeRecipient, amount: 41)
        )
        let send =
            #"{"jsonrpc":"2.0","id":8,"method":"eth_sendRawTransaction","#
            + #""params":["\#(Hex.encode(transfer.raw))"]}"#
        let items = [
            Self.item(), Self.item(block: #""0x0""#), Self.item(), send, Self.item(),
            Self.item(block: #""0x0""#), Self.item(block: #""0x1""#),
        ]
        let body = "[\(items.joined(separator: ","))]"
        let answers = try JSONParser.parse(text: await answer(test, body)).arrayValue ?? []
        let balances = answers.map { $0["result"]?.stringValue.flatMap { UInt256(quantity: $0) } }
        #expect(balances[3] == UInt256(transfer.hash.word))
        #expect(balances[..<3] + balances[4...] == [1, 1, 1, 42, 1, 42])
    }
}
