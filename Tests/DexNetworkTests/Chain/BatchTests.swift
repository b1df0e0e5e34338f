import Ethereum
import StrictJSON
import Synchronization
import Testing

@testable import DexNetwork

@Suite("batches of questions to a node")
struct BatchTests: NodeSuite {
    let clock = FakeClock()

    @Test("no questions need no request")
    func none() async throws {
        let transport = FakeTransport(body: "")
        let answers = try await client(transport).read([ChainRead]())
        #expect(answers.isEmpty)
        #expect(transport.requests.isEmpty)
    }

    @Test("one question goes as an object, several as a batch in one request")
    func shapes() async throws {
        let transport = FakeTransport { request, _ in
            .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let client = client(transport)
        #expect(try await numbers(client.read([.numbered(9)])) == [9])
        #expect(try await numbers(client.read((0..<500).map(ChainRead.numbered))).count == 500)
        #expect(transport.requests.count == 2)
        #expect(transport.requests[0].body.first == UInt8(ascii: "{"))
        #expect(transport.requests[1].body.first == UInt8(ascii: "["))
        #expect(
            transport.requests[0].headers.contains(HTTPHeader("Content-Type", "application/json"))
        )
    }

    @Test("answers in any order are matched by id")
    func shuffled() async throws {
        let transport = FakeTransport { request, _ in
            let (calls, _) = (try? FakeNode.calls(in: request.body)) ?? ([], true)
            let answers = calls.reversed().map(FakeNode.echo)
            return .success(HTTPResponse(200, "[\(answers.joined(separator: ","))]"))
        }
        let answers = try await client(transport).read((0..<100).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<100).map { UInt64($0) })
    }

    @Test("a node that answers ids as text is understood")
    func textIDs() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { call in FakeNode.answer("\"\(call.id)\"", "\"0x01\"") }
                )
            )
        }
        let answers = try await client(transport).read([.numbered(0), .numbered(1)])
        #expect(numbers(answers) == [1, 1])
    }

    @Test("20,000 questions are cut into requests by number and bytes")
    func chunks() async throws {
        let transport = FakeTransport { request, _ in
            .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let answers = try await client(transport).read((0..<20_000).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<20_000).map { UInt64($0) })
        #expect(transport.requests.count == 20)
        let small = FakeTransport { request, _ in
            .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let limits = BatchLimits(items: 500, bytes: 2000)
        let few = try await client(small, limits: limits).read((0..<50).map(ChainRead.numbered))
        #expect(numbers(few) == (0..<50).map { UInt64($0) })
        #expect(small.requests.count > 5)
        #expect(small.requests.allSatisfy { $0.body.count <= 2000 })
    }

    @Test("one question larger than the bound still goes, alone")
    func oversized() async throws {
        let transport = FakeTransport { request, _ in
            .success(HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, "\"0x\"") }))
        }
        let large = ChainRead.call(
            CallRequest(to: .zero, data: [UInt8](repeating: 1, count: 5000)),
            .latest
        )
        let limits = BatchLimits(items: 10, bytes: 1000)
        let answers = try await client(transport, limits: limits).read([large, .chainID, large])
        #expect(answers.count == 3)
        #expect(transport.requests.count == 3)
    }

    @Test("one question's error leaves the others answered")
    func partialErrors() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { call in
                        call.id == "1"
                            ? FakeNode.error(call.id, code: -32602, "invalid argument")
                            : FakeNode.echo(call)
                    }
                )
            )
        }
        let answers = try await client(transport).read((0..<3).map(ChainRead.numbered))
        #expect(numbers(answers) == [0, nil, 2])
        #expect(answers[1] == .failure(.rpc(code: -32602, message: "invalid argument")))
        #expect(transport.requests.count == 1)
    }

    @Test("questions without an answer are asked again, alone, and then given up")
    func missing() async throws {
        let forgetful = FakeTransport { request, number in
            let (calls, isBatch) = (try? FakeNode.calls(in: request.body)) ?? ([], true)
            let kept = number == 0 ? calls.filter { $0.id != "3" } : calls
            let body = kept.map(FakeNode.echo).joined(separator: ",")
            return .success(HTTPResponse(200, isBatch ? "[\(body)]" : body))
        }
        let answers = try await client(forgetful).read((0..<5).map(ChainRead.numbered))
        #expect(numbers(answers) == [0, 1, 2, 3, 4])
        #expect(forgetful.requests.count == 2)
        #expect(try FakeNode.calls(in: forgetful.requests[1].body).calls.map(\.id) == ["3"])
        #expect(clock.sleeps == [200])

        let stubborn = FakeTransport { request, _ in
            let (calls, _) = (try? FakeNode.calls(in: request.body)) ?? ([], true)
            let body = calls.filter { $0.id != "3" && $0.id != "4" }.map(FakeNode.echo)
            return .success(HTTPResponse(200, "[\(body.joined(separator: ","))]"))
        }
        let rest = try await client(stubborn).read((0..<5).map(ChainRead.numbered))
        #expect(numbers(rest) == [0, 1, 2, nil, nil])
        #expect(rest[3] == .failure(.nonsense("it leaves a question unanswered")))
        #expect(stubborn.requests.count == 3)
    }

    @Test("the same answer twice is taken once; two different ones are not believed")
    func doubled() async throws {
        let same = FakeTransport { request, _ in
            let (calls, _) = (try? FakeNode.calls(in: request.body)) ?? ([], true)
            let body = (calls + calls).map(FakeNode.echo).joined(separator: ",")
            return .success(HTTPResponse(200, "[\(body)]"))
        }
        #expect(try await numbers(client(same).read([.numbered(0), .numbered(1)])) == [0, 1])
        let different = FakeTransport(
            body: #"[{"id":0,"result":"0x01"},{"id":1,"result":"0x01"},{"id":0,"result":"0x02"}]"#
        )
        await #expect(throws: ChainError.nonsense("it answers one question twice and differently"))
        {
            try await client(different).read([.numbered(0), .numbered(1)])
        }
    }

    @Test(
        "answers to what was not asked are not believed",
        arguments: [
            #"[{"id":0,"result":"0x"},{"id":2,"result":"0x"}]"#,
            #"[{"id":0,"result":"0x"},{"id":-1,"result":"0x"}]"#,
            #"[{"id":0,"result":"0x"},{"id":1.5,"result":"0x"}]"#,
            #"[{"id":0,"result":"0x"},{"id":99999999999999999999999999,"result":"0x"}]"#,
            #"[{"id":0,"result":"0x"},{"id":{},"result":"0x"}]"#,
        ]
    )
    func wrongIDs(body: String) async throws {
        await #expect(throws: ChainError.nonsense("it answers a question that was not asked")) {
            try await client(FakeTransport(body: body)).read([.numbered(0), .numbered(1)])
        }
    }

    @Test(
        "a body that is not JSON-RPC is nonsense",
        arguments: [
            ("", "it is empty"),
            ("<html><body>Welcome to the hotel</body></html>", "it is a web page"),
            (
                "{\"a\":",
                "it is not valid JSON: the text ends where a value is expected (at byte 5)"
            ),
            ("12", "it is neither an object nor a list of answers"),
            ("[12]", "an answer is not an object"),
            ("[{}]", "an answer has neither a result nor an error"),
            ("[{\"result\":\"0x\"}]", "an answer does not say which request it is for"),
            ("{\"id\":0,\"result\":\"0x\"}", "it is one answer to 2 questions"),
            (
                String(repeating: "[", count: 10_000),
                "it is not valid JSON: values nested deeper than 64 (at byte 65)"
            ),
        ]
    )
    func nonsense(body: String, reason: String) async throws {
        await #expect(throws: ChainError.nonsense(reason)) {
            try await client(FakeTransport(body: body)).read([.numbered(0), .numbered(1)])
        }
    }

    @Test("a refusal for another reason ends the read with the node's words")
    func refused() async throws {
        let transport = FakeTransport(
            body: #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"unauthorized"}}"#
        )
        await #expect(throws: ChainError.rpc(code: -32000, message: "unauthorized")) {
            try await client(transport).read([.numbered(0), .numbered(1)])
        }
        #expect(transport.requests.count == 1)
    }
}
