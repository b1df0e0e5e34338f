import DexNetwork
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import HTTPServing
import NetworkTestSupport
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexSandbox
@testable import SandboxHost

/// A copy with its servers, spoken to over its sockets, beside a leader in this process.
@Suite("The servers of a copy of another machine's sandbox")
struct SandboxCopyTests {
    private static let start: UInt64 = 1_750_000_020
    private static let now: @Sendable () -> UInt64 = { start + 100 }
    private static let transport = CurlTransport(options: .patient(environment: { _ in nil }))
    private static let json = HTTPHeader("Content-Type", "application/json")

    /// Settings with a small market.
    private static func settings(_ change: (inout SandboxSettings.Choices) -> Void = { _ in })
        -> SandboxSettings
    {
        var choices = SandboxSettings.Choices()
        choices.orders = 2
        change(&choices)
        return SandboxSettings(choices, now: start)
    }

    private static func copy(_ leader: FakeLeader, _ folder: TemporaryFolder) -> SandboxCopy {
        var options = SandboxCopy.Options(folder: folder.value, leader: "http://192.0.2.1:8545")
        options.interval = .milliseconds(5)
        return SandboxCopy(options: options, leader: leader, check: { _ in }, now: now)
    }

    /// Runs a copy while the body talks to it.
    private func running(
        _ copy: SandboxCopy,
        _ body: @escaping @Sendable (SandboxState) async throws -> Void
    ) async throws {
        let (reports, sender) = AsyncStream.makeStream(of: SandboxCopy.Report.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sender.finish() }
                _ = try await copy.run { sender.yield($0) }
            }
            group.addTask {
                guard let report = try await reports.next("the copy's start") else { return }
                try await body(report.state)
            }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func post(_ url: String, _ text: String) async throws -> HTTPResponse {
        try await Self.transport.send(
            HTTPRequest(.post, url: url, headers: [Self.json], body: Array(text.utf8))
        )
    }

    private func call(
        _ state: SandboxState,
        _ method: String,
        _ parameters: JSONValue = []
    ) async throws -> JSONValue {
        let body: JSONValue = [
            "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters,
        ]
        let answer = try await post(state.rpc, String(decoding: body.utf8, as: UTF8.self))
        return try JSONParser.parse(answer.body)
    }

    /// Waits until the copy's node shows what is wanted.
    private func wait(
        _ state: SandboxState,
        _ isThere: (JSONValue) -> Bool
    ) async throws -> JSONValue {
        var status: JSONValue = .null
        try await until("the copy to be as wanted, not \(status.text)") {
            let answer = try await call(state, "sandbox_copy")
            status = try #require(answer["result"])
            return isThere(status)
        }
        return status
    }

    /// A payment of alice's that no chain has yet.
    private func payment(_ settings: SandboxSettings, nonce: UInt64 = 0) async throws -> [UInt8] {
        let alice = try #require(settings.accounts().signer(named: "alice"))
        let transaction = Transaction(
            chainID: settings.chainID,
            nonce: nonce,
            fee: .legacy(gasPrice: Wei(3_000_000_000)),
            gasLimit: 21_000,
            to: .zero,
            value: Wei(1),
            data: []
        )
        return try await alice.sign(transaction, chainID: settings.chainID).raw
    }

    private func hash(_ raw: [UInt8]) -> JSONValue { .string(Keccak256.hash(raw).hex) }

    @Test("it serves what it verified, and neither makes blocks nor takes batches of transactions")
    func serving() async throws {
        let (folder, settings) = (try TemporaryFolder(), Self.settings())
        let leader = try FakeLeader(settings, now: Self.now)
        for _ in 0..<3 { try await leader.chain.mine() }
        try await running(Self.copy(leader, folder)) { state in
            let status = try await wait(state) { $0["block"] == 3 }
            #expect(status["condition"] == "following")
            #expect(status["behind"] == 0)
            #expect(state.leader == "http://192.0.2.1:8545")
            #expect(state.swap == nil)
            #expect(try await call(state, "eth_blockNumber")["result"] == "0x3")
            for method in ["evm_mine", "evm_increaseTime", "sandbox_setFault", "sandbox_reorg"] {
                #expect(try await call(state, method)["error"] != nil)
            }
            let raw = Hex.encode(try await payment(settings))
            let batch = try await post(
                state.rpc,
                #"[{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["\#(raw)"]}]"#
            )
            let words = try JSONParser.parse(batch.body).arrayValue?.first?["error"]?["message"]
            #expect(words?.stringValue?.contains("taken alone, not in a batch") == true)
            #expect(leader.posts.isEmpty)
            let relay = try #require(state.relay(.v1))
            let book = try await Self.transport.send(HTTPRequest(.get, url: "\(relay)/orders"))
            #expect(book.status == 200)
        }
        #expect(try SandboxState.read(folder.value) == nil)
    }

    @Test("a transaction is passed on, and comes back as a block that was verified")
    func passedOn() async throws {
        let (folder, settings) = (try TemporaryFolder(), Self.settings())
        let leader = try FakeLeader(settings, now: Self.now)
        try await running(Self.copy(leader, folder)) { state in
            let raw = try await payment(settings)
            let sent = try await call(
                state,
                "eth_sendRawTransaction",
                [.string(Hex.encode(raw))]
            )
            #expect(sent["id"] == 7)
            #expect(sent["result"] == hash(raw))
            _ = try await wait(state) { $0["block"] == 1 }
            let receipt = try await call(state, "eth_getTransactionReceipt", [hash(raw)])
            #expect(receipt["result"]?["status"] == "0x1")
            // What every node refuses does not leave this machine.
            let count = leader.posts.count
            for bad in ["0x", "0xzz", "0x01", Hex.encode(raw.dropLast())] {
                let refused = try await call(state, "eth_sendRawTransaction", [.string(bad)])
                #expect(refused["error"] != nil)
            }
            #expect(leader.posts.count == count)
        }
    }

    @Test("the other machine refuses a transaction, names another, throws it away, or says nothing")
    func answers() async throws {
        let (folder, settings) = (try TemporaryFolder(), Self.settings())
        let leader = try FakeLeader(settings, mining: .manual, now: Self.now)
        try await running(Self.copy(leader, folder)) { state in
            _ = try await wait(state) { $0["condition"] == "following" }
            let raw = try await payment(settings)
            func send() async throws -> HTTPResponse {
                try await post(
                    state.rpc,
                    #"{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["#
                        + "\"\(Hex.encode(raw))\"]}"
                )
            }
            func pending() async throws -> Bool {
                try await call(state, "eth_getTransactionByHash", [hash(raw)])["result"]?.isNull
                    == false
            }
            leader.fault = .posted([
                "error": ["code": -32_003, "message": "no\u{1b}[2Jthing from you\n"]
            ])
            let refused = try JSONParser.parse(try await send().body)
            #expect(refused["error"]?["code"] == -32_003)
            #expect(refused["error"]?["message"] == "no[2Jthing from you")
            #expect(try await !pending())

            // Nonsense is no verdict: it may have been taken.
            for nonsense in [[], ["result": .null], .string("0x12")] as [JSONValue] {
                leader.fault = .posted(nonsense)
                #expect(try await send().status == 502)
                #expect(try await pending())
            }
            // Another transaction's hash is not passed on.
            leader.fault = .posted(["result": .string(Keccak256.hash("another".utf8).hex)])
            #expect(try JSONParser.parse(try await send().body)["result"] == hash(raw))
            // It was thrown away over there: here it waits, and nothing says that it was mined.
            #expect(try await pending())
            let receipt = try await call(state, "eth_getTransactionReceipt", [hash(raw)])
            #expect(receipt["result"]?.isNull == true)

            leader.fault = .silent
            let silent = try await send()
            #expect(silent.status == 502)
            _ = try await wait(state) { $0["condition"] == "cut off" }
            let before = leader.posts.count
            // Once it is back, it gets what waits.
            leader.fault = nil
            try await until("the payment at the leader") {
                await !leader.chain.waiting.isEmpty
            }
            #expect(leader.posts.count > before)
            #expect(await leader.chain.waiting.map { $0.word.hex } == [Keccak256.hash(raw).hex])
            try await leader.chain.mine()
            _ = try await wait(state) { $0["block"] == 1 }
        }
    }

    @Test("once something did not verify, node and relay answer nothing but why")
    func stopped() async throws {
        let (folder, settings) = (try TemporaryFolder(), Self.settings())
        let leader = try FakeLeader(settings, now: Self.now)
        try await leader.chain.mine()
        try await running(Self.copy(leader, folder)) { state in
            _ = try await wait(state) { $0["block"] == 1 }
            leader.fault = .blocks { batch in
                guard !batch.blocks.isEmpty else { return }
                batch.blocks[0].transactions = [[1, 2, 3]]
            }
            try await leader.chain.mine()
            let status = try await wait(state) { $0["condition"] == "stopped" }
            #expect(status["block"] == 1)
            let reason = try #require(status["reason"]?.stringValue)
            #expect(reason.hasPrefix("Block 2 does not verify: its transaction 0 is not valid"))
            let relay = try #require(state.relay(.v1))
            let requests: [HTTPRequest] = [
                HTTPRequest(.get, url: state.rpc), HTTPRequest(.get, url: "\(relay)/orders"),
                HTTPRequest(.get, url: "\(relay)/asset_pairs"),
                HTTPRequest(
                    .post,
                    url: "\(relay)/order",
                    headers: [Self.json],
                    body: Array("{}".utf8)
                ),
            ]
            for request in requests {
                let answer = try await Self.transport.send(request)
                #expect(answer.status == 503, "\(request.url)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains(reason))
            }
            let height = try await call(state, "eth_blockNumber")
            #expect(height["error"]?["message"]?.stringValue == reason)
            #expect(height["id"] == 7)
            let batch = try await post(
                state.rpc,
                #"[{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}]"#
            )
            let refused = try JSONParser.parse(batch.body)
            #expect(refused["error"]?["message"]?.stringValue == reason)
            // Even when the other machine is honest again.
            leader.fault = nil
            let later = try await call(state, "sandbox_copy")["result"]
            #expect(later?["condition"] == "stopped")
        }
    }

    @Test("it goes on where it was while the other machine is away, and refuses to begin so")
    func away() async throws {
        let (folder, settings) = (try TemporaryFolder(), Self.settings())
        let leader = try FakeLeader(settings, now: Self.now)
        try await leader.chain.mine()
        leader.fault = .silent
        await #expect(throws: LeaderSilence.self) {
            try await running(Self.copy(leader, folder)) { _ in }
        }
        leader.fault = nil
        try await running(Self.copy(leader, folder)) { state in
            _ = try await wait(state) { $0["block"] == 1 }
        }
        leader.fault = .silent
        try await running(Self.copy(leader, folder)) { state in
            let status = try await wait(state) { $0["condition"] == "cut off" }
            #expect(status["block"] == 1)
            #expect(try await call(state, "eth_blockNumber")["result"] == "0x1")
        }
        // A folder keeps its chain, whoever answers.
        let other = try FakeLeader(Self.settings { $0.seed = 2 }, now: Self.now)
        try await other.chain.mine()
        try await running(Self.copy(other, folder)) { state in
            let status = try await wait(state) { $0["condition"] == "stopped" }
            #expect(status["reason"]?.stringValue?.contains("began otherwise") == true)
        }
    }

    @Test(
        "a description with another block 0, of another chain, or of a public one, begins nothing"
    )
    func origins() async throws {
        let folder = try TemporaryFolder()
        let leader = try FakeLeader(Self.settings(), now: Self.now)
        leader.fault = .genesis(BlockHash(Keccak256.hash("another".utf8)))
        await #expect(throws: CopyRefusal.self) {
            try await running(Self.copy(leader, folder)) { _ in }
        }
        leader.fault = nil
        struct Public: Error {}
        var options = SandboxCopy.Options(folder: folder.value, leader: "http://192.0.2.1:8545")
        let refusing = SandboxCopy(
            options: options,
            leader: leader,
            check: { settings in
                #expect(settings.chainID == 1_337)
                throw Public()
            },
            now: Self.now
        )
        await #expect(throws: Public.self) { try await running(refusing) { _ in } }
        options.genesis = BlockHash(Keccak256.hash("wanted".utf8))
        let wanting = SandboxCopy(options: options, leader: leader, check: { _ in }, now: Self.now)
        await #expect(throws: CopyRefusal.self) { try await running(wanting) { _ in } }
        #expect(try SandboxSettings.kept(in: folder.value) == nil)
        // What it says of its chain id has to be what block 0 has.
        let claimed = FakeLeader(
            Self.settings { $0.chainID = 4_242 },
            chain: leader.chain
        )
        await #expect(throws: CopyRefusal.self) {
            try await running(Self.copy(claimed, folder)) { _ in }
        }
    }

    @Test("a kept copy of another genesis, as an older dex made it, names the command for copies")
    func keptOtherwise() async throws {
        let folder = try TemporaryFolder()
        let (kept, settings) = (Self.settings { $0.chainID = 4_242 }, Self.settings())
        let path = folder.value.chainFile
        try settings.write(to: folder.value)
        _ = try SandboxChain(
            genesis: kept.genesis(kept.accounts()),
            configuration: ChainConfiguration(
                storePath: path,
                now: Self.now,
                recoverer: Secp256k1()
            )
        )
        let leader = try FakeLeader(settings, now: Self.now)
        await #expect(throws: SandboxError.otherGenesis(ChainFile(path, isCopy: true))) {
            try await running(Self.copy(leader, folder)) { _ in }
        }
    }
}
