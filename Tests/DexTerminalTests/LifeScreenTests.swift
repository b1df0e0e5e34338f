import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("Screens and JSON of what was sent, replaced and resumed")
struct LifeScreenTests {
    private static func plan(_ kind: ReplacementPlan.Kind, count: Int = 1) -> ReplacementPlan {
        ReplacementPlan(
            kind: kind,
            account: Fixtures.address(77),
            hash: Fixtures.hash(501),
            purpose: kind == .cancel ? "fill\u{1B}[31m" : "wrap",
            nonce: 7,
            count: count,
            replacedPrice: Wei(21_000_000_000),
            value: kind == .cancel ? .zero : Wei(Fixtures.milli(1_500)),
            block: 21_345_678,
            steps: [
                Fixtures.step(kind == .cancel ? .cancelTransaction : .wrap, "the same wrap again")
            ],
            gas: Fixtures.gas,
            total: Fixtures.gas.maxCost,
            warnings: count == 1 ? [] : ["It may have to wait for a cheaper block."]
        )
    }

    private static func status(_ seed: UInt64) -> TransactionStatus {
        TransactionStatus(
            hash: Fixtures.hash(seed),
            coin: .ether,
            stage: .confirmed,
            from: Fixtures.address(77),
            to: Fixtures.address(1),
            block: 21_345_679,
            confirmations: 1,
            gasUsed: 198_765,
            cost: Wei(3_279_622_500_000_000),
            fills: [
                .init(
                    event: Fixtures.fillEvent,
                    makerToken: Fixtures.zrx,
                    takerToken: Fixtures.weth,
                    feeToken: Fixtures.zrx
                )
            ],
            cancels: [],
            skipped: [],
            ending: .done
        )
    }

    private static let cancelled = ReplacementOutcome(
        plan: plan(.cancel),
        transactions: [Fixtures.sent(.cancelTransaction, .confirmed)],
        mined: nil,
        warnings: [],
        ending: .done
    )

    private static let late = ReplacementOutcome(
        plan: plan(.cancel),
        transactions: [Fixtures.sent(.cancelTransaction, .replaced)],
        mined: status(501),
        warnings: ["It was too late."],
        ending: .replacedOrDropped
    )

    private static func row(
        _ seed: UInt64,
        _ stage: TransactionStage,
        isUnsettled: Bool = false,
        subject: TransactionSubject? = nil,
        name: String? = nil
    ) -> TransactionsState.Row {
        TransactionsState.Row(
            hash: Fixtures.hash(seed),
            account: Fixtures.address(77),
            nonce: seed,
            purpose: "fill",
            stage: stage,
            isUnsettled: isUnsettled,
            created: Fixtures.now - 4_000,
            block: stage == .mined ? 21_345_679 : nil,
            reorgedFromBlock: stage == .reorganized ? 21_345_670 : nil,
            waitsFor: stage == .pooled ? NonceGap(nonce: 0) : nil,
            successor: stage == .replaced ? Fixtures.hash(2) : nil,
            predecessor: nil,
            price: Wei(31_500_000_001),
            subject: subject,
            recipientName: name
        )
    }

    private static func subject(_ action: TransactionCall.Action?, value: Wei = .zero)
        -> TransactionSubject
    {
        let call = action.map { action in
            TransactionCall(
                contract: Fixtures.address(1),
                function: "call",
                selector: [1, 2, 3, 4],
                size: 4,
                action: action,
                coin: .ether
            )
        }
        return TransactionSubject(call, to: Fixtures.address(1), value: value, coin: .ether)
    }

    private static let list = TransactionsState(
        rows: [
            row(
                3,
                .pooled,
                isUnsettled: true,
                subject: subject(nil, value: Wei(Fixtures.milli(1_500))),
                name: "led\u{1B}[31mger"
            ),
            row(
                2,
                .mined,
                subject: subject(
                    .transfer(
                        TokenAmount(raw: Fixtures.milli(123_456_789_123), token: Fixtures.zrx),
                        owner: nil,
                        to: Fixtures.address(5)
                    )
                )
            ),
            row(
                1,
                .replaced,
                subject: subject(
                    .approve(
                        TokenAmount(raw: .max, token: Fixtures.zrx),
                        owner: nil,
                        spender: Fixtures.address(6)
                    )
                )
            ),
            row(0, .reorganized, isUnsettled: true),
        ],
        block: 21_345_680,
        warnings: ["The node \u{1B}[31mis away."]
    )

    private static func item(
        _ kind: ResumeState.Item.Kind,
        _ status: ResumeState.Item.Status,
        action: ResumeState.Item.Action? = nil,
        outcome: TransactionStatus? = nil,
        _ note: String
    ) -> ResumeState.Item {
        ResumeState.Item(
            kind: kind,
            account: Fixtures.address(77),
            hash: kind == .intent ? nil : (Fixtures.hash(501) as TransactionHash).word,
            nonce: kind == .transaction ? 7 : nil,
            purpose: kind == .order ? "order" : "fill",
            created: Fixtures.now - 90,
            was: .signed,
            status: status,
            action: action,
            notes: [note],
            outcome: outcome,
            isInFlight: action != nil
        )
    }

    private static let resume = ResumeState(items: [
        item(
            .transaction,
            .transaction(.signed),
            action: .send,
            "It was signed, and the node has it not."
        ),
        item(
            .transaction,
            .transaction(.confirmed),
            outcome: status(501),
            "It was mined meanwhile."
        ),
        item(.order, .order(.signed), action: .post, "The relay does not have it."),
        item(.intent, .transaction(.planned), "Nothing was signed."),
    ])

    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("speedup-plan", { ReplacementPlanView(plan: plan(.speedup, count: 2)).lines($0) }),
        ("tx-cancel-plan", { ReplacementPlanView(plan: plan(.cancel)).lines($0) }),
        ("tx-cancel-outcome", { ReplacementOutcomeView(outcome: cancelled).lines($0) }),
        ("tx-cancel-late", { ReplacementOutcomeView(outcome: late).lines($0) }),
        ("tx-list", { TransactionsView(list).lines($0) }),
        (
            "tx-list-none",
            {
                TransactionsView(TransactionsState(rows: [], block: nil, warnings: [])).lines($0)
            }
        ),
        ("resume-plan", { ResumeView(resume, isPlan: true).lines($0) }),
        ("resume", { ResumeView(resume, isPlan: false).lines($0) }),
        ("resume-none", { ResumeView(ResumeState(items: []), isPlan: true).lines($0) }),
    ]

    @Test("the JSON of a list and of what is resumed has every key that docs/output.md names")
    func json() throws {
        let rows = try #require(LifeJSON.transactions(Self.list)["transactions"]?.arrayValue)
        #expect(rows.map { $0["settled"] } == [false, true, true, false])
        #expect(rows[2]["successor"]?.stringValue == (Fixtures.hash(2) as TransactionHash).hex)
        #expect(rows[3]["takenFrom"] == 21_345_670)
        #expect(rows[0]["maxFeePerGas"] == "31500000001")
        #expect(rows[0]["amount"]?["value"] == "1.5" && rows[0]["toName"] == "ledger")
        #expect(rows[1]["to"]?.stringValue == Fixtures.address(5).checksummed)
        #expect(rows.map { $0["isAllowance"] } == [false, false, true, false])
        #expect(rows[3]["amount"] == .null && rows[3]["to"] == .null)
        let items = try #require(LifeJSON.resume(Self.resume)["items"]?.arrayValue)
        #expect(items.map { $0["kind"] } == ["transaction", "transaction", "order", "intent"])
        #expect(items[0]["action"] == "send" && items[0]["inFlight"] == true)
        #expect(items[1]["outcome"]?["fills"]?.arrayValue?.count == 1)
        #expect(items[3]["hash"]?.isNull == true)
        let plan = LifeJSON.plan(Self.plan(.cancel))["plan"]
        #expect(plan?["purpose"] == "fill" && plan?["nonce"] == 7)
        #expect(plan?["replacedMaxFeePerGas"] == "21000000000")
        #expect(LifeJSON.outcome(Self.late)["outcome"]?["status"] == "mined")
    }
}
