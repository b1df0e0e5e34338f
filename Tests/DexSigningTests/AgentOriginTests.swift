import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexSigning

@Suite("What an agent asks for keeps the limits of [mcp] besides all others")
struct AgentOriginTests {
    typealias Bench = SigningBench

    private static let plan: UInt64 = 0x7F3A
    private static let agent = PlanOrigin(plan: plan, isApproved: false)
    private static let person = PlanOrigin(plan: plan, isApproved: true)

    /// `[mcp]` with 2 ZRX in a plan and 3 in a day.
    private static func limits(_ bench: Bench) -> Policy {
        var limits = Policy(source: "policy.toml", coin: .ether)
        limits.tokenNames = bench.policy.tokenNames
        limits.perTrade = [.token(Bench.zrx): Bench.units("2")]
        limits.perDay = [.token(Bench.zrx): Bench.units("3")]
        limits.limitsEverything = true
        return limits
    }

    private func signer(
        _ origin: PlanOrigin?,
        log: any AuditLog,
        agents: AgentRule? = nil,
        now: UInt64 = Bench.now
    ) throws -> AuthorizedSigner {
        let bench = try Bench(log: log)
        var policy = bench.policy
        policy.agents = agents ?? .limits(Self.limits(bench))
        return AuthorizedSigner(
            key: bench.holder,
            scope: bench.scope,
            policy: policy,
            log: log,
            recoverer: Secp256k1(),
            origin: origin,
            now: { now }
        )
    }

    /// The code of the refusal of a transfer of ZRX; nil if it was signed.
    private func send(
        _ signer: AuthorizedSigner,
        _ amount: String,
        of token: Address = Bench.zrx,
        nonce: UInt64
    ) async -> String? {
        do {
            _ = try await signer.sign(
                Bench.transfer(token, amount, to: Bench.bob, nonce: nonce),
                chainID: 1,
                terms: SigningTerms(purpose: "fill")
            )
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a plan and a day of agents have their limits; a command and a person's yes have not")
    func amounts() async throws {
        let log = MemoryAuditLog()
        let agent = try signer(Self.agent, log: log)
        #expect(await send(agent, "2.1", nonce: 0) == "needs-person")
        #expect(await send(agent, "0.1", of: Bench.weth, nonce: 0) == "needs-person")
        #expect(await send(agent, "2", nonce: 0) == nil)
        #expect(await send(agent, "1.1", nonce: 1) == "needs-person")
        // What a person or a command signs neither meets nor uses up the limits of agents.
        #expect(await send(try signer(nil, log: log), "50", nonce: 1) == nil)
        #expect(await send(try signer(Self.person, log: log), "60", nonce: 2) == nil)
        #expect(await send(agent, "1", nonce: 3) == nil)
        #expect(await send(agent, "0.1", nonce: 4) == "needs-person")
        // A day later all is there again.
        let later = try signer(Self.agent, log: log, now: Bench.now + Policy.day)
        #expect(await send(later, "2", nonce: 4) == nil)
    }

    @Test("without [mcp], or on a network that it does not name, nothing goes without a person")
    func forbidden() async throws {
        let log = MemoryAuditLog()
        let rule = AgentRule.forbidden(reason: "it has no [mcp]")
        #expect(
            await send(try signer(Self.agent, log: log, agents: rule), "1", nonce: 0)
                == "needs-person"
        )
        #expect(await send(try signer(Self.person, log: log, agents: rule), "1", nonce: 0) == nil)
        #expect(await send(try signer(nil, log: log, agents: rule), "1", nonce: 1) == nil)
    }

    @Test("the other rules of policy.toml hold for an agent and after a person's yes")
    func otherRules() async throws {
        let log = MemoryAuditLog()
        for origin in [Self.agent, Self.person] {
            let bench = try Bench(log: log)
            var policy = bench.policy
            policy.perTrade = [.token(Bench.zrx): Bench.units("1")]
            policy.agents = .limits(Self.limits(bench))
            let signer = AuthorizedSigner(
                key: bench.holder,
                scope: bench.scope,
                policy: policy,
                log: log,
                recoverer: Secp256k1(),
                origin: origin,
                now: { Bench.now }
            )
            #expect(await send(signer, "1.5", nonce: 0) == "policy")
        }
    }

    @Test("an agent signs no message and no typed data")
    func messages() async throws {
        let agent = try signer(Self.agent, log: MemoryAuditLog())
        await #expect(throws: SigningError.self) {
            _ = try await agent.sign(message: Array("hello".utf8))
        }
        let person = try signer(Self.person, log: MemoryAuditLog())
        _ = try await person.sign(message: Array("hello".utf8))
    }

    @Test("the log names origin and plan, and whether something was signed for a plan")
    func log() async throws {
        let log = MemoryAuditLog()
        let agent = try signer(Self.agent, log: log)
        #expect(try !agent.hasSigned(plan: Self.plan))
        _ = try await agent.sign(
            Bench.approval(Bench.zrx, 1, of: Bench.proxy),
            chainID: 1,
            terms: SigningTerms(purpose: "approve")
        )
        // An approval alone carries nothing out.
        #expect(try !agent.hasSigned(plan: Self.plan))
        #expect(await send(agent, "5", nonce: 1) == "needs-person")
        #expect(try !agent.hasSigned(plan: Self.plan))
        #expect(await send(agent, "1", nonce: 1) == nil)
        #expect(try agent.hasSigned(plan: Self.plan))
        #expect(try !agent.hasSigned(plan: Self.plan + 1))
        let line = try #require(try log.lines(since: 0).last { $0.event == .authorized })
        #expect(line.json["origin"] == "mcp")
        #expect(line.json["plan"] == "0000000000007f3a")
        #expect(await send(try signer(Self.person, log: log), "9", nonce: 2) == nil)
        let yes = try #require(try log.lines(since: 0).last { $0.event == .authorized })
        #expect(yes.json["origin"] == "approve")
    }

    // MARK: The process of dex unlock

    private func ask(_ agent: SigningAgent, _ question: JSONValue) async -> String? {
        let answer = await agent.answer(question)
        return answer["error"]?["code"]?.stringValue
    }

    private func question(
        _ amount: String,
        nonce: UInt64,
        origin: PlanOrigin?,
        ask: String = "sign"
    ) -> JSONValue {
        AgentKey.question(
            .transaction(Bench.transfer(Bench.zrx, amount, to: Bench.bob, nonce: nonce)),
            network: "mainnet",
            purpose: "fill",
            origin: origin,
            ask: ask
        )
    }

    @Test("the unlocked key itself holds agents to [mcp], and to its own limits")
    func unlocked() async throws {
        let bench = try Bench()
        var granted = Policy(source: Policy.unlockSource, coin: .ether)
        granted.perTrade = [.token(Bench.zrx): Bench.units("40")]
        let agent = SigningAgent(
            grant: AgentGrant(
                account: bench.key.address,
                seconds: 900,
                places: [AgentGrant.Place(scope: bench.scope, policy: granted)]
            ),
            key: bench.holder,
            rules: { _ in
                var policy = bench.policy
                policy.agents = .limits(Self.limits(bench))
                return policy
            },
            log: bench.log,
            isLocked: true,
            recoverer: Secp256k1(),
            clock: { 0 },
            now: { Bench.now }
        )
        #expect(
            await ask(agent, question("2.5", nonce: 0, origin: Self.agent, ask: "check"))
                == "needs-person"
        )
        #expect(await ask(agent, question("2.5", nonce: 0, origin: Self.agent)) == "needs-person")
        #expect(await ask(agent, question("2", nonce: 0, origin: Self.agent)) == nil)
        #expect(await ask(agent, question("2", nonce: 1, origin: Self.agent)) == "needs-person")
        #expect(await ask(agent, question("30", nonce: 1, origin: Self.person)) == nil)
        #expect(await ask(agent, question("41", nonce: 2, origin: Self.person)) == "policy")
        #expect(await ask(agent, question("30", nonce: 2, origin: nil)) == nil)
    }

    @Test("an origin that cannot be read is no command of the user's")
    func malformed() async throws {
        let bench = try Bench()
        let agent = SigningAgent(
            grant: AgentGrant(
                account: bench.key.address,
                seconds: 900,
                places: [AgentGrant.Place(scope: bench.scope, policy: bench.policy)]
            ),
            key: bench.holder,
            rules: { _ in bench.policy },
            log: bench.log,
            isLocked: true,
            recoverer: Secp256k1(),
            clock: { 0 },
            now: { Bench.now }
        )
        let whole = try #require(question("1", nonce: 0, origin: Self.agent).objectValue)
        let faults: [(String, JSONValue)] = [
            ("origin", "user"), ("origin", 1), ("plan", "7f3a"), ("plan", 7),
            ("plan", "0000000000007F3A"), ("plan", .null), ("origin", .null),
        ]
        for (key, value) in faults {
            var object = whole
            object[key] = value
            #expect(await ask(agent, .object(object)) == "agent-question", "\(key) \(value)")
        }
    }
}
