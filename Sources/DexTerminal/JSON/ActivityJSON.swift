package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of `activity`.
package enum ActivityJSON {
    package static func activity(_ state: ActivityState) -> JSONValue {
        [
            "account": JSONFormat.address(state.account),
            "block": JSONFormat.integer(state.block),
            "since": JSONFormat.integer(state.since),
            "firstKnownBlock": JSONFormat.integer(state.firstKnown),
            "etherFromBlock": JSONFormat.integer(state.etherFrom),
            "hidden": .integer(UInt64(state.hidden)),
            "next": state.next.map { .string($0.description) } ?? .null,
            "activity": .list(state.rows) { row($0, state.coin) },
        ]
    }

    private static func row(_ row: ActivityState.Row, _ coin: CoinSymbol) -> JSONValue {
        let receives: JSONValue =
            if let token = row.other, let raw = row.otherAmount {
                JSONFormat.amount(raw, token)
            } else {
                .null
            }
        return [
            "kind": .string(row.kind.rawValue),
            "status": .string(ActivityText.status(row)),
            "own": .bool(row.isOwn),
            "amount": row.amount.map { MoneyJSON.amount($0, row.currency) } ?? .null,
            "receives": receives,
            "counterparty": row.counterparty.map { JSONFormat.address($0) } ?? .null,
            "counterpartyName": JSONFormat.text(row.counterpartyName),
            "function": JSONFormat.text(row.function),
            "gas": row.gas.map { JSONFormat.ether($0, coin) } ?? .null,
            "orderHash": row.orderHash.map { JSONFormat.hash($0) } ?? .null,
            "transaction": row.transaction.map { JSONFormat.hash($0) } ?? .null,
            "block": JSONFormat.integer(row.block),
            "time": JSONFormat.integer(row.time),
        ]
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
}
