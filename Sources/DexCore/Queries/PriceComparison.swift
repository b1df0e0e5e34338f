package import Ethereum
package import ZeroEx

/// The comparison of a price with a book's orders that could be filled at once.
///
/// Example: an order to buy 100 ZRX at 0.0076 WETH, where 1,000 ZRX are for sale at 0.00075, has
/// the distance 91,334 (913.34 %), and the 100 ZRX come to 0.075 WETH.
package struct PriceComparison: Sendable {
    /// The best price of these orders ignoring dust, after taker fees.
    package let best: Price
    /// How much worse the price is than the best, in hundredths of a percent, rounded up; 0 if it
    /// is as good or better.
    package let distance: UInt64
    /// Base units of base of the amount that orders at better prices can fill.
    package let base: UInt256
    /// Base units of quote for those, including taker fees in a token of the pair.
    package let quote: UInt256
}

/// The orders to compare a price with.
enum BookReading: Sendable {
    case book(BookSnapshot)
    /// The relay gave no book; the sentence with the reason.
    case unread(String)

    /// Halfway between the book's best prices; nil without a book, or with one side only.
    var mid: Price? {
        if case .book(let book) = self { book.mid } else { nil }
    }

    /// Reads a pair's book; a relay without one does not fail the command.
    ///
    /// - Returns: a failure if the node's part failed.
    static func read(
        of pair: Pair,
        account: Address,
        session: Session,
        settings: ReadSettings
    ) async -> Result<BookReading, DexError> {
        do {
            let reader = BookReader(session: session, settings: settings)
            return .success(.book(try await reader.snapshot(of: pair, account: account)))
        } catch {
            guard error.concerns(.relay) else {
                return .failure(error)
            }
            let reason = PlainText.sentence(error.message)
            return .success(
                .unread("There is no book to compare the price with: \(reason)")
            )
        }
    }
}

extension BookSnapshot {
    /// Compares a price with the result of a trade on a side.
    ///
    /// - Parameters:
    ///   - price: quote per base.
    ///   - amount: base units of base.
    /// - Returns: nil if the side has no order that can be taken.
    func comparison(
        of price: Price,
        amount: UInt256,
        side: TradeSide
    ) -> PriceComparison? {
        comparison(
            of: price,
            amount: amount,
            depth: BookDepth(entries(for: side), side: side),
            others: entries(for: side)
        )
    }

    /// Compares a fill of one order with the other orders of its side.
    ///
    /// The filled part of the order counts as part of the book: a crumb beside it says nothing
    /// about the market.
    ///
    /// - Parameters:
    ///   - order: the filled order; it is ignored among the others.
    ///   - price: of the order, after taker fees.
    ///   - amount: base units of base that are filled.
    func comparison(
        filling order: OrderHash,
        at price: Price,
        amount: UInt256,
        side: TradeSide
    ) -> PriceComparison? {
        let others = entries(for: side).filter { $0.order.hash != order }
        var levels = BookDepth(others, side: side).levels
        guard !levels.isEmpty else { return nil }
        let place = levels.firstIndex {
            !PriceBounds.isWithin($0.price, limit: price, side: side)
        }
        levels.insert(
            BookDepth.Level(price: price, base: amount, offered: amount),
            at: place ?? levels.endIndex
        )
        return comparison(
            of: price,
            amount: amount,
            depth: BookDepth(side: side, levels: levels),
            others: others
        )
    }

    private func comparison(
        of price: Price,
        amount: UInt256,
        depth: BookDepth,
        others: [BookEntry]
    ) -> PriceComparison? {
        guard let best = depth.best(for: amount),
            let distance = depth.impact(of: price, for: amount)
        else { return nil }
        let better = others.filter {
            $0.price != price && PriceBounds.isWithin($0.price, limit: price, side: depth.side)
        }
        let walk = BookWalk(
            better,
            side: depth.side,
            amount: amount,
            exchangeProtocol: materials.assembler.exchangeProtocol,
            contracts: contracts
        )
        return PriceComparison(
            best: best,
            distance: distance,
            base: walk.base,
            quote: walk.quote
        )
    }
}

extension Price {
    /// Quote per base in decimal units, rounded down to eight significant digits; nil if it has no
    /// decimal text.
    ///
    /// Example: 75 of 18 decimals for 100,000 of 18 decimals is `0.00075`.
    func text(of pair: Pair) -> String? {
        let places = 36
        let shift = Int(pair.base.decimals ?? 0) - Int(pair.quote.decimals ?? 0) + places
        guard shift >= 0, let scale = PriceBounds.powerOfTen(shift.magnitude),
            let exact = UInt256.mulDiv(quote, scale, base)?.quotient
        else { return nil }
        let digits = exact.description.utf8.count
        guard digits > 8, let cut = PriceBounds.powerOfTen(UInt(digits - 8)) else {
            return DecimalText.format(exact, decimals: UInt8(places))
        }
        return DecimalText.format(exact - exact % cut, decimals: UInt8(places))
    }
}

extension DexError {
    /// The error of a relay's book that was read for the plan, and must be read again.
    var ofUnreadBook: DexError {
        guard concerns(.relay) else { return self }
        return TradeError.referenceUnread(PlainText.sentence(message))
    }
}
