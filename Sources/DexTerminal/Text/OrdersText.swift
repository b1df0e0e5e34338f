package import DexCore

/// Texts of an order's row that several screens share.
package enum OrdersText {
    /// The part that can be filled now: `62.5%`, or `unknown` if its maker's funds are.
    package static func left(_ row: OrdersState.Row) -> String {
        row.knownFillable == nil
            ? UnknownText.word : NumberText.percent(basisPoints: row.fillableShare)
    }
}
