import DexRelay
import Ethereum
import ZeroEx

/// The orders of a relay of this process, for pages that show them; it takes none.
///
/// Lists are bounded: the best orders of a side, and the first ones of a query.
struct RelayBookClient: RelayClient {
    let market: RelayMarket
    let pairs: [RelayTokenPair]
    /// Seconds since 1970.
    let now: @Sendable () -> UInt64

    /// Orders of each side of a book.
    static let maximumOfSide = 200
    /// Orders of a query.
    static let maximumOfQuery = 200

    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        let wanted = Set([tokenA, tokenB].compactMap { $0 })
        return pairs.filter { wanted.isSubset(of: [$0.tokenA.token, $0.tokenB.token]) }
    }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        var wanted = OrderListQuery()
        wanted.set(.exchange, query.exchange)
        wanted.set(.token, query.token)
        wanted.set(.makerToken, query.makerToken)
        wanted.set(.takerToken, query.takerToken)
        wanted.set(.maker, query.maker)
        wanted.set(.taker, query.taker)
        wanted.set(.trader, query.trader)
        wanted.set(.feeRecipient, query.feeRecipient)
        let page = await market.lists.page(wanted, visibility) { 0..<min($0, Self.maximumOfQuery) }
        return RelayOrders(orders: page.listings.map(\.entry.order))
    }

    /// The order in whatever state, as long as the relay keeps it.
    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        market.intake.book.read { $0.listing(hash) }?.entry.order
    }

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        func side(makerToken: Address, takerToken: Address) -> RelayOrders {
            let direction = PairDirection(makerToken: makerToken, takerToken: takerToken)
            let page = market.intake.book.read { $0.side(direction) }
                .page(visibility) { 0..<min($0, Self.maximumOfSide) }
            return RelayOrders(orders: page.listings.map(\.entry.order))
        }
        let book = RelayOrderbook(
            bids: side(makerToken: quote, takerToken: base),
            asks: side(makerToken: base, takerToken: quote)
        )
        arrived(book.bids.orders + book.asks.orders)
        return book
    }

    private var visibility: SortedListings.Visibility {
        SortedListings.Visibility(horizon: now())
    }

    /// - Throws: `RelayError.refused`, always.
    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        throw Self.onlyReads
    }

    /// - Throws: `RelayError.refused`, always.
    func post(_ order: any SignedOrder) async throws(RelayError) {
        throw Self.onlyReads
    }

    private static let onlyReads = RelayError.refused(
        status: 405,
        code: nil,
        reason: "pages only read",
        fields: []
    )
}
