import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("broadcasting a transaction")
struct SendTests {
    private let clock = FakeClock()
    private let raw: [UInt8] = Array("not really a transaction".utf8)
    private let urls = ["https://first.example/secret", "https://second.example/secret"]

    private var hash: TransactionHash { TransactionHash(Keccak256.hash(raw)) }

    private func client(_ transport: FakeTransport, nodes count: Int = 2) -> JSONRPCChainClient {
        JSONRPCChainClient(
            urls: Array(urls.prefix(count)),
            transport: transport,
            clock: clock.clock
        )
    }

    private func taken() -> Result<HTTPResponse, HTTPError> {
        .success(HTTPResponse(200, FakeNode.answer("0", "\"\(hash.hex)\"")))
    }

    private func refused(_ message: String) -> Result<HTTPResponse, HTTPError> {
        .success(HTTPResponse(200, FakeNode.error("0", code: -32000, message)))
    }

    @Test("the raw bytes go to one node, whose hash must be ours")
    func sent() async throws {
        let transport = FakeTransport { _, _ in self.taken() }
        #expect(try await client(transport).send(raw: raw) == hash)
        #expect(transport.requests.count == 1)
        let call = try FakeNode.calls(in: transport.requests[0].body).calls[0]
        #expect(call.method == "eth_sendRawTransaction")
        #expect(call.parameters == [.string(Hex.encode(raw))])
    }

    @Test(
        "a node that has it already has taken it",
        arguments: [
            "already known", "ALREADY_EXISTS: already known", "AlreadyKnown",
            "known transaction: 0xabc", "Transaction with the same hash was already imported.",
            "transaction already in mempool",
        ]
    )
    func alreadyKnown(message: String) async throws {
        let transport = FakeTransport { _, _ in self.refused(message) }
        #expect(try await client(transport, nodes: 1).send(raw: raw) == hash)
    }

    @Test(
        "a refusal is told in the node's words and ends the sending",
        arguments: [
            ("nonce too low", ChainError.nonceUsed),
            ("insufficient funds for gas * price + value", ChainError.notTaken),
            ("replacement transaction underpriced", ChainError.notTaken),
        ] as [(String, @Sendable (Int, String) -> ChainError)]
    )
    func refusal(message: String, error: @Sendable (Int, String) -> ChainError) async throws {
        let transport = FakeTransport { _, _ in self.refused(message) }
        await #expect(throws: error(-32000, message)) {
            try await client(transport).send(raw: raw)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("after a failure the same bytes go to the next node, without waiting")
    func next() async throws {
        for failure in [HTTPError.cutOff, .timedOut(milliseconds: 1), .noConnection(host: "a")] {
            let transport = FakeTransport { request, _ in
                request.url == self.urls[0] ? .failure(failure) : self.taken()
            }
            #expect(try await client(transport).send(raw: raw) == hash)
            #expect(transport.requests.count == 2)
            #expect(transport.requests[0].body == transport.requests[1].body)
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("a node alone is sent to once, whatever happens")
    func once() async throws {
        for failure in [HTTPError.cutOff, .noConnection(host: "a")] {
            let transport = FakeTransport { _, _ in .failure(failure) }
            await #expect(
                throws: ChainError.unreachable(
                    url: "https://first.example",
                    reason: failure.reason
                )
            ) {
                try await client(transport, nodes: 1).send(raw: raw)
            }
            #expect(transport.requests.count == 1)
        }
        let limited = FakeTransport { _, _ in
            .success(HTTPResponse(429, "", headers: [HTTPHeader("Retry-After", "1")]))
        }
        await #expect(
            throws: ChainError.rateLimited(url: "https://first.example", retryAfter: 1)
        ) {
            try await client(limited, nodes: 1).send(raw: raw)
        }
        #expect(limited.requests.count == 1)
    }

    @Test(
        "an error that proves nothing sends the same bytes to every other node",
        arguments: [
            "Internal error", "request timed out", "context deadline exceeded", "limit exceeded",
            "Transaction rejected", "rate limit reached", "unknown transaction type",
        ]
    )
    func doubtful(message: String) async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.urls[0] ? self.refused(message) : self.taken()
        }
        #expect(try await client(transport).send(raw: raw) == hash)
        #expect(transport.requests.map(\.url) == urls)
        #expect(Set(transport.requests.map(\.body)).count == 1)
        let alone = FakeTransport { _, _ in self.refused(message) }
        let error = await #expect(throws: ChainError.self) {
            try await client(alone, nodes: 1).send(raw: raw)
        }
        #expect(error.map(isRefusal) == false)
    }

    @Test("a refusal beside an answer that proves nothing is no refusal, whichever comes first")
    func doubtfulAmongOthers() async throws {
        for status in [200, 400, 403, 429, 503] {
            let transport = FakeTransport { request, _ in
                request.url == self.urls[0]
                    ? .success(HTTPResponse(status, FakeNode.error("0", code: -32603, "no")))
                    : self.refused("insufficient funds for gas * price + value")
            }
            let error = await #expect(throws: ChainError.self) {
                try await client(transport).send(raw: raw)
            }
            #expect(error.map(isRefusal) == false, "\(status)")
            #expect(transport.requests.count == 2)
        }
    }

    @Test("a refusal after an unclear failure is no refusal: the first node may have taken it")
    func unclear() async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.urls[0] ? .failure(.cutOff) : self.refused("nonce too low")
        }
        await #expect(
            throws: ChainError.unreachable(
                url: "https://first.example",
                reason: "the connection was cut before the whole answer came; "
                    + "another node said: \"nonce too low\""
            )
        ) {
            try await client(transport).send(raw: raw)
        }
    }

    @Test("an answer that makes no sense is unclear too")
    func unclearNonsense() async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.urls[0]
                ? .success(HTTPResponse(200, "<html>")) : self.refused("nonce too low")
        }
        await #expect(
            throws: ChainError.unreachable(
                url: "a node",
                reason: "its answer makes no sense: it is a web page; "
                    + "another node said: \"nonce too low\""
            )
        ) {
            try await client(transport).send(raw: raw)
        }
    }

    @Test("a refusal after a node that was never reached is a refusal")
    func clear() async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.urls[0]
                ? .failure(.noConnection(host: "a")) : self.refused("nonce too low")
        }
        await #expect(throws: ChainError.nonceUsed(code: -32000, message: "nonce too low")) {
            try await client(transport).send(raw: raw)
        }
    }

    @Test(
        "an answer that is no proper hash is nonsense",
        arguments: [
            (
                FakeNode.answer("0", "\"0x12\""),
                "what it says to have taken is not a transaction hash"
            ),
            (FakeNode.answer("0", "true"), "what it says to have taken is not a transaction hash"),
            (
                FakeNode.answer("0", "\"\(Bytes32.zero.hex)\""),
                "the node took a transaction with another hash"
            ),
            ("<html>", "it is a web page"),
            ("[]", "the node did not say whether it took the transaction"),
        ]
    )
    func nonsense(body: String, reason: String) async throws {
        await #expect(throws: ChainError.nonsense(reason)) {
            try await client(FakeTransport(body: body), nodes: 1).send(raw: raw)
        }
    }

    private func isRefusal(_ error: ChainError) -> Bool {
        switch error {
        case .nonceUsed, .notTaken: true
        default: false
        }
    }
}
