import DexTerminal
import RelayHost
import StrictJSON

/// A running relay's figures as text and JSON.
struct RelayStatsView: Sendable {
    let figures: RelayFigures
    /// Why the relay is not ready.
    let reasons: [String]
    /// The pairs' names by their labels.
    let names: [String: String]
    let url: String

    var json: JSONValue {
        [
            "url": JSONFormat.text(url),
            "version": JSONFormat.text(figures.version),
            "ready": .bool(figures.isReady),
            "reasons": .list(reasons) { JSONFormat.text($0) },
            "requests": JSONFormat.integer(figures.requests),
            "orderCounts": .list(figures.orders) { orders in
                [
                    "protocol": JSONFormat.text(orders.version),
                    "pairLabel": JSONFormat.text(orders.pair),
                    "state": JSONFormat.text(orders.state),
                    "count": JSONFormat.integer(orders.count),
                ]
            },
            "posts": .list(figures.posts) { posts in
                [
                    "protocol": JSONFormat.text(posts.version),
                    "result": JSONFormat.text(posts.outcome),
                    "count": JSONFormat.integer(posts.count),
                ]
            },
            "watcher": figures.watcher.map { watcher in
                [
                    "watching": .bool(watcher.isWatching),
                    "followed": JSONFormat.integer(watcher.followed),
                    "latest": JSONFormat.integer(watcher.latest),
                    "lag": JSONFormat.integer(watcher.lag),
                    "nodeRequests": JSONFormat.integer(watcher.nodeRequests),
                    "nodeFailures": JSONFormat.integer(watcher.nodeFailures),
                    "reorganizations": JSONFormat.integer(watcher.reorganizations),
                ]
            } ?? .null,
            "storeStatus": figures.store.map { store in
                [
                    "reachable": .bool(store.isReachable),
                    "commits": JSONFormat.integer(store.commits),
                    "failures": JSONFormat.integer(store.failures),
                ]
            } ?? .null,
            "connections": JSONFormat.integer(figures.connections),
            "subscriptions": JSONFormat.integer(figures.subscriptions),
        ]
    }

    func lines(_ screen: Screen) -> [String] {
        let style = screen.style
        var lines = [
            "\(TerminalText.clean(url)): "
                + (figures.isReady
                    ? style.paint("ready", .green) : style.paint("not ready", .yellow)),
            "",
        ]
        var facts = KeyValueList()
        for reason in reasons { facts.add("reason", TerminalText.clean(reason), .yellow) }
        facts.add("orders", states)
        facts.add("watcher", watcher, figures.watcher?.lag ?? 0 >= 3 ? .yellow : nil)
        facts.add("store", store, figures.store?.isReachable == false ? .red : nil)
        facts.add(
            "clients",
            count(figures.requests, "request")
                + (figures.connections.map { connections in
                    ", \(count(connections, "feed connection")), "
                        + count(figures.subscriptions ?? 0, "subscription")
                } ?? "")
        )
        lines += facts.lines(screen)
        lines += table(
            screen,
            ["PROTOCOL", "PAIR", "STATE", "ORDERS"],
            figures.orders.map { [$0.version, name(of: $0.pair), $0.state, String($0.count)] }
        )
        lines += table(
            screen,
            ["PROTOCOL", "POSTS", "COUNT"],
            figures.posts.map { [$0.version, $0.outcome, String($0.count)] }
        )
        return lines
    }

    /// A pair by its symbols; without them by the ends of its addresses.
    private func name(of pair: String) -> String {
        let name = names[pair] ?? pair
        return name.split(separator: "/").map { token in
            token.count > 14 ? "\(token.prefix(8))...\(token.suffix(4))" : String(token)
        }
        .joined(separator: "/")
    }

    private var states: String {
        let names = ["shown", "dormant", "hidden"]
        return names.map { "\(figures.orders(in: $0)) \($0)" }.joined(separator: ", ")
    }

    private var watcher: String? {
        guard let watcher = figures.watcher else { return nil }
        guard watcher.isWatching else { return "another instance watches the chain" }
        guard let followed = watcher.followed else { return "no block followed yet" }
        return "block \(followed), \(watcher.lag ?? 0) behind the node; "
            + "\(count(watcher.nodeRequests, "node request")), \(watcher.nodeFailures) failed, "
            + count(watcher.reorganizations, "reorganization")
    }

    private var store: String? {
        guard let store = figures.store else { return nil }
        return (store.isReachable ? "answers" : "does not answer")
            + ", \(count(store.commits, "commit")), \(count(store.failures, "failure"))"
    }

    private func count(_ count: UInt64, _ noun: String) -> String {
        NumberText.count(Int(clamping: count), noun)
    }

    private func table(_ screen: Screen, _ titles: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        var table = Table(
            titles.enumerated().map { index, title in
                index == titles.count - 1 ? Table.Column(title, .right) : Table.Column(title)
            }
        )
        for row in rows { table.add(row.map { Table.Cell(TerminalText.clean($0)) }) }
        return [""] + table.lines(width: screen.width, style: screen.style)
    }
}
