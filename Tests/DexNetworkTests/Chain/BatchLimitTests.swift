import Ethereum
import Testing

@testable import DexNetwork

@Suite("nodes that limit the size of batches or answers")
struct BatchLimitTests: NodeSuite {
    let clock = FakeClock()

    @Test(
        "a batch refused for its size is halved until it is taken",
        arguments: [
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}"#,
            #"[{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"batch too large"}}]"#,
            #"[{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"batch limit 10 exceeded"}}]"#,
            #"{"jsonrpc":"2.0","error":{"code":31,"message":"Batch of more than 10 requests"}}"#,
            #"500 {"jsonrpc":"2.0","id":null,"error":{"code":31,"message":"Batch of more than 10 requests"}}"#,
            "413", "each",
        ]
    )
    func batchLimit(refusal: String) async throws {
        let transport = FakeTransport { request, _ in
            let count = (try? FakeNode.calls(in: request.body).calls.count) ?? 0
            if count > 10 {
                // The array with one error carries the first call's id.
                let first = (try? FakeNode.calls(in: request.body).calls[0].id) ?? "0"
                let refusal = refusal.replacing("\"id\":0", with: "\"id\":\(first)")
                if refusal == "413" { return .success(HTTPResponse(413, "<html>")) }
                if refusal == "each" {
                    let body = FakeNode.body(request) { call in
                        FakeNode.error(call.id, code: -32000, "batch calls are limited to 10")
                    }
                    return .success(HTTPResponse(200, body))
                }
                return .success(
                    refusal.hasPrefix("500 ")
                        ? HTTPResponse(500, String(refusal.dropFirst(4)))
                        : HTTPResponse(200, refusal)
                )
            }
            return .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let client = client(transport)
        let answers = try await client.read((0..<100).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<100).map { UInt64($0) })
        let before = transport.requests.count
        #expect(before < 100)
        // The limit is remembered.
        let again = try await client.read((0..<12).map(ChainRead.numbered))
        #expect(numbers(again) == (0..<12).map { UInt64($0) })
        #expect(transport.requests.count == before + 2)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(
        "a single question that is refused for its size is never asked again as it is",
        arguments: [
            (-32003, "response too large"), (-32000, "response size exceeded the limit"),
            (-32005, "query returned more than 10000 results"),
            (-32005, "block range limit exceeded, try again with a smaller range"),
            (-32602, "query exceeds max block range 500: try again with fewer blocks"),
            (429, "eth_getLogs is limited to a 10 block range"),
        ]
    )
    func singleQuestion(code: Int, words: String) async throws {
        let transport = FakeTransport { request, _ in
            let body = FakeNode.body(request) { FakeNode.error($0.id, code: code, words) }
            return .success(HTTPResponse(200, body))
        }
        let answers = try await client(transport).read([.numbered(0)])
        guard case .failure = answers[0] else {
            Issue.record("\(answers)")
            return
        }
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("a node that takes no batches is asked one by one")
    func noBatches() async throws {
        let transport = FakeTransport { request, _ in
            request.body.first == UInt8(ascii: "[")
                ? .success(
                    HTTPResponse(400, FakeNode.error("null", code: -32600, "Invalid Request"))
                )
                : .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let answers = try await client(transport).read((0..<20).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<20).map { UInt64($0) })
    }

    @Test("a node that stops answering in the middle is asked the rest in smaller batches")
    func answerLimit() async throws {
        let transport = FakeTransport { request, _ in
            let (calls, isBatch) = (try? FakeNode.calls(in: request.body)) ?? ([], true)
            let answers = calls.enumerated().map { position, call in
                position < 3
                    ? FakeNode.echo(call)
                    : FakeNode.error(call.id, code: -32003, "response too large")
            }
            let body = answers.joined(separator: ",")
            return .success(HTTPResponse(200, isBatch ? "[\(body)]" : body))
        }
        let answers = try await client(transport).read((0..<40).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<40).map { UInt64($0) })
    }

    @Test("a single answer that is too large is an error of that question")
    func answerLimitAlone() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { call in
                        FakeNode.error(call.id, code: -32003, "response too large")
                    }
                )
            )
        }
        let answers = try await client(transport).read([ChainRead.numbered(1)])
        #expect(answers == [.failure(.rpc(code: -32003, message: "response too large"))])
    }

    @Test("an answer beyond the transport's bound is asked for in halves")
    func tooLargeBody() async throws {
        let transport = FakeTransport { request, _ in
            let count = (try? FakeNode.calls(in: request.body).calls.count) ?? 0
            return count > 30
                ? .failure(.tooLarge(bytes: 1000))
                : .success(HTTPResponse(200, FakeNode.body(request, FakeNode.echo)))
        }
        let answers = try await client(transport).read((0..<100).map(ChainRead.numbered))
        #expect(numbers(answers) == (0..<100).map { UInt64($0) })
    }
}
