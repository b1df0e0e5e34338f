/// A row of a list that buys or sells BASE.
package protocol SidedRow {
    var side: TradeSide { get }
}

extension Array where Element: SidedRow {
    /// The rows of one side; all of them without a side.
    package func of(_ side: TradeSide?) -> [Element] {
        side.map { side in filter { $0.side == side } } ?? self
    }
}

extension OrdersState.Row: SidedRow {}
extension HistoryState.Row: SidedRow {}
extension TapeTrade: SidedRow {}

extension OwnOrdersState.Row: SidedRow {
    package var side: TradeSide { order.side }
}
