import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("A limit of ether bounds the ether that gas and tips take")
struct GasLimitTests {
    typealias Bench = SigningBench

    private static let gwei: UInt256 = 1_000_000_000

    /// A transaction of 100,000 gas at this price.
    private static func transaction(
        _ fee: Transaction.Fee,
        ether: String = "0",
        nonce: UInt64 = 0
    ) -> Transaction {
        var transaction = Bench.transaction(to: Bench.bob, ether: ether, nonce: nonce)
        transaction.fee = fee
        return transaction
    }

    private static func dynamic(_ price: UInt256, tip: UInt256) -> Transaction.Fee {
        .dynamic(maxFeePerGas: Wei(price * gwei), maxPriorityFeePerGas: Wei(tip * gwei))
    }

    private static func legacy(_ price: UInt256) -> Transaction.Fee {
        .legacy(gasPrice: Wei(price * gwei))
    }

    private func rule(
        _ transaction: Transaction,
        _ change: (inout Policy) -> Void
    ) throws -> String? {
        var bench = try Bench()
        change(&bench.policy)
        return bench.refusal(.transaction(transaction))?.rule
    }

    /// The codes of transactions signed one after another; nil where one was signed.
    private func codes(
        _ bench: SigningBench,
        _ transactions: [Transaction]
    ) async -> [String?] {
        var codes: [String?] = []
        for transaction in transactions {
            do throws(SigningError) {
                try await bench.sign(transaction)
                codes.append(nil)
            } catch {
                codes.append(error.code)
            }
        }
        return codes
    }

    @Test("the most that gas may cost counts with the ether sent, at once and in a day")
    func counts() throws {
        // 0.001 ETH of gas.
        let fees = [Self.dynamic(10, tip: 1), Self.dynamic(10, tip: 10), Self.legacy(10)]
        for fee in fees {
            for limit in [\Policy.perTrade, \Policy.perDay] {
                let name = limit == \Policy.perTrade ? "max_per_trade.ETH" : "max_per_day.ETH"
                for (ether, maximum, expected) in [
                    ("0", "0.001", nil), ("0", "0.000999", name), ("0.1", "0.101", nil),
                    ("0.1", "0.1009", name), ("0.1", "0.1", name),
                ] as [(String, String, String?)] {
                    #expect(
                        try rule(Self.transaction(fee, ether: ether)) {
                            $0[keyPath: limit] = [.ether: Bench.units(maximum)]
                        } == expected,
                        "\(ether) \(maximum)"
                    )
                }
            }
        }
        // Beyond 256 bits it is no small cost.
        let huge = Self.transaction(.legacy(gasPrice: Wei(.max)))
        #expect(try rule(huge) { $0.perDay = [.ether: Bench.units("1")] } == "max_per_day.ETH")
    }

    @Test("where no limit names ether, gas has its own rule alone")
    func unnamed() throws {
        let transfer = Bench.transfer(Bench.weth, "1")
        #expect(
            try rule(transfer) {
                $0.perDay = [.token(Bench.weth): Bench.units("1")]
                $0.limitsEverything = true
            } == nil
        )
        #expect(
            try rule(transfer) {
                $0.perDay = [.token(Bench.weth): Bench.units("1"), .ether: Bench.units("0.0009")]
                $0.limitsEverything = true
            } == "max_per_day.ETH"
        )
        // Orders and messages have no gas.
        var bench = try Bench()
        bench.policy.perDay = [.ether: 0]
        #expect(bench.refusal(.order(Bench.ownOrder())) == nil)
        #expect(bench.refusal(.message([1, 2, 3])) == nil)
    }

    @Test("4.99 of 5 ETH do not leave as tips under a day's limit of 0.1 ETH")
    func tips() async throws {
        let folder = try SigningFolder()
        for log in [MemoryAuditLog(), AuditFile(path: folder.log)] as [any AuditLog] {
            var bench = try Bench(log: log)
            bench.policy.perDay = [.ether: Bench.units("0.1")]
            // 4.99 ETH at once, then 0.03 ETH ten times.
            let all = Self.transaction(Self.dynamic(49_900, tip: 49_900))
            #expect(await codes(bench, [all]) == ["policy"])
            let many = (0..<10 as Range<UInt64>).map {
                Self.transaction(Self.dynamic(300, tip: 300), nonce: $0)
            }
            let signed: [String?] = [nil, nil, nil]
            #expect(await codes(bench, many) == signed + Array(repeating: "policy", count: 7))
            #expect(try log.lines(since: 0).count { $0.event == .signed } == 3)
            bench.now += Policy.day
            let next = Self.transaction(Self.dynamic(1_000, tip: 1), nonce: 3)
            let over = Self.transaction(Self.dynamic(1, tip: 1), nonce: 4)
            #expect(await codes(bench, [next, over]) == [nil, "policy"])
        }
    }

    @Test("a replacement counts instead of what it replaces, the most expensive of both")
    func replaced() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.ether: Bench.units("0.1")]
        // 0.06, then 0.09 with its nonce, then 0.01 with another one: 0.1 in all.
        #expect(
            await codes(
                bench,
                [
                    Self.transaction(Self.dynamic(600, tip: 1)),
                    Self.transaction(Self.dynamic(900, tip: 1)),
                    Self.transaction(Self.dynamic(100, tip: 1), nonce: 1),
                    Self.transaction(Self.dynamic(1, tip: 1), nonce: 2),
                ]
            ) == [nil, nil, nil, "policy"]
        )
    }

    @Test("what a line says its gas costs is read, and a broken figure stops the count")
    func line() async throws {
        let folder = try SigningFolder()
        let bench = try Bench(log: AuditFile(path: folder.log))
        try await bench.sign(Self.transaction(Self.dynamic(10, tip: 1)))
        let text = try folder.text()
        let broken = text.replacing(#""maxFee":"1000000000000000""#, with: #""maxFee":"much""#)
        #expect(text != broken)
        try folder.write(broken)
        #expect(throws: SigningError.self) { try bench.spent() }
    }

    // MARK: Tips at an unlocked key

    @Test("a tip, or a whole price without one, beyond what commands pay is refused")
    func tipLimit() throws {
        let limit = TipLimit(tip: Wei(75 * Self.gwei), price: Wei(500 * Self.gwei))
        for (fee, expected) in [
            (Self.dynamic(1_000, tip: 75), nil), (Self.dynamic(1_000, tip: 76), "max_tip"),
            // A tip is never more than the price.
            (Self.dynamic(75, tip: 1_000), nil), (Self.dynamic(76, tip: 1_000), "max_tip"),
            (Self.legacy(500), nil), (Self.legacy(501), "max_tip"),
            (.accessList(gasPrice: Wei(501 * Self.gwei)), "max_tip"),
        ] as [(Transaction.Fee, String?)] {
            #expect(try rule(Self.transaction(fee)) { $0.maximumTip = limit } == expected)
            #expect(try rule(Self.transaction(fee)) { _ in } == nil)
        }
    }

    @Test("a refusal names the coin by the symbol of the network, by policy.toml and at an agent")
    func coin() async throws {
        let bnb = try #require(CoinSymbol("BNB"))
        var bench = try Bench()
        func limited(_ source: String) -> Policy {
            var policy = Policy(source: source, coin: bnb)
            policy.perTrade = [.ether: Bench.units("0.001")]
            policy.limitsEverything = true
            return policy
        }
        bench.policy = limited("policy.toml")
        let transaction = Self.transaction(Self.dynamic(100, tip: 1))
        let refusal = try #require(bench.refusal(.transaction(transaction)))
        #expect(refusal.rule == "max_per_trade.BNB")
        #expect(refusal.reason.contains("0.01 BNB") && !refusal.reason.contains("ETH"))
        bench.policy.perTrade = [:]
        bench.policy.limitsEverything = false
        bench.policy.maximumFee = Wei(1)
        #expect(bench.refusal(.transaction(transaction))?.reason.contains("0.01 BNB") == true)
        let grant = AgentGrant(
            account: bench.key.address,
            seconds: 900,
            places: [AgentGrant.Place(scope: bench.scope, policy: limited("dex unlock"))]
        )
        let read = try #require(
            AgentGrant(
                grant.json,
                implementation: { _ in ZeroExV1() },
                swapRules: { ZeroExSwapRules(chainID: $0) }
            )
        )
        #expect(read.json == grant.json && read.places.first?.policy.coin == bnb)
        let agent = SigningAgent(
            grant: read,
            key: bench.holder,
            rules: { _ in Policy(source: "policy.toml", coin: bnb) },
            log: MemoryAuditLog(),
            isLocked: true,
            recoverer: Secp256k1(),
            clock: { 0 },
            now: { Bench.now }
        )
        let question = AgentKey.question(
            .transaction(transaction),
            network: "mainnet",
            purpose: "test"
        )
        let message = await agent.answer(question)["error"]?["message"]?.stringValue
        #expect(message?.contains("--max of dex unlock") == true)
        #expect(message?.contains("0.01 BNB") == true)
        // A grant without its coin is none.
        var object = try #require(grant.json.objectValue)
        var place = try #require(object["networks"]?.arrayValue?.first?.objectValue)
        place["coin"] = .null
        object["networks"] = [.object(place)]
        #expect(
            AgentGrant(
                .object(object),
                implementation: { _ in ZeroExV1() },
                swapRules: { ZeroExSwapRules(chainID: $0) }
            ) == nil
        )
    }

    @Test("the limit of tips goes with the key, and no client widens it")
    func agent() async throws {
        let bench = try Bench()
        var policy = Policy(source: "dex unlock", coin: .ether)
        policy.maximumTip = TipLimit(tip: Wei(75 * Self.gwei), price: Wei(500 * Self.gwei))
        policy.perDay = [.ether: Bench.units("0.1")]
        policy.limitsEverything = true
        let grant = AgentGrant(
            account: bench.key.address,
            seconds: 900,
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
        #expect(read.places.first?.policy.maximumTip == policy.maximumTip)
        let agent = SigningAgent(
            grant: read,
            key: bench.holder,
            rules: { _ in Policy(source: "policy.toml", coin: .ether) },
            log: MemoryAuditLog(),
            isLocked: true,
            recoverer: Secp256k1(),
            clock: { 0 },
            now: { Bench.now }
        )
        func code(_ transaction: Transaction) async -> String? {
            let question = AgentKey.question(
                .transaction(transaction),
                network: "mainnet",
                purpose: "test"
            )
            return await agent.answer(question)["error"]?["code"]?.stringValue
        }
        #expect(await code(Self.transaction(Self.dynamic(200, tip: 100))) == "policy")
        #expect(await code(Self.transaction(Self.legacy(600))) == "policy")
        // 0.05 ETH of gas each.
        var codes: [String?] = []
        for nonce in 0..<4 as Range<UInt64> {
            codes.append(await code(Self.transaction(Self.dynamic(500, tip: 75), nonce: nonce)))
        }
        #expect(codes == [nil, nil, "policy", "policy"])
    }
}
