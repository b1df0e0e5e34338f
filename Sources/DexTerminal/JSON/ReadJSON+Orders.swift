package import DexCore
import Ethereum
import StrictJSON
import ZeroEx

/// `data` of `orders` and `order`.
extension ReadJSON {
    package static let orders = Fields<OrdersState> {
        Field("block", "The latest block", \.block)
        Field("time", "The time of that block", as: .time, \.timestamp)
        Field("orders", "The orders", list: order, \.rows)
        Field("dropped", "Orders that are not shown", list: dropped, \.dropped)
    }

    package static let order = Fields<OrdersState.Row>(named: "order", "An order and its state") {
        Field("orderHash", "Its hash", \.order.hash).csv(0, "order")
            .shown(7, hash: "ORDER", dropOrder: 2, \.order.hash.hex)
        Field(
            "status",
            "`half-funded`: the maker has a part, `fillable`, of what is left, `remaining`; "
                + "`unknown`: the maker's balance or allowance could not be read",
            \.standing.word
        )
        .csv(1, "status")
        .shown(6) { rows, _ in
            // If all are ours, or gone from the relay as expected, no row repeats it.
            let marksOwn = rows.contains { !$0.isOwn }
            return .init(column: .init("STATE", dropOrder: 1, minimumWidth: 8)) { row in
                .init(
                    OrdersText.state(row, marksOwn: marksOwn),
                    row.standing == .open ? nil : .yellow
                )
            }
        }
        Field("side", "The maker's side", \.side.word).csv(2, "side")
            .shown(0, "SIDE") { row, _ in
                .init(row.side.rawValue, row.side == .buy ? .green : .red)
            }
        Field("pair", "The pair's name", as: .pairName, \.pair.name).csv(3, "pair")
            .shown(1, "PAIR", minimumWidth: 5) { row, _ in .init(row.pair.shownName) }
        Field("price", "QUOTE per BASE") { PairPrice(price: $0.price, pair: $0.pair) }
            .csv(4, "price")
            .sorted("best") { $0.isBetter(than: $1) }
            .sorted("price") {
                ListComparison.pairs($0.pair, $1.pair) ?? ($0.price < $1.price)
            }
            .shown(3, "PRICE", .point) { row, _ in
                .init(NumberText.listPrice(row.price, row.pair))
            }
        Field("maker", "Who made it", \.order.maker).csv(5, "maker")
        Field("taker", "The only one who may fill it; null: anyone") {
            $0.order.taker == .zero ? nil : $0.order.taker
        }
        .csv(6, "taker")
        Field("gives", "What its maker gives", \.maker)
            .csv(7, "gives", "value").csv(8, "gives_token", "symbol")
            .csv(19, "gives_address", "address")
            .sorted("amount") { ListComparison.pairs($0.pair, $1.pair) ?? ($0.base > $1.base) }
            .shown(2, "AMOUNT", .point) { row, _ in
                let base = row.side == .sell ? row.maker : row.taker
                return .init(NumberText.list(base.raw, base.token))
            }
        Field("wants", "What its maker wants", \.taker)
            .csv(9, "wants", "value").csv(10, "wants_token", "symbol")
            .csv(20, "wants_address", "address")
        Field("filled", "In the taker token, like the three below") {
            $0.taker.token.amount($0.state.filled)
        }
        .csv(11, "filled", "value")
        Field("cancelled", "What was cancelled") { $0.taker.token.amount($0.state.cancelled) }
            .csv(12, "cancelled", "value")
        Field("remaining", "What is neither filled nor cancelled") {
            $0.taker.token.amount($0.state.remaining)
        }
        Field("fillable", "What can be filled now; null if the maker's funds are unknown") {
            $0.taker.token.amount($0.knownFillable)
        }
        .csv(13, "fillable", "value")
        .sorted("left") { $0.fillableShare > $1.fillableShare }
        .shown(4, "LEFT", .right, dropOrder: 4) { row, _ in .init(OrdersText.left(row)) }
        Field("expires", "When it ends", as: .time, \.order.expiry)
            .csv(14, "expires", isTime: true)
            .sorted("expires") { $0.order.expiry < $1.order.expiry }
            .shown(5, "EXPIRES", dropOrder: 3) { row, screen in
                .init(TimeText.remaining(until: row.order.expiry, now: screen.now), .dim)
            }
        Field("flags", "What is special about it") { $0.flags.map(\.word) }.csv(18, "flags")
        Field("own", "The journal has it: it was made here", \.isOwn).csv(15, "own")
        Field("onRelay", "A relay shows it", \.isOnRelay).csv(16, "on_relay")
        Field("relays", "Those of several relays that show it; empty with one", \.relays)
            .csv(17, "relays")
        Field(json: "order", "The relay's wire form", .any) { wire($0.wire) }
    }

    /// The relay's wire form as nested JSON; null if it is unreadable.
    static func wire(_ text: String) -> JSONValue {
        (try? JSONParser.parse(text: text)) ?? .null  // not JSON
    }
}
