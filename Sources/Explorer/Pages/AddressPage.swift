import DexCore
import DexTerminal
import Ethereum
import ZeroEx

/// An account: its balances, open orders and newest transactions.
struct AddressPage {
    let state: AccountOverview
    /// The names of the networks, in the order of the allowances.
    let networks: [String]
    let now: UInt64

    var page: Page {
        let account = state.account
        return Page(
            title: account.name ?? account.address.shortened,
            body: """
                <h1>\(account.name.map(Parts.name) ?? (state.isContract ? "Contract" : "Account"))</h1>
                \(facts)\(holdings)\(orders)\(transactions)
                """,
            liveness: .book
        )
    }

    private var facts: HTML {
        Parts.facts([
            ("Address", Parts.mono(state.account.address.checksummed)),
            ("Balance", Parts.text(state.coin.amount(state.ether))),
            ("Transactions sent", "\(state.nonce)"),
            ("Kind", kind),
        ])
    }

    private var kind: HTML {
        guard let delegate = state.delegate else {
            return state.isContract ? "contract" : "account with a key"
        }
        return "account with a key, runs the code of \(Parts.mono(delegate.checksummed))"
    }

    private var holdings: HTML {
        let rows = state.holdings.map { holding -> [HTML] in
            let token = holding.token
            return [
                Parts.token(token),
                Parts.text(
                    holding.balance.map { TokenAmount(raw: $0, token: token).value } ?? "unknown"
                ),
            ]
                + holding.allowances.map { raw in
                    guard let raw else { return "unknown" }
                    return raw == .max
                        ? "unlimited"
                        : Parts.text(TokenAmount(raw: raw, token: token).value)
                }
        }
        return Parts.section(
            "Tokens",
            Parts.table(
                [.init("Token"), .init("Balance", .number)]
                    + networks.map { .init("Allowance on \($0)", .wideNumber) },
                rows,
                empty: "It holds no known token."
            )
        )
    }

    private var orders: [HTML] {
        state.orders.map { orders in
            Parts.section(
                "Open orders on \(orders.network)",
                orders.rows.isEmpty
                    ? "<p class=\"empty\">\(orders.problem ?? "None.")</p>"
                    : OrderParts.table(orders.rows, network: orders.network, now: now)
            )
        }
    }

    private var transactions: HTML {
        let searched = state.searched
        let path = "/address/\(state.account.address.checksummed)"
        let note: HTML? =
            state.isCut
            ? """
            <p class="empty">Only the newest \(state.transactions.count) of these blocks are shown.</p>
            """ : nil
        let pager = Parts.pager([
            ("Latest", searched.upperBound < state.block ? path : nil),
            (
                "Before block \(searched.lowerBound)",
                searched.lowerBound > 0 ? "\(path)?to=\(searched.lowerBound - 1)" : nil
            ),
        ])
        return Parts.section(
            "Transactions in blocks \(searched.lowerBound) to \(searched.upperBound)",
            """
            \(Parts.table(
                Parts.transactionColumns,
                state.transactions.map { Parts.transactionRow($0, now: now) },
                empty: "None in these blocks."
            ))\(note)\(pager)
            """
        )
    }
}

/// Orders in a table.
enum OrderParts {
    static func table(_ rows: [OrdersState.Row], network: String, now: UInt64) -> HTML {
        Parts.table(
            [
                .init("Order"), .init("Side"), .init("Pair"), .init("Price", .number),
                .init("Amount", .number), .init("Fillable", .wideNumber), .init("Expires", .wide),
                .init("State"),
            ],
            rows.map { row in
                let base = row.side == .sell ? row.maker : row.taker
                return [
                    Parts.order(row.order.hash), side(row.side),
                    Parts.market(row.pair, network),
                    Parts.text(
                        NumberText.price(row.price, base: row.pair.base, quote: row.pair.quote)
                    ),
                    Parts.amount(base),
                    Parts.text(OrdersText.left(row)),
                    Parts.text(TimeText.remaining(until: row.order.expiry, now: now)),
                    standing(row.standing),
                ]
            },
            empty: "None."
        )
    }

    static func side(_ side: TradeSide) -> HTML {
        side == .buy ? "<span class=\"good\">buy</span>" : "<span class=\"bad\">sell</span>"
    }

    static func standing(_ standing: OrdersState.Standing) -> HTML {
        switch standing {
        case .open, .filled, .partlyFilled: "<span class=\"good\">\(standing.rawValue)</span>"
        case .cancelled, .expired, .unfunded, .halfFunded, .unknown:
            "<span class=\"soft\">\(standing.rawValue)</span>"
        }
    }
}
