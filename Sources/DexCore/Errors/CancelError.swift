package import Ethereum
package import ZeroEx

/// There is nothing to cancel.
package enum CancelError: ErrorArea {
    case notOwn(OrderHash, maker: Address)
    case nothing([String], isEmpty: Bool)

    package var report: ErrorReport {
        switch self {
        case .notOwn(let hash, let maker):
            ErrorReport(
                .refused,
                "not-own-order",
                "The order \(hash) was made by \(maker.checksummed), and only "
                    + "its maker can cancel it.",
                hint: "Choose the maker's wallet with --wallet."
            )
        case .nothing(let words, let isEmpty):
            ErrorReport(
                .refused,
                "nothing-to-cancel",
                isEmpty
                    ? "The account has no such orders."
                    : "None of the orders is open: \(words.prefix(5).joined(separator: ", ")).",
                hint: "See `dex orders --mine`."
            )
        }
    }
}
