package import ZeroEx

/// A text that does not name one order or transaction.
package enum HashError: ErrorArea {
    case notAHash(String)
    case tooShort(String)
    case unknown(HashStart)
    case unknownOrder(HashStart)
    case noOwnOrder(HashStart)
    case noOwnTransaction(HashStart)
    /// What each of the hashes is of, and the hash.
    case ambiguous(HashStart, [String])
    case noList
    case damagedList
    case noTerminal
    case listOfOtherNetwork(String, current: String)
    case noSuchRow(Int, count: Int)
    case rowOfOtherKind(Int, ShownList.Kind)
    case wholeHashNeeded(OrderHash)

    /// The most hashes that an error names.
    static let mostNamed = 5

    package var report: ErrorReport {
        switch self {
        case .notAHash(let text):
            ErrorReport(
                .usage,
                "bad-hash",
                "\(PlainText.quoted(text, limit: 80)) is not a hash.",
                hint: "Expected are 0x and 64 hexadecimal digits, or the first 4 or more of them; "
                    + "or @N for row N of the list shown last."
            )
        case .tooShort(let text):
            ErrorReport(
                .usage,
                "bad-hash",
                "\"\(text)\" is too short: 0x and at least 4 digits of the hash are expected."
            )
        case .unknown(let start):
            ErrorReport(
                .usage,
                "unknown-hash",
                "No order or transaction starts with \(start).",
                hint: "See them: dex orders --mine, dex tx list"
            )
        case .unknownOrder(let start):
            ErrorReport(
                .usage,
                "unknown-order",
                "No order starts with \(start).",
                hint: "See them: dex orders, dex orders --mine"
            )
        case .noOwnOrder(let start):
            ErrorReport(
                .usage,
                "unknown-order",
                "None of your orders starts with \(start).",
                hint: "See them: dex orders --mine"
            )
        case .noOwnTransaction(let start):
            ErrorReport(
                .usage,
                "unknown-transaction",
                "None of your transactions starts with \(start).",
                hint: "See them: dex tx list"
            )
        case .ambiguous(let start, let found):
            ErrorReport(
                .usage,
                "ambiguous-hash",
                "\(start) is the start of more than one hash: "
                    + found.prefix(Self.mostNamed).joined(separator: ", ")
                    + (found.count > Self.mostNamed ? " and more." : "."),
                hint: "Type more digits of the one that you mean."
            )
        case .noList:
            ErrorReport(
                .usage,
                "no-list",
                "No list of orders or transactions was shown in this terminal.",
                hint: "Show one first: dex orders --mine, dex tx list, dex orderbook PAIR"
            )
        case .damagedList:
            ErrorReport(
                .usage,
                "no-list",
                "The list shown last in this terminal was not kept whole, and is ignored.",
                hint: "Show it again: dex orders --mine, dex tx list, dex orderbook PAIR"
            )
        case .noTerminal:
            ErrorReport(
                .usage,
                "no-list",
                "A row number refers to the list shown last in a terminal, and standard output is "
                    + "not a terminal.",
                hint: "Use the hash."
            )
        case .listOfOtherNetwork(let name, let current):
            ErrorReport(
                .usage,
                "no-list",
                "The list shown last in this terminal is of the network \(name), not of "
                    + "\(current).",
                hint: "Choose it with --network \(name), or show the list of \(current)."
            )
        case .noSuchRow(let number, let count):
            ErrorReport(
                .usage,
                "no-such-row",
                "The list shown last in this terminal has no row \(number): it has "
                    + "\(count) \(count == 1 ? "row" : "rows")."
            )
        case .rowOfOtherKind(let number, let kind):
            ErrorReport(
                .usage,
                "no-such-row",
                kind == .orders
                    ? "Row \(number) of the list shown last is an order, not a transaction."
                    : "Row \(number) of the list shown last is a transaction, not an order.",
                hint: kind == .orders
                    ? "Show the transactions: dex tx list" : "Show the orders: dex orders --mine"
            )
        case .wholeHashNeeded(let hash):
            ErrorReport(
                .usage,
                "short-hash",
                "With --yes the order's whole hash is expected: a relay can make another order "
                    + "whose hash starts with the same digits.",
                hint: "Check what would be filled: dex order \(hash)"
            )
        }
    }
}
