import DexSigning
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("What a third party may draw counts as spent")
struct AllowanceLimitTests {
    typealias Bench = SigningBench

    private static let day: UInt64 = 86_400
    private static let thief = Bench.address(0x7F)

    /// A bench where 1 WETH may leave in 24 hours.
    private func bench(_ change: (inout Policy) -> Void = { _ in }) throws -> SigningBench {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.weth): Bench.units("1")]
        change(&bench.policy)
        return bench
    }

    /// The code of the refusal; nil where it was signed.
    private func code(_ bench: SigningBench, _ transaction: Transaction) async -> String? {
        do throws(SigningError) {
            try await bench.sign(transaction)
            return nil
        } catch {
            return error.code
        }
    }

    private func code(_ bench: SigningBench, order draft: OrderDraft) async -> String? {
        do throws(SigningError) {
            _ = try await bench.signer.sign(draft, terms: SigningTerms(purpose: "test"))
            return nil
        } catch {
            return error.code
        }
    }

    private static func approval(
        _ amount: String,
        of spender: Address = thief,
        nonce: UInt64
    ) -> Transaction {
        call(ERC20.approve(spender: spender, amount: Bench.units(amount)), nonce: nonce)
    }

    private static func call(
        _ data: [UInt8],
        of contract: Address = Bench.weth,
        nonce: UInt64 = 0
    ) -> Transaction {
        Bench.transaction(to: contract, data: data, nonce: nonce)
    }

    // MARK: Allowances

    @Test("ten approvals of the day's amount to a thief, each drawn, take it once")
    func thief() async throws {
        let bench = try bench()
        var codes: [String?] = []
        for nonce in 0..<10 as Range<UInt64> {
            codes.append(await code(bench, Self.approval("1", nonce: nonce)))
        }
        #expect(codes == [nil] + [String?](repeating: "policy", count: 9))
        #expect(await code(bench, Bench.transfer(Bench.weth, "0.1", nonce: 1)) == "policy")
    }

    @Test("an unlocked key counts allowances too")
    func agent() async throws {
        let bench = try Bench()
        var policy = Policy(source: "dex unlock", coin: .ether)
        policy.perDay = [.token(Bench.weth): Bench.units("1")]
        policy.limitsEverything = true
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
        var codes: [String?] = []
        for nonce in 0..<3 as Range<UInt64> {
            let answer = await agent.answer(
                AgentKey.question(
                    .transaction(Self.approval("1", nonce: nonce)),
                    network: "mainnet",
                    purpose: "test"
                )
            )
            codes.append(answer["error"]?["code"]?.stringValue)
        }
        #expect(codes == [nil, "policy", "policy"])
    }

    @Test("an allowance can be drawn on any later day, so it counts while it stands")
    func later() async throws {
        var bench = try bench()
        #expect(await code(bench, Self.approval("0.6", nonce: 0)) == nil)
        bench.now += 30 * Self.day
        #expect(await code(bench, Bench.transfer(Bench.weth, "0.5", nonce: 1)) == "policy")
        #expect(await code(bench, Bench.transfer(Bench.weth, "0.4", nonce: 1)) == nil)
    }

    @Test("raised from 0.4 to 0.5 WETH an allowance may be drawn twice: 0.9 WETH")
    func raised() async throws {
        let bench = try bench()
        #expect(await code(bench, Self.approval("0.4", nonce: 0)) == nil)
        #expect(await code(bench, Self.approval("0.7", nonce: 1)) == "policy")
        #expect(await code(bench, Self.approval("0.5", nonce: 1)) == nil)
        #expect(await code(bench, Self.approval("0.2", nonce: 2)) == "policy")
    }

    @Test("what replaces an approval with its nonce counts instead of it")
    func replaced() async throws {
        let bench = try bench()
        #expect(await code(bench, Self.approval("1", nonce: 0)) == nil)
        #expect(await code(bench, Self.approval("0.9", nonce: 0)) == nil)
        #expect(await code(bench, Self.approval("0.1", nonce: 1)) == "policy")
    }

    @Test("a revocation that is only signed gives nothing back: it may fail, or come too late")
    func revoked() async throws {
        var bench = try bench()
        #expect(await code(bench, Self.approval("1", nonce: 0)) == nil)
        #expect(await code(bench, Self.approval("0", nonce: 1)) == nil)
        #expect(await code(bench, Self.approval("1", nonce: 2)) == "policy")
        bench.now += 2 * Self.day
        #expect(await code(bench, Self.approval("1", nonce: 2)) == "policy")
    }

    /// Notes that the thief's allowance was taken back by the transaction of this nonce.
    private func take(
        back unused: String,
        nonce: UInt64,
        _ bench: SigningBench,
        chainID: UInt64 = 1,
        token: Address = Bench.weth,
        spender: Address = thief
    ) throws {
        try bench.signer.note(
            Revocation(
                account: bench.key.address,
                chainID: chainID,
                nonce: nonce,
                token: token,
                spender: spender,
                unused: Bench.units(unused)
            )
        )
    }

    @Test("revoked on the chain and unused, an allowance counts no more")
    func returned() async throws {
        let bench = try bench()
        for nonce in stride(from: 0, to: 20, by: 2) as StrideTo<UInt64> {
            #expect(await code(bench, Self.approval("1", nonce: nonce)) == nil, "\(nonce)")
            #expect(await code(bench, Self.approval("0.1", nonce: nonce + 1)) == "policy")
            #expect(await code(bench, Self.approval("0", nonce: nonce + 1)) == nil)
            try take(back: "1", nonce: nonce + 1, bench)
        }
        #expect(try bench.spent() == [:])
    }

    @Test("what was drawn of it counts for 24 hours after it was revoked")
    func drawn() async throws {
        var bench = try bench()
        #expect(await code(bench, Self.approval("1", nonce: 0)) == nil)
        bench.now += 2 * Self.day
        #expect(await code(bench, Self.approval("0", nonce: 1)) == nil)
        try take(back: "0.3", nonce: 1, bench)
        #expect(await code(bench, Self.approval("0.4", nonce: 2)) == "policy")
        #expect(await code(bench, Self.approval("0.3", nonce: 2)) == nil)
        bench.now += Self.day
        #expect(await code(bench, Self.approval("0.7", nonce: 3)) == nil)
        #expect(await code(bench, Self.approval("0.1", nonce: 4)) == "policy")
    }

    @Test("the last allowance alone can be unused: those before may have been drawn")
    func severalReturned() async throws {
        let bench = try bench()
        #expect(await code(bench, Self.approval("0.4", nonce: 0)) == nil)
        #expect(await code(bench, Self.approval("0.5", nonce: 1)) == nil)
        try take(back: "0.5", nonce: 2, bench)
        #expect(try bench.spent() == [.token(Bench.weth): Bench.units("0.4")])
        // More than was allowed last is none of it.
        #expect(await code(bench, Self.approval("0.2", nonce: 3)) == nil)
        try take(back: "0.6", nonce: 4, bench)
        #expect(try bench.spent() == [.token(Bench.weth): Bench.units("0.4")])
    }

    @Test("an allowance of another account, chain, token, spender or of a later time stays")
    func othersReturned() async throws {
        let bench = try bench()
        #expect(await code(bench, Self.approval("0.4", nonce: 5)) == nil)
        try take(back: "1", nonce: 5, bench)
        try take(back: "1", nonce: 6, bench, chainID: 2)
        try take(back: "1", nonce: 6, bench, token: Bench.zrx)
        try take(back: "1", nonce: 6, bench, spender: Bench.address(0x80))
        #expect(try bench.spent() == [.token(Bench.weth): Bench.units("0.4")])
        try take(back: "1", nonce: 6, bench)
        #expect(try bench.spent() == [:])
    }

    @Test("increases and permits give nothing back at once; a permit never, it can come later")
    func otherGrants() async throws {
        let amount = Bench.units("0.4").word
        let (own, thief, zero) = (Bench.own.word, Self.thief.word, Bytes32.zero)
        let increase = Self.call("increaseAllowance(address,uint256)", [thief, amount])
        let permit = Self.call(
            "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
            [own, thief, amount, zero, zero, zero, zero]
        )
        for (grant, isEnded) in [(increase, true), (permit, false)] {
            var bench = try bench()
            #expect(await code(bench, grant) == nil)
            try take(back: "0.4", nonce: 1, bench)
            #expect(try bench.spent() == [.token(Bench.weth): Bench.units("0.4")])
            bench.now += Self.day
            #expect(try bench.spent().isEmpty == isEnded)
        }
    }

    @Test("what spenders lists is trusted with any amount, and counts nothing")
    func listed() async throws {
        let bench = try bench { $0.spenders = [Self.thief] }
        for nonce in 0..<3 as Range<UInt64> {
            #expect(await code(bench, Self.approval("1", nonce: nonce)) == nil)
        }
    }

    // MARK: Other calls

    private static func call(
        _ signature: StaticString,
        _ words: [Bytes32],
        of contract: Address = Bench.weth
    ) -> Transaction {
        call(ERC20.call(signature) + words.flatMap(\.bytes), of: contract)
    }

    /// Calls that can give the thief 1.5 WETH.
    private static let givesAway: [Transaction] = {
        let amount = Bench.units("1.5").word
        let (own, thief) = (Bench.own.word, Self.thief.word)
        let zero = Bytes32.zero
        return [
            call("increaseAllowance(address,uint256)", [thief, amount]),
            call("increaseApproval(address,uint256)", [thief, amount]),
            call(
                "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                [own, thief, amount, zero, zero, zero, zero]
            ),
            call("transferFrom(address,address,uint256)", [own, thief, amount]),
            call(
                "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
                [own, thief, zero, zero, amount, zero, zero, zero]
            ),
            call("setApprovalForAll(address,bool)", [thief, UInt256(1).word]),
            call("authorizeOperator(address)", [thief]),
            call("transferAndCall(address,uint256)", [thief, amount]),
            call("multicall(bytes[])", [UInt256(32).word, zero]),
            call(
                "approve(address,address,uint160,uint48)",
                [Bench.weth.word, thief, amount, zero],
                of: Bench.address(0x22D4)
            ),
        ]
    }()

    @Test("every other call that can give tokens away counts, or is refused, listed or not")
    func otherCalls() async throws {
        for transaction in Self.givesAway {
            for isListed in [false, true] {
                let bench = try bench { policy in
                    if isListed { policy.spenders = [Bench.weth, Bench.address(0x22D4)] }
                }
                let name = Hex.encode(Array(transaction.data.prefix(4)))
                #expect(await code(bench, transaction) == "policy", "\(name) \(isListed)")
            }
        }
    }

    @Test("an allowance that grows by steps is counted step by step; lowering it is always allowed")
    func steps() async throws {
        let bench = try bench()
        func step(_ signature: StaticString, _ amount: String, _ nonce: UInt64) -> Transaction {
            var call = Self.call(signature, [Self.thief.word, Bench.units(amount).word])
            call.nonce = nonce
            return call
        }
        let increase: StaticString = "increaseAllowance(address,uint256)"
        #expect(await code(bench, step(increase, "0.6", 0)) == nil)
        #expect(await code(bench, step(increase, "0.6", 1)) == "policy")
        #expect(await code(bench, step("decreaseAllowance(address,uint256)", "9", 1)) == nil)
        #expect(await code(bench, step("decreaseApproval(address,uint256)", "9", 2)) == nil)
        #expect(await code(bench, step(increase, "0.5", 3)) == "policy")
    }

    @Test("an unknown call is refused under amounts, even of a contract that spenders lists")
    func unknown() async throws {
        let data: [UInt8] = [1, 2, 3, 4]
        let bench = try bench { $0.spenders = [Bench.bob] }
        #expect(await code(bench, Self.call(data, of: Bench.bob)) == "policy")
        var open = bench
        open.policy.perDay = [:]
        open.policy.recipients = []
        #expect(await code(open, Self.call(data, of: Bench.bob)) == nil)
    }

    // MARK: Orders

    @Test("an order can be filled until it expires, so it counts until a day after that")
    func standingOrder() async throws {
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): Bench.units("5")]
        var draft = Bench.ownOrder("5")
        draft.expiry = UInt256(Bench.now + 3 * Self.day)
        #expect(await code(bench, order: draft) == nil)
        let transfer = Bench.transfer(Bench.zrx, "0.1", nonce: 0)
        for days in [1, 2, 3] as [UInt64] {
            bench.now = Bench.now + days * Self.day
            #expect(await code(bench, transfer) == "policy", "\(days) days")
        }
        bench.now = Bench.now + 4 * Self.day - 1
        #expect(await code(bench, transfer) == "policy")
        bench.now += 1
        #expect(await code(bench, transfer) == nil)
    }
}
