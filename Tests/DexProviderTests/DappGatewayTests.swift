import DexTestSupport
import Ethereum
import StrictJSON
import Synchronization
import Testing

@testable import DexProvider

@Suite("What a dapp may ask for, and how it is answered")
struct DappGatewayTests {
    private static let page = DappOrigin.page("https://app.example")
    private static let alice = Address(truncating: UInt256(0xA1).word)
    private static let bob = Address(truncating: UInt256(0xB0).word)
    private static let hash = TransactionHash(UInt256(7).word)

    /// A wallet that waits for a test's word at each question.
    private final class FakeWallet: DappWallet {
        let asked = AsyncStream.makeStream(of: String.self)
        let answers = AsyncStream.makeStream(of: DappError?.self)
        let chain = Mutex<UInt64>(1)
        let codes = AsyncStream.makeStream(of: String.self)
        let notes = AsyncStream.makeStream(of: String.self)
        let readsAsked = AsyncStream.makeStream(of: Void.self)
        let readsAnswered = AsyncStream.makeStream(of: Void.self)

        func account() async -> Address { DappGatewayTests.alice }
        func chainID() async -> UInt64 { chain.withLock { $0 } }
        func show(code: String, for origin: DappOrigin) async { codes.continuation.yield(code) }
        func notePaired(_ origin: DappOrigin) async {
            notes.continuation.yield("paired \(origin.text)")
        }

        private func answer(_ question: String) async throws(DappError) {
            asked.continuation.yield(question)
            for await error in answers.stream {
                if let error { throw error }
                return
            }
            throw .disconnected("The test ended.")
        }

        func sign(message: [UInt8], for client: DappClient) async throws(DappError) -> String {
            try await answer("message \(String(decoding: message, as: UTF8.self))")
            guard client.isWaiting else {
                notes.continuation.yield("gone")
                throw .rejected("It has gone.")
            }
            return "0xsignature"
        }

        func sign(typedData: TypedData, for client: DappClient) async throws(DappError) -> String {
            try await answer("typed \(typedData.primaryType)")
            return "0xtyped"
        }

        func send(
            _ transaction: DappTransaction,
            for client: DappClient,
            onSent: @escaping @Sendable (TransactionHash) -> Void
        ) async throws(DappError) -> TransactionHash {
            try await answer("send \(transaction.value)")
            onSent(DappGatewayTests.hash)
            // It is followed until it is mined.
            try await answer("mined")
            return DappGatewayTests.hash
        }

        func switchChain(to chainID: UInt64, for client: DappClient) async throws(DappError) {
            try await answer("switch \(chainID)")
            chain.withLock { $0 = chainID }
        }

        func read(
            _ method: String,
            _ parameters: [JSONValue]
        ) async throws(DappError) -> JSONValue {
            readsAsked.continuation.yield()
            for await _ in readsAnswered.stream { break }
            return .string(method)
        }
    }

    private let wallet = FakeWallet()
    private let gateway: DappGateway

    init() {
        let number = Mutex<UInt64>(0)
        gateway = DappGateway(
            wallet: wallet,
            pairings: DappPairings(
                random: {
                    number.withLock {
                        $0 += 1; return UInt256($0).word
                    }
                },
                now: { 0 }
            )
        )
    }

    private func call(
        _ method: String,
        _ parameters: [JSONValue] = [],
        _ token: String?,
        _ origin: DappOrigin = page
    ) async -> Result<JSONValue, DappError> {
        do throws(DappError) {
            return .success(try await gateway.answer(method, parameters, of: origin, token: token))
        } catch {
            return .failure(error)
        }
    }

    /// What comes next, which is waited for.
    private func expect(
        _ stream: AsyncStream<String>,
        _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await stream.next("\"\(expected)\"")
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    /// Runs a body with a paired page, while the gateway asks.
    private func paired(_ body: (_ token: String) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await gateway.run() }
            #expect(await call("wallet_pair", [], nil) == .success(["pending": true]))
            let codes = wallet.codes.stream
            let code = try #require(try await codes.next("a code"))
            let answer = try await call("wallet_pair", [.string(code)], nil).get()
            try await body(try #require(answer["token"]?.stringValue))
            await gateway.close()
            group.cancelAll()
        }
    }

    @Test("without a token everything but a pairing is 4100, whether it exists or not")
    func unpaired() async {
        for method in ["eth_accounts", "eth_chainId", "eth_call", "personal_sign", "nonsense"] {
            for origin in [Self.page, .program] {
                guard case .failure(let error) = await call(method, [], nil, origin) else {
                    Issue.record("\(method) was answered")
                    continue
                }
                #expect(error.code == 4_100, "\(method)")
            }
        }
    }

    @Test("what needs no question is answered at once")
    func plain() async throws {
        try await paired { token in
            #expect(
                await call("eth_requestAccounts", [], token)
                    == .success([.string(Self.alice.checksummed)])
            )
            #expect(await call("eth_chainId", [], token) == .success("0x1"))
            #expect(await call("net_version", [], token) == .success("1"))
            // To the chain in use: no question for nothing.
            #expect(
                await call("wallet_switchEthereumChain", [["chainId": "0x1"]], token)
                    == .success(.null)
            )
        }
    }

    @Test("a signature is given after a yes, and 4001 after a no")
    func signing() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            wallet.answers.continuation.yield(nil)
            let signed = await call("personal_sign", ["0x6869", account], token)
            #expect(signed == .success("0xsignature"))
            wallet.answers.continuation.yield(.rejected("No."))
            let refused = await call("personal_sign", ["hi", account], token)
            #expect(refused == .failure(.rejected("No.")))
            let asked = wallet.asked.stream
            try await expect(asked, "message hi")
            try await expect(asked, "message hi")
        }
    }

    @Test("another account, another chain and another origin's token ask nobody")
    func foreign() async throws {
        try await paired { token in
            let bob = JSONValue.string(Self.bob.checksummed)
            func code(_ result: Result<JSONValue, DappError>) -> Int? {
                guard case .failure(let error) = result else { return nil }
                return error.code
            }
            #expect(code(await call("personal_sign", ["hi", bob], token)) == 4_100)
            let send: [(String, JSONValue)] = [
                ("from", .string(Self.alice.checksummed)), ("to", bob), ("value", "0x1"),
                ("chainId", "0x5"),
            ]
            var object = JSONObject()
            for (key, value) in send { object[key] = value }
            #expect(code(await call("eth_sendTransaction", [.object(object)], token)) == 4_901)
            object["chainId"] = "0x1"
            object["from"] = bob
            #expect(code(await call("eth_sendTransaction", [.object(object)], token)) == 4_100)
            #expect(code(await call("eth_chainId", [], token, .page("https://b.example"))) == 4_100)
            #expect(code(await call("eth_chainId", [], token, .program)) == 4_100)
            #expect(code(await call("eth_mystery", [], token)) == 4_200)
        }
    }

    @Test("the hash is answered once it is sent, and the next request waits until it is mined")
    func sending() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            let send: JSONValue = ["from": account, "to": account, "value": "0x5"]
            wallet.answers.continuation.yield(nil)
            let sent = await call("eth_sendTransaction", [send], token)
            #expect(sent == .success(.string(Self.hash.hex)))
            let asked = wallet.asked.stream
            try await expect(asked, "send 5")
            try await expect(asked, "mined")
            async let next = call("personal_sign", ["hi", account], token)
            wallet.answers.continuation.yield(nil)
            wallet.answers.continuation.yield(nil)
            #expect(await next == .success("0xsignature"))
            try await expect(asked, "message hi")
        }
    }

    @Test("of many requests four of an origin wait, and the end answers them with 4900")
    func waiting() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            await withTaskGroup(of: Result<JSONValue, DappError>.self) { group in
                for index in 0..<10 {
                    group.addTask {
                        await call("personal_sign", [.string("m\(index)"), account], token)
                    }
                }
                for _ in 0..<6 {
                    guard case .failure(let error)? = await group.next() else {
                        Issue.record("a request beyond the bound was answered")
                        continue
                    }
                    #expect(error.code == -32_005)
                }
                await gateway.close()
                for await result in group {
                    guard case .failure(let error) = result else {
                        Issue.record("a request was answered after the end")
                        continue
                    }
                    #expect(error.code == 4_900)
                }
            }
            guard case .failure(let error) = await call("eth_chainId", [], token) else {
                Issue.record("a request was answered after the end")
                return
            }
            #expect(error.code == 4_900)
        }
    }

    @Test("a request whose client has gone is not shown")
    func withdrawn() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            async let first = call("personal_sign", ["first", account], token)
            let asked = wallet.asked.stream
            try await expect(asked, "message first")
            let gone = Task { await call("personal_sign", ["gone", account], token) }
            gone.cancel()
            guard case .failure(let error) = await gone.value else {
                Issue.record("a withdrawn request was answered")
                return
            }
            #expect(error.code == 4_900)
            async let last = call("personal_sign", ["last", account], token)
            wallet.answers.continuation.yield(nil)
            wallet.answers.continuation.yield(nil)
            #expect(await first == .success("0xsignature"))
            #expect(await last == .success("0xsignature"))
            try await expect(asked, "message last")
        }
    }

    @Test("a yes for a client that went away while it was asked about signs nothing")
    func goneWhileAsked() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            let gone = Task { await call("personal_sign", ["gone", account], token) }
            let asked = wallet.asked.stream
            try await expect(asked, "message gone")
            gone.cancel()
            #expect(await gone.value == .failure(.disconnected("The request was withdrawn.")))
            wallet.answers.continuation.yield(nil)
            let notes = wallet.notes.stream
            try await expect(notes, "paired https://app.example")
            try await expect(notes, "gone")
        }
    }

    @Test("the same request twice is asked about twice")
    func twice() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            let send: JSONValue = ["from": account, "to": account, "value": "0x5"]
            async let first = call("eth_sendTransaction", [send], token)
            let asked = wallet.asked.stream
            try await expect(asked, "send 5")
            async let second = call("eth_sendTransaction", [send], token)
            wallet.answers.continuation.yield(.rejected("No."))
            #expect(await first == .failure(.rejected("No.")))
            try await expect(asked, "send 5")
            wallet.answers.continuation.yield(.rejected("No again."))
            #expect(await second == .failure(.rejected("No again.")))
        }
    }

    @Test("a request for a chain that changed while it waited is 4901, and asks nobody")
    func chainChanged() async throws {
        try await paired { token in
            let account = JSONValue.string(Self.alice.checksummed)
            let send: JSONValue = [
                "from": account, "to": account, "value": "0x5", "chainId": "0x1",
            ]
            async let change = call(
                "wallet_switchEthereumChain",
                [["chainId": "0x5"]],
                token
            )
            let asked = wallet.asked.stream
            try await expect(asked, "switch 5")
            async let sent = call("eth_sendTransaction", [send], token)
            // It waits behind the question.
            #expect(await call("eth_chainId", [], token) == .success("0x1"))
            try await until("two that wait for the user") { await gateway.waits >= 2 }
            wallet.answers.continuation.yield(nil)
            #expect(await change == .success(.null))
            guard case .failure(let error) = await sent else {
                Issue.record("it was sent to another chain")
                return
            }
            #expect(error.code == 4_901)
        }
    }

    @Test("as many reads wait for the node as may, and no more")
    func reads() async throws {
        try await paired { token in
            try await withThrowingTaskGroup(of: Result<JSONValue, DappError>.self) { group in
                for _ in 0..<DappGateway.maximumReads {
                    group.addTask { await call("eth_blockNumber", [], token) }
                }
                let asked = wallet.readsAsked.stream
                for _ in 0..<DappGateway.maximumReads {
                    _ = try await asked.next("a question to the wallet")
                }
                guard case .failure(let error) = await call("eth_gasPrice", [], token) else {
                    Issue.record("a read beyond the bound was asked")
                    return
                }
                #expect(error.code == -32_005)
                wallet.readsAnswered.continuation.finish()
                for try await result in group { #expect(result == .success("eth_blockNumber")) }
            }
        }
    }
}
