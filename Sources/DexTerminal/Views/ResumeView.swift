package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// The screen of `dex resume`.
package struct ResumeView: Sendable {
    private let state: ResumeState
    private let isPlan: Bool

    /// - Parameter isPlan: nothing is done yet.
    package init(_ state: ResumeState, isPlan: Bool) {
        self.state = state
        self.isPlan = isPlan
    }

    package func lines(_ screen: Screen) -> [String] {
        guard !state.items.isEmpty else {
            return screen.sentences("Nothing is unfinished.")
        }
        var lines: [String] = []
        for item in state.items {
            if !lines.isEmpty { lines.append("") }
            lines += self.lines(item, screen)
        }
        return lines
    }

    private func lines(_ item: ResumeState.Item, _ screen: Screen) -> [String] {
        let color: Style.Color =
            item.isInFlight ? .yellow : (Self.isBad(item.status) ? .red : .green)
        var lines =
            screen.title("\(PurposeText.word(item.purpose)): \(shown(item.status))", color) + [""]
        var facts = KeyValueList()
        facts.add("hash", item.hash?.description)
        facts.add("account", item.account.checksummed)
        facts.add("nonce", item.nonce.map { "\($0)" })
        facts.add("since", TimeText.zoned(.init(item.created), screen))
        facts.add("block", item.outcome?.block.map { "\($0)" })
        facts.add(
            "cost",
            item.outcome.flatMap { outcome in
                outcome.cost.map { NumberText.ether($0, outcome.coin) }
            }
        )
        for fill in item.outcome?.fills ?? [] {
            facts.add("paid", NumberText.amount(fill.event.takerAmount, fill.takerToken))
            facts.add("received", NumberText.amount(fill.event.makerAmount, fill.makerToken))
        }
        for cancel in item.outcome?.cancels ?? [] {
            facts.add("cancelled", cancel.orderHash.hex)
        }
        for cancel in item.outcome?.pairCancels ?? [] {
            facts.add(
                "cancelled",
                "all orders that give \(PlainText.name(cancel.makerToken.symbol)) for "
                    + "\(PlainText.name(cancel.takerToken.symbol)) with a salt below "
                    + "\(cancel.minimumSalt)"
            )
        }
        facts.add("next", isPlan ? item.action.map(words) : nil)
        lines += facts.lines(screen)
        for note in item.notes { lines += screen.sentences(TerminalText.clean(note)) }
        return lines
    }

    private func shown(_ status: ResumeState.Item.Status) -> String {
        if case .transaction(let stage) = status { stage.shownWord } else { status.word }
    }

    private static func isBad(_ status: ResumeState.Item.Status) -> Bool {
        switch status {
        case .transaction(.replaced), .transaction(.reverted), .transaction(.refused): true
        case .transaction, .order: false
        }
    }

    private func words(_ action: ResumeState.Item.Action) -> String {
        switch action {
        case .send: "the same bytes are sent again"
        case .post: "the same order is posted again"
        }
    }
}
