import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Draws what is open over the panes: a field, an entry, a plan, an outcome, a help.
struct LiveDialog {
    private let view: LiveView
    private var state: LiveState { view.state }

    init(_ view: LiveView) { self.view = view }

    func draw(_ grid: inout Grid) {
        guard !state.mode.isBrowsing else { return }
        // What is below cannot be pointed at.
        grid.targets = []
        let isSmall = grid.columns < 70 || grid.rows < 20
        let width = isSmall ? grid.columns : min(grid.columns - 4, 92)
        sheet(width - 4)?.draw(&grid, width: width, margin: isSmall ? 0 : 1)
    }

    // MARK: LiveSheets

    private func sheet(_ width: Int) -> LiveSheet? {
        let screen = view.screen(width)
        switch state.mode {
        case .browse: return nil
        case .pair(let picker): return picker.sheet(screen)
        case .entry(let entry): return self.entry(entry, screen)
        case .planning(let entry):
            return LiveSheet(
                title: entry.map(title) ?? "Cancel",
                lines: screen.sentences("Making the plan. Esc gives it up.", .dim)
            )
        case .plan(let plan, let line, let scroll): return self.plan(plan, line, scroll, screen)
        case .working(let work):
            return LiveSheet(title: "Sending", lines: lines(of: work, screen))
        case .outcome(let outcome, let scroll):
            var lines = (outcome as? any OutcomeView)?.lines(screen) ?? []
            if let error = outcome.error {
                lines += [""] + screen.sentences(error.message, .red)
                if let hint = error.hint { lines += screen.sentences(hint) }
            }
            return LiveSheet(
                title: outcome.error == nil ? "Done" : "Not done as asked",
                lines: lines,
                last: [screen.style.paint("Esc closes this.", .dim)],
                scroll: scroll
            )
        case .why(let reason, let scroll):
            return LiveSheet(
                title: "Why",
                lines: StateView<WhyState>(reason).lines(screen),
                last: [screen.style.paint("Esc closes this.", .dim)],
                scroll: scroll
            )
        case .help(let scroll): return help(scroll, screen)
        case .leaving(let work): return leaving(work, screen)
        }
    }

    private func title(_ entry: LiveEntry) -> String {
        let name = entry.pair.shownName
        return switch entry.kind {
        case .limit: "Limit order: \(entry.side.rawValue) \(name)"
        case .market: "Market order: \(entry.side.rawValue) \(name)"
        case .replace: "Replace the order: \(entry.side.rawValue) \(name)"
        }
    }

    private func entry(_ entry: LiveEntry, _ screen: Screen) -> LiveSheet {
        let base = PlainText.name(entry.pair.base.symbol)
        let quote = PlainText.name(entry.pair.quote.symbol)
        var lines: [String] = []
        for (index, field) in entry.fields.enumerated() where index != entry.focus {
            let text = "  \(label(field.field, entry, base, quote)): \(field.line.string)"
            lines.append(screen.style.paint(text, .dim))
        }
        if let problem = entry.problem { lines += [""] + screen.sentences(problem, .red) }
        lines += [""]
        if entry.fields[entry.focus].field == .amount {
            let presets = LiveEntry.presets.joined(separator: ", ")
            lines += screen.sentences(
                "\(LiveEntry.presetKey.label) in turn: \(presets) of what you can spend.",
                .cyan
            )
        }
        lines +=
            screen.sentences(
                "Tab: the next field. Enter: the plan, which asks before it signs. Esc stops.",
                .dim
            )
        let field = entry.fields[entry.focus]
        let prompt = "> \(label(field.field, entry, base, quote)): "
        return LiveSheet(
            title: title(entry),
            lines: lines,
            last: [prompt + field.line.string],
            cursor: TerminalText.width(of: prompt)
                + TerminalText.width(of: String(field.line.text.prefix(field.line.cursor))),
            selected: field.line.isSelected ? TerminalText.width(of: field.line.string) : 0
        )
    }

    private func label(
        _ field: LiveEntry.Field,
        _ entry: LiveEntry,
        _ base: String,
        _ quote: String
    ) -> String {
        var isReplacement = false
        if case .replace = entry.kind { isReplacement = true }
        return switch field {
        case .amount: "Amount of \(base)\(isReplacement ? " (empty: what is left)" : "")"
        case .price: "Price, \(quote) per \(base)"
        case .slippage: "Slippage, percent"
        case .expires: "Expires\(isReplacement ? " (empty: as it is)" : "")"
        }
    }

    private func plan(
        _ plan: any RunnablePlan,
        _ line: LineField,
        _ scroll: Int,
        _ screen: Screen
    ) -> LiveSheet {
        let shown = plan.content as? any PlanView
        var last = TerminalText.wrap(shown?.question.text ?? "", width: screen.width)
        var prompt = "Type \(plan.word) and Enter to sign it; Esc stops: "
        if let stop = plan.content.stop {
            last = screen.sentences(stop.message, .red)
            prompt = "Enter or Esc closes this: "
        } else if plan.word != "yes" {
            last += screen.sentences("The price is outside the safety limit.", .red)
        }
        if TerminalText.width(of: prompt) + 6 > screen.width { prompt = "Type \(plan.word): " }
        last.append(prompt + line.string)
        return LiveSheet(
            title: "Plan",
            lines: shown?.lines(screen, proof: plan.proof) ?? [],
            last: last,
            cursor: TerminalText.width(of: prompt)
                + TerminalText.width(of: String(line.text.prefix(line.cursor))),
            scroll: scroll,
            showsEnd: true
        )
    }

    private func lines(of work: LiveWork, _ screen: Screen) -> [String] {
        let question = (work.plan.content as? any PlanView)?.question.text ?? ""
        var lines = TerminalText.wrap(question, width: screen.width) + [""]
        if let wait = work.wait {
            lines += WaitView(wait).lines(screen, frame: Int(clamping: state.elapsed / 120))
        } else {
            lines += screen.sentences(TerminalText.clean(work.progress), .dim)
        }
        return lines
    }

    private func leaving(_ work: LiveWork?, _ screen: Screen) -> LiveSheet {
        var lines: [String] = []
        if let work {
            lines += screen.sentences("This is being sent:", .yellow)
            lines += self.lines(of: work, screen) + [""]
        }
        if !state.inFlight.isEmpty {
            lines += screen.sentences("In flight, and not settled:", .yellow)
            lines +=
                state.inFlight.prefix(5).map { row in
                    "  \(PurposeText.word(row.purpose)), \(row.stage.rawValue): \(row.hash.hex.prefix(10))"
                } + [""]
        }
        lines += screen.sentences(
            "If you leave, what was sent may still be mined. `dex resume` looks at it again, finishes "
                + "what is to be finished, and sends nothing twice."
        )
        return LiveSheet(title: "Leave?", lines: lines, last: ["y leaves; Esc stays."])
    }

    /// What works besides the keys of `LiveAction`.
    private static let otherKeys = [
        ("Esc", "Close what is open; nothing is signed."),
        ("%", "In the field of an amount: 25%, 50%, 100% of what you can spend."),
        ("Click", "Select a row or a pane; in the list of pairs once more takes it."),
        ("Wheel", "Scroll the pane under the pointer."),
        ("Ctrl-Z", "Stop the screen; fg goes on."),
    ]

    private func help(_ scroll: Int, _ screen: Screen) -> LiveSheet {
        var table = Table([.init(""), .init("")])
        for action in LiveAction.allCases {
            table.add([
                .init(action.keys.map(\.label).joined(separator: " "), .cyan), .init(action.help),
            ])
        }
        for (keys, help) in Self.otherKeys { table.add([.init(keys, .cyan), .init(help)]) }
        var lines = table.lines(width: screen.width, style: screen.style)
        lines +=
            [""]
            + screen.sentences(
                "Marks: a an ask, b a bid, * your own order or trade, > the cursor. Nothing trades on one "
                    + "key: an order is entered, its plan shown, and a word typed.",
                .dim
            )
        return LiveSheet(
            title: "Keys",
            lines: lines,
            last: [screen.style.paint("Esc closes this.", .dim)],
            scroll: scroll
        )
    }
}
