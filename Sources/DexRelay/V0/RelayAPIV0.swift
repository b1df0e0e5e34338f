import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON
import ZeroEx

/// The standard relayer API v0: six requests below `/v0`.
struct RelayAPIV0: Sendable {
    private let intake: OrderIntake
    private let pages: PageCache
    private let lists: OrderLists

    init(_ market: RelayMarket) {
        (intake, pages, lists) = (market.intake, market.pages, market.lists)
    }

    private var configuration: RelayConfiguration { intake.configuration }

    func addRoutes(to router: inout Router) {
        router.get("v0/token_pairs") { try tokenPairs($0) }
        router.on(.get, "v0/orders", answer: { request in try orders(request) })
        router.on(
            .get,
            "v0/orderbook",
            answer: { request in
                let query = try QueryV0(
                    request.query,
                    addresses: ["baseTokenAddress", "quoteTokenAddress"]
                )
                let pair = try query.required("baseTokenAddress", "quoteTokenAddress")
                return RelayInterface.v0.page(
                    query,
                    of: pair,
                    for: request,
                    in: pages,
                    intake,
                    book
                )
            }
        )
        router.get("v0/order/{hash}") { try order($0.parameters["hash"] ?? "") }
        let maximum = RelayConfiguration.maximumBodyBytes
        router.post("v0/fees", maximum: maximum) { _, body in .now(try fees(body.get())) }
        router.post("v0/order", maximum: maximum) { request, body in
            try RelayInterface.v0.post(body.get(), of: request, to: intake)
        }
    }

    // MARK: Reading

    private func tokenPairs(_ request: Request) throws(FaultV0) -> Response {
        let query = try QueryV0(request.query, addresses: ["tokenA", "tokenB"])
        let wanted = [query.address("tokenA"), query.address("tokenB")].compactMap { $0 }
        let pairs = configuration.pairs.filter { pair in
            let tokens = [pair.tokenA.token, pair.tokenB.token]
            return wanted.allSatisfy(tokens.contains)
                && (wanted.count < 2 || wanted[0] != wanted[1])
        }
        let page = JSONValue.array(pairs[query.range(of: pairs.count)].map(\.jsonV0))
        return paged(ByteBuffer(bytes: page.utf8), request, query, count: pairs.count)
    }

    /// The filters of GET /orders and what they name.
    static let orderFilters: [(name: String, term: OrderTerm)] = [
        ("exchangeContractAddress", .exchange), ("tokenAddress", .token),
        ("makerTokenAddress", .makerToken), ("takerTokenAddress", .takerToken),
        ("maker", .maker), ("taker", .taker), ("trader", .trader), ("feeRecipient", .feeRecipient),
    ]

    private func orders(_ request: Request) throws(FaultV0) -> Answer {
        let query = try QueryV0(request.query, addresses: Self.orderFilters.map(\.name))
        var wanted = OrderListQuery()
        for filter in Self.orderFilters { wanted.set(filter.term, query.address(filter.name)) }
        return .task { [wanted] in
            let page = await lists.page(
                wanted,
                by: wanted.direction == nil ? .hash : .book,
                SortedListings.Visibility(horizon: intake.horizon)
            ) { query.range(of: $0) }
            var body = ByteBuffer()
            body.write(page.listings.map(\.entry)[...])
            return paged(body, request, query, count: page.total)
        }
    }

    @Sendable
    private func book(
        _ book: PageCache.Book,
        _ query: QueryV0,
        at horizon: UInt64
    ) -> PageCache.Content {
        let visibility = SortedListings.Visibility(horizon: horizon)
        let bids = book.bids.page(visibility) { query.range(of: $0) }
        let asks = book.asks.page(visibility) { query.range(of: $0) }
        let shownBids = bids.listings.map(\.entry)[...]
        let shownAsks = asks.listings.map(\.entry)[...]
        var body = ByteBuffer()
        body.reserveCapacity(
            shownBids.reduce(64) { $0 + $1.bodySize + 1 }
                + shownAsks.reduce(0) { $0 + $1.bodySize + 1 }
        )
        body.writeString("{\"bids\":")
        body.write(shownBids)
        body.writeString(",\"asks\":")
        body.write(shownAsks)
        body.writeString("}")
        return PageCache.Content(
            body: body,
            total: max(bids.total, asks.total),
            book: book,
            validUntil: min(bids.validUntil, asks.validUntil)
        )
    }

    private func order(_ text: String) throws(FaultV0) -> Response {
        guard text.hasPrefix("0x"), let hash = OrderHash(ifHex: text) else {
            throw .validation(
                "orderHash",
                .invalidSignatureOrHash,
                "Must be 0x and 64 hexadecimal digits"
            )
        }
        guard let entry = intake.book.read({ $0.shown(hash) })?.entry,
            entry.expiry > intake.horizon
        else {
            throw FaultV0(
                status: .notFound,
                code: .validationFailed,
                reason: "No such order is on the book"
            )
        }
        return Response(json: ByteBuffer(bytes: entry.body))
    }

    // MARK: Writing

    private func fees(_ body: ByteBuffer) throws(FaultV0) -> Response {
        let json = try body.json(FaultV0.self)
        let faults = OrderSchemaV0.faults(inFeesRequest: json)
        guard faults.isEmpty else { throw FaultV0.validation(faults) }
        func address(_ name: String) -> Address {
            json[name]?.stringValue.flatMap(OrderSchemaV0.address) ?? .zero
        }
        let direction = PairDirection(
            makerToken: address("makerTokenAddress"),
            takerToken: address("takerTokenAddress")
        )
        let refusals = intake.refusals(of: direction, on: address("exchangeContractAddress"))
        guard refusals.isEmpty else { throw FaultV0(OrderRefusals(refusals)) }
        let takerAmount = json["takerTokenAmount"]?.stringValue.flatMap { UInt256(decimal: $0) }
        let fees = configuration.fees.fees(direction, takerAmount: takerAmount ?? .zero)
        let answer: JSONValue = [
            "feeRecipient": .string(fees.recipient.lowercaseHex),
            "makerFee": .string(fees.makerFee.description),
            "takerFee": .string(fees.takerFee.description),
        ]
        return Response(json: ByteBuffer(bytes: answer.utf8))
    }

    /// The order of a body in any form that the schema allows.
    static func order(
        in body: ByteBuffer,
        _ intake: OrderIntake
    ) throws(FaultV0) -> PostedOrder {
        if let posted = PostedOrderV0(body) {
            return PostedOrder(posted.order, wireText: posted.wireText)
        }
        let json = try body.json(FaultV0.self)
        let faults = OrderSchemaV0.faults(inOrder: json)
        guard faults.isEmpty else { throw FaultV0.validation(faults) }
        let order: any SignedOrder
        do throws(OrderError) {
            order = try intake.exchangeProtocol.decodeOrder(json)
        } catch {
            throw FaultV0(error)
        }
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        let fees = intake.parts.live.read { $0.fees }
        if fees.fees(direction, takerAmount: order.takerAmount) == .none {
            let unpaid = OrderSchemaV0.unpaidFees(inOrder: json)
            guard unpaid.isEmpty else { throw FaultV0.validation(unpaid) }
        }
        return PostedOrder(order)
    }

    private func paged(
        _ body: ByteBuffer,
        _ request: Request,
        _ query: QueryV0,
        count: Int
    ) -> Response {
        var response = Response(json: body)
        let link = query.link(path: request.path, authority: request.authority, count: count)
        if let link { response.headers.set("Link", link) }
        return response
    }
}

extension FaultV0 {
    /// The answer to a body that matches the schema but is not an order.
    fileprivate init(_ error: OrderError) {
        switch error {
        case .missing(let field): self = .validation([Self.required(field)])
        case .tooLarge(let field, _):
            self = .validation(field, .valueOutOfRange, "Too large")
        case .impossibleFee:
            self = .validation("takerFee", .valueOutOfRange, "Not a fee of this protocol")
        case .malformed(let field, _):
            self = .validation(field, .incorrectFormat, "Incorrect format")
        case .notAnOrder:
            self.init(
                status: .badRequest,
                code: .validationFailed,
                reason: "The body is not an order"
            )
        }
    }
}

extension RelayTokenPair {
    /// The pair in the form of GET /token_pairs; missing bounds are left out.
    fileprivate var jsonV0: JSONValue {
        ["tokenA": tokenA.jsonV0, "tokenB": tokenB.jsonV0]
    }
}

extension RelayTokenPair.Side {
    fileprivate var jsonV0: JSONValue {
        var object = JSONObject()
        object["address"] = .string(token.lowercaseHex)
        object["minAmount"] = minimum.map { .string($0.description) }
        object["maxAmount"] = maximum.map { .string($0.description) }
        object["precision"] = precision.map { .integer($0) }
        return .object(object)
    }
}
