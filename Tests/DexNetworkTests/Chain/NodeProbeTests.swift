import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("A node that is examined")
struct NodeProbeTests {
    private static func probe(_ transport: FakeTransport) -> HTTPNodeProbe {
        HTTPNodeProbe(
            url: "https://me:secret@node.example:8545/v1/key?x=1",
            transport: transport,
            now: { 1_700_000_000_250 }
        )
    }

    private static func answering(
        _ body: String,
        status: Int = 200,
        date: String? = nil
    ) -> FakeTransport {
        FakeTransport { _, _ in
            .success(
                HTTPResponse(status, body, headers: date.map { [HTTPHeader("Date", $0)] } ?? [])
            )
        }
    }

    @Test("one question goes as an object and several as a batch, always in one request")
    func forms() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, "\"0x539\"") })
            )
        }
        let probe = Self.probe(transport)
        let one = await probe.ask([.chainID])
        #expect(try one.results.get() == [.success(.number(1337))])
        let many = await probe.ask(Array(repeating: .chainID, count: 1_500))
        #expect(try many.results.get().count == 1_500)
        #expect(transport.requests.count == 2)
        let sent = try transport.requests.map { try FakeNode.calls(in: $0.body) }
        #expect(sent.map(\.isBatch) == [false, true])
        #expect(sent.map(\.calls.count) == [1, 1_500])
    }

    @Test("its name has neither user, password, path nor query")
    func name() {
        #expect(Self.probe(FakeTransport(body: "")).name == "https://node.example:8545")
    }

    @Test("the server's time is that of the Date header, in each of its three forms")
    func date() async {
        for text in [
            "Tue, 14 Nov 2023 22:13:20 GMT", "Tuesday, 14-Nov-23 22:13:20 GMT",
            "Tue Nov 14 22:13:20 2023",
        ] {
            let answer = await Self.probe(Self.answering("{}", date: text)).ask([.chainID])
            #expect(answer.date == 1_700_000_000)
            #expect(answer.sent == 1_700_000_000_250 && answer.received == answer.sent)
        }
        for text in ["yesterday", "", nil] {
            let answer = await Self.probe(Self.answering("{}", date: text)).ask([.chainID])
            #expect(answer.date == nil)
        }
    }

    @Test("nothing is tried again: one failure is the answer")
    func failures() async {
        let refusal = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batch"}}"#
        for (transport, error) in [
            (
                Self.answering(refusal),
                ChainError.rpc(code: -32_600, message: "no batch")
            ),
            (Self.answering("<html>"), .nonsense("it is a web page")),
            (
                Self.answering("busy", status: 503),
                .badStatus(
                    url: "https://node.example:8545",
                    reason: "it answered with HTTP 503"
                )
            ),
            (
                Self.answering("slow down", status: 429),
                .rateLimited(url: "https://node.example:8545", retryAfter: nil)
            ),
            (
                FakeTransport { _, _ in .failure(.timedOut(milliseconds: 1_500)) },
                .unreachable(
                    url: "https://node.example:8545",
                    reason: "no whole answer came within 1.5 s"
                )
            ),
        ] {
            let answer = await Self.probe(transport).ask([.chainID, .blockNumber])
            #expect(answer.results == .failure(error))
            #expect(transport.requests.count == 1)
        }
    }

    @Test("a question that is left open, and one that fails, do not fail the others")
    func parts() async throws {
        let body =
            #"[{"id":1,"error":{"code":-32601,"message":"no such method"}},"#
            + #"{"id":0,"result":"0x1"}]"#
        let answer = await Self.probe(Self.answering(body)).ask([.chainID, .syncing, .chainID])
        let expected: [Result<ChainAnswer, ChainError>] = [
            .success(.number(1)), .failure(.rpc(code: -32_601, message: "no such method")),
            .failure(.nonsense("it leaves a question unanswered")),
        ]
        #expect(try answer.results.get() == expected)
    }

    @Test(
        "eth_syncing tells how many blocks are missing",
        arguments: [
            ("false", 0), (#"{"currentBlock":"0x10","highestBlock":"0x64"}"#, 84),
            (#"{"currentBlock":"0x10","highestBlock":"0x0"}"#, 1), ("{}", 1),
            (#"{"currentBlock":"0x5","highestBlock":"0x5"}"#, 1),
        ] as [(String, UInt64)]
    )
    func syncing(json: String, missing: UInt64) throws {
        let answer = try ChainAnswer(JSONParser.parse(text: json), to: .syncing)
        #expect(answer == .number(missing))
    }

    @Test(
        "anything else is no progress of syncing",
        arguments: ["true", "0", "null", "[]", #""no""#, #"{"currentBlock":1}"#]
    )
    func notSyncing(json: String) {
        #expect(throws: ChainError.self) {
            try ChainAnswer(JSONParser.parse(text: json), to: .syncing)
        }
    }
}
