package import Ethereum
import StrictJSON
package import ZeroEx

/// A relay that speaks version 0 of the standard relayer API.
///
/// Lists are read to their end, several pages at once. Reads are tried again where that may help;
/// an order is posted once.
package struct RelayClientV0: RelayClient {
    private let channel: RelayChannel
    private let codec: any OrderCodec

    /// A client.
    ///
    /// - Parameter baseURL: what the paths are appended to, with its own path and with or without
    ///   a slash at its end: `https://api.example.com/0x/v0`.
    package init(
        baseURL: String,
        exchangeProtocol codec: any OrderCodec,
        transport: any HTTPTransport,
        retry: RetryPolicy = RetryPolicy(),
        clock: NetworkClock = .system
    ) {
        channel = RelayChannel(
            address: RelayAddress(baseURL),
            transport: transport,
            retry: retry,
            clock: clock
        )
        self.codec = codec
    }

    /// GET /token_pairs, every page.
    ///
    /// - Throws: `RelayError`.
    package func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        let filters = RelayAddress.filters(("tokenA", tokenA), ("tokenB", tokenB))
        let pages = try await RelayPager(perPage: Self.perPage).pages {
            number async throws(RelayError) in
            try await pairsPage(number, filters)
        }
        var seen: Set<RelayTokenPair> = []
        return pages.flatMap(\.pairs).filter { seen.insert($0).inserted }
    }

    /// GET /orders, every page.
    ///
    /// - Throws: `RelayError`.
    package func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        let filters = RelayAddress.filters(
            ("exchangeContractAddress", query.exchange),
            ("tokenAddress", query.token),
            ("makerTokenAddress", query.makerToken),
            ("takerTokenAddress", query.takerToken),
            ("maker", query.maker),
            ("taker", query.taker),
            ("trader", query.trader),
            ("feeRecipient", query.feeRecipient)
        )
        let pages = try await RelayPager(perPage: Self.perPage).pages {
            number async throws(RelayError) in
            try await ordersPage(number, "/orders", filters) { json throws(RelayError) in
                [try RelayDecoder.list(json, "what it sent for orders")]
            }
        }
        return RelayOrdersPage.joined(pages, list: 0)
    }

    /// GET /order/HASH.
    ///
    /// - Throws: `RelayError`; another order than the one asked for is `.nonsense`.
    package func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        let url = channel.address.url("/order/\(hash.hex)")
        guard let response = try await get(url, orNil: true) else { return nil }
        return try RelayDecoder.order(
            RelayDecoder.json(response.body),
            hash: hash,
            decode: codec.decodeOrder
        )
    }

    /// GET /orderbook, every page.
    ///
    /// - Throws: `RelayError`.
    package func orderbook(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        try await orderbook(base: base, quote: quote) { _ in }
    }

    /// GET /orderbook, every page, handed out as it comes.
    ///
    /// - Throws: `RelayError`.
    package func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        let filters = RelayAddress.filters(("baseTokenAddress", base), ("quoteTokenAddress", quote))
        let pages = try await RelayPager(perPage: Self.perPage).pages {
            number async throws(RelayError) in
            let page = try await ordersPage(number, "/orderbook", filters, scan: scanBook) {
                json throws(RelayError) in
                [
                    try RelayDecoder.list(json["bids"], "the book's bids"),
                    try RelayDecoder.list(json["asks"], "the book's asks"),
                ]
            }
            if let page { arrived(page.lists.flatMap(\.orders)) }
            return page
        }
        return RelayOrderbook(
            bids: RelayOrdersPage.joined(pages, list: 0),
            asks: RelayOrdersPage.joined(pages, list: 1)
        )
    }

    /// POST /fees, a question.
    ///
    /// - Throws: `RelayError`.
    package func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        let response = try await channel.read(
            channel.post("/fees", codec.encodeDraft(draft))
        )
        return try RelayDecoder.fees(RelayDecoder.json(response.body))
    }

    /// POST /order, once.
    ///
    /// - Throws: `RelayError`; where no clear answer came the text says how to find out.
    package func post(_ order: any SignedOrder) async throws(RelayError) {
        try await channel.write(
            channel.post("/order", codec.encodeOrder(order)),
            doubt: "the order may have been posted all the same; "
                + "`dex order \(order.hash.hex)` tells"
        )
    }

    // MARK: Pages

    /// Elements asked for on a page: the most that the API allows.
    static let perPage = 100

    @concurrent
    private func pairsPage(
        _ number: Int,
        _ filters: [(name: String, value: String)]
    ) async throws(RelayError) -> RelayPairsPage? {
        let url = pageURL("/token_pairs", filters, number)
        guard let response = try await get(url, orNil: number > 1) else { return nil }
        return try RelayPairsPage(
            RelayDecoder.list(RelayDecoder.json(response.body), "what it sent for token pairs"),
            frame: RelayPageFrame(response, url: url)
        )
    }

    /// Gets a page and reads its orders, on a core of its own.
    ///
    /// - Parameter scan: reads lists that are written plainly; nil where they are not.
    @concurrent
    private func ordersPage(
        _ number: Int,
        _ path: String,
        _ filters: [(name: String, value: String)],
        scan: @Sendable (inout JSONCursor) -> [ScannedOrders]? = { _ in nil },
        _ lists: @Sendable (JSONValue) throws(RelayError) -> [RelayDecoder.List]
    ) async throws(RelayError) -> RelayOrdersPage? {
        let url = pageURL(path, filters, number)
        guard let response = try await get(url, orNil: number > 1) else { return nil }
        return try RelayOrdersPage(
            response,
            url: url,
            scan: scan,
            lists: lists,
            decode: codec.decodeOrder
        )
    }

    /// A book's bids and asks.
    @Sendable
    func scanBook(_ cursor: inout JSONCursor) -> [ScannedOrders]? {
        ScannedOrders.book(&cursor) { ScannedOrders(list: &$0, codec) }
    }

    private func pageURL(
        _ path: String,
        _ filters: [(name: String, value: String)],
        _ number: Int
    ) -> String {
        let paging = [("page", String(number)), ("per_page", String(Self.perPage))]
        return channel.address.url(path, filters + paging)
    }

    // MARK: Requests

    /// - Parameter orNil: nil for HTTP 404.
    private func get(_ url: String, orNil: Bool) async throws(RelayError) -> HTTPResponse? {
        let response = try await channel.read(RelayChannel.get(url), takes404: orNil)
        return response.status == 404 ? nil : response
    }
}
