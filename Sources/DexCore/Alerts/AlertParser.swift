package import DexStore
import Ethereum
import ZeroEx

/// Reads conditions of alerts: `ZRX/WETH < 0.00074`, `balance WETH < 1`, `fill ZRX/WETH`.
package struct AlertParser: Sendable {
    let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// A condition with its tokens resolved, and how it is shown.
    package struct Parsed: Hashable, Sendable {
        package let condition: AlertCondition
        package let text: String
    }

    /// One request to the node if a token is an address that the map does not have, else none.
    ///
    /// - Throws: `DexError`, exit 2: `bad-alert`, `bad-price`, `bad-percent`, `bad-amount`; as
    ///   `TokenResolver`.
    package func parse(_ text: String) async throws(DexError) -> Parsed {
        let text = Self.signs(of: text)
        guard let start = text.firstIndex(where: { $0 == "<" || $0 == ">" }) else {
            return try await order(Self.words(text[...]), in: text)
        }
        var rest = text[start...]
        let sign = String(rest.prefix(rest.dropFirst().first == "=" ? 2 : 1))
        rest = rest.dropFirst(sign.count)
        let limits = Self.words(rest)
        guard let comparison = AlertCondition.Comparison(rawValue: sign), limits.count == 1,
            let limit = limits.first
        else { throw AlertError.badCondition(text) }
        let left = Self.words(text[..<start])
        let comparing = Comparing(comparison: comparison, limit: limit)
        switch (left.first, left.dropFirst().first, left.count) {
        case ("balance", let token?, 2): return try await balance(of: token, comparing)
        case (let pair?, nil, 1):
            return try await price(.mid, of: pair, comparing)
        case (let pair?, "spread", 2): return try await spread(of: pair, comparing)
        case (let pair?, let word?, 2):
            guard let price = AlertCondition.BookPrice(rawValue: word) else { break }
            return try await self.price(price, of: pair, comparing)
        default: break
        }
        throw AlertError.badCondition(text)
    }

    private struct Comparing {
        let comparison: AlertCondition.Comparison
        let limit: String

        var text: String { "\(comparison.rawValue) \(limit)" }
    }

    private func price(
        _ price: AlertCondition.BookPrice,
        of text: String,
        _ comparing: Comparing
    ) async throws(DexError) -> Parsed {
        let pair = try await TokenResolver(session: session).pair(text)
        _ = try PriceBounds.price(comparing.limit, pair: pair)
        let what = price == .mid ? "" : " \(price.rawValue)"
        return Parsed(
            condition: .price(price, PairAddresses(pair), comparing.comparison, comparing.limit),
            text: "\(Self.name(pair))\(what) \(comparing.text)"
        )
    }

    private func spread(of text: String, _ comparing: Comparing) async throws(DexError) -> Parsed {
        let points = try TradeSettings.basisPoints(comparing.limit)
        let pair = try await TokenResolver(session: session).pair(text)
        return Parsed(
            condition: .spread(PairAddresses(pair), comparing.comparison, points),
            text: "\(Self.name(pair)) spread \(comparing.text)"
                + (comparing.limit.hasSuffix("%") ? "" : "%")
        )
    }

    private func balance(of text: String, _ comparing: Comparing) async throws(DexError) -> Parsed {
        let currency: Currency =
            try session.tokens.namesCoin(text)
            ? .coin(session.network.coin)
            : .token(try await TokenResolver(session: session).token(text))
        _ = try AlertCheck.amount(comparing.limit, of: currency)
        return Parsed(
            condition: .balance(currency.token?.address, comparing.comparison, comparing.limit),
            text: "balance \(PlainText.name(currency.symbol)) \(comparing.text)"
        )
    }

    private func order(_ words: [String], in text: String) async throws(DexError) -> Parsed {
        guard let change = words.first.flatMap(AlertCondition.OrderChange.init(rawValue:)),
            words.count <= 2
        else { throw AlertError.badCondition(text) }
        guard words.count == 2 else {
            return Parsed(condition: .order(change, nil), text: change.rawValue)
        }
        let pair = try await TokenResolver(session: session).pair(words[1])
        return Parsed(
            condition: .order(change, PairAddresses(pair)),
            text: "\(change.rawValue) \(Self.name(pair))"
        )
    }

    /// The words of `dex guard add` as signs: `above` is `>=`, `below` is `<=`.
    private static func signs(of text: String) -> String {
        words(text[...]).map { word in
            switch word.lowercased() {
            case "above", "--above": AlertCondition.Comparison.atLeast.rawValue
            case "below", "--below": AlertCondition.Comparison.atMost.rawValue
            default: word
            }
        }.joined(separator: " ")
    }

    private static func words(_ text: Substring) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func name(_ pair: Pair) -> String {
        pair.shownName
    }
}
