import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("Screens and JSON of sends, allowances and contract calls")
struct MoneyScreenTests {
    /// Drawn by `ScreenTests` at 80 columns, and at every other width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("send-plan", { TransferPlanView(plan: Fixtures.sendPlan).lines($0) }),
        (
            "send-plan-by-name",
            { screen in
                var plan = Fixtures.sendPlan
                plan.recipientName = "ledger"
                return TransferPlanView(plan: plan).lines(screen)
            }
        ),
        ("wrap-plan", { TransferPlanView(plan: Fixtures.wrapPlan).lines($0) }),
        (
            "send-outcome",
            {
                let plan = Fixtures.sendPlan
                return TransferOutcomeView(
                    outcome: Fixtures.transferOutcome(
                        plan,
                        .send,
                        .confirmed,
                        received: plan.amount,
                        .done
                    )
                ).lines($0)
            }
        ),
        (
            "send-outcome-less",
            {
                TransferOutcomeView(
                    outcome: Fixtures.transferOutcome(
                        Fixtures.sendPlan,
                        .send,
                        .confirmed,
                        received: Fixtures.milli(1_485),
                        .less,
                        ["Of 1.5 ZRX only 1.485 ZRX arrived: the token kept the rest."]
                    )
                ).lines($0)
            }
        ),
        (
            "wrap-outcome",
            {
                TransferOutcomeView(
                    outcome: Fixtures.transferOutcome(
                        Fixtures.wrapPlan,
                        .wrap,
                        .confirmed,
                        received: Fixtures.milli(2_000),
                        .done
                    )
                ).lines($0)
            }
        ),
        ("balance-worth", { BalanceView(Fixtures.valuedBalance(.coin(.ether))).lines($0) }),
        (
            "balance-worth-usdc",
            { BalanceView(Fixtures.valuedBalance(.token(Fixtures.usdc))).lines($0) }
        ),
        ("allowances", { AllowancesView(Fixtures.allowances).lines($0) }),
        (
            "allowance-plan",
            { AllowancePlanView(plan: Fixtures.allowancePlan(.max)).lines($0) }
        ),
        (
            "allowance-outcome",
            {
                AllowanceOutcomeView(
                    outcome: AllowanceOutcome(
                        plan: Fixtures.allowancePlan(7_500_000),
                        transactions: [
                            Fixtures.sent(.resetAllowance, .confirmed),
                            Fixtures.sent(.approve, .confirmed),
                        ],
                        allowance: 7_500_000,
                        warnings: [],
                        ending: .done
                    )
                ).lines($0)
            }
        ),
        (
            "allowance-already",
            {
                AllowanceOutcomeView(
                    outcome: AllowanceOutcome(unchanged: Fixtures.allowancePlan(0, hasSteps: false))
                ).lines($0)
            }
        ),
        (
            "call",
            {
                ContractReadView(
                    Fixtures.contractRead([
                        Fixtures.value("price", "uint256", .uint(1_500)),
                        Fixtures.value(nil, "string", .string("\u{1B}[2Ja,b")),
                        Fixtures.value("parts", "uint8[]", .array([.uint(1), .uint(2)])),
                    ])
                ).lines($0)
            }
        ),
        ("transact-plan", { TransactPlanView(plan: Fixtures.transactPlan).lines($0) }),
        ("transact-unread", { TransactPlanView(plan: Fixtures.unreadCallPlan).lines($0) }),
        ("transact-outcome", { TransactOutcomeView(outcome: Fixtures.transactOutcome).lines($0) }),
    ]

    private let screen = Screen(width: 80, style: .plain, now: Fixtures.now)

    @Test("a single value stands alone on its line, so that it can be handed on")
    func singleValue() {
        let named = Fixtures.contractRead([Fixtures.value("balance", "uint256", .uint(1_500))])
        #expect(ContractReadView(named).lines(screen) == ["1500"])
        let raw = ContractReadView(Fixtures.contractRead(nil)).lines(screen)
        #expect(raw == ["0x" + String(repeating: "0", count: 63) + "7"])
    }

    @Test(
        "each way to end has its own first line",
        arguments: [
            (TransactionStage.confirmed, Ending.less, "Mined, but nothing was moved"),
            (.reverted, .reverted, "Mined and reverted: nothing was moved"),
            (.pooled, .notMinedYet, "Sent, not mined yet"),
            (.dropped, .replacedOrDropped, "Replaced or dropped"),
            (.replaced, .replacedOrDropped, "Replaced or dropped"),
        ]
    )
    func headlines(stage: TransactionStage, ending: Ending, title: String) {
        let outcome = Fixtures.transferOutcome(
            Fixtures.sendPlan,
            .send,
            stage,
            received: 0,
            ending
        )
        #expect(TransferOutcomeView(outcome: outcome).lines(screen).first == title)
    }

    @Test("what arrived and could not be read is neither nothing nor a part")
    func unreadReceived() {
        let outcome = Fixtures.transferOutcome(
            Fixtures.sendPlan,
            .send,
            .confirmed,
            received: nil,
            .less
        )
        let title = "Mined, but what arrived could not be read"
        #expect(TransferOutcomeView(outcome: outcome).lines(screen).first == title)
        #expect(MoneyJSON.outcome(outcome)["outcome"]?["received"]?.isNull == true)
    }

    @Test("without any allowance the list says so, with the contract")
    func noAllowance() {
        let state = AllowancesState(
            owner: Fixtures.address(77),
            spender: Fixtures.address(2),
            block: 5,
            rows: []
        )
        let text = AllowancesView(state).lines(screen).joined(separator: " ")
        #expect(text.contains("No known token of the account may be moved"))
        #expect(text.contains(Fixtures.address(2).checksummed))
    }

    @Test("more events than fit a screen are counted")
    func manyEvents() {
        let event = ContractEvent(contract: Fixtures.address(9), token: nil, topics: [], data: [])
        let outcome = TransactOutcome(
            plan: Fixtures.transactPlan,
            transactions: [],
            events: Array(repeating: event, count: 25),
            warnings: [],
            ending: .done
        )
        let lines = TransactOutcomeView(outcome: outcome).lines(screen)
        #expect(lines.contains { $0.contains("and 5 more; see --json") })
    }

    // MARK: JSON

    private func expect(
        _ data: JSONValue?,
        _ keys: String,
        location: SourceLocation = #_sourceLocation
    ) {
        let names = Set(data?.objectValue?.members.map(\.key) ?? [])
        #expect(names == Set(keys.split(separator: " ").map(String.init)), sourceLocation: location)
    }

    @Test("the data of transfers has exactly the keys that docs/output.md tells")
    func transferKeys() {
        let plan = Fixtures.sendPlan
        expect(MoneyJSON.plan(plan), "plan transactions outcome")
        let outcome = MoneyJSON.outcome(
            Fixtures.transferOutcome(plan, .send, .confirmed, received: 5, .less)
        )
        expect(outcome, "plan transactions outcome")
        expect(
            outcome["plan"],
            "account recipient recipientName payAmount receiveAmount balance block gas total steps"
        )
        #expect(outcome["outcome"]?["received"]?["raw"] == "5")
        let wrap = MoneyJSON.plan(Fixtures.wrapPlan)
        #expect(wrap["plan"]?["payAmount"]?["address"]?.isNull == true)
        #expect(wrap["plan"]?["payAmount"]?["symbol"] == "ETH")
        #expect(wrap["plan"]?["receiveAmount"]?["symbol"] == "WETH")
        #expect(wrap["plan"]?["total"]?["value"] == "2.010867500000345")
    }

    @Test("the data of a valued balance has values in the unit, null where no book tells")
    func worthKeys() {
        let data = ReadJSON.balance(Fixtures.valuedBalance(.coin(.ether)))
        expect(data, "account block balances marketValue knownValue positions discovered")
        let rows = data["balances"]?.arrayValue ?? []
        for row in rows { expect(row, "token balance allowance marketValue") }
        #expect(rows.map { $0["marketValue"]?["value"] } == ["1.2345", "3.03", nil])
        #expect(data["marketValue"]?["symbol"] == "ETH")
    }

    @Test("the data of allowances has exactly the keys that docs/output.md tells")
    func allowanceKeys() {
        let list = MoneyJSON.allowances(Fixtures.allowances)
        expect(list, "account spender block allowances others permit2")
        expect(list["allowances"]?.arrayValue?.first, "token allowance balance")
        let plan = MoneyJSON.plan(Fixtures.allowancePlan(7))
        expect(plan, "plan transactions allowance")
        expect(plan["plan"], "account token spender current amount block gas steps")
        let none = MoneyJSON.outcome(
            AllowanceOutcome(unchanged: Fixtures.allowancePlan(0, hasSteps: false))
        )
        #expect(none["allowance"]?["raw"] == "0")
        #expect(none["plan"]?["gas"]?.isNull == true)
    }

    @Test("the data of calls has exactly the keys that docs/output.md tells")
    func callKeys() {
        let read = MoneyJSON.read(
            Fixtures.contractRead([
                Fixtures.value("n", "uint8", .uint(7)),
                Fixtures.value(nil, "int8", .int(.zero &- 7)),
                Fixtures.value(nil, "(bool,bytes)", .tuple([.bool(true), .bytes([0xBE])])),
            ])
        )
        expect(
            read,
            "contract token function arguments data caller block returned values"
        )
        let values = read["values"]?.arrayValue ?? []
        expect(values.first, "name type value")
        #expect(values.map { $0["value"]?.text } == ["\"7\"", "\"-7\"", "[true,\"0xbe\"]"])
        #expect(MoneyJSON.read(Fixtures.contractRead(nil))["values"]?.isNull == true)
        let outcome = MoneyJSON.outcome(Fixtures.transactOutcome)
        expect(outcome, "plan transactions events")
        expect(
            outcome["plan"],
            "contract token function arguments data account coinSent block returned values gas "
                + "total steps effects changes differs unread extraBytes"
        )
        let events = outcome["events"]?.arrayValue ?? []
        expect(events.first, "contract topics data words")
        #expect(events.last?["words"]?.isNull == true)
        expect(MoneyJSON.plan(Fixtures.transactPlan), "plan transactions events")
    }
}
