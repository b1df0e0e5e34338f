import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("Screens and JSON of what is signed without sending")
struct OfflineScreenTests {
    private static let file = SignedFile(
        network: "sandbox",
        chainID: 1337,
        from: Fixtures.address(77),
        nonce: 7,
        hash: Fixtures.hash(501),
        raw: [2, 3],
        purpose: "fill\u{1B}[31m",
        to: Fixtures.address(1),
        value: .zero,
        gasLimit: 198_765,
        maxFeePerGas: Wei(31_500_000_001),
        maxPriorityFeePerGas: Wei(1_000_000),
        madeAt: Fixtures.now - 90,
        validUntil: Fixtures.now + 900,
        plan: [:]
    )

    private static func plan(
        _ purpose: TransactionPurpose,
        _ place: BroadcastPlan.Place = .new
    ) -> BroadcastPlan {
        let isApproval = purpose == .approve
        let isOpaque = purpose == .transact
        return BroadcastPlan(
            place: place,
            hash: Fixtures.hash(501),
            account: Fixtures.address(77),
            nonce: 7,
            purpose: purpose,
            to: Fixtures.address(1),
            function: isOpaque ? "(data)" : isApproval ? "approve" : "fillOrdersUpTo",
            dataCount: 324,
            coin: .ether,
            value: .zero,
            pays: isApproval || isOpaque
                ? []
                : [.init(currency: .token(Fixtures.weth), amount: Fixtures.milli(375))],
            receives: isApproval || isOpaque ? [] : [Fixtures.zrx],
            approvals: isApproval
                ? [.init(token: Fixtures.zrx, spender: Fixtures.address(2), amount: .max)] : [],
            recipients: isOpaque ? [Fixtures.address(3)] : [],
            gasLimit: 198_765,
            maxFeePerGas: Wei(31_500_000_001),
            maxPriorityFeePerGas: purpose == .fill ? Wei(1_000_000) : nil,
            maxCost: Fixtures.gas.maxCost,
            total: Fixtures.gas.maxCost,
            block: 21_345_678,
            madeAt: Fixtures.now - 90,
            validUntil: purpose == .fill ? Fixtures.now + 900 : nil,
            warnings: isOpaque ? ["What this call does cannot be read from its bytes."] : []
        )
    }

    private static func outcome(_ stage: TransactionStage) -> BroadcastOutcome {
        BroadcastOutcome(
            plan: plan(.fill),
            transactions: [Fixtures.sent(.fill, stage)],
            mined: nil,
            warnings: stage == .pooled ? ["The transaction is not mined yet."] : [],
            ending: stage.ending
        )
    }

    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("held", { HeldView(file, path: "tx.json").lines($0) }),
        ("broadcast-fill-plan", { BroadcastPlanView(plan(.fill)).lines($0) }),
        ("broadcast-approve-plan", { BroadcastPlanView(plan(.approve)).lines($0) }),
        ("broadcast-data-plan", { BroadcastPlanView(plan(.transact)).lines($0) }),
        ("broadcast-done", { BroadcastOutcomeView(outcome(.confirmed)).lines($0) }),
        ("broadcast-pending", { BroadcastOutcomeView(outcome(.pooled)).lines($0) }),
    ]

    @Test("the JSON has every key that docs/output.md names, and no control characters")
    func json() throws {
        let held = BroadcastJSON.held(Self.file, path: "tx.json", in: ["plan": [:]])
        #expect(held["signed"]?["nonce"] == 7 && held["signed"]?["file"] == "tx.json")
        #expect(held["signed"]?["purpose"]?.stringValue?.contains("\u{1B}") == false)
        let plan = BroadcastJSON.plan(Self.plan(.approve, .pooled))["plan"]
        #expect(plan?["place"] == "pooled" && plan?["purpose"] == "approve")
        #expect(plan?["approvals"]?.arrayValue?.first?["spender"] != nil)
        #expect(plan?["validUntil"] == .null && plan?["maxPriorityFeePerGas"] == .null)
        #expect(BroadcastJSON.outcome(Self.outcome(.pooled))["outcome"] == .null)
    }
}
