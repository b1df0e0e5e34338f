package import ZeroEx

/// A text that does not name one order or transaction.
package enum HashError: ErrorArea {
    package static func notAHash(_ text: String) -> DexError {
        row(
            .usage("bad-hash"),
            "\(PlainText.quoted(text, limit: 80)) is not a hash.",
            hint: "Expected are 0x and 64 hexadecimal digits, or the first 4 or more of them; "
                + "or @N for row N of the list shown last."
        )
    }

    package static func tooShort(_ text: String) -> DexError {
        row(
            .usage("bad-hash"),
            "\"\(text)\" is too short: 0x and at least 4 digits of the hash are expected."
        )
    }

    package static func unknown(_ start: HashStart) -> DexError {
        row(
            .usage("unknown-hash"),
            "No order or transaction starts with \(start).",
            hint: "See them: dex orders --mine, dex tx list"
        )
    }

    package static func unknownOrder(_ start: HashStart) -> DexError {
        row(
            .usage("unknown-order"),
            "No order starts with \(start).",
            hint: "See them: dex orders, dex orders --mine"
        )
    }

    package static func noOwnOrder(_ start: HashStart) -> DexError {
        row(
            .usage("unknown-order"),
            "None of your orders starts with \(start).",
            hint: "See them: dex orders --mine"
        )
    }

    package static func noOwnTransaction(_ start: HashStart) -> DexError {
        row(
            .usage("unknown-transaction"),
            "None of your transactions starts with \(start).",
            hint: "See them: dex tx list"
        )
    }

    /// What each of the hashes is of, and the hash.
    package static func ambiguous(_ start: HashStart, _ found: [String]) -> DexError {
        row(
            .usage("ambiguous-hash"),
            "\(start) is the start of more than one hash: "
                + found.prefix(Self.maximumNamed).joined(separator: ", ")
                + (found.count > Self.maximumNamed ? " and more." : "."),
            hint: "Type more digits of the one that you mean."
        )
    }

    package static let noList = row(
        .usage("no-list"),
        "No list of orders or transactions was shown in this terminal.",
        hint: "Show one first: dex orders --mine, dex tx list, dex orderbook PAIR"
    )

    package static let damagedList = row(
        .usage("no-list"),
        "The list shown last in this terminal was not kept whole, and is ignored.",
        hint: "Show it again: dex orders --mine, dex tx list, dex orderbook PAIR"
    )

    package static let noTerminal = row(
        .usage("no-list"),
        "A row number refers to the list shown last in a terminal, and standard output is "
            + "not a terminal.",
        hint: "Use the hash."
    )

    package static func listOfOtherNetwork(_ name: String, current: String) -> DexError {
        row(
            .usage("no-list"),
            "The list shown last in this terminal is of the network \(name), not of \(current).",
            hint: "Choose it with --network \(name), or show the list of \(current)."
        )
    }

    package static func noSuchRow(_ number: Int, count: Int) -> DexError {
        row(
            .usage("no-such-row"),
            "The list shown last in this terminal has no row \(number): it has "
                + "\(count) \(count == 1 ? "row" : "rows")."
        )
    }

    package static func rowOfOtherKind(_ number: Int, _ kind: ShownList.Kind) -> DexError {
        row(
            .usage("no-such-row"),
            kind == .orders
                ? "Row \(number) of the list shown last is an order, not a transaction."
                : "Row \(number) of the list shown last is a transaction, not an order.",
            hint: kind == .orders
                ? "Show the transactions: dex tx list" : "Show the orders: dex orders --mine"
        )
    }

    package static func wholeHashNeeded(_ hash: OrderHash) -> DexError {
        row(
            .usage("short-hash"),
            "With --yes the order's whole hash is expected: a relay can make another order "
                + "whose hash starts with the same digits.",
            hint: "Check what would be filled: dex order \(hash)"
        )
    }

    /// The most hashes that an error names.
    static let maximumNamed = 5
}
