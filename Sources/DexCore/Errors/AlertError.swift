/// A wrong condition or number of an alert.
package enum AlertError: ErrorArea {
    package static func badCondition(_ text: String) -> DexError {
        row(
            .usage("bad-alert"),
            "\(PlainText.quoted(text, limit: 80)) is not a condition: a price, a spread, a "
                + "balance or an event of your orders is expected.",
            hint: "Such as ZRX/WETH --below 0.00074, ZRX/WETH bid --above 0.0008, "
                + "ZRX/WETH spread --above 2%, balance WETH --below 1, fill ZRX/WETH, unfunded "
                + "or expiring. A < or > that is not quoted is taken by the shell."
        )
    }

    package static func noSuchAlert(_ id: Int64, network: String, known: [Int64]) -> DexError {
        row(
            .usage("no-such-alert"),
            "The network \(network) has no alert \(id).",
            hint: known.isEmpty
                ? "It has none: add one with `dex alert add 'ZRX/WETH < 0.00074'`."
                : "It has \(known.map(String.init).joined(separator: ", ")): see "
                    + "`dex alert list`."
        )
    }
}
