import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("The rules of swaps and Permit2 messages")
struct SwapPolicyTests {
    typealias Bench = SigningBench

    private func rule(
        _ content: SigningRequest.Content,
        slippage: UInt64? = nil,
        _ limit: (inout SigningBench) -> Void
    ) throws -> String? {
        var bench = try SwapBench.bench()
        limit(&bench)
        return bench.refusal(content, slippage: slippage)?.rule
    }

    private static let sale = SigningRequest.Content.transaction(
        SwapBench.transaction(SwapBench.exec())
    )
    private static let permit = SigningRequest.Content.permit(SwapBench.permit())
    private static let permitted = SigningRequest.Content.transaction(
        SwapBench.transaction(SwapBench.paidByPermit, to: SwapBench.settler)
    )

    private func failure(_ body: () async throws(SigningError) -> Void) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @discardableResult
    private func sign(
        _ permit: SwapPermit,
        _ bench: SigningBench
    ) async throws(SigningError) -> Signature {
        try await bench.signer.sign(
            permit: permit,
            chainID: 1,
            terms: SigningTerms(purpose: "permit", genuine: bench.genuine)
        )
    }

    // MARK: Rules

    @Test("a swap and a permit are held against amounts, tokens, contracts and recipients")
    func limits() throws {
        for content in [Self.sale, Self.permit] {
            let trade = { (amount: String) in
                try rule(content) { $0.policy.perTrade = [.token(Bench.zrx): Bench.units(amount)] }
            }
            #expect(try trade("5") == nil)
            #expect(try trade("4.9") == "max_per_trade.ZRX")
            let day = { (amount: String) in
                try rule(content) { $0.policy.perDay = [.token(Bench.zrx): Bench.units(amount)] }
            }
            #expect(try day("5") == nil)
            #expect(try day("4.9") == "max_per_day.ZRX")
            #expect(try rule(content) { $0.policy.tokens = [.token(Bench.weth)] } == "tokens")
            #expect(
                try rule(content) {
                    $0.policy.tokens = [.token(Bench.weth), .token(Bench.zrx)]
                } == nil
            )
            #expect(try rule(content) { $0.policy.recipients = [] } == nil)
            #expect(try rule(content) { $0.policy.networks = ["base"] } == "networks")
            #expect(try rule(content) { $0.policy.spenders = [Bench.exchange] } == "spenders")
        }
        #expect(try rule(Self.sale) { $0.policy.spenders = [SwapBench.holder] } == nil)
        for content in [Self.permit, Self.permitted] {
            // The Settler changes, so that no list has to name it.
            #expect(try rule(content) { $0.policy.spenders = [SwapBench.permit2] } == nil)
            #expect(try rule(content) { $0.policy.spenders = [SwapBench.holder] } == "spenders")
        }
        #expect(try rule(Self.sale, slippage: 101) { $0.policy.maximumSlippage = 100 } != nil)
        #expect(try rule(Self.sale, slippage: 100) { $0.policy.maximumSlippage = 100 } == nil)
        let elsewhere = SigningRequest.Content.transaction(
            SwapBench.transaction(
                SwapBench.exec(SwapBench.execute(recipient: Bench.bob.word))
            )
        )
        #expect(try rule(elsewhere) { $0.policy.recipients = [] } == "recipients")
        #expect(try rule(elsewhere) { $0.policy.recipients = [Bench.bob] } == nil)
    }

    @Test("a call of the venue that is not understood is refused, even if its contract is listed")
    func unread() throws {
        let calls = [
            SwapBench.transaction(SwapBench.exec() + [0]),
            SwapBench.transaction(SwapBench.exec(), ether: "1"),
            SwapBench.transaction([1, 2, 3, 4], to: SwapBench.permit2),
            SwapBench.transaction(
                SwapBench.exec(by: Bench.bob.word, target: Bench.bob.word)
            ),
        ]
        for call in calls {
            let tokens: Set<Asset> = [.ether, .token(Bench.zrx), .token(Bench.weth)]
            let refused = try rule(.transaction(call)) {
                $0.policy.tokens = tokens
                $0.policy.spenders = [SwapBench.holder, SwapBench.permit2]
            }
            #expect(refused == "spenders")
            #expect(try rule(.transaction(call)) { _ in } == nil)
        }
    }

    @Test("an allowance of the venue's contracts counts as the exchange's, with a venue alone")
    func allowances() async throws {
        for spender in [SwapBench.holder, SwapBench.permit2] {
            let approval = Bench.approval(Bench.zrx, Bench.units("3"), of: spender)
            for hasVenue in [true, false] {
                var bench = try SwapBench.bench()
                if !hasVenue { bench.swap = nil }
                try await bench.sign(approval)
                let counted: [Asset: UInt256] =
                    hasVenue ? [:] : [.token(Bench.zrx): Bench.units("3")]
                #expect(try bench.spent() == counted)
            }
            let limited = { (amount: String) in
                try rule(.transaction(approval)) {
                    $0.policy.perTrade = [.token(Bench.zrx): Bench.units(amount)]
                }
            }
            #expect(try limited("3") == nil)
            #expect(try limited("2.9") == "max_per_trade.ZRX")
        }
    }

    @Test("a permit for any other contract, chain or network is refused without any rule")
    func foreignPermits() async throws {
        let changes: [(String, (inout SwapPermit) -> Void)] = [
            ("Permit2 is", { $0.contract = Bench.bob }),
            ("none of the contracts", { $0.spender = Bench.bob }),
            ("anyone can use it", { $0.spender = SwapBench.holder }),
        ]
        let bench = try SwapBench.bench()
        for (words, change) in changes {
            let permit = SwapBench.permit(change: change)
            let error = await failure { () async throws(SigningError) in
                try await sign(permit, bench)
            }
            #expect(error?.code == "foreign-permit")
            #expect(error?.kind == .refused)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            let terms = SigningTerms(purpose: "permit", genuine: bench.genuine)
            #expect(throws: SigningError.self) {
                try bench.signer.check(.permit(permit), terms: terms)
            }
        }
        #expect(try bench.log.lines(since: 0).map(\.event) == [.refused, .refused, .refused])
        let other = SwapBench.permit { $0.chainID = 8453 }
        let chain = await failure { () async throws(SigningError) in try await sign(other, bench) }
        #expect(chain?.code == "wrong-chain")
        #expect(bench.refusal(.permit(other))?.rule == "permits")
        var without = bench
        without.swap = nil
        let lone = without
        let none = await failure { () async throws(SigningError) in
            try await sign(SwapBench.permit(), lone)
        }
        #expect(none?.code == "foreign-permit")
        #expect(none?.message.contains("mainnet has no swap API") == true)
        var unnamed = bench
        unnamed.genuine = []
        let paused = unnamed
        let stranger = await failure { () async throws(SigningError) in
            try await sign(SwapBench.permit(), paused)
        }
        #expect(stranger?.code == "foreign-permit")
    }

    // MARK: Counting

    @Test("a permit and the transaction that uses it count once, until a day after the deadline")
    func once() async throws {
        var bench = try SwapBench.bench()
        let five: [Asset: UInt256] = [.token(Bench.zrx): Bench.units("5")]
        try await sign(SwapBench.permit(), bench)
        #expect(try bench.spent() == five)
        try await bench.sign(
            SwapBench.transaction(SwapBench.paidByPermit, to: SwapBench.settler)
        )
        #expect(try bench.spent() == five)
        #expect(try bench.spent(on: 8453) == [:])
        bench.now = Bench.now + 600 + Policy.day - 1
        #expect(try bench.spent() == five)
        bench.now += 1
        #expect(try bench.spent() == [:])
    }

    @Test("each permit counts, and the day's limit with them and with swaps")
    func day() async throws {
        var bench = try SwapBench.bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("12")]
        try await sign(SwapBench.permit("5", nonce: 1), bench)
        try await bench.sign(SwapBench.transaction(SwapBench.exec()))
        let limited = bench
        // It has the nonce of the transaction, which it does not replace.
        let error = await failure { () async throws(SigningError) in
            try await sign(SwapBench.permit("2.1", nonce: 0), limited)
        }
        #expect(error?.code == "policy")
        try await sign(SwapBench.permit("2", nonce: 0), bench)
        #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("12")])
        let another = await failure { () async throws(SigningError) in
            try await limited.sign(SwapBench.transaction(SwapBench.exec(amount: 1), nonce: 1))
        }
        #expect(another?.code == "policy")
    }

    @Test("a permit that no key signed does not count")
    func failed() async throws {
        var bench = try SwapBench.bench()
        let other = try PrivateKeySigner(key: UInt256(2).word)
        bench.holder = TestKey(bench.key.address) { authorized throws(SigningError) in
            do throws(SignerError) {
                return try await other.sign(digest: authorized.request.digest)
            } catch {
                throw SigningError.signer(error)
            }
        }
        let failing = bench
        let error = await failure { () async throws(SigningError) in
            try await sign(SwapBench.permit(), failing)
        }
        #expect(error?.code == "wrong-signature")
        #expect(try bench.spent() == [:])
    }

    // MARK: The log

    @Test("the audit log says what a permit allows, whom and until when, without its signature")
    func line() async throws {
        let bench = try SwapBench.bench()
        let signature = try await sign(SwapBench.permit(), bench)
        let permit = SwapBench.permit()
        let signer = try Secp256k1().recover(digest: permit.hash, signature: signature)
        #expect(signer == bench.key.address)
        let lines = try bench.log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .signed])
        let json = try #require(lines.first?.json)
        #expect(json["kind"] == "permit")
        #expect(json["purpose"] == "permit")
        #expect(json["chainId"] == 1)
        #expect(json["digest"]?.stringValue == permit.hash.hex)
        #expect(json["to"]?.stringValue == SwapBench.permit2.checksummed)
        #expect(json["spender"]?.stringValue == SwapBench.settler.checksummed)
        #expect(json["expires"]?.stringValue == "1800000600")
        #expect(json["permitNonce"] == "1" && json["nonce"] == nil)
        let paid = try #require(json["paid"]?.arrayValue)
        #expect(
            paid == [
                [
                    "token": .string(Bench.zrx.checksummed),
                    "amount": .string(Bench.units("5").description),
                ]
            ]
        )
        #expect(lines.last?.json["hash"]?.stringValue == permit.hash.hex)
        #expect(
            lines.allSatisfy {
                !String(decoding: $0.json.utf8, as: UTF8.self)
                    .contains(signature.r.hex.dropFirst(2))
            }
        )
    }

    @Test("a permit that is still valid is found behind the lines of other days")
    func oldLine() async throws {
        let folder = try SigningFolder()
        var bench = try SwapBench.bench(log: AuditFile(path: folder.log))
        let valid = SwapBench.permit { $0.deadline = UInt256(Bench.now + 30 * Policy.day) }
        try await sign(valid, bench)
        for nonce in 0..<3 as Range<UInt64> {
            try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: nonce))
        }
        bench.now += 2 * Policy.day
        #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("5")])
        // A deadline that cannot be read stops the count instead of ending it.
        let text = try folder.text()
        let broken = text.replacing("\"expires\":\"1802592000\"", with: "\"expires\":\"soon\"")
        #expect(text != broken)
        try folder.write(broken)
        let later = bench
        #expect(throws: SigningError.self) { try later.spent() }
    }
}
