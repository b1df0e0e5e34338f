/// A wrong condition or number of an alert.
package enum AlertError: ErrorArea {
    case badCondition(String)
    case noSuchAlert(Int64, network: String, known: [Int64])

    package var report: ErrorReport {
        switch self {
        case .badCondition(let text):
            ErrorReport(
                .usage,
                "bad-alert",
                "\"\(PlainText.clean(text, limit: 80))\" is not a condition: a price, a spread, a "
                    + "balance or an event of your orders is expected.",
                hint: "Such as 'ZRX/WETH < 0.00074', 'ZRX/WETH bid > 0.0008', "
                    + "'ZRX/WETH spread > 2%', 'balance WETH < 1', 'fill ZRX/WETH', unfunded or "
                    + "expiring."
            )
        case .noSuchAlert(let id, let network, let known):
            ErrorReport(
                .usage,
                "no-such-alert",
                "The network \(network) has no alert \(id).",
                hint: known.isEmpty
                    ? "It has none: add one with `dex alert add 'ZRX/WETH < 0.00074'`."
                    : "It has \(known.map(String.init).joined(separator: ", ")): see "
                        + "`dex alert list`."
            )
        }
    }
}
