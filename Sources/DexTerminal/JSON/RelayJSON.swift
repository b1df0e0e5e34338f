package import DexCore
import StrictJSON
import ZeroEx

/// `data` about several relays.
package enum RelayJSON {
    /// `dex orderbook --relays`.
    package static let comparison = Fields<RelayComparisonState> {
        Field("base", "BASE of the pair", \.pair.base)
        Field("quote", "QUOTE of the pair", \.pair.quote)
        Field("block", "The block that was read", \.block)
        Field("time", "The time of that block", as: .time, \.timestamp)
        Field("usableCount", "Orders that can be taken, of all relays", \.usable)
        Field("bid", "The best bid, or null") { $0.pair.price($0.bid) }
        Field("ask", "The best ask, or null") { $0.pair.price($0.ask) }
        Field("relayAnswers", "What each shows", list: compared) { rows($0) }
    }

    static func rows(_ state: RelayComparisonState) -> [Compared] {
        state.rows.enumerated().map { Compared(row: $1, number: $0 + 1, state: state) }
    }

    /// A relay of the comparison, its number, and the comparison.
    struct Compared: Sendable {
        fileprivate let row: RelayComparisonState.Row
        fileprivate let number: Int
        fileprivate let state: RelayComparisonState

        fileprivate var pair: Pair { state.pair }
        fileprivate var isOut: Bool { row.failure != nil }

        fileprivate func cell(_ text: String, _ color: Style.Color? = nil) -> Table.Cell {
            .init(text, isOut ? .dim : color)
        }

        /// A price, with the colour of its side where no other relay has a better one.
        fileprivate func cell(_ price: Price?, best: Price?, _ color: Style.Color) -> Table.Cell {
            cell(
                price.map { NumberText.price($0, base: pair.base, quote: pair.quote) } ?? "-",
                price != nil && price == best ? color : nil
            )
        }
    }

    private static let states = Shape.words(["ok", "left-out"])

    static let compared = Fields<Compared> {
        Field("relay", "Its host", \.row.relay)
            .shown(0, "#", .right) { row, _ in row.cell("\(row.number)") }
        Field("state", "Whether its orders are in the book", as: states) {
            ExactText($0.row.failure == nil ? "ok" : "left-out")
        }
        .shown(7, "STATE") { row, _ in
            .init(row.isOut ? "left out" : "ok", row.isOut ? .yellow : .green)
        }
        Field("reason", "Why it is left out, or null", as: .foreign, \.row.failure)
        Field("orderCount", "Orders that it sent", \.row.received)
            .shown(1, "ORDERS", .right, dropOrder: 2) { row, _ in row.cell("\(row.row.received)") }
        Field("usableCount", "Those that can be taken", \.row.usable)
            .shown(2, "USABLE", .right, dropOrder: 4) { row, _ in row.cell("\(row.row.usable)") }
        Field("onlyThere", "Those that no other relay shows", \.row.onlyThere)
            .shown(3, "ONLY THERE", .right, dropOrder: 1) { row, _ in
                row.cell("\(row.row.onlyThere)")
            }
        Field("bid", "Its best bid, or null") { $0.pair.price($0.row.bid) }
            .shown(4, "BEST BID", .right) { row, _ in
                row.cell(row.row.bid, best: row.state.bid, .green)
            }
        Field("ask", "Its best ask, or null") { $0.pair.price($0.row.ask) }
            .shown(5, "BEST ASK", .right) { row, _ in
                row.cell(row.row.ask, best: row.state.ask, .red)
            }
        Field("milliseconds", "How long it took", \.row.milliseconds)
            .shown(6, "TIME", .right, dropOrder: 3) { row, _ in
                .init("\(row.row.milliseconds) ms", .dim)
            }
    }

    /// What one of several relays answered for a book.
    static let answer = Fields<RelayAnswer> {
        Field("relay", "Its host", \.relay)
        Field("state", "Whether its orders are in the book", as: states) {
            ExactText($0.failure == nil ? "ok" : "left-out")
        }
        Field("reason", "Why it is left out, or null", as: .foreign, \.failure?.reason)
        Field("orderCount", "Orders that it sent", \.received)
        Field("milliseconds", "How long it took", \.milliseconds)
    }

    static func answers(_ answers: [RelayAnswer]) -> JSONValue { answer(answers) }

    /// Every relay's part in the plan of a limit order.
    static func targets(_ targets: [RelayTarget]) -> JSONValue {
        .list(targets) { target in
            var reason: String?
            if case .skipped(let words) = target.part { reason = words }
            return [
                "relay": JSONFormat.text(target.relay),
                "posted": .bool(target.part == .hasIt),
                "reason": JSONFormat.text(reason),
            ]
        }
    }

    /// Each relay's answer to a posted order.
    static func postings(_ postings: [RelayPosting]) -> JSONValue {
        .list(postings) { posting in
            [
                "relay": JSONFormat.text(posting.relay),
                "posted": .bool(posting.isPosted),
                "reason": JSONFormat.text(posting.reason),
            ]
        }
    }

    /// How a watched book learns of changes.
    static let source = Fields<WatchSource> {
        Field("following", "Relays that tell", \.following)
        Field("polling", "Relays that are asked", \.polling)
        Field("interval", "Seconds between two questions", \.interval)
    }

    /// Null for a single book.
    static func source(_ source: WatchSource?) -> JSONValue {
        source.map { Self.source($0) } ?? .null
    }

    static func names(_ names: [String]) -> JSONValue {
        .list(names) { JSONFormat.text($0) }
    }
}
