import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Allowances inside Permit2: found, listed, taken back")
struct Permit2GrantTests {
    private static let permit2 = ZeroExSwapContracts.permit2
    private let market: LiveMarket
    private var owner: Address { market.trader.address }
    private var spender: Address { market.rival.address }
    private let end = TestMarket.now + 86_400

    init() throws {
        market = try LiveMarket(LiveMarket.Holdings(allowance: 0, hasPermit2: true))
    }

    // MARK: Calls

    private func allow(
        _ amount: UInt256,
        of token: Address = TestMarket.zrx,
        to spender: Address? = nil,
        until expiration: UInt64? = nil,
        by signer: PrivateKeySigner? = nil
    ) async throws {
        let data = ERC20.call(
            "approve(address,address,uint160,uint48)",
            token.word,
            (spender ?? self.spender).word,
            amount.word,
            UInt256(expiration ?? end).word
        )
        try await market.send(from: signer ?? market.trader, to: Self.permit2, data)
    }

    /// The token lets Permit2 move some of it.
    private func open(_ token: Address = TestMarket.zrx) async throws {
        let data = ERC20.approve(spender: Self.permit2, amount: 9)
        try await market.send(from: market.trader, to: token, data)
    }

    private func list(_ tokens: [String] = [], from block: UInt64? = nil) async throws
        -> AllowancesState
    {
        try await AllowancesModel(
            session: try market.session(),
            journal: market.journal,
            known: KnownAddresses(),
            firstBlock: block
        ).load(owner: owner, tokens: tokens)
    }

    private func model() throws -> RevocationModel {
        RevocationModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan(
        _ subject: RevocationRequest.Subject
    ) async throws -> Plan<RevocationPlan> {
        try await model().plan(
            RevocationRequest(subject, known: KnownAddresses()),
            account: owner
        )
    }

    /// Changes what calls of Permit2 or of a token answer, if they begin with a selector.
    private func answer(
        _ contract: Address,
        _ signature: StaticString,
        with answer: Result<ChainAnswer, ChainError>
    ) {
        let selector = ERC20.call(signature)
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, old in
                if case .call(let call, _) = read, call.to == contract,
                    call.data.starts(with: selector)
                {
                    answer
                } else {
                    old
                }
            }
        }
    }

    private static let allowance: StaticString = "allowance(address,address,address)"

    private static func words(_ numbers: UInt256...) -> [UInt8] {
        numbers.flatMap(\.bigEndianBytes)
    }

    // MARK: The list

    @Test("topics of the events are those of the published contract")
    func topics() {
        #expect(
            Permit2Log.approvalTopic.hex
                == "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b"
        )
        #expect(
            Permit2Log.permitTopic.hex
                == "0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec"
        )
        #expect(
            Permit2Log.lockdownTopic.hex
                == "0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4"
        )
    }

    @Test("an allowance has its amount, its end, and whether the token lets Permit2 move any")
    func listed() async throws {
        try await allow(70)
        try await allow(Permit2Terms.unlimited, of: TestMarket.weth, to: market.makers[0].address)
        try await open()
        for block in [nil, 0] as [UInt64?] {
            let state = try await list(from: block)
            #expect(state.rows.isEmpty)
            // The token's own allowance to Permit2 is one of the others.
            #expect(state.others.map(\.spender) == [Self.permit2])
            #expect(state.others.map(\.name) == ["Permit2"])
            let zrx = try #require(state.permit2.first { $0.token.symbol == "ZRX" })
            #expect(zrx.allowance == 70 && zrx.spender == spender && zrx.name == nil)
            #expect(zrx.permit2 == Permit2Terms(expiration: end, tokenAllowance: 9))
            #expect(zrx.permit2?.isUsable == true)
            let weth = try #require(state.permit2.first { $0.token.symbol == "WETH" })
            #expect(weth.allowance == Permit2Terms.unlimited)
            #expect(weth.permit2?.isUsable == false)
            #expect(state.permit2.count == 2 && state.warnings.isEmpty)
        }
        let named = try await list(["WETH"])
        #expect(named.permit2.map(\.token.symbol) == ["WETH"])
    }

    @Test("an expired one, one of zero and one of somebody else are none")
    func ended() async throws {
        try await allow(70, until: TestMarket.now - 1)
        try await allow(0, of: TestMarket.weth)
        try await allow(5, of: LiveMarket.usdt, by: market.rival)
        #expect(try await list().permit2.isEmpty)
        #expect(try await plan(.all).content.steps.isEmpty)
    }

    @Test("what dex approved itself is found by the journal, also without any event")
    func journal() async throws {
        let planned = try await market.plan(
            Self.permit2.checksummed,
            "approve(address,address,uint160,uint48)",
            [
                TestMarket.zrx.checksummed, spender.checksummed, "70", String(end),
            ]
        )
        #expect(try await market.contracts().execute(planned, signer: market.signer).exit == .done)
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .logs = read {
                    .failure(.rpc(code: -32_005, message: "query returned more than 10000 results"))
                } else {
                    answer
                }
            }
        }
        let state = try await list()
        #expect(state.permit2.map(\.allowance) == [70])
        #expect(state.warnings.count == 1)
        #expect(state.warnings.first?.contains("in tokens and in Permit2: --from-block") == true)
        let pieces = try await list(from: 0)
        #expect(pieces.permit2.map(\.allowance) == [70])
        #expect(pieces.warnings.first?.hasPrefix("Not all Approval events could be read") == true)
    }

    @Test("the events are asked of the node once, however often they are searched at one block")
    func askedOnce() async throws {
        try await allow(70)
        let model = AllowancesModel(
            session: try market.session(),
            journal: market.journal,
            known: KnownAddresses()
        )
        for _ in 0..<2 {
            #expect(try await model.load(owner: owner).permit2.map(\.allowance) == [70])
        }
        let asked = market.node.rounds.joined().count { if case .logs = $0 { true } else { false } }
        #expect(asked == 1)
    }

    // MARK: Nodes that lie

    @Test("logs of other owners and contracts, repeated and cut ones change nothing")
    func lyingLogs() async throws {
        try await allow(70)
        let (owner, spender) = (owner, spender)
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .logs = read, case .success(.logs(let logs)) = answer,
                    let good = logs.first
                else { return answer }
                func log(
                    _ topics: [Bytes32],
                    at address: Address = Self.permit2,
                    data: [UInt8] = good.data
                ) -> Log {
                    Log(address: address, topics: topics, data: data, blockNumber: 1)
                }
                let maker = TestMarket.address("0x00000000000000000000000000000000000000aa")
                let approval = Permit2Log.approvalTopic
                let dirty = Bytes32(bytes: [UInt8](repeating: 0xFF, count: 32)) ?? .zero
                return .success(
                    .logs(
                        logs + [good, good] + [
                            log([approval, maker.word, TestMarket.zrx.word, spender.word]),
                            log(
                                [approval, owner.word, TestMarket.weth.word, spender.word],
                                at: maker
                            ),
                            log([approval, owner.word, TestMarket.weth.word]),
                            log([approval, owner.word, dirty, spender.word]),
                            log([approval, owner.word, TestMarket.weth.word, dirty]),
                            log(
                                [approval, owner.word, TestMarket.weth.word, spender.word],
                                data: []
                            ),
                            log([Permit2Log.lockdownTopic, owner.word], data: [1, 2, 3]),
                            log([]),
                        ]
                    )
                )
            }
        }
        let state = try await list()
        #expect(state.permit2.map(\.allowance) == [70])
        #expect(state.permit2.map(\.token.symbol) == ["ZRX"])
        #expect(state.others.isEmpty && state.warnings.isEmpty)
    }

    @Test("events of more pairs than are read are a warning, and those that are nothing are none")
    func flood() async throws {
        let owner = owner
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .logs = read else { return answer }
                return .success(
                    .logs(
                        (0..<2_100).map { number in
                            Log(
                                address: Self.permit2,
                                topics: [
                                    Permit2Log.approvalTopic, owner.word, TestMarket.zrx.word,
                                    UInt256(UInt64(number + 1)).word,
                                ],
                                data: Self.words(1, 2)
                            )
                        }
                    )
                )
            }
        }
        let state = try await list()
        #expect(state.permit2.isEmpty)
        #expect(
            state.warnings == [
                "The account has allowed in Permit2 2100 pairs of a token and a spender; 2000 of "
                    + "them were read."
            ]
        )
    }

    @Test(
        "an answer that is too short, too long, dirty or a revert is unknown, never none",
        arguments: [
            [], [0, 0, 0], Self.words(0, 0), Self.words(0, 0, 0, 0),
            Self.words(UInt256(1) << 160, UInt256(TestMarket.now + 9), 0),
            Self.words(5, UInt256(1) << 48, 0), Self.words(5, .max, 0),
            Self.words(5, UInt256(TestMarket.now + 9), UInt256(1) << 48), nil,
        ] as [[UInt8]?]
    )
    func unread(_ answer: [UInt8]?) async throws {
        try await allow(70)
        self.answer(
            Self.permit2,
            Self.allowance,
            with: answer.map { .success(.bytes($0)) }
                ?? .failure(.reverted(data: [], message: "execution reverted"))
        )
        let state = try await list()
        #expect(state.permit2.map(\.allowance) == [nil])
        #expect(state.permit2.first?.permit2?.expiration == nil)
        #expect(
            state.warnings
                == ["1 allowance inside Permit2 could not be read: unknown, not zero."]
        )
        // It is taken back all the same, and that is not taken as proven.
        let planned = try await plan(.all)
        #expect(planned.content.grants.map(\.allowance) == [nil])
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.allowances == [nil])
        #expect(outcome.exit == .filledLess)
        #expect(outcome.warnings == ["Not every allowance could be read again."])
    }

    @Test("a node that gives no answer at all is an error")
    func noAnswer() async throws {
        try await allow(70)
        answer(Self.permit2, Self.allowance, with: .failure(.lost))
        #expect(await refusal { try await list() }?.exit == .unreachable)
    }

    @Test("a chain without Permit2 has none of its allowances; an unread code is no such chain")
    func absent() async throws {
        try await allow(70)
        for (code, count) in [
            (.success(.bytes([])), 0), (.failure(.rpc(code: -32_000, message: "no")), 1),
        ] as [(Result<ChainAnswer, ChainError>, Int)] {
            market.node.onRead { reads, answers in
                zip(reads, answers).map { read, answer in
                    if case .code(Self.permit2, _) = read { code } else { answer }
                }
            }
            #expect(try await list().permit2.count == count)
        }
    }

    @Test("a token that reverts is unknown beside a good one")
    func revertingToken() async throws {
        try await allow(70)
        try await allow(5, of: TestMarket.weth)
        try await open(TestMarket.weth)
        answer(
            TestMarket.zrx,
            "allowance(address,address)",
            with: .failure(.reverted(data: [], message: "paused"))
        )
        let state = try await list()
        #expect(state.permit2.count == 2)
        for grant in state.permit2 {
            #expect(grant.permit2?.isUsable == (grant.token.symbol == "ZRX" ? nil : true))
            #expect(grant.allowance == (grant.token.symbol == "ZRX" ? 70 : 5))
        }
        // The one token is left as it is, and Permit2 is locked down.
        let one = try await plan(.one(token: "ZRX", spender: spender))
        #expect(one.content.steps.count == 1)
        #expect(one.content.warnings.contains { $0.contains("unknown, and left as it is") })
    }

    // MARK: Taking back

    @Test("all inside Permit2 end by one transaction, whatever their tokens and spenders")
    func revokeAll() async throws {
        try await allow(70)
        try await allow(80, to: market.makers[0].address)
        try await allow(Permit2Terms.unlimited, of: TestMarket.weth)
        try await open()
        let planned = try await plan(.all)
        #expect(planned.content.grants.count == 4)
        #expect(planned.content.steps.map(\.purpose) == [.resetAllowance, .resetAllowance])
        let summary = planned.content.steps.first?.summary
        #expect(summary?.hasPrefix("set 3 allowances inside Permit2") == true)
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.allowances == [0, 0, 0, 0])
        #expect(outcome.transactions.count == 2)
        #expect(try market.journaled().map(\.purpose) == ["reset-allowance", "reset-allowance"])
        let after = try await list()
        #expect(after.permit2.isEmpty && after.others.isEmpty)
        // The journal names pairs, and no event; they are nothing now.
        #expect(try await plan(.all).content.steps.isEmpty)
    }

    @Test("one spender's allowances of a token end together, inside the token and inside Permit2")
    func revokeOne() async throws {
        try await allow(70)
        try await allow(80, to: market.makers[0].address)
        let only = try await plan(.one(token: "ZRX", spender: spender))
        #expect(only.content.steps.count == 1)
        #expect(only.content.grants.map(\.allowance) == [70])
        try await market.letRivalMove(TestMarket.zrx)
        let both = try await plan(.one(token: "ZRX", spender: spender))
        #expect(both.content.steps.count == 2)
        let outcome = try await model().execute(both, signer: market.signer)
        #expect(outcome.exit == .done && outcome.allowances == [0, 0])
        #expect(try await list().permit2.map(\.allowance) == [80])
    }

    @Test("a lockdown that does not take away is not told as done")
    func notTaken() async throws {
        try await allow(70)
        let planned = try await plan(.all)
        answer(
            Self.permit2,
            Self.allowance,
            with: .success(.bytes(Self.words(70, UInt256(end), 0)))
        )
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.allowances == [70])
    }

    @Test("a lockdown that fails is left out beside others, and an error alone")
    func failingLockdown() async throws {
        try await allow(70)
        try await market.letRivalMove(TestMarket.zrx)
        answer(
            Self.permit2,
            "lockdown((address,address)[])",
            with: .failure(.reverted(data: [], message: "no"))
        )
        for subject in [
            .all, .one(token: "ZRX", spender: spender),
        ] as [RevocationRequest.Subject] {
            let planned = try await plan(subject)
            #expect(planned.content.steps.count == 1)
            #expect(planned.content.grants.allSatisfy { $0.permit2 == nil })
            #expect(
                planned.content.warnings.contains {
                    $0.hasPrefix("1 of the allowances inside Permit2 are left out: ")
                }
            )
        }
        let back = ERC20.approve(spender: spender, amount: 0)
        try await market.send(from: market.trader, to: TestMarket.zrx, back)
        let error = await refusal { try await plan(.one(token: "ZRX", spender: spender)) }
        #expect(error?.exit == .simulationFailed)
    }

    @Test("rules that allow nothing else allow a lockdown")
    func policy() async throws {
        try await allow(70)
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.spenders = []
        policy.limitsEverything = true
        let signer = market.authorized(LocalKey(market.trader), policy: policy)
        let outcome = try await model().execute(try await plan(.all), signer: signer)
        #expect(outcome.exit == .done)
    }
}
