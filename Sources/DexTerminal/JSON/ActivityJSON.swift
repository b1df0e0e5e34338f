package import DexCore
import DexStore
package import Ethereum
import StrictJSON
import ZeroEx

/// `data` of `activity`.
package enum ActivityJSON {
    package static let activity = Fields<ActivityState> {
        Field("account", "The account", \.account)
        Field("block", "The latest block; null: the node did not answer", \.block)
        Field("since", "From when on it is complete, or null", as: .time, \.since)
        Field(
            "firstKnownBlock",
            "The first block that the node knows; null if it knows all that were asked for",
            \.firstKnown
        )
        Field(
            "etherFromBlock",
            "The first block from which payments in ether are complete; null if all are",
            \.etherFrom
        )
        Field("hidden", "Rows that are left out", \.hidden)
        Field("next", "The cursor for `--before`; null at the end, or in another order") {
            $0.next.map { ExactText($0.description) }
        }
        Field("activity", "The latest first", list: row) { rows($0) }
    }

    package static func rows(_ state: ActivityState) -> [Row] {
        state.rows.map { Row(row: $0, coin: state.coin) }
    }

    /// What happened to the account, and the coin of its gas.
    package struct Row: Sendable {
        let row: ActivityState.Row
        let coin: CoinSymbol

        package init(row: ActivityState.Row, coin: CoinSymbol) {
            self.row = row
            self.coin = coin
        }
    }

    package static let row = Fields<Row> {
        Field("kind", "What happened", \.row.kind.word).csv(3, "kind")
            .sorted("kind") { $0.row.kind.rawValue < $1.row.kind.rawValue }
            .shown(1, "KIND") { row, _ in .init(row.row.kind.rawValue) }
        Field(
            "status",
            "A stage of `tx list` before it is mined",
            as: .words(["ok"] + StageWords.list.filter { $0 != "mined" })
        ) { ExactText(ActivityText.status($0.row)) }
        .csv(4, "status")
        Field("own", "The account sent the transaction", \.row.isOwn).csv(5, "own")
        Field("amount", "Null if unknown") { $0.row.currency.money($0.row.amount) }
            .csv(6, "amount", "value").csv(7, "token", "symbol")
            .csv(15, "amount_raw", "raw").csv(16, "token_address", "address")
            .sorted("amount") { one, other in
                let (first, second) = (one.row.currency.symbol, other.row.currency.symbol)
                return first == second
                    ? ListComparison.precedes(one.row.amount, other.row.amount, by: >)
                    : first < second
            }
            .shown(2) { _, _ in
                .init(column: .init("AMOUNT", .point, minimumWidth: 14)) {
                    ActivityText.amounts($0.row)
                }
            }
        Field("receives", "Of a trade; else null") { $0.row.other?.amount($0.row.otherAmount) }
            .csv(8, "receives", "value").csv(9, "receives_token", "symbol")
            .csv(17, "receives_address", "address")
        Field("counterparty", "Who was on the other side, or null", \.row.counterparty)
            .csv(10, "counterparty")
        Field("counterpartyName", "The name by which you know it, or null", \.row.counterpartyName)
            .csv(11, "counterparty_name")
            .sorted("counterparty", .lowest) {
                $0.row.counterpartyName ?? $0.row.counterparty?.lowercaseHex
            }
            .shown(3, "WITH", minimumWidth: 11) { row, _ in
                .init(CallText.party(row.row.counterpartyName, row.row.counterparty))
            }
        Field("function", "Of a call, or null", \.row.function).csv(13, "function")
        Field("gasCost", "In one row of each own transaction; null in the others") {
            $0.coin.money($0.row.gas)
        }
        .csv(12, "gas_eth", "value")
        .shown(4) { rows, _ in
            let title = rows.first.map { "GAS \($0.coin)" } ?? "GAS"
            return .init(column: .init(title, .point, dropOrder: 3)) {
                .init($0.row.gas.map { NumberText.etherValue($0) } ?? "", .dim)
            }
        }
        Field("orderHash", "The order, or null", \.row.orderHash).csv(14, "order")
        Field("transaction", "Null for ether that a contract paid", \.row.transaction)
            .csv(2, "transaction")
            .shown(5, hash: "TRANSACTION", dropOrder: 2) { $0.row.transaction?.hex }
        Field("block", "Null before it is mined", \.row.block).csv(1, "block")
        Field("time", "Of its block; of its signature before it is mined", as: .time, \.row.time)
            .csv(0, "time", isTime: true)
            // Rows come in this order, and equal ones keep theirs.
            .sorted("time") { _, _ in false }
            .shown(0) { rows, screen in
                let times = TimeColumn(rows.map(\.row.time), screen, .minutes)
                return .init(column: .init(times.title, dropOrder: 1)) {
                    .init(times.text($0.row.time), .dim)
                }
            }
    }
}

enum ActivityText {
    /// `ok`, `reverted`, or the stage of a transaction in no block.
    static func status(_ row: ActivityState.Row) -> String {
        switch row.stage {
        case .mined, .confirmed: "ok"
        case .planned, .signed, .held, .broadcast, .pooled, .reverted, .replaced, .dropped,
            .reorganized, .refused, .forgotten:
            row.stage.word
        }
    }

    /// What hides rows, and the option that shows them.
    static func hidden(_ count: Int) -> String {
        "\(NumberText.count(count, "row")) hidden: transfers of nothing, and tokens outside the "
            + "token map. --all-tokens shows them."
    }

    /// At least one cell: what went or came, what a trade brought, the function of a call.
    static func amounts(_ row: ActivityState.Row) -> [Table.Cell] {
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

    private static func text(
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
}
