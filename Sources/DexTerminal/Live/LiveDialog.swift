import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Draws what is open over the panes: a field, an entry, a plan, an outcome, a help.
struct LiveDialog {
    private let view: LiveView
    private var state: LiveState { view.state }

    init(_ view: LiveView) { self.view = view }

    /// A text in a frame, with a line to type below it.
    private struct Sheet {
        var title: String
        var lines: [String]
        /// Lines that stay in sight below the text.
        var last: [String] = []
        /// The place of the cursor in the last line; nil without a field.
        var cursor: Int?
        /// The columns before the cursor whose text is selected.
        var selected = 0
        /// The lines before the first one in sight, or behind the last one.
        var scroll = 0
        /// The end matters most: a plan's prices and balances are its last lines.
        var showsEnd = false
    }

    func draw(_ grid: inout Grid) {
        guard !state.mode.isBrowsing else { return }
        let isSmall = grid.columns < 70 || grid.rows < 20
        let width = isSmall ? grid.columns : min(grid.columns - 4, 92)
        let inner = width - 4
        guard var sheet = sheet(inner) else { return }
        // Half a hash is useless: what is too long goes on in the next line.
        sheet.lines = sheet.lines.flatMap { Self.broken($0, to: inner) }
        let most = grid.rows - (isSmall ? 0 : 2)
        let wanted = sheet.lines.count + sheet.last.count + 2 + (sheet.last.isEmpty ? 0 : 1)
        let height = min(most, wanted)
        frame(
            sheet,
            &grid,
            LiveArea(
                row: (grid.rows - height) / 2,
                column: (grid.columns - width) / 2,
                rows: height,
                columns: width
            )
        )
    }

    /// Lines of a width, each in the colour that the line has there.
    private static func broken(_ line: String, to width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        var code = ""
        for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = part
            if index > 0, let end = part.firstIndex(of: "m") {
                code = "\u{1B}[" + part[...end]
                current += code
                text = part[part.index(after: end)...]
            }
            for character in text {
                let columns = Grid.width(of: character)
                if used + columns > width {
                    lines.append(current)
                    (current, used) = (code, 0)
                }
                current.append(character)
                used += columns
            }
        }
        return lines + [current]
    }

    private func frame(_ sheet: Sheet, _ grid: inout Grid, _ area: LiveArea) {
        let blank = String(repeating: " ", count: area.columns)
        for row in area.row..<area.row + area.rows {
            grid.put(blank, row: row, column: area.column)
        }
        let edge = Ink(.cyan)
        let right = area.column + area.columns - 1
        let bottom = area.row + area.rows - 1
        let line = String(repeating: "─", count: max(0, area.columns - 2))
        grid.put("┌" + line + "┐", row: area.row, column: area.column, edge)
        grid.put("└" + line + "┘", row: bottom, column: area.column, edge)
        for row in area.row + 1..<bottom {
            grid.put("│", row: row, column: area.column, edge)
            grid.put("│", row: row, column: right, edge)
        }
        let title = " " + TerminalText.truncate(sheet.title, to: max(1, area.columns - 6)) + " "
        grid.put(title, row: area.row, column: area.column + 2, Ink(.cyan, bold: true))
        let below = sheet.last.isEmpty ? 0 : sheet.last.count + 1
        let room = max(0, area.rows - 2 - below)
        let hidden = max(0, sheet.lines.count - room)
        let away = min(sheet.scroll, hidden)
        let first = sheet.showsEnd ? hidden - away : away
        for (index, text) in sheet.lines.dropFirst(first).prefix(room).enumerated() {
            grid.put(
                painted: text,
                row: area.row + 1 + index,
                column: area.column + 2,
                limit: area.columns - 4
            )
        }
        if hidden > 0 {
            let end = sheet.showsEnd ? " more above: PgUp " : " the end "
            let more = first < hidden ? " more below: PgDn " : end
            grid.put(more, row: bottom, column: area.column + 2, Ink(.yellow))
        }
        for (index, text) in sheet.last.enumerated() {
            let row = bottom - sheet.last.count + index
            grid.put(painted: text, row: row, column: area.column + 2, limit: area.columns - 4)
        }
        if let cursor = sheet.cursor {
            let column = min(area.column + 2 + cursor, right - 2)
            let start = max(area.column + 2, column - sheet.selected)
            grid.paint(row: bottom - 1, columns: start..<column + 1) { $0.isReversed = true }
        }
    }

    // MARK: Sheets

    private func sheet(_ width: Int) -> Sheet? {
        let screen = view.screen(width)
        switch state.mode {
        case .browse: return nil
        case .pair(let line):
            return Sheet(
                title: "Another pair",
                lines: screen.sentences("BASE/QUOTE: symbols or addresses. Esc stays.", .dim),
                last: ["Pair: \(line.string)"],
                cursor: 6 + TerminalText.width(of: String(line.text.prefix(line.cursor)))
            )
        case .entry(let entry): return self.entry(entry, screen)
        case .planning(let entry):
            return Sheet(
                title: entry.map(title) ?? "Cancel",
                lines: screen.sentences("Making the plan. Esc gives it up.", .dim)
            )
        case .plan(let plan, let line, let scroll): return self.plan(plan, line, scroll, screen)
        case .working(let work):
            return Sheet(title: "Sending", lines: lines(of: work, screen))
        case .outcome(let outcome, let scroll):
            var lines = outcomeLines(outcome, screen)
            if let error = outcome.error {
                lines += [""] + screen.sentences(error.message, .red)
                if let hint = error.hint { lines += screen.sentences(hint) }
            }
            return Sheet(
                title: outcome.error == nil ? "Done" : "Not done as asked",
                lines: lines,
                last: [screen.style.paint("Esc closes this.", .dim)],
                scroll: scroll
            )
        case .why(let reason, let scroll):
            return Sheet(
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

    private func entry(_ entry: LiveEntry, _ screen: Screen) -> Sheet {
        let base = PlainText.name(entry.pair.base.symbol)
        let quote = PlainText.name(entry.pair.quote.symbol)
        var lines: [String] = []
        for (index, field) in entry.fields.enumerated() where index != entry.focus {
            let text = "  \(label(field.field, entry, base, quote)): \(field.line.string)"
            lines.append(screen.style.paint(text, .dim))
        }
        if let problem = entry.problem { lines += [""] + screen.sentences(problem, .red) }
        lines +=
            [""]
            + screen.sentences(
                "Tab: the next field. Enter: the plan, which asks before it signs. Esc stops.",
                .dim
            )
        let field = entry.fields[entry.focus]
        let prompt = "> \(label(field.field, entry, base, quote)): "
        return Sheet(
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
        _ plan: LivePlan,
        _ line: LineField,
        _ scroll: Int,
        _ screen: Screen
    ) -> Sheet {
        let (lines, question) = planLines(plan, screen)
        var last = TerminalText.wrap(question, width: screen.width)
        var prompt = "Type \(plan.word) and Enter to sign it; Esc stops: "
        if let stop = plan.stop {
            last = screen.sentences(stop.message, .red)
            prompt = "Enter or Esc closes this: "
        } else if plan.word != "yes" {
            last += screen.sentences("The price is beyond a guard.", .red)
        }
        if TerminalText.width(of: prompt) + 6 > screen.width { prompt = "Type \(plan.word): " }
        last.append(prompt + line.string)
        return Sheet(
            title: "Plan",
            lines: lines,
            last: last,
            cursor: TerminalText.width(of: prompt)
                + TerminalText.width(of: String(line.text.prefix(line.cursor))),
            scroll: scroll,
            showsEnd: true
        )
    }

    private func planLines(_ plan: LivePlan, _ screen: Screen) -> ([String], String) {
        func parts<Model>(
            _ work: PlannedWork<Model>,
            _ view: OperationView<Model>
        ) -> ([String], String) {
            (view.planLines(work.plan, screen), view.question(work.plan).text)
        }
        return switch plan {
        case .market(let work): parts(work, .market)
        case .limit(let work): parts(work, .limit)
        case .replace(let work): parts(work, .replace)
        case .cancel(let work): parts(work, .cancel)
        }
    }

    private func outcomeLines(_ outcome: LiveOutcome, _ screen: Screen) -> [String] {
        switch outcome {
        case .market(let outcome):
            OperationView<MarketOrderModel>.market.outcomeLines(outcome, screen)
        case .limit(let outcome): OperationView<LimitOrderModel>.limit.outcomeLines(outcome, screen)
        case .replace(let outcome):
            OperationView<ReplaceOrderModel>.replace.outcomeLines(outcome, screen)
        case .cancel(let outcome): OperationView<CancelModel>.cancel.outcomeLines(outcome, screen)
        }
    }

    private func lines(of work: LiveWork, _ screen: Screen) -> [String] {
        let (_, question) = planLines(work.plan, screen)
        var lines = TerminalText.wrap(question, width: screen.width) + [""]
        if let wait = work.wait {
            lines += WaitView(wait).lines(screen, frame: Int(clamping: state.elapsed / 120))
        } else {
            lines += screen.sentences(TerminalText.clean(work.progress), .dim)
        }
        return lines
    }

    private func leaving(_ work: LiveWork?, _ screen: Screen) -> Sheet {
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
        return Sheet(title: "Leave?", lines: lines, last: ["y leaves; Esc stays."])
    }

    private func help(_ scroll: Int, _ screen: Screen) -> Sheet {
        var table = Table([.init(""), .init("")])
        for action in LiveAction.allCases {
            table.add([
                .init(action.keys.map(\.label).joined(separator: " "), .cyan), .init(action.help),
            ])
        }
        var lines = table.lines(width: screen.width, style: screen.style)
        lines +=
            [""]
            + screen.sentences(
                "Marks: a an ask, b a bid, * your own order or trade, > the cursor. Nothing trades on one "
                    + "key: an order is entered, its plan shown, and a word typed.",
                .dim
            )
        return Sheet(
            title: "Keys",
            lines: lines,
            last: [screen.style.paint("Esc closes this.", .dim)],
            scroll: scroll
        )
    }
}
