/// What a key does while no field, plan or question is open.
///
/// The keys and the help are one table, so that they cannot differ.
package enum LiveAction: CaseIterable, Sendable {
    case down, up
    case nextPane, lastPane
    case narrower, wider
    case pair
    case buy, sell, market
    case replace, cancel
    case why
    case freeze
    case chart
    case copy
    case help
    case quit

    package var keys: [Key] {
        switch self {
        case .down: [.character("j"), .down]
        case .up: [.character("k"), .up]
        case .nextPane: [.tab]
        case .lastPane: [.backTab]
        case .narrower: [.character("[")]
        case .wider: [.character("]")]
        case .pair: [.character("/")]
        case .buy: [.character("b")]
        case .sell: [.character("s")]
        case .market: [.character("m")]
        case .replace: [.character("r")]
        case .cancel: [.character("x")]
        case .why: [.character("o")]
        case .freeze: [.character("p")]
        case .chart: [.character("c")]
        case .copy: [.character("y")]
        case .help: [.character("?")]
        case .quit: [.character("q"), .control("c")]
        }
    }

    /// A few words, as a hint at the screen's edge; nil is not hinted.
    package var hint: String? {
        switch self {
        case .buy: "buy"
        case .sell: "sell"
        case .market: "market"
        case .replace: "replace"
        case .cancel: "cancel"
        case .why: "why"
        case .pair: "pair"
        case .help: "help"
        case .quit: "quit"
        case .down, .up, .nextPane, .lastPane, .narrower, .wider, .freeze, .chart, .copy: nil
        }
    }

    /// A sentence of the help.
    package var help: String {
        switch self {
        case .down: "One level or row down."
        case .up: "One level or row up."
        case .nextPane: "To the next pane: book, orders, trades, transactions."
        case .lastPane: "To the pane before."
        case .narrower: "Show fewer levels a side."
        case .wider: "Show more levels a side."
        case .pair: "Another pair."
        case .buy: "A limit order that buys, at the cursor's price."
        case .sell: "A limit order that sells, at the cursor's price."
        case .market: "A market order up to the cursor: buys asks, sells to bids."
        case .replace: "Replace the selected own order."
        case .cancel: "Cancel the selected own order."
        case .why: "Why the selected order can be filled, or not."
        case .freeze: "Freeze the book, and go on."
        case .chart: "Candles instead of the depth, and back."
        case .copy: "Copy the selected hash to the clipboard."
        case .help: "This help."
        case .quit: "Leave. What is in flight goes on: dex resume."
        }
    }

    /// The action of a key; nil for a key without one.
    package static func of(_ key: Key) -> LiveAction? {
        allCases.first { $0.keys.contains(key) }
    }
}

extension Key {
    /// The key as a help names it.
    package var label: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .control(let letter): "Ctrl-\(letter.uppercased())"
        case .paste: "Paste"
        }
    }
}
