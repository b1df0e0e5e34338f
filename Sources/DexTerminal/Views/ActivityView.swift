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
        let rows = ActivityJSON.rows(state)
        // Only a row with a transaction has a number, by which commands find it.
        var lines = ActivityJSON.row.screenTable(rows, screen, isNumbered: true) {
            $0.row.transaction != nil
        }
        .lines(width: screen.width, style: screen.style)
        let hashes = ShortHashes(state.rows.compactMap(\.transaction?.hex), screen)
        // The number of lines of the table up to each row's end.
        var end = 0
        let ends = state.rows.map { row in
            end += ActivityText.amounts(row).count
            return end
        }
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
        let color: Style.Color = row.stage == .reverted ? .red : .yellow
        return [(hash.first ?? " ") + " " + screen.style.paint(status, color)]
    }
}
