import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The policy at every signature of a send, an allowance and a call")
struct MoneyPolicyTests {
    private func signer(
        _ market: LiveMarket,
        _ log: MemoryAuditLog,
        _ change: (inout Policy) -> Void
    ) -> AuthorizedSigner {
        var policy = Policy(source: "policy.toml", coin: .ether)
        change(&policy)
        return market.authorized(LocalKey(market.trader), policy: policy, log: log)
    }

    /// Runs, and expects that a rule forbids it and that nothing is signed or written.
    private func expectRefusal<Value>(
        by rule: String,
        _ market: LiveMarket,
        location: SourceLocation = #_sourceLocation,
        _ change: @escaping (inout Policy) -> Void,
        _ body: (AuthorizedSigner) async throws -> Value
    ) async throws {
        let log = MemoryAuditLog()
        let signer = signer(market, log, change)
        let error = await refusal { try await body(signer) }
        #expect(error?.exit == .refused, sourceLocation: location)
        #expect(error?.code == "policy", sourceLocation: location)
        #expect(
            error?.message.hasPrefix("The rule \(rule)") == true,
            "\(error?.message ?? "")",
            sourceLocation: location
        )
        #expect(market.node.sent.isEmpty, sourceLocation: location)
        #expect(try market.journaled().isEmpty, sourceLocation: location)
    }

    @Test("a send is held against amounts, tokens and recipients, ether as well as tokens")
    func sends() async throws {
        let market = try LiveMarket()
        let model = try market.transfers()
        let zrx = Asset.token(TestMarket.zrx)
        let token = try await market.plan(market.send("6", "ZRX"))
        let ether = try await market.plan(market.send("2", "ETH"))
        let someone = market.makers[0].address
        let rules: [(String, Plan<TransferPlan>, (inout Policy) -> Void)] = [
            ("max_per_trade", token, { $0.perTrade = [zrx: TestMarket.units("5")] }),
            ("max_per_trade", ether, { $0.perTrade = [.ether: TestMarket.units("1")] }),
            ("max_per_day", token, { $0.perDay = [zrx: TestMarket.units("5")] }),
            ("tokens", token, { $0.tokens = [.ether] }),
            ("tokens", ether, { $0.tokens = [zrx] }),
            ("recipients", token, { $0.recipients = [someone] }),
            ("recipients", ether, { $0.recipients = [someone] }),
            ("networks", token, { $0.networks = ["mainnet"] }),
            ("max_fee", ether, { $0.maximumFee = Wei(1) }),
        ]
        for (rule, plan, change) in rules {
            try await expectRefusal(by: rule, market, change) { signer in
                try await model.execute(plan, signer: signer)
            }
        }
        let log = MemoryAuditLog()
        let allowed = signer(market, log) {
            $0.recipients = [market.rival.address]
            $0.tokens = [zrx]
            $0.perDay = [zrx: TestMarket.units("6")]
        }
        #expect(try await model.execute(token, signer: allowed).exit == .done)
        let lines = try log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .signed])
        #expect(lines.first?.json["purpose"] == "send")
    }

    // MARK: Allowances that were taken back

    /// Calls `approve` of ZRX for the rival.
    private func approve(
        _ amount: String,
        _ market: LiveMarket,
        _ signer: AuthorizedSigner
    ) async throws -> ExitCode {
        let units = TestMarket.units(amount).description
        let planned = try await market.plan(
            "ZRX",
            "approve(address,uint256)",
            [market.rival.address.checksummed, units]
        )
        return try await market.contracts().execute(planned, signer: signer).exit
    }

    /// The rival takes ZRX that it was allowed.
    private func draw(_ amount: String, _ market: LiveMarket) async throws {
        let call = try ABIFunction("transferFrom(address,address,uint256)").encode([
            .address(market.trader.address), .address(market.rival.address),
            .uint(TestMarket.units(amount)),
        ])
        try await market.send(from: market.rival, to: TestMarket.zrx, call, tip: 50_000_000_000)
    }

    @Test("an allowance that was revoked unused can be given again within the day's amount")
    func revokedUnused() async throws {
        let market = try LiveMarket()
        let log = MemoryAuditLog()
        let signer = signer(market, log) {
            $0.perDay = [.token(TestMarket.zrx): TestMarket.units("5")]
        }
        for _ in 0..<3 {
            #expect(try await approve("5", market, signer) == .done)
            let refused = await refusal { try await approve("1", market, signer) }
            #expect(refused?.code == "policy")
            #expect(try await approve("0", market, signer) == .done)
        }
        let released = try log.lines(since: 0).filter { $0.event == .released }
        let five = JSONValue.string(TestMarket.units("5").description)
        #expect(released.map { $0.json["unused"] } == [five, five, five])
        // What was drawn of it counts on.
        #expect(try await approve("5", market, signer) == .done)
        try await draw("3", market)
        #expect(try await approve("0", market, signer) == .done)
        let refused = await refusal { try await approve("3", market, signer) }
        #expect(refused?.code == "policy")
        #expect(try await approve("2", market, signer) == .done)
    }

    @Test("what is drawn in the block of the revocation, in front of it, is not given back")
    func drawnInFront() async throws {
        let market = try LiveMarket(mining: .manual)
        let log = MemoryAuditLog()
        let signer = signer(market, log) {
            $0.perDay = [.token(TestMarket.zrx): TestMarket.units("5")]
        }
        // The rival is mined in front, in the same block.
        market.node.onSend { number, raw in
            if number == 1 { try await draw("5", market) }
            _ = try await market.chain.send(raw: raw)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        #expect(try await approve("5", market, signer) == .done)
        #expect(try await approve("0", market, signer) == .done)
        #expect(try log.lines(since: 0).last?.json["unused"] == "0")
        let refused = await refusal { try await approve("1", market, signer) }
        #expect(refused?.code == "policy")
    }

    @Test("a node that hides anything about a revocation gives nothing back")
    func hidden() async throws {
        let market = try LiveMarket()
        let log = MemoryAuditLog()
        let signer = signer(market, log) {
            $0.perDay = [.token(TestMarket.zrx): TestMarket.units("5")]
        }
        #expect(try await approve("5", market, signer) == .done)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .logs = read { .failure(.lost) } else { answer }
            }
        }
        #expect(try await approve("0", market, signer) == .done)
        #expect(try log.lines(since: 0).allSatisfy { $0.event != .released })
        let refused = await refusal { try await approve("1", market, signer) }
        #expect(refused?.code == "policy")
    }

    @Test("a call of any contract is held against what its bytes do, whatever it is called")
    func calls() async throws {
        let market = try LiveMarket()
        let model = try market.contracts()
        let rival = market.rival.address.checksummed
        let zrx = Asset.token(TestMarket.zrx)
        let approve = try await market.plan("ZRX", "approve(address,uint256)", [rival, "5"])
        let transfer = try await market.plan("ZRX", "transfer(address,uint256)", [rival, "5"])
        let strange = try await market.plan(
            LiveMarket.heavy.checksummed,
            "totalSupply()(uint256)",
            []
        )
        let rules: [(String, Plan<TransactPlan>, (inout Policy) -> Void)] = [
            ("spenders", approve, { $0.spenders = [TestMarket.proxy] }),
            ("tokens", approve, { $0.tokens = [.ether] }),
            ("max_per_trade", approve, { $0.perTrade = [zrx: 4] }),
            ("max_per_trade", transfer, { $0.perTrade = [zrx: 4] }),
            ("recipients", transfer, { $0.recipients = [] }),
            ("spenders", strange, { $0.spenders = [TestMarket.proxy] }),
        ]
        for (rule, plan, change) in rules {
            try await expectRefusal(by: rule, market, change) { signer in
                try await model.execute(plan, signer: signer)
            }
        }
    }

    @Test("an allowance is held against the rules, and taking it back never is in their way")
    func allowances() async throws {
        let market = try LiveMarket()
        let model = AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let zrx = Asset.token(TestMarket.zrx)
        let set = try await model.plan(
            AllowanceRequest(token: "ZRX", amount: .exactly("6")),
            account: market.trader.address
        )
        try await expectRefusal(by: "tokens", market, { $0.tokens = [.ether] }) { signer in
            try await model.execute(set, signer: signer)
        }
        try await expectRefusal(by: "max_per_trade", market, { $0.perTrade = [zrx: 5] }) {
            signer in
            try await model.execute(set, signer: signer)
        }
        let revoke = try await model.plan(.revoking("ZRX"), account: market.trader.address)
        let strict = signer(market, MemoryAuditLog()) {
            $0.tokens = []
            $0.recipients = []
            $0.spenders = []
            $0.perTrade = [zrx: 0]
        }
        #expect(try await model.execute(revoke, signer: strict).exit == .done)
        #expect(try await market.allowance(TestMarket.zrx) == 0)
    }
}
