import DexStore
import ErrorTableSupport
import Ethereum
import ZeroEx

@testable package import DexCore

extension AgentPlanError: ExemplifiedError {
    private static let plan = PlanID(number: 0x7F3A)

    package static let examples: [AgentPlanError] = [
        .noSuchPlan(text: "Text"), .severalPlans(digits: "7f3a", [plan]),
        .moved(plan, reason: "Text."), .declined(plan), .expired(plan), .interrupted(plan),
        .ended(plan), .running(plan), .locked(.zero, wallet: nil), .farPrice, .personalKey(.zero),
        .recorded(code: "plan-moved", .refused, message: "Text.", hint: nil), .needsTerminal,
        .notPosted(OrderHash(UInt256(7).word)), .nothing(reason: "Text."),
        .elsewhere(plan, network: "Text", account: .zero),
    ]

    package var number: Int {
        switch self {
        case .noSuchPlan: 0
        case .severalPlans: 1
        case .moved: 2
        case .declined: 3
        case .expired: 4
        case .interrupted: 5
        case .ended: 6
        case .running: 7
        case .locked: 8
        case .farPrice: 9
        case .personalKey: 10
        case .recorded: 11
        case .needsTerminal: 12
        case .notPosted: 13
        case .nothing: 14
        case .elsewhere: 15
        }
    }
}
