package import DexCore
package import Ethereum
import ZeroEx

/// Texts of an order's row that several screens share.
package enum OrdersText {
    /// The part that can be filled now: `62.5%`, or `unknown` if its maker's funds are.
    package static func left(_ row: OrdersState.Row) -> String {
        row.knownFillable == nil
            ? UnknownText.word : NumberText.percent(basisPoints: row.fillableShare)
    }

    /// `open own not-on-relay`.
    ///
    /// - Parameter marksOwn: the list has orders of others too.
    static func state(_ row: OrdersState.Row, marksOwn: Bool) -> String {
        var state = row.standing.rawValue
        if row.isOwn, marksOwn { state += " own" }
        if !row.isOnRelay, row.standing.isOpen { state += " not-on-relay" }
        return state
    }

    /// A part of an order in BASE, of an amount of its taker token: `10 of 600 ZRX (1.66%)`.
    package static func part(_ amount: UInt256, of row: OrdersState.Row) -> String {
        let whole = row.base(ofTaker: row.taker.raw)
        let part = row.base(ofTaker: amount)
        guard amount != .zero else { return NumberText.amount(part) }
        let share = NumberText.percent(basisPoints: row.share(ofTaker: amount))
        return "\(part.value) of \(NumberText.amount(whole)) (\(share))"
    }

    /// What is filled of an open order, and what its maker's funds cover of the rest, a line each.
    package static func parts(_ row: OrdersState.Row) -> [String] {
        var lines: [String] = []
        guard row.standing.isOpen else { return lines }
        if row.state.filled > .zero { lines.append("filled \(part(row.state.filled, of: row))") }
        if row.standing == .halfFunded {
            let left = NumberText.amount(row.base(ofTaker: row.state.remaining))
            lines.append(
                "half-funded: \(row.base(ofTaker: row.fillable).value) of the \(left) that are "
                    + "left can be filled"
            )
        }
        return lines
    }
}
