import Ethereum
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StrictJSON
import ZeroEx

/// The standard relayer API v0: six requests below `/v0`.
struct RelayAPIV0: Sendable {
    let intake: OrderIntake
    let pages: PageCache

    private var configuration: RelayConfiguration { intake.configuration }

    func addRoutes(to router: Router<RelayRequestContext>) {
        let group = router.group("v0")
        group.get("token_pairs") { request, _ in try tokenPairs(request) }
        group.get("orders") { request, _ in try orders(request) }
        group.get("orderbook") { request, _ in try orderbook(request) }
        group.get("order/:hash") { _, context in
            try order(context.parameters.get("hash") ?? "")
        }
        group.post("fees") { request, _ in try await fees(request) }
        group.post("order") { request, context in
            try await post(request, from: context.client)
        }
    }

    // MARK: Reading

    private func tokenPairs(_ request: Request) throws(FaultV0) -> Response {
        let query = try QueryV0(request.uri.query, addresses: ["tokenA", "tokenB"])
        let wanted = [query.address("tokenA"), query.address("tokenB")].compactMap { $0 }
        let pairs = configuration.pairs.filter { pair in
            let tokens = [pair.tokenA.token, pair.tokenB.token]
            return wanted.allSatisfy(tokens.contains)
                && (wanted.count < 2 || wanted[0] != wanted[1])
        }
        let page = JSONValue.array(pairs[query.range(of: pairs.count)].map(\.jsonV0))
        return paged(ByteBuffer(bytes: page.utf8), request, query, count: pairs.count)
    }

    static let orderFilters = [
        "exchangeContractAddress", "tokenAddress", "makerTokenAddress", "takerTokenAddress",
        "maker", "taker", "trader", "feeRecipient",
    ]

    private func orders(_ request: Request) throws(FaultV0) -> Response {
        let query = try QueryV0(request.uri.query, addresses: Self.orderFilters)
        let makerToken = query.address("makerTokenAddress")
        let takerToken = query.address("takerTokenAddress")
        let orders = intake.book.read { index in
            if let makerToken, let takerToken {
                index.side(PairDirection(makerToken: makerToken, takerToken: takerToken))
            } else {
                index.shown
            }
        }
        let filter = EntryFilter(query)
        let visibility = SortedListings.Visibility(horizon: intake.horizon)
        let entries = orders.visible(visibility, where: filter.matches).map(\.entry)
        let shown = entries[query.range(of: entries.count)]
        var body = ByteBuffer()
        body.write(shown)
        return paged(body, request, query, count: entries.count)
    }

    private func orderbook(_ request: Request) throws(FaultV0) -> Response {
        let key = RelayInterface.v0.pageKey(
            authority: request.head.authority,
            path: request.uri.path,
            query: request.uri.query
        )
        let page = try pages.page(key, at: intake.horizon) { horizon throws(FaultV0) in
            try book(key, at: horizon)
        }
        return Response(page)
    }

    private func book(
        _ key: PageCache.Key,
        at horizon: UInt64
    ) throws(FaultV0) -> PageCache.Content {
        let query = try QueryV0(
            key.query,
            addresses: ["baseTokenAddress", "quoteTokenAddress"]
        )
        let tokens = try query.required("baseTokenAddress", "quoteTokenAddress")
        let book = PageCache.Book(base: tokens[0], quote: tokens[1], in: intake.book)
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
        let link = LinkV0.header(
            path: key.path,
            authority: key.authority,
            query: query,
            count: max(bids.total, asks.total)
        )
        return PageCache.Content(
            body: body,
            link: link,
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

    private func fees(_ request: Request) async throws -> Response {
        let json = try await request.json(
            upTo: RelayConfiguration.maximumBodyBytes,
            FaultV0.self
        )
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

    private func post(_ request: Request, from client: String) async throws -> Response {
        let body = try await request.whole(
            upTo: RelayConfiguration.maximumBodyBytes,
            FaultV0.self
        )
        let order = try Self.order(in: body, intake)
        do throws(OrderRefusals) {
            _ = try await intake.post(order.order, from: client)
        } catch {
            throw FaultV0(error)
        }
        return Response(status: RelayInterface.v0.accepted)
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
        let link = LinkV0.header(
            path: request.uri.path,
            authority: request.head.authority,
            query: query,
            count: count
        )
        if let link { response.headers.set("Link", link) }
        return response
    }
}

private struct EntryFilter {
    private let shared: OrderFilter
    private let token: Address?

    init(_ query: QueryV0) {
        shared = OrderFilter(
            makerToken: "makerTokenAddress",
            takerToken: "takerTokenAddress",
            exchange: "exchangeContractAddress",
            query.address
        )
        token = query.address("tokenAddress")
    }

    func matches(_ entry: OrderEntry) -> Bool {
        let direction = entry.direction
        if let token, direction.makerToken != token, direction.takerToken != token { return false }
        return shared.matches(entry)
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
