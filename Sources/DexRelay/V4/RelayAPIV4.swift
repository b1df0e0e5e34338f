import Ethereum
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StrictJSON
import ZeroEx

/// The standard relayer API v4: seven requests below `/sra/v4`, and below `/orderbook/v1`, where
/// the book is the base itself.
///
/// skipConfirmation has no effect: an order is answered after it is checked and stored.
struct RelayAPIV4: Sendable {
    let intake: OrderIntake
    let pages: PageCache

    /// The maximum number of orders posted together.
    static let mostPosted = 200
    /// The maximum body size of a request with several orders.
    static let maximumBodyBytes = 512 * 1024

    private var configuration: RelayConfiguration { intake.configuration }

    func addRoutes(to router: Router<RelayRequestContext>) {
        for (base, book) in [("sra/v4", "orderbook"), ("orderbook/v1", "")] {
            let group = router.group(RouterPath(base))
            group.get(RouterPath(book)) { request, _ in try orderbook(request) }
            group.get("orders") { request, _ in try await orders(request) }
            group.get("order/:hash") { _, context in
                try order(context.parameters.get("hash") ?? "")
            }
            group.get("fee_recipients") { request, _ in try feeRecipients(request) }
            group.post("order_config") { request, _ in try await orderConfig(request) }
            group.post("order") { request, context in
                try await post(request, from: context.client)
            }
            group.post("orders") { request, context in
                try await postMany(request, from: context.client)
            }
            group.post("order/persistent") { _, _ -> Response in
                throw FaultV4(status: .notImplemented, reason: "Not Implemented")
            }
        }
    }

    // MARK: Reading

    /// An order is shown once its amount left is known.
    private func visibility(at horizon: UInt64) -> SortedListings.Visibility {
        SortedListings.Visibility(horizon: horizon, onlyRead: true)
    }

    private func orderbook(_ request: Request) throws(FaultV4) -> Response {
        let key = RelayInterface.v4.pageKey(
            authority: request.head.authority,
            path: request.uri.path,
            query: request.uri.query
        )
        let page = try pages.page(key, at: intake.horizon) { horizon throws(FaultV4) in
            try book(key, at: horizon)
        }
        return Response(page)
    }

    private func book(
        _ key: PageCache.Key,
        at horizon: UInt64
    ) throws(FaultV4) -> PageCache.Content {
        let query = try QueryV4(
            key.query,
            filters: ["baseToken": .address, "quoteToken": .address]
        )
        let tokens = try query.required("baseToken", "quoteToken")
        let book = PageCache.Book(base: tokens[0], quote: tokens[1], in: intake.book)
        let visibility = visibility(at: horizon)
        let bids = book.bids.page(visibility) { query.range(of: $0) }
        let asks = book.asks.page(visibility) { query.range(of: $0) }
        var body = ByteBuffer()
        func write(_ page: SortedListings.Page) {
            self.write(page.listings.compactMap(RecordV4.init), of: page.total, query, to: &body)
        }
        body.writeString("{\"bids\":")
        write(bids)
        body.writeString(",\"asks\":")
        write(asks)
        body.writeString("}")
        return PageCache.Content(
            body: body,
            link: nil,
            book: book,
            validUntil: min(bids.validUntil, asks.validUntil)
        )
    }

    private func orders(_ request: Request) async throws -> Response {
        let query = try QueryV4(request.uri.query, filters: RecordFilterV4.kinds)
        let filter = RecordFilterV4(query)
        let showsUnfillable = query.flag("unfillable")
        if showsUnfillable, filter.shared.maker == nil {
            throw FaultV4.validation([FaultV4.required("maker")])
        }
        let orders = intake.book.read { index in
            if let makerToken = filter.shared.makerToken, let takerToken = filter.shared.takerToken
            {
                index.side(PairDirection(makerToken: makerToken, takerToken: takerToken))
            } else {
                index.shown
            }
        }
        let horizon = intake.horizon
        var records = orders.visible(visibility(at: horizon), where: filter.matches)
            .compactMap(RecordV4.init)
        if showsUnfillable, let maker = filter.shared.maker {
            // Too close to their expiry to be shown, or not in the book.
            records += orders.all.filter { $0.entry.expiry <= horizon && filter.matches($0.entry) }
                .map { RecordV4(tooLate: $0.entry) }
            // One that leaves the book meanwhile would be in both.
            let listed = Set(records.map(\.entry.hash))
            for listing in try await intake.unshown(of: maker)
            where filter.matches(listing.entry) && !listed.contains(listing.entry.hash) {
                if let record = RecordV4(listing) { records.append(record) }
            }
        }
        if let remaining = query.number("remainingFillableTakerAmount") {
            records.removeAll { $0.remaining != remaining }
        }
        records.sort { $0.entry.hash < $1.entry.hash }
        var body = ByteBuffer()
        let shown = Array(records[query.range(of: records.count)])
        write(shown, of: records.count, query, to: &body)
        return Response(json: body)
    }

    private func order(_ text: String) throws(FaultV4) -> Response {
        guard text.hasPrefix("0x"), let hash = OrderHash(ifHex: text) else {
            throw .validation(
                "orderHash",
                .incorrectFormat,
                "Must be 0x and 64 hexadecimal digits"
            )
        }
        guard let listing = intake.book.read({ $0.shown(hash) }),
            listing.entry.expiry > intake.horizon, let record = RecordV4(listing)
        else { throw .notFound }
        var body = ByteBuffer()
        record.write(to: &body)
        return Response(json: body)
    }

    private func feeRecipients(_ request: Request) throws(FaultV4) -> Response {
        let query = try QueryV4(request.uri.query)
        let recipients = [configuration.fees.recipient].filter { $0 != .zero }
        var body = ByteBuffer()
        writeEnvelope(query, total: recipients.count, to: &body) { buffer in
            buffer.writeArray(recipients[query.range(of: recipients.count)]) { buffer, recipient in
                buffer.writeString("\"\(recipient.lowercaseHex)\"")
            }
        }
        return Response(json: body)
    }

    private func write(
        _ shown: [RecordV4],
        of total: Int,
        _ query: QueryV4,
        to body: inout ByteBuffer
    ) {
        body.reserveCapacity(
            body.writerIndex + shown.reduce(128) { $0 + $1.entry.bodySize + RecordV4.margin }
        )
        writeEnvelope(query, total: total, to: &body) { buffer in
            buffer.writeArray(shown) { buffer, record in record.write(to: &buffer) }
        }
    }

    private func writeEnvelope(
        _ query: QueryV4,
        total: Int,
        to body: inout ByteBuffer,
        _ records: (inout ByteBuffer) -> Void
    ) {
        body.writeString(
            "{\"total\":\(total),\"page\":\(query.page),\"perPage\":\(query.pageSize),\"records\":"
        )
        records(&body)
        body.writeString("}")
    }

    // MARK: Writing

    private func orderConfig(_ request: Request) async throws -> Response {
        let json = try await request.json(upTo: RelayConfiguration.maximumBodyBytes, FaultV4.self)
        let faults = OrderSchemaV4.faults(inConfigRequest: json)
        guard faults.isEmpty else { throw FaultV4.validation(faults) }
        func address(_ name: String) -> Address {
            json[name]?.stringValue.flatMap(OrderSchemaV4.address) ?? .zero
        }
        let direction = PairDirection(
            makerToken: address("makerToken"),
            takerToken: address("takerToken")
        )
        let refusals = intake.refusals(of: direction, on: address("verifyingContract"))
        guard refusals.isEmpty else { throw FaultV4(OrderRefusals(refusals)) }
        let takerAmount = json["takerAmount"]?.stringValue.flatMap { OrderSchemaV4.number($0) }
        let fees = configuration.fees.fees(direction, takerAmount: takerAmount ?? .zero)
        let config = OrderConfigV4(
            sender: .zero,
            feeRecipient: fees.recipient,
            takerTokenFeeAmount: fees.takerFee.uint128 ?? .max
        )
        return Response(json: ByteBuffer(bytes: config.json.utf8))
    }

    private func post(_ request: Request, from client: String) async throws -> Response {
        let body = try await request.whole(upTo: RelayConfiguration.maximumBodyBytes, FaultV4.self)
        let order = try Self.order(in: body, intake)
        do throws(OrderRefusals) {
            _ = try await intake.post(order.order, from: client)
        } catch {
            throw FaultV4(error)
        }
        return Response(status: RelayInterface.v4.accepted)
    }

    /// Accepts all of the orders or none of them.
    private func postMany(_ request: Request, from client: String) async throws -> Response {
        let json = try await request.json(upTo: Self.maximumBodyBytes, FaultV4.self)
        guard let elements = json.arrayValue else {
            throw FaultV4(status: .badRequest, reason: "The body is not a list of orders")
        }
        guard elements.count <= Self.mostPosted else {
            throw FaultV4.validation(
                "orders",
                .valueOutOfRange,
                "At most \(Self.mostPosted) orders are taken at once"
            )
        }
        var orders: [any SignedOrder] = []
        for (index, element) in elements.enumerated() {
            do throws(FaultV4) {
                orders.append(try Self.order(element, intake))
            } catch {
                throw error.about(index)
            }
        }
        do throws(OrderIntake.RefusedPost) {
            _ = try await intake.post(orders, from: client)
        } catch {
            throw FaultV4(error.refusals).about(error.index)
        }
        return Response(status: .ok)
    }

    /// The order of a body.
    static func order(
        in body: ByteBuffer,
        _ intake: OrderIntake
    ) throws(FaultV4) -> PostedOrder {
        PostedOrder(try order(body.json(FaultV4.self), intake))
    }

    private static func order(
        _ json: JSONValue,
        _ intake: OrderIntake
    ) throws(FaultV4) -> any SignedOrder {
        let faults = OrderSchemaV4.faults(inOrder: json)
        guard faults.isEmpty else { throw .validation(faults) }
        do throws(OrderError) {
            return try intake.exchangeProtocol.decodeOrder(json)
        } catch {
            throw FaultV4(error)
        }
    }
}
