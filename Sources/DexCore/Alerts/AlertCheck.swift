package import DexStore
package import Ethereum
import ZeroEx

/// What the world says about the condition of an alert.
package enum AlertVerdict: Hashable, Sendable {
    /// The value, with its unit where it needs one.
    case holds(value: String)
    case fails(value: String)
    /// It is true, or false, of the latest block of pools alone, or their mean price says otherwise.
    /// The alert stays as it is.
    case waits
    /// It cannot be told; the reason is a sentence. The alert stays as it is.
    case unknown(String)

    private init(_ holds: Bool, _ value: String) {
        self = holds ? .holds(value: value) : .fails(value: value)
    }

    fileprivate static func of(_ holds: Bool, _ value: String) -> AlertVerdict {
        AlertVerdict(holds, value)
    }
}

/// Compares conditions with a verified book, with pools and with balances, by integers only.
package enum AlertCheck {
    /// The verdict of a relay's book, or of pools.
    ///
    /// What one block's last transaction leaves in pools is no price yet. So a condition has to hold,
    /// or fail, at the end of two blocks in a row, and a price has to hold by the mean of the last
    /// minutes as well, where an oracle knows it.
    ///
    /// - Returns: nil if the condition is of another pair, or not of a market.
    static func verdict(_ condition: AlertCondition, in market: TriggerMarket) -> AlertVerdict? {
        switch market {
        case .book(let book): return verdict(condition, in: book)
        case .pools(let pools):
            guard let now = verdict(condition, in: pools) else { return nil }
            var mean: AlertVerdict?
            if case .known(let known) = pools.mean, case .price = condition {
                mean = verdict(condition, in: known)
            }
            return now.confirmed(by: verdict(condition, in: pools.before), mean: mean)
        }
    }

    /// The verdict of a book.
    ///
    /// Bid and ask are those of orders that can be filled, ignoring dust.
    ///
    /// - Returns: nil if the condition is of another pair, or not of a book.
    package static func verdict(
        _ condition: AlertCondition,
        in book: some BookPrices
    ) -> AlertVerdict? {
        guard condition.pair == PairAddresses(book.pair) else { return nil }
        switch condition {
        case .price(let kind, _, let comparison, let text):
            return verdict(kind, comparison, text, in: book)
        case .spread(_, let comparison, let points):
            guard let bid = book.bid else { return .missing(.sell, of: book.pair) }
            guard let ask = book.ask else { return .missing(.buy, of: book.pair) }
            return verdict(comparison, points, bid: bid, ask: ask)
        case .balance, .order: return nil
        }
    }

    /// The verdict of a balance in base units.
    ///
    /// - Returns: nil if the condition is of another token, or not of a balance.
    package static func verdict(
        _ condition: AlertCondition,
        balance raw: UInt256,
        of currency: Currency
    ) -> AlertVerdict? {
        guard case .balance(let token, let comparison, let text) = condition,
            token == currency.token?.address
        else { return nil }
        do throws(DexError) {
            return .of(
                comparison.holds(raw, try amount(text, of: currency)),
                currency.text(raw)
            )
        } catch {
            return .unknown(error.message)
        }
    }

    /// The verdict of a token's row; an amount that is not known in the token's units says nothing.
    ///
    /// - Returns: as of a balance.
    static func verdict(_ condition: AlertCondition, of row: BalanceState.Row) -> AlertVerdict? {
        guard case .balance(row.token.address, _, _) = condition else { return nil }
        let symbol = PlainText.name(row.token.symbol)
        guard let balance = row.balance else {
            return .unknown("The balance of \(symbol) could not be read.")
        }
        guard row.token.decimals != nil else {
            return .unknown("The decimals of \(symbol) are not known.")
        }
        return verdict(condition, balance: balance, of: .token(row.token))
    }

    /// An event of an order is one that the condition waits for.
    package static func matches(_ condition: AlertCondition, _ event: WatchEvent) -> Bool {
        guard let change = AlertCondition.OrderChange(rawValue: event.kind.rawValue) else {
            return false
        }
        return matches(condition, change, of: [event.token, event.otherToken])
    }

    /// A change of an order of two tokens is one that the condition waits for.
    static func matches(
        _ condition: AlertCondition,
        _ change: AlertCondition.OrderChange,
        of tokens: Set<Address?>
    ) -> Bool {
        guard case .order(change, let pair) = condition else { return false }
        return pair.map { tokens == [$0.base, $0.quote] } ?? true
    }

    /// Base units of an amount; zero is allowed.
    static func amount(_ text: String, of currency: Currency) throws(DexError) -> UInt256 {
        try reported(
            DecimalTextError.self,
            try DecimalNumber(text).units(decimals: currency.decimals ?? 0)
        )
    }

    private static func verdict(
        _ kind: AlertCondition.BookPrice,
        _ comparison: AlertCondition.Comparison,
        _ text: String,
        in book: some BookPrices
    ) -> AlertVerdict {
        let price: Price?
        switch kind {
        case .bid: price = book.bid
        case .ask: price = book.ask
        case .mid:
            if book.bid == nil { return .missing(.sell, of: book.pair) }
            if book.ask == nil { return .missing(.buy, of: book.pair) }
            price = book.mid
        }
        guard let price else { return .missing(kind == .ask ? .buy : .sell, of: book.pair) }
        do throws(DexError) {
            let limit = try PriceBounds.price(text, pair: book.pair)
            return .of(comparison.holds(price, limit), price.text(of: book.pair) ?? "")
        } catch {
            return .unknown(error.message)
        }
    }

    /// The spread is `(ask - bid) / mid`, compared exactly and shown rounded up.
    private static func verdict(
        _ comparison: AlertCondition.Comparison,
        _ points: UInt64,
        bid: Price,
        ask: Price
    ) -> AlertVerdict {
        let high = BigUInt(ask.quote) * BigUInt(bid.base)
        let low = BigUInt(bid.quote) * BigUInt(ask.base)
        let width =
            high < low
            ? BigUInt(0 as UInt64) : BigUInt.distance(high, low) * BigUInt(20_000 as UInt64)
        let shown = width.dividedRoundingUp(by: high + low)
        return .of(
            comparison.holds(width, BigUInt(points) * (high + low)),
            DecimalText.format(UInt256(shown), decimals: 2) + "%"
        )
    }
}

extension AlertVerdict {
    /// - Parameters:
    ///   - before: of the block before; nil without one.
    ///   - mean: nil where there is no mean.
    func confirmed(by before: AlertVerdict?, mean: AlertVerdict?) -> AlertVerdict {
        switch (self, before) {
        case (.unknown, _), (.fails, .fails?): return self
        case (.holds, .holds?):
            guard let mean else { return self }
            if case .holds = mean { return self }
            return .waits
        default: return .waits
        }
    }

    fileprivate static func missing(_ side: TradeSide, of pair: Pair) -> AlertVerdict {
        .unknown(
            "The book of \(pair.shownName) has no "
                + "\(side == .buy ? "ask" : "bid") that can be filled."
        )
    }
}
