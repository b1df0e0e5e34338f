import DexCore
import DexTerminal
import Ethereum

/// The newest blocks and transactions, and the markets.
struct HomePage {
    let overview: ChainOverview
    let markets: [MarketList]
    let now: UInt64

    var page: Page {
        Page(
            title: "Chain",
            body: "\(head)<div class=\"sides\">\(marketSections)</div>\(blocks)\(transactions)"
        )
    }

    private var head: HTML {
        let block = overview.head
        return """
            <h1>Block \(Parts.block(block.number))</h1>
            \(Parts.facts([
                ("Age", Parts.age(block.timestamp, now: now)),
                ("Base fee", block.baseFeePerGas.map { Parts.text(NumberText.gwei($0)) }),
                ("Gas used", Parts.text(BlockText.gas(block))),
                ("Hash", Parts.mono(block.hash.hex)),
            ]))
            """
    }

    private var marketSections: [HTML] {
        markets.map { list in
            let rows = list.rows.map { row -> [HTML] in
                let pair = row.pair
                return [
                    Parts.market(pair, list.network),
                    row.price.map {
                        Parts.text(NumberText.price($0, base: pair.base, quote: pair.quote))
                    } ?? "–",
                    Parts.text("\(row.summary.trades)"),
                    row.summary.trades == 0
                        ? "–"
                        : Parts.amount(TokenAmount(raw: row.summary.base, token: pair.base)),
                ]
            }
            return Parts.section(
                "Markets of \(list.network)",
                Parts.table(
                    [
                        .init("Pair"), .init("Last price", .number), .init("Trades", .number),
                        .init("Volume", .wideNumber),
                    ],
                    rows,
                    empty: list.problem ?? "The relay carries no pairs."
                )
            )
        }
    }

    private var blocks: HTML {
        let rows = overview.blocks.map { row -> [HTML] in
            [
                Parts.block(row.block.number), Parts.age(row.block.timestamp, now: now),
                Parts.text("\(row.count)"), Parts.text("\(row.block.gasUsed)"),
                Parts.text(row.block.baseFeePerGas.map(NumberText.gwei) ?? "–"),
                Parts.mono("\(row.block.hash.hex.prefix(10))…"),
            ]
        }
        let newest = overview.blocks.first?.block.number ?? 0
        let oldest = overview.blocks.last?.block.number ?? 0
        let table = Parts.table(
            [
                .init("Block"), .init("Age"), .init("Transactions", .number),
                .init("Gas used", .wideNumber), .init("Base fee", .wideNumber),
                .init("Hash", .wide),
            ],
            rows,
            empty: "There are no blocks."
        )
        let pager = Parts.pager([
            ("Latest", newest < overview.head.number ? "/" : nil),
            ("Older", oldest > 0 ? "/?to=\(oldest - 1)" : nil),
        ])
        return Parts.section(
            "Blocks",
            "\(table)\(pager)"
        )
    }

    private var transactions: HTML {
        Parts.section(
            "Transactions",
            Parts.table(
                Parts.transactionColumns,
                overview.transactions.map { Parts.transactionRow($0, now: now) },
                empty: "No transactions since block \(overview.lowest)."
            )
        )
    }
}
