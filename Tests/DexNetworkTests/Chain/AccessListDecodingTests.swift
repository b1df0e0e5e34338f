import StrictJSON
import Testing

@testable import DexNetwork
@testable import Ethereum

@Suite("access lists as nodes answer them, read strictly")
struct AccessListDecodingTests {
    private static let address = "0x" + String(repeating: "11", count: 20)
    private static let word = "0x" + String(repeating: "ab", count: 32)
    private static let entry = #"{"address":"\#(address)","storageKeys":["\#(word)"]}"#

    private func trace(_ json: String) throws -> AccessListTrace {
        let read = Read.accessList(CallRequest(to: .zero, data: []))
        return try read.unwrap(ChainAnswer(JSONParser.parse(text: json), to: read.question))
    }

    private func nonsense(_ json: String) throws -> String? {
        do {
            _ = try trace(json)
            return nil
        } catch ChainError.nonsense(let reason) {
            return reason
        }
    }

    @Test("a list with its gas")
    func list() throws {
        let read = try trace(#"{"accessList":[\#(Self.entry)],"gasUsed":"0x5208"}"#)
        #expect(
            read
                == AccessListTrace(
                    entries: [
                        AccessListEntry(
                            address: try Address(lenient: Self.address),
                            storageKeys: [try Bytes32(hex: Self.word)]
                        )
                    ],
                    gasUsed: 21_000
                )
        )
        let bare = try trace(
            #"{"accessList":[{"address":"\#(Self.address)","storageKeys":null}],"gasUsed":"0x1"}"#
        )
        #expect(bare.entries.map(\.storageKeys) == [[]])
    }

    @Test("a call that fails with its list as well says so, within bounds")
    func failure() throws {
        let read = try trace(
            #"{"accessList":[],"gasUsed":"0x1","error":"execution reverted"}"#
        )
        #expect(read.failure == "execution reverted")
        #expect(try trace(#"{"accessList":[],"gasUsed":"0x1","error":""}"#).failure == nil)
        #expect(try trace(#"{"accessList":[],"gasUsed":"0x1","error":null}"#).failure == nil)
        let long = String(repeating: "x", count: 5_000)
        let cut = try trace(#"{"accessList":[],"gasUsed":"0x1","error":"\#(long)"}"#)
        #expect(cut.failure?.count == 1_000)
    }

    @Test(
        "anything else is nonsense",
        arguments: [
            "null", "[]", #""0x""#, #"{"gasUsed":"0x1"}"#, #"{"accessList":[]}"#,
            #"{"accessList":{},"gasUsed":"0x1"}"#, #"{"accessList":[1],"gasUsed":"0x1"}"#,
            #"{"accessList":[],"gasUsed":"0x1ffffffffffffffff"}"#,
            #"{"accessList":[],"gasUsed":"0x1","error":{"message":"x"}}"#,
            #"{"accessList":[{"storageKeys":[]}],"gasUsed":"0x1"}"#,
            #"{"accessList":[{"address":"0x12","storageKeys":[]}],"gasUsed":"0x1"}"#,
            #"{"accessList":[{"address":"\#(address)","storageKeys":["0x1"]}],"gasUsed":"0x1"}"#,
            #"{"accessList":[{"address":"\#(address)","storageKeys":"x"}],"gasUsed":"0x1"}"#,
        ]
    )
    func malformed(json: String) throws {
        #expect(try nonsense(json) != nil)
    }

    @Test("a list beyond 20,000 addresses and slots is refused, however it is cut")
    func bounded() throws {
        func answer(entries: Int, slots: Int) -> String {
            let keys = [String](repeating: "\"\(Self.word)\"", count: slots)
                .joined(separator: ",")
            let entry = #"{"address":"\#(Self.address)","storageKeys":[\#(keys)]}"#
            let list = [String](repeating: entry, count: entries).joined(separator: ",")
            return #"{"accessList":[\#(list)],"gasUsed":"0x1"}"#
        }
        #expect(try trace(answer(entries: 1, slots: 19_999)).entries.count == 1)
        #expect(try nonsense(answer(entries: 1, slots: 20_000))?.contains("20000") == true)
        #expect(try nonsense(answer(entries: 20_001, slots: 0))?.contains("20000") == true)
        #expect(try nonsense(answer(entries: 101, slots: 199))?.contains("20000") == true)
    }

    @Test("a node without the method leaves the other answers of its batch whole")
    func unsupported() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { call in
                        call.method == "eth_createAccessList"
                            ? FakeNode.error(
                                call.id,
                                code: -32_601,
                                "the method eth_createAccessList does not exist/is not available"
                            ) : FakeNode.answer(call.id, "\"0x7\"")
                    }
                )
            )
        }
        let client = JSONRPCChainClient(
            urls: ["https://node.example"],
            transport: transport,
            clock: FakeClock().clock
        )
        let answers = try await client.read([
            .chainID, .accessList(CallRequest(to: .zero, data: [1])),
        ])
        #expect(answers[0] == .success(.number(7)))
        guard case .failure(.rpc(code: -32_601, _)) = answers[1] else {
            Issue.record("it is \(answers[1])")
            return
        }
    }
}
