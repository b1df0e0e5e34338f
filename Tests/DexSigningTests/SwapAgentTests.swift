import DexSigning
import DexTestSupport
import Ethereum
import EthereumWallet
import Glibc
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@Suite("Swaps and Permit2 messages at an unlocked key")
struct SwapAgentTests {
    typealias Bench = SigningBench

    private func agent(
        hasVenue: Bool = true,
        _ limit: (inout Policy) -> Void = { _ in },
        log: any AuditLog = MemoryAuditLog()
    ) throws -> SigningAgent {
        var bench = try SwapBench.bench()
        if !hasVenue { bench.swap = nil }
        var policy = Policy(source: "dex unlock", coin: .ether)
        policy.tokenNames = bench.policy.tokenNames
        limit(&policy)
        let grant = AgentGrant(
            account: bench.key.address,
            seconds: 900,
            places: [AgentGrant.Place(scope: bench.scope, policy: policy)]
        )
        #expect(grant.json["networks"]?.arrayValue?.first?["hasSwap"] == .bool(hasVenue))
        let read = try #require(
            AgentGrant(
                grant.json,
                implementation: { _ in ZeroExV1() },
                swapRules: { ZeroExSwapRules(chainID: $0) }
            )
        )
        #expect(read.json == grant.json)
        return SigningAgent(
            grant: read,
            key: bench.holder,
            rules: { _ in Policy(source: "policy.toml", coin: .ether) },
            log: log,
            isLocked: true,
            recoverer: Secp256k1(),
            clock: { 0 },
            now: { Bench.now }
        )
    }

    private static func question(
        _ content: SigningRequest.Content,
        genuine: Set<Address> = [SwapBench.settler],
        ask: String = "sign"
    ) -> JSONValue {
        AgentKey.question(
            content,
            network: "mainnet",
            purpose: "swap",
            genuine: genuine,
            ask: ask
        )
    }

    /// The code of the refusal; nil where it signed.
    private func refusal(
        _ agent: SigningAgent,
        _ content: SigningRequest.Content,
        genuine: Set<Address> = [SwapBench.settler]
    ) async -> String? {
        let answer = await agent.answer(Self.question(content, genuine: genuine))
        #expect((answer["signature"] == nil) == (answer["error"] != nil))
        return answer["error"]?["code"]?.stringValue
    }

    @Test("it signs a permit as the same key does in the process itself")
    func same() async throws {
        let key = try Bench().key
        let permit = SwapBench.permit()
        let log = MemoryAuditLog()
        let agent = try agent(log: log)
        let check = await agent.answer(Self.question(.permit(permit), ask: "check"))
        #expect(check == ["allowed": true])
        #expect(try log.lines(since: 0).isEmpty)
        let answer = await agent.answer(Self.question(.permit(permit)))
        let expected = try key.signature(over: permit.hash)
        let bytes = expected.r.bytes + expected.s.bytes + [expected.yParity]
        #expect(answer["signature"]?.stringValue == Hex.encode(bytes), "\(answer)")
        let lines = try log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .signed])
        #expect(lines.first?.json["kind"] == "permit")
        #expect(lines.first?.json["key"] == "agent")
    }

    @Test("its limits hold for swaps and permits, and count them once")
    func limits() async throws {
        let agent = try agent { policy in
            policy.perDay = [.token(Bench.zrx): Bench.units("12")]
            policy.limitsEverything = true
            policy.spenders = [SwapBench.holder, SwapBench.permit2]
        }
        let more = SigningRequest.Content.permit(SwapBench.permit("12.1"))
        #expect(await refusal(agent, more) == "policy")
        #expect(await refusal(agent, .permit(SwapBench.permit())) == nil)
        let use = SwapBench.transaction(SwapBench.paidByPermit, to: SwapBench.settler)
        #expect(await refusal(agent, .transaction(use)) == nil)
        let sale = SwapBench.transaction(SwapBench.exec(), nonce: 1)
        #expect(await refusal(agent, .transaction(sale)) == nil)
        #expect(await refusal(agent, .permit(SwapBench.permit("2.1", nonce: 2))) == "policy")
        #expect(await refusal(agent, .permit(SwapBench.permit("2", nonce: 2))) == nil)
        let ether = SwapBench.transaction(
            SwapBench.exec(token: SwapBench.native.word),
            ether: "1",
            nonce: 2
        )
        #expect(await refusal(agent, .transaction(ether)) == "policy")
    }

    @Test("without a venue, for another chain or for contracts that nobody named, it signs none")
    func elsewhere() async throws {
        let permit = SigningRequest.Content.permit(SwapBench.permit())
        #expect(await refusal(try agent(hasVenue: false), permit) == "foreign-permit")
        let agent = try agent { $0.perTrade = [.token(Bench.zrx): Bench.units("9")] }
        #expect(await refusal(agent, permit, genuine: []) == "foreign-permit")
        #expect(await refusal(agent, permit, genuine: [Bench.bob]) == "foreign-permit")
        let other = SwapBench.permit { $0.chainID = 10 }
        #expect(await refusal(agent, .permit(other)) == "wrong-chain")
        let check = await agent.answer(Self.question(.permit(other), ask: "check"))
        #expect(check["error"]?["code"] == "foreign-permit")
        let sale = SigningRequest.Content.transaction(SwapBench.transaction(SwapBench.exec()))
        #expect(await refusal(agent, sale, genuine: []) == "policy")
        #expect(await refusal(agent, sale) == nil)
    }

    @Test("a permit with anything missing or misshapen is no question")
    func nonsense() async throws {
        let agent = try agent()
        let good = Self.question(.permit(SwapBench.permit()))
        let object = try #require(good.objectValue)
        let inner = try #require(good["content"]?["permit"]?.objectValue)
        #expect(inner.members.count == 7)
        for member in inner.members {
            for value: JSONValue in [.null, 7, "x", "-1", "", [], [:]] {
                var changed = inner
                changed[member.key] = value
                var question = object
                question["content"] = ["permit": .object(changed)]
                let answer = await agent.answer(.object(question))
                #expect(answer["error"]?["code"] == "agent-question", "\(member.key) \(value)")
            }
        }
        for value: JSONValue in [.null, 7, "x", [:], [7], ["x"], [.null]] {
            var question = object
            question["genuine"] = value
            let answer = await agent.answer(.object(question))
            #expect(answer["error"]?["code"] == "agent-question", "\(value)")
        }
        for version: JSONValue in [1, 2, "3", .null] {
            var question = object
            question["version"] = version
            let answer = await agent.answer(.object(question))
            #expect(answer["error"]?["code"] == "agent-question", "\(version)")
        }
    }

    @Test("over its socket, a command gets the signature of a permit, and what forbids one")
    func socket() async throws {
        let folder = try SigningFolder()
        let agent = try agent { $0.perTrade = [.token(Bench.zrx): Bench.units("5")] }
        var socket = AgentSocket(folder: "\(folder.path)/agent", account: Bench.own)
        // The server's task may wait long for a thread beside other tests.
        socket.patience = 600
        let listener = try socket.listen()
        defer { close(listener) }
        let server = AgentServer(
            agent,
            listener: listener,
            wake: -1,
            clock: { 0 },
            admits: AgentSocket.isOurUser
        )
        var client = try SwapBench.bench()
        client.holder = AgentKey(AgentClient(socket))
        let bench = client
        for (amount, code) in [("5", nil), ("5.1", "policy")] as [(String, String?)] {
            let permit = SwapBench.permit(amount)
            let isDone = Ended()
            async let answer = Self.ask(bench, permit, isDone)
            try await until("the agent's answer to \(amount)") {
                _ = await server.step(waiting: 20)
                return isDone.value
            }
            switch await answer {
            case .success(let signature):
                #expect(code == nil)
                let signer = try Secp256k1().recover(digest: permit.hash, signature: signature)
                #expect(signer == Bench.own)
            case .failure(let error): #expect(error.code == code)
            }
        }
    }

    private final class Ended: Sendable {
        private let flag = Mutex(false)

        var value: Bool { flag.withLock { $0 } }

        func set() {
            flag.withLock { $0 = true }
        }
    }

    /// Asks as a command does, whose own rules allow everything.
    private static func ask(
        _ bench: SigningBench,
        _ permit: SwapPermit,
        _ isDone: Ended
    ) async -> Result<Signature, SigningError> {
        defer { isDone.set() }
        do throws(SigningError) {
            let terms = SigningTerms(purpose: "permit", genuine: bench.genuine)
            return .success(
                try await bench.signer.sign(permit: permit, chainID: 1, terms: terms)
            )
        } catch {
            return .failure(error)
        }
    }
}
