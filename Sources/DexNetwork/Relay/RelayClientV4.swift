package import Ethereum
import StrictJSON
package import ZeroEx

/// A relay with the standard relayer API v4, also known as 0x's Orderbook API v1.
///
/// Lists are read up to the relay's total, several pages at once. Reads are retried if that may
/// help. Orders are posted once, and never with skipConfirmation, whose 200 would not mean
/// acceptance. A relay's data about an order is not trusted, but an order whose hash differs from
/// the relay's counts as unreadable.
package struct RelayClientV4: RelayClient {
    private let reader: RelayReader
    private let codec: any OrderCodec
    /// The path of a pair's book: below the base, or the base itself.
    private let bookPath: String

    /// - Parameter baseURL: the URL before the API's paths, with or without a slash at its end:
    ///   `https://relay.example/sra/v4`. One that ends with `/orderbook/v1` is a book itself.
    package init(
        baseURL: String,
        exchangeProtocol codec: any OrderCodec,
        transport: any HTTPTransport,
        retry: RetryPolicy = RetryPolicy(),
        limits: AnswerLimits = AnswerLimits(),
        clock: NetworkClock = .system
    ) {
        let address = RelayAddress(baseURL)
        reader = RelayReader(
            channel: RelayChannel(
                address: address,
                transport: transport,
                retry: retry,
                clock: clock
            ),
            pageSize: PageSize("perPage", preferred: Self.perPage),
            answersUnknownPathsWithWebPages: true,
            limits: limits,
            decode: { json throws(OrderError) in try Self.order(json, codec) }
        )
        self.codec = codec
        bookPath = address.hasSuffix("/orderbook/v1") ? "" : "/orderbook"
    }

    /// The pairs of the relay's orders, by address, without bounds.
    ///
    /// This API has no list of pairs.
    package func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        var query = OrderQuery()
        query.token = tokenA ?? tokenB
        let found = try await orders(query)
        var seen: Set<RelayTokenPair> = []
        var pairs: [RelayTokenPair] = []
        for order in found.orders where order.makerToken != order.takerToken {
            let tokens = [order.makerToken, order.takerToken].sorted()
            guard [tokenA, tokenB].allSatisfy({ $0.map(tokens.contains) ?? true }) else { continue }
            let sides = tokens.map {
                RelayTokenPair.Side(token: $0, minimum: nil, maximum: nil, precision: nil)
            }
            let pair = RelayTokenPair(tokenA: sides[0], tokenB: sides[1])
            if seen.insert(pair).inserted { pairs.append(pair) }
        }
        return pairs.sorted {
            ($0.tokenA.token, $0.tokenB.token) < ($1.tokenA.token, $1.tokenB.token)
        }
    }

    /// GET /orders, every page; a token on either side needs two requests.
    package func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        let budget = reader.budget
        guard let token = query.token else { return try await list(query, budget) }
        var all = RelayOrders(orders: [])
        var seen: Set<OrderCopyID> = []
        for side in [\OrderQuery.makerToken, \OrderQuery.takerToken]
        where query[keyPath: side] == nil || query[keyPath: side] == token {
            var part = query
            part[keyPath: side] = token
            let found = try await list(part, budget)
            all.orders += found.orders.filter { seen.insert($0.copyID).inserted }
            all.unreadable.add(found.unreadable)
            all.shortfall = all.shortfall ?? found.shortfall
        }
        return all
    }

    private func list(
        _ query: OrderQuery,
        _ budget: AnswerBudget
    ) async throws(RelayError) -> RelayOrders {
        var filters = RelayAddress.filters(
            ("verifyingContract", query.exchange),
            ("makerToken", query.makerToken),
            ("takerToken", query.takerToken),
            ("maker", query.maker),
            ("taker", query.taker),
            ("trader", query.trader),
            ("feeRecipient", query.feeRecipient)
        )
        if query.includesUnfillable { filters.append(("unfillable", "true")) }
        return try await reader.orders(filters, budget: budget, scan: scanOrders)
    }

    /// GET /order/HASH.
    ///
    /// - Throws: `RelayError`; an order that was not requested is `.nonsense`.
    package func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try await reader.order(hash)
    }

    /// GET /orderbook, every page, handed out as it arrives.
    ///
    /// The relay's order is NOT that of prices with fees.
    package func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        try await reader.orderbook(
            bookPath,
            RelayAddress.filters(("baseToken", base), ("quoteToken", quote)),
            scan: scanBook,
            arrived: arrived
        )
    }

    /// POST /order_config, a question.
    ///
    /// - Throws: `RelayError`; `.refused` for a relay that requires to fill orders itself.
    package func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        let response = try await reader.channel.read(
            reader.channel.post("/order_config", codec.encodeDraft(draft))
        )
        let json = try RelayDecoder.json(response.body)
        let config: OrderConfigV4
        do throws(OrderError) {
            config = try OrderConfigV4(json: json)
        } catch {
            let reason = "what it wants of an order cannot be read: \(error.description)"
            throw .nonsense(reason.withoutFullStop)
        }
        // Relays overwrite the sender of a posted order with zero, so such an order is lost.
        guard config.sender == .zero else {
            throw .refused(
                status: response.status,
                code: nil,
                reason: "it carries only orders that \(config.sender.checksummed) alone may fill "
                    + "(their sender), and orders that are posted have no sender",
                fields: []
            )
        }
        return OrderFees(
            recipient: config.feeRecipient,
            makerFee: 0,
            takerFee: UInt256(config.takerTokenFeeAmount)
        )
    }

    /// GET /fee_recipients, every page: the recipients that the relay may name for its fees.
    package func feeRecipients() async throws(RelayError) -> [Address] {
        try await reader.list(
            "/fee_recipients",
            [],
            "what it sent for addresses",
            read: RelayDecoder.address
        )
    }

    /// POST /order, once.
    ///
    /// - Throws: `RelayError`; without a clear answer the message says how to check.
    package func post(_ order: any SignedOrder) async throws(RelayError) {
        try await reader.post(order, codec.encodeOrder(order))
    }

    /// POST /orders, once: all of them in one request.
    ///
    /// - Throws: `RelayError`; without a clear answer the message says how to check.
    package func post(_ orders: [any SignedOrder]) async throws(RelayError) {
        guard !orders.isEmpty else { return }
        try await reader.channel.write(
            reader.channel.post("/orders", .array(orders.map(codec.encodeOrder))),
            doubt: "some of the orders may have been posted all the same; `dex orders` shows which"
        )
    }

    // MARK: Pages

    /// The requested page size, of at most 1,000: small enough for several cores to read a long
    /// book.
    static let perPage = 250

    /// A page of orders.
    @Sendable
    func scanOrders(_ cursor: inout JSONCursor) -> [ScannedOrders]? {
        ScannedOrders(envelope: &cursor, codec).map { [$0] }
    }

    /// A page of a book.
    @Sendable
    func scanBook(_ cursor: inout JSONCursor) -> [ScannedOrders]? {
        ScannedOrders.book(&cursor) { ScannedOrders(envelope: &$0, codec) }
    }

    /// A record, or a bare order; the scanner leaves records with another hash to this function.
    static func order(
        _ json: JSONValue,
        _ codec: any OrderCodec
    ) throws(OrderError) -> any SignedOrder {
        let order = try codec.decodeOrder(json)
        if let reported = json["metaData"]?["orderHash"]?.stringValue,
            let hash = OrderHash(ifHex: reported), hash != order.hash
        {
            throw .malformed(field: "metaData.orderHash", found: reported)
        }
        return order
    }
}
