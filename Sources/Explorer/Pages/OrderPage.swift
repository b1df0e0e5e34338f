import DexCore
import DexTerminal
import Ethereum
import ZeroEx

/// An order, its state, and its fills and cancels.
struct OrderPage {
    let details: OrderDetails
    /// What an address is called.
    let name: (Address) -> NamedAddress
    let now: UInt64

    var page: Page {
        Page(
            title: "Order \(details.hash.hex.prefix(10))…",
            body: "\(head)\(events)",
            liveness: .book
        )
    }

    private var head: HTML {
        guard let row = details.row else {
            return """
                <h1>Order</h1>
                \(Parts.facts([("Hash", Parts.mono(details.hash.hex)), ("Network", Parts.text(details.network))]))
                <p class="empty">The relay does not have this order any more. Its events are below.</p>
                """
        }
        let base = row.side == .sell ? row.maker : row.taker
        let taker = row.taker.token
        func part(_ raw: UInt256) -> HTML { Parts.amount(TokenAmount(raw: raw, token: taker)) }
        // What stands beside the title is not said again.
        let notes = row.flags.map(\.rawValue).filter { $0 != row.standing.rawValue }
        let price = NumberText.price(row.price, base: row.pair.base, quote: row.pair.quote)
        return """
            <h1>\(row.side == .buy ? "Buys" : "Sells") \(Parts.amount(base)) \
            <span class="badge">\(OrderParts.standing(row.standing))</span></h1>
            \(Parts.facts([
                ("Hash", Parts.mono(details.hash.hex)),
                ("Market", "\(Parts.market(row.pair, details.network)) on \(details.network)"),
                ("Price", "\(price) \(Parts.token(row.pair.quote)) per \(Parts.token(row.pair.base))"),
                ("Gives", Parts.amount(row.maker)),
                ("Wants", Parts.amount(row.taker)),
                ("Filled", part(row.state.filled)),
                ("Cancelled", row.state.cancelled == .zero ? nil : part(row.state.cancelled)),
                ("Remaining", part(row.state.remaining)),
                ("Fillable now", row.knownFillable.map(part) ?? Parts.text(UnknownText.word)),
                ("Expires", Parts.text("\(TimeText.utc(row.order.expiry)) (\(TimeText.remaining(until: row.order.expiry, now: now)))")),
                ("Maker", Parts.wholeAddress(name(row.order.maker))),
                ("Only for", row.order.taker == .zero ? nil : Parts.wholeAddress(name(row.order.taker))),
                ("Notes", notes.isEmpty ? nil : Parts.text(notes.joined(separator: ", "))),
            ]))
            """
    }

    private var events: HTML {
        let rows = details.entries.map { entry -> [HTML] in
            [
                Parts.transaction(entry.transaction), Parts.block(entry.block.number),
                Parts.age(entry.block.timestamp, now: now),
                EventParts.item(entry.event, maximumData: 0),
            ]
        }
        let searched = details.searched
        return Parts.section(
            "Fills and cancels in blocks \(searched.lowerBound) to \(searched.upperBound)",
            Parts.table(
                [.init("Transaction"), .init("Block", .wideNumber), .init("Age"), .init("Event")],
                rows,
                empty: "None in these blocks."
            )
        )
    }
}
