import DexCore
import Ethereum
import ZeroEx

/// The part of a balance that shows what was bought and is still held.
struct OpenPositionsText {
    let positions: [HistoryState.Position]

    func lines(_ screen: Screen) -> [String] {
        guard !positions.isEmpty else { return [] }
        var columns: [Table.Column] = [
            .init("PAIR"), .init("HELD", .right, dropOrder: 2), .init("COST", .right, dropOrder: 4),
            .init("VALUE", .right, dropOrder: 3), .init("PROFIT", .right),
        ]
        let hasDollars = positions.contains { $0.unrealised?.dollars != nil }
        if hasDollars { columns.append(.init("≈ DOLLARS", .right, dropOrder: 1)) }
        var table = Table(columns)
        for position in positions {
            let (base, quote) = (position.pair.base, position.pair.quote)
            func amount(_ raw: UInt256, _ token: Token) -> String {
                ProfitText.short(SignedAmount(raw, minus: .zero), token)
            }
            let open = position.unrealised
            let color = open.map { ProfitText.color($0.average) }
            var cells: [Table.Cell] = [
                .init(position.pair.shownName, .bold),
                .init(amount(position.held, base)),
                .init(amount(position.heldAverageCost, quote)),
                .init(open.map { amount($0.value, quote) } ?? "-"),
                .init(open.map { ProfitText.short($0.average, quote) } ?? "-", color),
            ]
            if hasDollars {
                let dollars = open?.dollars.map { ProfitText.short($0.average, $0.token) }
                cells.append(.init(dollars ?? "", color))
            }
            table.add(cells)
        }
        return [""] + table.lines(width: screen.width, style: screen.style) + [""]
            + screen.sentences(
                "Profit is not realised: value at the middle price minus average cost. "
                    + "`dex history` has the trades.",
                .dim
            )
    }
}
