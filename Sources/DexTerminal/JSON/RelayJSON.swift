package import DexCore
package import StrictJSON
import ZeroEx

/// `data` about several relays.
package enum RelayJSON {
    /// `dex orderbook --relays`.
    package static func comparison(_ state: RelayComparisonState) -> JSONValue {
        [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(state.block),
            "timestamp": JSONFormat.integer(state.timestamp),
            "usable": .integer(state.usable),
            "bid": ReadJSON.price(state.bid, state.pair),
            "ask": ReadJSON.price(state.ask, state.pair),
            "relays": .list(state.rows) { row in
                [
                    "relay": JSONFormat.text(row.relay),
                    "state": .string(row.failure == nil ? "ok" : "left-out"),
                    "reason": JSONFormat.text(row.failure),
                    "orders": .integer(row.received),
                    "usable": .integer(row.usable),
                    "onlyThere": .integer(row.onlyThere),
                    "bid": ReadJSON.price(row.bid, state.pair),
                    "ask": ReadJSON.price(row.ask, state.pair),
                    "milliseconds": JSONFormat.integer(row.milliseconds),
                ]
            },
        ]
    }

    /// What each of several relays answered for a book.
    static func answers(_ answers: [RelayAnswer]) -> JSONValue {
        .list(answers) { answer in
            [
                "relay": JSONFormat.text(answer.relay),
                "state": .string(answer.failure == nil ? "ok" : "left-out"),
                "reason": JSONFormat.text(answer.failure?.reason),
                "orders": .integer(answer.received),
                "milliseconds": JSONFormat.integer(answer.milliseconds),
            ]
        }
    }

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

    /// How a watched book learns of changes; null for a single book.
    static func source(_ source: WatchSource?) -> JSONValue {
        guard let source else { return .null }
        return [
            "following": names(source.following),
            "polling": names(source.polling),
            "interval": JSONFormat.integer(source.interval),
        ]
    }

    static func names(_ names: [String]) -> JSONValue {
        .list(names) { JSONFormat.text($0) }
    }
}
