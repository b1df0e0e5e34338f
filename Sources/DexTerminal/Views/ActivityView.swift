package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows what happened to an account, the latest first.
package typealias ActivityView = StateView<ActivityState>

extension StateView<ActivityState> {
    package func lines(_ screen: Screen) -> [String] {
        let place = state.block.map { " at block \($0)" } ?? ""
        let since = state.since.map { " since \(TimeText.zoned(UInt256($0), screen))" } ?? ""
        var lines: [String] = []
        if state.rows.isEmpty {
            lines += screen.sentences(
                "\(screen.account(state.account)) has no such activity\(since)\(place). "
                    + "An earlier time: --since 2026-01-01"
            )
        } else {
            lines += table(screen) + [""]
            lines += screen.sentences(
                "\(NumberText.count(state.rows.count, "row")) of "
                    + "\(screen.account(state.account))\(since)\(place).",
                .dim
            )
        }
        if state.hidden > 0 {
            lines += screen.sentences(ActivityText.hidden(state.hidden), .dim)
        }
        for warning in state.warnings { lines += screen.warning(warning) }
        return lines
    }

    private func table(_ screen: Screen) -> [String] {
        let numbers = RowNumbers(screen)
        let times = TimeColumn(state.rows.map(\.time), screen, .minutes)
        let hashes = ShortHashes(state.rows.compactMap(\.transaction?.hex), screen)
        var table = Table(
            numbers.columns + [
                .init(times.title, dropOrder: 1), .init("KIND"),
                .init("AMOUNT", .point, minimumWidth: 14), .init("WITH", minimumWidth: 11),
                .init("GAS \(state.coin)", .point, dropOrder: 3),
            ] + hashes.columns("TRANSACTION", dropOrder: 2)
        )
        // The number of lines of the table up to each row's end.
        var ends: [Int] = []
        // Only a row with a transaction has a number, by which commands find it.
        var number = 0
        for row in state.rows {
            var amounts = amounts(row)
            let hasNumber = row.transaction != nil
            table.add(
                numbers.cells(hasNumber ? number : ShownList.most) + [
                    .init(times.text(row.time), .dim), .init(row.kind.rawValue),
                    amounts.removeFirst(),
                    .init(CallText.party(row.counterpartyName, row.counterparty)),
                    .init(row.gas.map { gas($0) } ?? "", .dim),
                ] + hashes.cells(row.transaction?.hex)
            )
            if hasNumber { number += 1 }
            let empty = numbers.columns.map { _ in Table.Cell("") }
            for amount in amounts { table.add(empty + ["", "", amount]) }
            ends.append(table.rows.count)
        }
        var lines = table.lines(width: screen.width, style: screen.style)
        // Each transaction follows its last row.
        for index in state.rows.indices.reversed() {
            guard let hash = state.rows[index].transaction,
                index + 1 == state.rows.count || state.rows[index + 1].transaction != hash
            else { continue }
            lines.insert(
                contentsOf: below(state.rows[index], hashes.lines(hash.hex, screen), screen),
                at: ends[index] + 1
            )
        }
        return lines
    }

    private func below(
        _ row: ActivityState.Row,
        _ hash: [String],
        _ screen: Screen
    ) -> [String] {
        let status = ActivityText.status(row)
        guard status != "ok" else { return hash }
        let ink: Style.Color = row.stage == .reverted ? .red : .yellow
        return [(hash.first ?? " ") + " " + screen.style.paint(status, ink)]
    }

    /// At least one cell: what went or came, what a trade brought, the function of a call.
    private func amounts(_ row: ActivityState.Row) -> [Table.Cell] {
        let sign: String
        var color: Style.Color?
        switch row.kind {
        case .received: (sign, color) = ("+", .green)
        case .sent, .trade: sign = "-"
        case .wrapped, .unwrapped, .approved, .cancel, .call: sign = ""
        }
        var cells: [Table.Cell] = []
        if let raw = row.amount {
            cells.append(
                .init(text(raw, row.currency, sign, isAllowance: row.kind == .approved), color)
            )
        }
        if let other = row.other, let raw = row.otherAmount, row.kind == .trade {
            cells.append(.init(text(raw, .token(other), "+"), .green))
        }
        if row.kind == .call, let function = row.function {
            cells.append(.init(TerminalText.clean(function), .dim))
        }
        return cells.isEmpty ? [.init("")] : cells
    }

    private func text(
        _ raw: UInt256,
        _ currency: Currency,
        _ sign: String,
        isAllowance: Bool = false
    ) -> String {
        let symbol = PlainText.name(currency.symbol)
        if isAllowance, NumberText.isUnlimited(raw) { return "unlimited \(symbol)" }
        // Nothing that went has no sign.
        return (raw == .zero ? "" : sign)
            + NumberText.listValue(raw, currency.decimals) + " \(symbol)"
    }

    private func gas(_ wei: Wei) -> String { NumberText.etherValue(wei) }
}
