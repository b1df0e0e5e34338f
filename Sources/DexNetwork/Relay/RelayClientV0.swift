package import Ethereum
import StrictJSON
package import ZeroEx

/// A relay with version 0 of the standard relayer API.
///
/// Lists are read completely, several pages at once. Reads are retried if that may help; an order
/// is posted once.
package struct RelayClientV0: RelayClient {
    private let reader: RelayReader
    private let codec: any OrderCodec

    /// - Parameter baseURL: the URL before the API's paths, with its own path and with or without
    ///   a slash at its end: `https://api.example.com/0x/v0`.
    package init(
        baseURL: String,
        exchangeProtocol codec: any OrderCodec,
        transport: any HTTPTransport,
        retry: RetryPolicy = RetryPolicy(),
        limits: AnswerLimits = AnswerLimits(),
        clock: NetworkClock = .system
    ) {
        reader = RelayReader(
            channel: RelayChannel(
                address: RelayAddress(baseURL),
                transport: transport,
                retry: retry,
                clock: clock
            ),
            pageSize: PageSize("per_page", preferred: Self.perPage),
            answersUnknownPathsWithWebPages: false,
            limits: limits,
            decode: codec.decodeOrder
        )
        self.codec = codec
    }

    /// GET /token_pairs, every page.
    package func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        let filters = RelayAddress.filters(("tokenA", tokenA), ("tokenB", tokenB))
        return try await reader.list(
            "/token_pairs",
            filters,
            "what it sent for token pairs",
            read: RelayDecoder.pair
        )
    }

    /// GET /orders, every page.
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
        return try await reader.orders(filters)
    }

    /// GET /order/HASH.
    ///
    /// - Throws: `RelayError`; an order that was not requested is `.nonsense`.
    package func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try await reader.order(hash)
    }

    /// GET /orderbook, every page, handed out as it arrives.
    package func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        try await reader.orderbook(
            "/orderbook",
            RelayAddress.filters(("baseTokenAddress", base), ("quoteTokenAddress", quote)),
            scan: scanBook,
            arrived: arrived
        )
    }

    /// GET /orderbook, the first page.
    package func bestOrders(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        try await reader.bestOrders(
            "/orderbook",
            RelayAddress.filters(("baseTokenAddress", base), ("quoteTokenAddress", quote)),
            scan: scanBook
        )
    }

    /// POST /fees, a question.
    package func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        let response = try await reader.channel.read(
            reader.channel.post("/fees", codec.encodeDraft(draft))
        )
        return try RelayDecoder.fees(RelayDecoder.json(response.body))
    }

    /// POST /order, once.
    ///
    /// - Throws: `RelayError`; without a clear answer the message says how to check.
    package func post(_ order: any SignedOrder) async throws(RelayError) {
        try await reader.post(order, codec.encodeOrder(order))
    }

    /// The requested page size: the API's maximum.
    static let perPage = 100

    /// A book's bids and asks.
    @Sendable
    func scanBook(_ cursor: inout JSONCursor) -> [ScannedOrders]? {
        ScannedOrders.book(&cursor) { ScannedOrders(list: &$0, codec) }
    }
}
