package import Ethereum
import ZeroEx

/// `dex orderbook`: both sides of a pair, best first.
package struct OrderbookModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The current book.
    ///
    /// - Parameters:
    ///   - depth: the maximum rows per side; nil is all.
    ///   - raw: unchanged from the relay, without checks or a node.
    ///   - account: the account whose orders are marked as own.
    package func load(
        pairText: String,
        depth: Int? = nil,
        raw: Bool = false,
        account: Address? = nil
    ) async throws(DexError) -> OrderbookState {
        let pair = try await TokenResolver(session: session).pair(pairText)
        return try await load(pair, depth: depth, raw: raw, account: account)
    }

    func load(
        _ pair: Pair,
        depth: Int?,
        raw: Bool,
        account: Address?
    ) async throws(DexError) -> OrderbookState {
        if raw { return try await loadRaw(pair, depth: depth) }
        let book = try await BookReader(session: session, settings: settings)
            .snapshot(of: pair, account: account)
        let (bid, ask) = (book.bid, book.ask)
        let limit = max(0, depth ?? .max)
        return OrderbookState(
            pair: book.pair,
            block: book.block.number,
            timestamp: book.block.timestamp,
            bids: book.bids.prefix(limit).map { row($0, side: .sell, of: book) },
            asks: book.asks.prefix(limit).map { row($0, side: .buy, of: book) },
            received: book.received,
            verified: book.verified,
            dropped: book.dropped,
            isRaw: false,
            depth: depth,
            bidCount: book.bids.count,
            askCount: book.asks.count,
            bid: bid,
            ask: ask,
            mid: PriceModel.mid(bid, ask),
            feeToken: feeToken(of: book),
            feeRate: book.feeRate,
            relays: book.relays?.answers ?? [],
            shortfall: book.shortfall
        )
    }

    /// The token of the book's taker fees; nil if there are none.
    private func feeToken(of book: BookSnapshot) -> Token? {
        func charging(_ entries: [BookEntry]) -> BookEntry? {
            entries.firstIndex { $0.order.takerFee != .zero }.map { entries[$0] }
        }
        guard let order = charging(book.asks) ?? charging(book.bids) else { return nil }
        let address = session.exchangeProtocol.feeToken(
            of: order.order,
            contracts: book.contracts
        )
        return [book.pair.base, book.pair.quote].first { $0.address == address }
            ?? session.tokens.known(address) ?? .unknown(address)
    }

    private func row(
        _ entry: BookEntry,
        side: TradeSide,
        of book: BookSnapshot
    ) -> OrderbookState.Row {
        let order = entry.order
        return OrderbookState.Row(
            orderHash: order.hash,
            maker: order.maker,
            price: entry.price,
            amount: side == .buy ? order.makerAmount : order.takerAmount,
            fillable: side == .buy ? entry.fillableMaker : entry.fillableTaker,
            takerFee: session.exchangeProtocol.takerFee(of: order, filling: entry.fillableTaker),
            expires: order.expiry,
            flags: entry.flags,
            relays: book.relays(showing: order)
        )
    }

    private func loadRaw(_ pair: Pair, depth: Int?) async throws(DexError) -> OrderbookState {
        let relay = try session.requiredRelay()
        let book = try await relayed(
            try await relay.orderbook(base: pair.base.address, quote: pair.quote.address)
        )
        let pricing = OrderPricing(base: pair.base.address, quote: pair.quote.address)
        var dropped = OrderbookState.Dropped.list(book.bids.unreadable, book.asks.unreadable)
        let unreadable = dropped.orderCount
        var bids: [OrderbookState.Row] = []
        var asks: [OrderbookState.Row] = []
        let orders = book.bids.orders + book.asks.orders
        for order in orders {
            // Without a price there is no row and no further check.
            guard let side = pricing.side(of: order) else {
                dropped.append(OrderbookState.Dropped(order, .rejected(.wrongTokens)))
                continue
            }
            guard let price = try? pricing.price(of: order, feeToken: nil) else {  // nil: zero
                dropped.append(OrderbookState.Dropped(order, .rejected(.zeroAmount)))
                continue
            }
            let amount = side == .buy ? order.makerAmount : order.takerAmount
            let row = OrderbookState.Row(
                orderHash: order.hash,
                maker: order.maker,
                price: price,
                amount: amount,
                fillable: amount,
                takerFee: order.takerFee,
                expires: order.expiry,
                flags: [.unverified],
                relays: book.relays.map { $0.names($0[order.copyID]) } ?? []
            )
            if side == .buy { asks.append(row) } else { bids.append(row) }
        }
        if book.relays != nil {
            // Each relay's order of the rows ends where the next relay's begins.
            asks.sort { $0.price < $1.price }
            bids.sort { $1.price < $0.price }
        }
        let limit = max(0, depth ?? .max)
        return OrderbookState(
            pair: pair,
            block: nil,
            timestamp: session.environment.now(),
            bids: Array(bids.prefix(limit)),
            asks: Array(asks.prefix(limit)),
            received: orders.count + unreadable,
            verified: 0,
            dropped: dropped,
            isRaw: true,
            depth: depth,
            bidCount: bids.count,
            askCount: asks.count,
            bid: nil,
            ask: nil,
            mid: nil,
            relays: book.relays?.answers ?? [],
            shortfall: book.shortfall
        )
    }
}

extension OrderbookState {
    /// The user would see the same book: the block and its time do not count.
    func isSame(as other: OrderbookState) -> Bool {
        received == other.received && verified == other.verified
            && bidCount == other.bidCount && askCount == other.askCount
            && dropped.elementsEqual(other.dropped) {
                $0.orderHash == $1.orderHash && $0.reason == $1.reason
            }
            && bids.elementsEqual(other.bids) { $0.isSame(as: $1) }
            && asks.elementsEqual(other.asks) { $0.isSame(as: $1) }
            && source == other.source
            && relays.elementsEqual(other.relays) { $0.failure == $1.failure }
    }
}

extension OrderbookState.Row {
    fileprivate func isSame(as other: OrderbookState.Row) -> Bool {
        orderHash == other.orderHash && fillable == other.fillable && flags == other.flags
            && price == other.price && relays == other.relays
    }
}
