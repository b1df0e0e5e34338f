import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@Suite("An unlocked key")
struct AgentTests {
    typealias Bench = SigningBench

    /// A bench whose key is an agent's, asked without a socket.
    private func agent(
        seconds: UInt64 = 900,
        _ limit: (inout Policy) -> Void = { _ in },
        rules: @escaping SigningAgent.Rules = { _ in Policy(source: "policy.toml", coin: .ether) },
        log: any AuditLog = MemoryAuditLog(),
        clock: @escaping @Sendable () -> UInt64 = { 0 }
    ) throws -> SigningAgent {
        let bench = try Bench()
        var policy = Policy(source: "dex unlock", coin: .ether)
        policy.tokenNames = bench.policy.tokenNames
        limit(&policy)
        let grant = AgentGrant(
            account: bench.key.address,
            seconds: seconds,
            places: [AgentGrant.Place(scope: bench.scope, policy: policy)]
        )
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
            rules: rules,
            log: log,
            isLocked: true,
            recoverer: Secp256k1(),
            clock: clock,
            now: { Bench.now }
        )
    }

    private func ask(
        _ agent: SigningAgent,
        _ content: SigningRequest.Content,
        network: String = "mainnet"
    ) async -> JSONValue {
        await agent.answer(AgentKey.question(content, network: network, purpose: "test"))
    }

    /// The code of the refusal; nil where it signed.
    private func refusal(
        _ agent: SigningAgent,
        _ content: SigningRequest.Content,
        network: String = "mainnet"
    ) async -> String? {
        let answer = await ask(agent, content, network: network)
        #expect((answer["signature"] == nil) == (answer["error"] != nil))
        return answer["error"]?["code"]?.stringValue
    }

    @Test("what is signed is what the same key signs in the process itself")
    func same() async throws {
        let bench = try Bench()
        let agent = try agent()
        var legacy = Bench.transfer(Bench.zrx, "1")
        legacy.fee = .legacy(gasPrice: Wei(UInt256(7)))
        var listed = legacy
        listed.fee = .accessList(gasPrice: Wei(UInt256(7)))
        listed.accessList = [
            AccessListEntry(address: Bench.zrx, storageKeys: [UInt256(3).word])
        ]
        var creating = Bench.transaction(to: nil, data: [0x60, 0])
        creating.value = Wei(UInt256(5))
        let contents: [SigningRequest.Content] = [
            .transaction(Bench.transfer(Bench.zrx, "1")), .transaction(legacy),
            .transaction(listed), .transaction(creating),
            .order(Bench.ownOrder("5", fee: "1")), .message(Array("hello".utf8)), .message([]),
        ]
        for content in contents {
            let expected = try bench.key.signature(over: bench.request(content).digest)
            let answer = await ask(agent, content)
            let bytes = expected.r.bytes + expected.s.bytes + [expected.yParity]
            #expect(answer["signature"]?.stringValue == Hex.encode(bytes), "\(answer)")
        }
    }

    @Test("what has no limit does not leave, what has one leaves up to it, and a day adds up")
    func limits() async throws {
        let agent = try agent { policy in
            policy.perTrade = [.token(Bench.zrx): Bench.units("2")]
            policy.perDay = [.token(Bench.zrx): Bench.units("3")]
            policy.limitsEverything = true
        }
        func send(_ token: Address, _ amount: String, nonce: UInt64) async -> String? {
            await refusal(agent, .transaction(Bench.transfer(token, amount, nonce: nonce)))
        }
        #expect(await send(Bench.zrx, "2.1", nonce: 0) == "policy")
        #expect(await send(Bench.weth, "0.1", nonce: 0) == "policy")
        #expect(await send(Bench.zrx, "2", nonce: 0) == nil)
        #expect(await send(Bench.zrx, "1.1", nonce: 1) == "policy")
        #expect(await send(Bench.zrx, "1", nonce: 1) == nil)
        #expect(await send(Bench.zrx, "0.1", nonce: 2) == "policy")
        let ether = Bench.transaction(to: Bench.bob, ether: "0.1")
        #expect(await refusal(agent, .transaction(ether)) == "policy")
        let approval = Bench.approval(Bench.weth, 1, of: Bench.proxy)
        #expect(await refusal(agent, .transaction(approval)) == "policy")
        let revoking = Bench.approval(Bench.weth, 0, of: Bench.proxy)
        #expect(await refusal(agent, .transaction(revoking)) == nil)
    }

    @Test("contracts that are not granted are not called, and gas stays below its cap")
    func contracts() async throws {
        let agent = try agent { policy in
            policy.spenders = [Bench.bob]
            policy.maximumFee = Wei(Bench.units("0.001"))
        }
        let fill = Bench.fill(Bench.order(), "0.5")
        #expect(await refusal(agent, .transaction(fill)) == "policy")
        let call = Bench.transaction(to: Bench.bob, data: [1, 2, 3, 4])
        #expect(await refusal(agent, .transaction(call)) == nil)
        var expensive = call
        expensive.gasLimit += 1
        #expect(await refusal(agent, .transaction(expensive)) == "policy")
    }

    @Test("other networks, chains, exchanges, makers and bare hashes are refused")
    func elsewhere() async throws {
        let agent = try agent()
        let transfer = Bench.transfer(Bench.zrx, "1")
        #expect(
            await refusal(agent, .transaction(transfer), network: "sandbox") == "agent-refused"
        )
        var foreign = transfer
        foreign.chainID = 5
        #expect(await refusal(agent, .transaction(foreign)) == "wrong-chain")
        var order = Bench.ownOrder()
        order.exchange = Bench.bob
        #expect(await refusal(agent, .order(order)) == "agent-refused")
        order = Bench.ownOrder()
        order.maker = Bench.bob
        #expect(await refusal(agent, .order(order)) == "agent-refused")
        let hash = [UInt8](repeating: 7, count: 32)
        #expect(await refusal(agent, .message(hash)) == "looks-like-a-hash")
    }

    @Test("nothing is signed once the time is over")
    func time() async throws {
        let time = Mutex<UInt64>(0)
        let agent = try agent(seconds: 60, clock: { time.withLock { $0 } })
        let transfer = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "1"))
        time.withLock { $0 = 59_999 }
        #expect(agent.timeLeft == 1)
        #expect(await refusal(agent, transfer) == nil)
        time.withLock { $0 = 60_000 }
        #expect(agent.timeLeft == 0)
        #expect(await refusal(agent, transfer) == "agent-refused")
    }

    @Test("asked whether it would sign, it tells without signing and without counting")
    func check() async throws {
        let agent = try agent { policy in
            policy.perDay = [.token(Bench.zrx): Bench.units("3")]
        }
        func check(_ content: SigningRequest.Content) async -> JSONValue {
            await agent.answer(
                AgentKey.question(content, network: "mainnet", purpose: "test", ask: "check")
            )
        }
        let transfer = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "2"))
        for _ in 0..<3 { #expect(await check(transfer) == ["allowed": true]) }
        let tooMuch = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "4"))
        #expect(await check(tooMuch)["error"]?["code"] == "policy")
        let hash = await check(.message([UInt8](repeating: 7, count: 32)))
        #expect(hash["error"]?["code"] == "looks-like-a-hash")
        #expect(await refusal(agent, transfer) == nil)
        let second = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "2", nonce: 1))
        #expect(await check(second)["error"]?["code"] == "policy")
        // What takes the place of the first counts once with it.
        let instead = await agent.answer(
            AgentKey.question(
                .transaction(Bench.transfer(Bench.zrx, "3")),
                network: "mainnet",
                purpose: "test",
                ask: "check",
                replacing: true
            )
        )
        #expect(instead == ["allowed": true])
    }

    @Test("of a plan the earlier signatures count for the later ones")
    func checkPlan() async throws {
        let agent = try agent { policy in
            policy.perDay = [.token(Bench.zrx): Bench.units("3")]
        }
        func question(_ amount: String, nonce: UInt64, before: [JSONValue] = []) -> JSONValue {
            AgentKey.question(
                .transaction(Bench.transfer(Bench.zrx, amount, nonce: nonce)),
                network: "mainnet",
                purpose: "test",
                ask: "check",
                before: before
            )
        }
        let before = [question("1", nonce: 0), question("1", nonce: 1)]
        let whole = await agent.answer(question("1", nonce: 2, before: before))
        #expect(whole == ["allowed": true])
        let tooMuch = await agent.answer(question("2", nonce: 2, before: before))
        #expect(tooMuch["error"]?["code"] == "policy")
        for nonsense: JSONValue in [.null, 7, [7], [[:]]] {
            var question = try #require(question("1", nonce: 2).objectValue)
            question["before"] = nonsense
            let answer = await agent.answer(.object(question))
            #expect(answer["error"]?["code"] == "agent-question")
        }
    }

    private static func fill(slippage: UInt64?) -> JSONValue {
        AgentKey.question(
            .transaction(Bench.transfer(Bench.zrx, "1")),
            network: "mainnet",
            purpose: "fill",
            slippage: slippage
        )
    }

    @Test("it holds everything against policy.toml itself, as the file is at that moment")
    func rules() async throws {
        let allowed = Mutex(true)
        let agent = try agent(rules: { place throws(SigningError) in
            #expect(place.scope.network == "mainnet")
            guard allowed.withLock({ $0 }) else {
                throw SigningError.reported(.init(.configuration, "bad-policy", "It is faulty."))
            }
            var policy = Policy(source: "policy.toml", coin: .ether)
            policy.perTrade = [.token(Bench.zrx): Bench.units("2")]
            policy.maximumSlippage = 100
            return policy
        })
        let transfer = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "2"))
        let tooMuch = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "2.1"))
        #expect(await refusal(agent, transfer) == nil)
        #expect(await refusal(agent, tooMuch) == "policy")
        #expect(await agent.answer(Self.fill(slippage: 100))["signature"] != nil)
        let slipping = await agent.answer(Self.fill(slippage: 101))
        #expect(slipping["error"]?["code"] == "policy")
        #expect(slipping["error"]?["message"]?.stringValue?.contains("max_slippage") == true)
        allowed.withLock { $0 = false }
        #expect(await refusal(agent, transfer) == "bad-policy")
        let question = AgentKey.question(
            transfer,
            network: "mainnet",
            purpose: "test",
            ask: "check"
        )
        #expect(await agent.answer(question)["error"]?["code"] == "bad-policy")
    }

    @Test("it writes the audit log itself: what is signed, and what a rule or a limit refuses")
    func log() async throws {
        let log = MemoryAuditLog()
        let agent = try agent(
            { $0.perTrade = [.token(Bench.zrx): Bench.units("2")] },
            rules: { _ in
                var policy = Policy(source: "policy.toml", coin: .ether)
                policy.tokens = [.token(Bench.zrx)]
                return policy
            },
            log: log
        )
        func send(_ token: Address, _ amount: String) async -> String? {
            await refusal(agent, .transaction(Bench.transfer(token, amount)))
        }
        #expect(await send(Bench.zrx, "2") == nil)
        #expect(await send(Bench.weth, "1") == "policy")
        #expect(await send(Bench.zrx, "3") == "policy")
        let hash = [UInt8](repeating: 7, count: 32)
        #expect(await refusal(agent, .message(hash)) == "looks-like-a-hash")
        let lines = try log.lines(since: 0)
        #expect(
            lines.map(\.event) == [
                .authorized, .signed, .refused, .authorized, .failed, .refused,
            ]
        )
        #expect(lines.first?.json["key"] == "agent")
        #expect(lines.first?.json["purpose"] == "test")
        #expect(lines.first?.json["policy"] == "policy.toml")
    }

    @Test("where the audit log cannot be written, it signs nothing")
    func fullDisk() async throws {
        let agent = try agent(log: FullLog())
        let transfer = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "1"))
        #expect(await refusal(agent, transfer) == "audit-log")
    }

    /// A log on a disk that is full.
    private struct FullLog: AuditLog {
        func lines(since: UInt64) throws(SigningError) -> [AuditLine] { [] }

        func append(
            since: UInt64?,
            _ decide: ([AuditLine]) -> AuditLine
        ) throws(SigningError) {
            throw SigningError.reported(.init(.configuration, "audit-log", "The disk is full."))
        }
    }

    @Test("questions that are none get a refusal and no signature")
    func nonsense() async throws {
        let agent = try agent()
        let good = AgentKey.question(
            .transaction(Bench.transfer(Bench.zrx, "1")),
            network: "mainnet",
            purpose: "test"
        )
        let object = try #require(good.objectValue)
        // What is signed is signed with its own nonce, whatever a client says of it.
        // Nor does it name the guard that fires: the log alone keeps that, for the client.
        for member in object.members where !["replacing", "guard", "before"].contains(member.key) {
            for value: JSONValue in [.null, 7, "x", [], [:]] {
                // Any text is a purpose, and there may be no quote.
                if member.key == "purpose", value == "x" { continue }
                if member.key == "slippage", value == .null { continue }
                // It is for no plan of an agent.
                if ["origin", "plan"].contains(member.key), value == .null { continue }
                // A transfer needs no swap venue.
                if member.key == "genuine", value == [] { continue }
                var changed = object
                changed[member.key] = value
                let answer = await agent.answer(.object(changed))
                #expect(answer["signature"] == nil && answer["error"] != nil, "\(member.key)")
            }
        }
        let inner = try #require(good["content"]?["transaction"]?.objectValue)
        for member in inner.members where member.key != "to" {
            var changed = inner
            changed[member.key] = .null
            var question = object
            question["content"] = ["transaction": .object(changed)]
            let answer = await agent.answer(.object(question))
            #expect(answer["error"]?["code"] == "agent-question", "\(member.key)")
        }
    }

    // MARK: Guards

    private static func terms(
        side: String = "sell",
        amount: UInt256,
        limit: String = "1/2",
        account: Address = Bench.own,
        chain: UInt64 = 1,
        exchange: Address = Bench.exchange,
        base: Address = Bench.zrx,
        quote: Address = Bench.weth,
        slippage: UInt64 = 100,
        also: String = ""
    ) -> [UInt8] {
        Array(
            """
            dex guard
            chain: \(chain)
            exchange: \(exchange.checksummed)
            account: \(account.checksummed)
            pair: ZRX/WETH
            base: \(base.checksummed), 18 decimals
            quote: \(quote.checksummed), 18 decimals
            side: \(side)
            amount: 1, \(amount) base units
            trigger: below 0.5, 1/2
            limit: 0.5, \(limit)
            slippage: \(slippage)
            added: 7
            number: \(UInt256(9).word.hex)\(also)
            """.utf8
        )
    }

    private func guardRefusal(
        _ message: [UInt8],
        _ limit: @escaping (inout Policy) -> Void
    ) async throws -> String? {
        let agent = try agent(limit)
        let answer = await agent.answer(
            AgentKey.question(.message(message), network: "mainnet", purpose: "guard")
        )
        guard answer["signature"] == nil else { return nil }
        return answer["error"]?["message"]?.stringValue ?? "no reason"
    }

    @Test("an agent confirms a guard only within its limits, by the terms that it signs")
    func guardLimits() async throws {
        let limits = { (policy: inout Policy) in
            policy.perTrade = [.token(Bench.zrx): Bench.units("2")]
            policy.perDay = [.token(Bench.weth): Bench.units("3")]
            policy.limitsEverything = true
        }
        let good = Self.terms(amount: Bench.units("2"))
        #expect(try await guardRefusal(good, limits) == nil)
        let large = Self.terms(amount: Bench.units("2").addingSaturating(1))
        #expect(try await guardRefusal(large, limits)?.contains("--max of dex unlock") == true)
        // A purchase pays the quote, at its limit, rounded up.
        let six = Self.terms(side: "buy", amount: Bench.units("6"))
        #expect(try await guardRefusal(six, limits) == nil)
        let more = Self.terms(side: "buy", amount: Bench.units("6").addingSaturating(1))
        #expect(try await guardRefusal(more, limits)?.contains("--max-day of dex unlock") == true)
        let overflow = Self.terms(side: "buy", amount: .max, limit: "\(UInt256.max)/1")
        #expect(try await guardRefusal(overflow, limits) != nil)
        let other = Self.terms(amount: 1, base: Bench.usdc)
        #expect(try await guardRefusal(other, limits)?.contains("has no limit") == true)
        #expect(
            try await guardRefusal(good) { $0.spenders = [Bench.bob] }?
                .contains("--contract of dex unlock") == true
        )
    }

    @Test("an agent confirms no guard whose terms are another account's, chain's or form's")
    func foreignGuards() async throws {
        let faulty: [[UInt8]] = [
            Self.terms(amount: 1, account: Bench.bob), Self.terms(amount: 1, chain: 5),
            Self.terms(amount: 1, exchange: Bench.proxy), Self.terms(side: "swap", amount: 1),
            Self.terms(amount: 1, limit: "1/0"), Self.terms(amount: 1, limit: "1"),
            Self.terms(amount: 1, also: "\n"), Self.terms(amount: 1, also: "\nx: y"),
            Array("dex guard\n".utf8), Array("dex guard\nchain: 1".utf8),
        ]
        for message in faulty {
            let text = String(decoding: message, as: UTF8.self)
            #expect(
                try await guardRefusal(message) { _ in }?.contains("messages") == true,
                "\(text)"
            )
        }
        #expect(try await guardRefusal(Self.terms(amount: 1)) { _ in } == nil)
    }

    @Test("the log of an agent names the guard of a trade, and only for what was signed")
    func firedGuard() async throws {
        let log = MemoryAuditLog()
        let agent = try agent({ $0.perTrade = [.token(Bench.zrx): Bench.units("10")] }, log: log)
        let bench = try Bench(log: log)
        let (number, other) = (UInt256(5).word, UInt256(6).word)
        func ask(_ amount: String, _ guardNumber: Bytes32) async -> JSONValue {
            await agent.answer(
                AgentKey.question(
                    .transaction(Bench.transfer(Bench.zrx, amount, to: Bench.bob)),
                    network: "mainnet",
                    purpose: "fill",
                    firedGuard: guardNumber
                )
            )
        }
        #expect(await ask("11", other)["error"] != nil)
        #expect(await ask("9", number)["signature"] != nil)
        #expect(try bench.signer.hasSigned(firingOf: number))
        #expect(try !bench.signer.hasSigned(firingOf: other))
    }
}
