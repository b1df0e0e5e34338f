import DexStore
import ErrorTableSupport
import Ethereum
import ZeroEx

@testable package import DexCore

extension AgentPlanError: ExemplifiedArea {
    private static let plan = PlanID(number: 0x7F3A)

    package static let errors: [DexError] = [
        noSuchPlan(text: "Text"), severalPlans(digits: "7f3a", [plan]),
        moved(plan, reason: "Text."), declined(plan), expired(plan), interrupted(plan),
        ended(plan), running(plan), locked(.zero, wallet: nil), farPrice, personalKey(.zero),
        recorded(code: "plan-moved", .refused, message: "Text.", hint: nil), needsTerminal,
        notPosted(OrderHash(UInt256(7).word)), nothing(reason: "Text."),
        elsewhere(plan, network: "Text", account: .zero),
    ]
}
