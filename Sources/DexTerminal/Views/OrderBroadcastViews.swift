package import DexCore
import Ethereum
import ZeroEx

/// Shows an order that was signed into a file and not posted.
struct HeldOrderView: Sendable {
    private let outcome: LimitOutcome
    private let path: String

    init(_ outcome: LimitOutcome, path: String) {
        self.outcome = outcome
        self.path = path
    }

    func lines(_ screen: Screen) -> [String] {
        let path = TerminalText.clean(path)
        var lines = screen.title("Signed, not posted: \(path)", .green) + [""]
        var facts = KeyValueList()
        facts.add("order", outcome.order.hash.hex)
        facts.add("terms", MoneyText.terms(outcome.plan))
        facts.add("expires", TimeText.expiry(outcome.order.expiry, screen))
        facts.add("post it", "dex broadcast \(path)")
        facts.add("give it up", "dex cancel \(outcome.order.hash.hex)")
        lines += facts.lines(screen)
        return lines + [""]
            + screen.sentences(
                "Whoever has the file can post the order, or fill it without a relay."
            )
            + MoneyText.warnings(outcome.warnings, screen)
    }
}

/// Shows a signed order that would be posted.
package typealias OrderBroadcastPlanView = StateView<OrderBroadcastPlan>

extension StateView<OrderBroadcastPlan> {
    package func lines(_ screen: Screen) -> [String] {
        OrderView(state.row, block: state.block, warnings: state.warnings).lines(screen)
    }
}

/// Shows what became of it.
package typealias OrderBroadcastOutcomeView = StateView<OrderBroadcastOutcome>

extension StateView<OrderBroadcastOutcome> {
    package func lines(_ screen: Screen) -> [String] {
        let names = state.postings.filter(\.isPosted).map { TerminalText.clean($0.relay) }
        let title =
            state.postings.isEmpty
            ? "The order is posted already"
            : names.isEmpty
                ? "Not known to be posted" : "Posted on \(names.joined(separator: ", "))"
        var lines = screen.title(title, state.error == nil ? .green : .yellow) + [""]
        var facts = KeyValueList()
        facts.add("order", state.plan.row.order.hash.hex)
        facts.add("expires", TimeText.expiry(state.plan.row.order.expiry, screen))
        lines += facts.lines(screen)
        return lines + MoneyText.warnings(state.warnings, screen)
    }
}

extension PlanQuestion {
    package init(_ plan: OrderBroadcastPlan) {
        let relays = plan.relays.map { TerminalText.clean($0) }.joined(separator: ", ")
        self.init("Post this order on \(relays)?")
    }
}
