import DexCore
import DexTerminal
import Ethereum

/// A block and its transactions.
struct BlockPage {
    /// Transactions of a page.
    static let maximum = 100

    let state: BlockState
    /// The index of the first transaction that is shown.
    let first: Int
    let now: UInt64

    var page: Page {
        let block = state.block
        let facts = Parts.facts([
            ("Hash", Parts.mono(block.hash.hex)),
            (
                "Parent",
                "<a class=\"mono\" href=\"/block/\(block.parentHash.hex)\">\(block.parentHash.hex)</a>"
            ),
            ("Time", Parts.time(block.timestamp, now: now)),
            ("Confirmations", "\(state.latest - min(state.latest, block.number) + 1)"),
            ("Base fee", block.baseFeePerGas.map { Parts.text(NumberText.gwei($0)) }),
            ("Gas used", Parts.text(BlockText.gas(block))),
        ])
        return Page(
            title: "Block \(block.number)",
            body: """
                <h1>Block \(block.number)</h1>
                \(around)\(facts)
                \(Parts.section(title, list))
                """
        )
    }

    private var around: HTML? {
        let number = state.block.number
        return Parts.pager([
            ("Block \(number &- 1)", number > 0 ? "/block/\(number - 1)" : nil),
            ("Block \(number &+ 1)", number < state.latest ? "/block/\(number + 1)" : nil),
        ])
    }

    private var title: String { NumberText.count(state.count, "transaction") }

    private var list: HTML {
        // The block's number and age stand above.
        let left: Set<String> = ["Block", "Age"]
        let shown = Parts.transactionColumns.enumerated()
            .filter { !left.contains($0.element.title) }
        let rows = state.rows.map { row -> [HTML] in
            let cells = Parts.transactionRow(row, now: now)
            return shown.map { cells[$0.offset] }
                + [Parts.text(row.gasUsed.map { "\($0)" } ?? "–")]
        }
        let path = "/block/\(state.block.number)?from="
        let next = first + state.rows.count
        let pager = Parts.pager([
            ("Previous", first > 0 ? path + "\(max(0, first - Self.maximum))" : nil),
            ("Next", next < state.count ? path + "\(next)" : nil),
        ])
        let columns = shown.map(\.element) + [.init("Gas", .wideNumber)]
        return "\(Parts.table(columns, rows, empty: "It has no transactions."))\(pager)"
    }
}
