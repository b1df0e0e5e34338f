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
        Field("relayAnswers", "What each shows", list: compared) { state in
            state.rows.map { Compared(row: $0, pair: state.pair) }
        }
    }

    private struct Compared: Sendable {
        let row: RelayComparisonState.Row
        let pair: Pair
    }

    private static let states = Shape.words(["ok", "left-out"])

    private static let compared = Fields<Compared> {
        Field("relay", "Its host", \.row.relay)
        Field("state", "Whether its orders are in the book", as: states) {
            ExactText($0.row.failure == nil ? "ok" : "left-out")
        }
        Field("reason", "Why it is left out, or null", as: .foreign, \.row.failure)
        Field("orderCount", "Orders that it sent", \.row.received)
        Field("usableCount", "Those that can be taken", \.row.usable)
        Field("onlyThere", "Those that no other relay shows", \.row.onlyThere)
        Field("bid", "Its best bid, or null") { $0.pair.price($0.row.bid) }
        Field("ask", "Its best ask, or null") { $0.pair.price($0.row.ask) }
        Field("milliseconds", "How long it took", \.row.milliseconds)
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
