import DexStore
package import Ethereum
package import ZeroEx

/// A limit order that is impossible or not allowed.
package enum LimitError: ErrorArea {
    case outOfRange(String, pair: Pair)
    case wrongSignature
    case wrongHash
    case impossible(OrderError)
    case relayTerms(OrderError)
    case relayFeeCap(String, fee: UInt256, cap: UInt256, token: Token)
    case badExpiry
    case crossesBook(words: String, market: String)
    case saltUnknown(words: String)
    case pairCancelled
    /// The approval before it did not get through.
    case unapproved(SentTransaction)

    package var report: ErrorReport {
        switch self {
        case .unapproved(let sent): Self.unapproved(sent)
        case .outOfRange(let what, let pair):
            ErrorReport(
                .usage,
                "amount-out-of-range",
                "The amount times the price comes to \(what) of "
                    + "\(PlainText.clean(pair.quote.symbol, limit: 20)).",
                hint:
                    "Check the amount (in \(PlainText.clean(pair.base.symbol, limit: 20))) and the "
                    + "price."
            )
        case .wrongSignature:
            ErrorReport(
                .wallet,
                "wrong-signature",
                "The key made a signature that does not verify; the order was not used."
            )
        case .wrongHash:
            ErrorReport(
                .fault,
                "wrong-hash",
                "The signed order is not the one that was planned; it was not used."
            )
        case .impossible(let error):
            ErrorReport(.usage, "impossible-order", error.description)
        case .relayTerms(let error):
            ErrorReport(
                .refused,
                "relay-terms",
                "The relay wants what no order can have. "
                    + PlainText.clean(error.description),
                hint: "Use another relay (--relay)."
            )
        case .relayFeeCap(let name, let fee, let cap, let token):
            ErrorReport(
                .refused,
                "relay-fee-cap",
                "The relay wants a \(name) fee of "
                    + "\(TokenAmount(raw: fee, token: token).value) \(PlainText.clean(token.symbol, limit: 20)); at most "
                    + "\(TokenAmount(raw: cap, token: token).value) \(PlainText.clean(token.symbol, limit: 20)) are allowed.",
                hint: "Use another relay (--relay), or sign the order without one (--no-post)."
            )
        case .badExpiry:
            ErrorReport(
                .usage,
                "bad-expiry",
                "The order would already have expired.",
                hint: "Give a time to live such as --expires 24h."
            )
        case .crossesBook(let words, let market):
            ErrorReport(
                .refused,
                "crosses-book",
                words + " Nothing was signed.",
                hint: "Check the price. \(market)If you mean this price: --allow-crossing."
            )
        case .saltUnknown(let words):
            ErrorReport(
                .refused,
                "salt-unknown",
                "The exchange does not say which orders of the pair it takes as "
                    + "cancelled, so a new one may be cancelled already: "
                    + PlainText.sentence(words, limit: 600),
                hint: "Try another node with --rpc."
            )
        case .pairCancelled:
            ErrorReport(
                .refused,
                "pair-cancelled",
                "The account's orders of this pair were cancelled meanwhile, this one's salt "
                    + "among theirs, so it could never be filled; it was not signed.",
                hint: "Run the command again for one with a higher salt.",
                retryable: true
            )
        }
    }

    private static func unapproved(_ sent: SentTransaction) -> ErrorReport {
        let status = sent.stage.sentWord
        let kind = OutcomeError(sent.stage.ending, OutcomeSubject(sent))?.report.kind ?? .fault
        return ErrorReport(
            kind,
            "approval-\(status)",
            "The approval \(sent.hash) is \(sent.stage == .mined ? "unconfirmed" : status), so "
                + "the order was not signed."
                + (sent.stage == .reverted ? sent.reason.map { " \($0)" } ?? "" : ""),
            hint: "Look with `dex status \(sent.hash) --wait`, then run the command again.",
            retryable: kind == .notMinedYet
        )
    }
}
