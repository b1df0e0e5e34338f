import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Grants by typed data count in full, whoever may use them")
struct GrantPolicyTests {
    typealias Bench = SigningBench
    typealias Typed = TypedDataBench

    private static let open = [
        ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.shanghaiAllowanceHolder,
        ZeroExSwapContracts.permit2,
        Address(truncating: UInt256(0xca11_bde0_5977_b363_1167_0288_62be_2a17_3976_ca11).word),
    ]

    private func rule(
        _ data: TypedData,
        _ change: (inout SigningBench) -> Void = { _ in }
    ) throws -> String? {
        var bench = try SwapBench.bench()
        change(&bench)
        return bench.refusal(.typedData(data))?.rule
    }

    /// Every kind that lets a contract take tokens by a signed message: 5 units of WETH for each.
    private func grants(
        of amount: UInt256 = 5,
        to spender: Address
    ) throws -> [String: TypedData] {
        let parts = [(token: Bench.weth, amount: amount)]
        return [
            "transfer": try Typed.transfers(parts, to: spender, isBatch: false),
            "witness": try Typed.transfers(parts, to: spender, isBatch: false, hasWitness: true),
            "batch": try Typed.transfers(parts, to: spender),
            "batch witness": try Typed.transfers(parts, to: spender, hasWitness: true),
            "single": try Typed.allowances(parts, to: spender, isBatch: false),
            "allowances": try Typed.allowances(parts, to: spender),
            "authorization": try Typed.authorization(of: Bench.weth, amount, to: spender),
            "receive": try Typed.authorization(
                of: Bench.weth,
                amount,
                to: spender,
                isReceivers: true
            ),
        ]
    }

    // MARK: Contracts that act for anyone

    @Test("a grant to a contract that anyone can use is refused by every key and without any rule")
    func openSpenders() async throws {
        for spender in Self.open {
            var all = try grants(to: spender)
            all["DAI"] = try Typed.permit(of: Bench.usdc, nil, to: spender)
            for (name, data) in all {
                #expect(try rule(data) == "grants", "\(name)")
                #expect(
                    try rule(data) {
                        $0.swap = nil
                        $0.policy.spenders = [spender]
                        $0.policy.typedData = [spender, ZeroExSwapContracts.permit2, Bench.weth]
                        $0.policy.perTrade = [.token(Bench.weth): .max]
                    } == "grants",
                    "\(name)"
                )
            }
        }
        let bench = try SwapBench.bench()
        let data = try Typed.transfers([(Bench.weth, 1)], to: SwapBench.holder, isBatch: false)
        let error = await #expect(throws: SigningError.self) {
            try await bench.signer.sign(typedData: data)
        }
        #expect(error?.code == "open-grant" && error?.kind == .refused)
        #expect(error?.message.contains("anyone can use it") == true)
        #expect(try bench.log.lines(since: 0).map(\.event) == [.refused])
    }

    @Test("EIP-2612 for those contracts is an allowance in the token, as approve is")
    func allowanceInToken() throws {
        for spender in [SwapBench.holder, SwapBench.permit2] {
            let data = try Typed.permit(of: Bench.weth, 5, to: spender)
            #expect(try rule(data) == nil)
            #expect(try rule(data) { $0.policy.perDay = [.token(Bench.weth): 5] } == nil)
            #expect(
                try rule(data) { $0.policy.perDay = [.token(Bench.weth): 4] }
                    == "max_per_day.WETH"
            )
        }
        // A registry, or a client of an unlocked key, that names one as genuine lies.
        for spender in Self.open {
            var bench = try SwapBench.bench()
            bench.genuine = [spender]
            let permit = SwapBench.permit { $0.spender = spender }
            let refusal = bench.refusal(.permit(permit))
            #expect(refusal?.rule == "permits")
            #expect(refusal?.reason.contains("anyone can use it") == true)
        }
    }

    // MARK: Trust

    @Test("no trust in a spender makes a grant free: neither spenders nor the network's contracts")
    func trusted() throws {
        for spender in [Bench.proxy, Bench.exchange, Typed.spender] {
            for (name, data) in try grants(to: spender) {
                for (limit, expected) in [(5, nil), (4, "WETH")] as [(UInt256, String?)] {
                    #expect(
                        try rule(data) {
                            $0.policy.spenders = [spender]
                            $0.policy.perTrade = [.token(Bench.weth): limit]
                        } == expected.map { "max_per_trade.\($0)" },
                        "\(name)"
                    )
                    #expect(
                        try rule(data) {
                            $0.policy.spenders = [spender]
                            $0.policy.perDay = [.token(Bench.weth): limit]
                        } == expected.map { "max_per_day.\($0)" },
                        "\(name)"
                    )
                }
                #expect(
                    try rule(data) {
                        $0.policy.spenders = [spender]
                        $0.policy.limitsEverything = true
                    } == "max_per_trade",
                    "\(name)"
                )
            }
            for amount in [UInt256.max, UInt256(1) << 160 &- 1] {
                let unlimited = try Typed.transfers([(Bench.weth, amount)], to: spender)
                #expect(
                    try rule(unlimited) {
                        $0.policy.spenders = [spender]
                        $0.policy.perTrade = [.token(Bench.weth): Bench.units("1")]
                    } == "max_per_trade.WETH"
                )
            }
            // DAI's permit is for everything.
            let dai = try Typed.permit(of: Bench.weth, nil, to: spender)
            #expect(
                try rule(dai) {
                    $0.policy.spenders = [spender]
                    $0.policy.perDay = [.token(Bench.weth): Bench.units("1000000")]
                } == "max_per_day.WETH"
            )
            // EIP-2612 is inside the token: `spenders` trusts it with any amount.
            let permit = try Typed.permit(of: Bench.weth, .max, to: spender)
            #expect(
                try rule(permit) {
                    $0.policy.spenders = [spender]
                    $0.policy.perTrade = [.token(Bench.weth): 1]
                } == nil
            )
        }
    }

    @Test("a grant may go to anyone, so recipients must list its spender, whatever spenders lists")
    func recipients() throws {
        for (name, data) in try grants(to: Typed.spender) {
            #expect(
                try rule(data) {
                    $0.policy.spenders = [Typed.spender]
                    $0.policy.recipients = []
                } == "recipients",
                "\(name)"
            )
            #expect(try rule(data) { $0.policy.recipients = [Typed.spender] } == nil, "\(name)")
        }
        let permit = try Typed.permit(of: Bench.weth, 5, to: Typed.spender)
        #expect(
            try rule(permit) {
                $0.policy.spenders = [Typed.spender]
                $0.policy.recipients = []
            } == nil
        )
    }

    // MARK: Batches

    @Test("the parts of a batch are summed for each token")
    func sums() throws {
        let fifty = (0..<50).map { _ in (token: Bench.weth, amount: Bench.units("1")) }
        let mixed =
            fifty.prefix(3) + [(Bench.zrx, Bench.units("7"))] + fifty.prefix(2)
        for isListed in [false, true] {
            func limit(_ amount: String, _ asset: Address = Bench.weth) -> (inout SigningBench) ->
                Void
            {
                {
                    $0.policy.perTrade = [.token(asset): Bench.units(amount)]
                    if isListed { $0.policy.spenders = [Typed.spender] }
                }
            }
            for make in [
                { try Typed.transfers($0, to: Typed.spender) },
                { try Typed.transfers($0, to: Typed.spender, hasWitness: true) },
                { try Typed.allowances($0, to: Typed.spender) },
            ] as [([(token: Address, amount: UInt256)]) throws -> TypedData] {
                #expect(try rule(make(fifty), limit("1")) == "max_per_trade.WETH")
                #expect(try rule(make(fifty), limit("49.999")) == "max_per_trade.WETH")
                #expect(try rule(make(fifty), limit("50")) == nil)
                #expect(try rule(make(Array(mixed)), limit("5")) == nil)
                #expect(try rule(make(Array(mixed)), limit("4.9")) == "max_per_trade.WETH")
                #expect(
                    try rule(make(Array(mixed)), limit("6.9", Bench.zrx)) == "max_per_trade.ZRX"
                )
                // A sum beyond 256 bits is no small sum.
                let huge = [(token: Bench.weth, amount: UInt256(1) << 160 &- 1)] + fifty
                #expect(try rule(make(huge), limit("50")) == "max_per_trade.WETH")
            }
        }
    }

    // MARK: EIP-3009

    @Test("a transfer by EIP-3009 is a transfer: amounts, tokens and the receiver count")
    func authorization() async throws {
        for isReceivers in [false, true] {
            let data = try Typed.authorization(
                of: Bench.weth,
                5,
                to: Bench.bob,
                isReceivers: isReceivers
            )
            #expect(try rule(data) { $0.policy.recipients = [] } == "recipients")
            #expect(try rule(data) { $0.policy.recipients = [Bench.bob] } == nil)
            #expect(try rule(data) { $0.policy.tokens = [.token(Bench.zrx)] } == "tokens")
            #expect(try rule(data) { $0.policy.spenders = [] } == nil)
            // Of another account's tokens, and of no chain, nobody knows what it does.
            let foreign = try Typed.authorization(
                of: Bench.weth,
                5,
                to: Bench.bob,
                owner: Bench.bob,
                isReceivers: isReceivers
            )
            #expect(try rule(foreign) { $0.policy.perTrade = [.token(Bench.weth): .max] } != nil)
        }
        let folder = try SigningFolder()
        var bench = try Bench(log: AuditFile(path: folder.log))
        let end = Bench.now + 10 * Policy.day
        _ = try await bench.signer.sign(
            typedData: try Typed.authorization(of: Bench.weth, 5, to: Bench.bob, before: end)
        )
        let json = try #require(try bench.log.lines(since: 0).first?.json)
        #expect(json["function"] == "transfer-authorization")
        #expect(json["expires"]?.stringValue == String(end))
        for nonce in 0..<3 as Range<UInt64> {
            try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: nonce))
        }
        bench.now = end + Policy.day - 1
        #expect(try bench.spent() == [.token(Bench.weth): 5])
        bench.now += 1
        #expect(try bench.spent() == [:])
    }

    // MARK: What stays unread

    @Test("typed_data allows nothing unread of a token that a rule names")
    func unreadTokens() throws {
        for contract in [Bench.weth, Bench.zrx] {
            let data = try Typed.data(
                ["PermitForAll(address owner,address spender)"],
                "PermitForAll",
                Typed.Domain(contract: contract),
                [.address(Bench.own), .address(Typed.spender)]
            )
            let limits: [(inout SigningBench) -> Void] = [
                { $0.policy.perTrade = [.token(contract): .max] },
                { $0.policy.perDay = [.token(contract): .max] },
                { $0.policy.tokens = [.token(contract)] },
            ]
            for limit in limits {
                #expect(
                    try rule(data) {
                        limit(&$0)
                        $0.policy.typedData = [contract]
                    } == "spenders"
                )
            }
        }
    }

    // MARK: Counting

    @Test("the log keeps who can draw what, and a trusted spender frees no grant of the day")
    func counted() async throws {
        let folder = try SigningFolder()
        for log in [MemoryAuditLog(), AuditFile(path: folder.log)] as [any AuditLog] {
            var bench = try SwapBench.bench(log: log)
            bench.policy.perDay = [.token(Bench.weth): Bench.units("3")]
            bench.policy.spenders = [Typed.spender]
            let one = [(token: Bench.weth, amount: Bench.units("1"))]
            let messages = [
                try Typed.transfers(one, to: Typed.spender),
                try Typed.allowances(one, to: Typed.spender, isBatch: false),
                try Typed.permit(of: Bench.weth, .max, to: Typed.spender),
                try Typed.transfers(one, to: Typed.spender, isBatch: false),
            ]
            for data in messages { _ = try await bench.signer.sign(typedData: data) }
            let full = bench
            let error = await #expect(throws: SigningError.self) {
                try await full.signer.sign(
                    typedData: try Typed.allowances(
                        [(Bench.weth, 1)],
                        to: Typed.spender,
                        isBatch: false
                    )
                )
            }
            #expect(error?.code == "policy")
            let approvals = try log.lines(since: 0).compactMap {
                $0.json["approvals"]?.arrayValue?.first?["by"]?.stringValue
            }
            #expect(approvals == ["grant", "grant", "allowance", "grant", "grant"])
        }
    }

    @Test("typed data with an end of its own is found behind the lines of other days")
    func oldOrders() async throws {
        let folder = try SigningFolder()
        var bench = try Bench(log: AuditFile(path: folder.log))
        bench.now = Typed.deadline - 3 * Policy.day
        _ = try await bench.signer.sign(typedData: try Typed.limitOrder())
        for nonce in 0..<3 as Range<UInt64> {
            try await bench.sign(Bench.transfer(Bench.weth, "1", nonce: nonce))
        }
        bench.now = Typed.deadline - 60
        #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("5")])
    }

    @Test("a line of an earlier version, which does not say who draws, is taken as anyone's")
    func earlierLines() async throws {
        let folder = try SigningFolder()
        let bench = try Bench(log: AuditFile(path: folder.log))
        let data = try Typed.permit(of: Bench.weth, 5, to: Bench.proxy)
        _ = try await bench.signer.sign(typedData: data)
        #expect(try bench.spent() == [:])
        let text = try folder.text()
        let earlier = text.replacing(#","by":"allowance""#, with: "")
        #expect(text != earlier)
        try folder.write(earlier)
        #expect(try bench.spent() == [.token(Bench.weth): 5])
        try folder.write(text.replacing(#""by":"allowance""#, with: #""by":"nobody""#))
        #expect(throws: SigningError.self) { try bench.spent() }
    }

    // MARK: An unlocked key

    @Test("an unlocked key signs no message for the AllowanceHolder, and no batch beyond its limit")
    func agent() async throws {
        let bench = try SwapBench.bench()
        var policy = Policy(source: "dex unlock", coin: .ether)
        policy.perTrade = [.token(Bench.weth): Bench.units("1")]
        policy.perDay = policy.perTrade
        policy.limitsEverything = true
        for contracts in [nil, [SwapBench.holder, SwapBench.permit2, Typed.spender]]
            as [Set<Address>?]
        {
            policy.spenders = contracts
            let agent = SigningAgent(
                grant: AgentGrant(
                    account: bench.key.address,
                    seconds: 900,
                    places: [AgentGrant.Place(scope: bench.scope, policy: policy)]
                ),
                key: bench.holder,
                rules: { _ in Policy(source: "policy.toml", coin: .ether) },
                log: MemoryAuditLog(),
                isLocked: true,
                recoverer: Secp256k1(),
                clock: { 0 },
                now: { Bench.now }
            )
            func code(_ data: TypedData) async -> String? {
                let question = AgentKey.question(
                    .typedData(data),
                    network: "mainnet",
                    purpose: "test",
                    genuine: [SwapBench.holder]
                )
                return await agent.answer(question)["error"]?["code"]?.stringValue
            }
            let one = [(token: Bench.weth, amount: Bench.units("1"))]
            for _ in 0..<10 {
                let holder = try Typed.transfers(one, to: SwapBench.holder, isBatch: false)
                #expect(await code(holder) == "open-grant")
            }
            let many = Array(repeating: one[0], count: 50)
            #expect(await code(try Typed.transfers(many, to: Typed.spender)) == "policy")
            let all = [(token: Bench.weth, amount: UInt256.max)]
            #expect(await code(try Typed.transfers(all, to: Typed.spender)) == "policy")
            #expect(await code(try Typed.transfers(one, to: Typed.spender)) == nil)
            #expect(await code(try Typed.transfers(one, to: Typed.spender)) == "policy")
        }
    }
}
