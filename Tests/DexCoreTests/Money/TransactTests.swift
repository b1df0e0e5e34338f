import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Any contract is called in a transaction")
struct TransactTests {
    @Test("a function is called with ether, and its events are told")
    func deposit() async throws {
        let market = try LiveMarket()
        let planned = try await market.plan("WETH", "deposit()", [], value: "1.5")
        // The second reads the state for a run here.
        #expect(market.node.rounds.count == 2)
        let plan = planned.content
        #expect(plan.value.rawValue == TestMarket.units("1.5"))
        #expect(plan.total.rawValue == TestMarket.units("1.5") + plan.gas.maxCost.rawValue)
        #expect(plan.returned.isEmpty)
        #expect(
            plan.steps.first?.summary
                == "call deposit() of WETH \(TestMarket.weth.checksummed) with 1.5 ETH"
        )
        #expect(plan.warnings.isEmpty)
        let outcome = try await market.contracts().execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.events.map(\.contract) == [TestMarket.weth])
        #expect(
            try await market.balance(TestMarket.weth, of: market.trader.address)
                == TestMarket.units("101.5")
        )
        #expect(try market.journaled().map(\.purpose) == ["transact"])
    }

    @Test("what a token's function does is told loudly before, and by its events after")
    func tokenFunctions() async throws {
        let market = try LiveMarket()
        let rival = market.rival.address.checksummed
        let approve = "approve(address spender,uint256 amount)(bool)"
        let approval = try await market.plan("ZRX", approve, [rival, "5"])
        #expect(
            approval.content.warnings
                == [
                    "IT APPROVES: \(rival) may then move 0.000000000000000005 ZRX of this "
                        + "account."
                ]
        )
        #expect(approval.content.values?.map(\.value) == [.bool(true)])
        #expect(approval.content.call.arguments.map(\.name) == ["spender", "amount"])
        let all = try await market.plan("ZRX", approve, [rival, "\(UInt256.max)"])
        #expect(all.content.warnings.first?.contains("move ALL ZRX") == true)
        #expect(
            try await market.plan("ZRX", approve, [rival, "0"]).content.warnings.isEmpty,
            "taking back is harmless"
        )
        let transfer = try await market.plan("ZRX", "transfer(address,uint256)", [rival, "7"])
        #expect(transfer.content.warnings.first?.contains("`dex send`") == true)
        let outcome = try await market.contracts().execute(transfer, signer: market.signer)
        #expect(
            outcome.events.map(\.words) == [
                "0.000000000000000007 ZRX from \(market.trader.address.checksummed) to \(rival)"
            ]
        )
    }

    @Test("a function that answers false in the simulation is exit 10")
    func answersFalse() async throws {
        let market = try LiveMarket()
        let rival = market.rival.address.checksummed
        let much = TestMarket.units("10001").description
        for function in ["transfer(address,uint256)(bool)", "transfer(address,uint256)"] {
            let error = await refusal { try await market.plan("ZRX", function, [rival, much]) }
            #expect(error?.exit == .simulationFailed)
            #expect(error?.message.contains("answers that it did not do it") == true)
        }
    }

    @Test("an unknown contract is warned of, and ether that is not there is refused")
    func unknown() async throws {
        let market = try LiveMarket()
        let heavy = LiveMarket.heavy.checksummed
        let planned = try await market.plan(heavy, "approve(address,uint256)", [heavy, "0"])
        #expect(planned.content.warnings.first?.hasPrefix("Nothing is known of") == true)
        for value in ["10", "11", "99999999999"] {
            let error = await refusal {
                try await market.plan("WETH", "deposit()", [], value: value)
            }
            #expect(error?.code == "insufficient-ether", "\(value)")
        }
        let bad = await refusal { try await market.plan("WETH", "deposit()", [], value: "x") }
        #expect(bad?.code == "bad-amount")
    }

    @Test("what it returns in the simulation and does not fit is a warning")
    func wrongResults() async throws {
        let market = try LiveMarket()
        let rival = market.rival.address.checksummed
        let planned = try await market.plan(
            "ZRX",
            "transfer(address,uint256)(string)",
            [rival, "1"]
        )
        #expect(planned.content.values == nil)
        #expect(planned.content.warnings.contains { $0.contains("does not fit the result types") })
    }

    @Test("one that is mined and reverts is exit 11 with the reason; one in flight is not repeated")
    func ends() async throws {
        let market = try LiveMarket()
        try await market.letRivalMove(TestMarket.weth)
        let rival = market.rival.address.checksummed
        let planned = try await market.plan("WETH", "transfer(address,uint256)", [rival, "9"])
        market.node.onSend { _, _ in
            try await market.rob(TestMarket.weth)
            return .pass
        }
        let outcome = try await market.contracts().execute(planned, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.events.isEmpty)
        #expect(
            outcome.warnings == [
                "The call was mined and reverted: only gas was spent. The contract's reason: "
                    + "\"execution reverted\"."
            ]
        )
        let slow = try LiveMarket(mining: .manual)
        let wrap = try await slow.plan("WETH", "deposit()", [], value: "1")
        #expect(
            try await slow.contracts().execute(wrap, signer: slow.signer).exit == .notMinedYet
        )
        let again = await refusal { try await slow.contracts().execute(wrap, signer: slow.signer) }
        #expect(again?.code == "pending-transaction")
        try await slow.chain.mine()
        let unseen = await refusal { try await slow.contracts().execute(wrap, signer: slow.signer) }
        #expect(unseen?.code == "unacknowledged-transact")
        #expect(unseen?.message.contains("Your previous call of a contract") == true)
    }

    @Test("events are put in words only where they are what they say")
    func eventWords() {
        let a = TestMarket.zrx
        let topic = ERC20.transferTopic
        func event(_ topics: [Bytes32], _ data: [UInt8]) -> String? {
            ContractEvent(contract: a, token: nil, topics: topics, data: data).words
        }
        let amount = UInt256(5).bigEndianBytes
        #expect(event([topic, a.word, a.word], amount)?.contains("5 base units of") == true)
        #expect(event([topic], a.word.bytes + a.word.bytes + amount) != nil, "old tokens")
        #expect(event([topic, a.word], amount) == nil)
        #expect(event([], a.word.bytes + a.word.bytes + amount) == nil)
        #expect(event([topic, UInt256.max.word, a.word], amount) == nil)
        #expect(event([a.word, a.word, a.word], amount) == nil)
        #expect(
            event([ERC20.approvalTopic, a.word, a.word], UInt256.max.bigEndianBytes)?
                .contains("move unlimited") == true
        )
    }
}
