import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON
import ZeroEx

/// The standard relayer API v4: seven requests below `/sra/v4`, and below `/orderbook/v1`, where
/// the book is the base itself.
///
/// skipConfirmation has no effect: an order is answered after it is checked and stored.
struct RelayAPIV4: Sendable {
    private let intake: OrderIntake
    private let pages: PageCache
    private let lists: OrderLists

    init(_ market: RelayMarket) {
        (intake, pages, lists) = (market.intake, market.pages, market.lists)
    }

    /// The maximum number of orders posted together.
    static let maximumPosted = 200
    /// The maximum body size of a request with several orders.
    static let maximumBodyBytes = 512 * 1024

    private var configuration: RelayConfiguration { intake.configuration }

    func addRoutes(to router: inout Router) {
        for (base, book) in [("sra/v4", "/orderbook"), ("orderbook/v1", "")] {
            router.on(
                .get,
                base + book,
                answer: { request in
                    let query = try QueryV4(
                        request.query,
                        filters: ["baseToken": .address, "quoteToken": .address]
                    )
                    let pair = try query.required("baseToken", "quoteToken")
                    return RelayInterface.v4.page(
                        query,
                        of: pair,
                        for: request,
                        in: pages,
                        intake,
                        self.book
                    )
                }
            )
            router.on(
                .get,
                "\(base)/orders",
                answer: { request in try orders(request) }
            )
            router.get("\(base)/order/{hash}") { try order($0.parameters["hash"] ?? "") }
            router.get("\(base)/fee_recipients") { try feeRecipients($0) }
            let maximum = RelayConfiguration.maximumBodyBytes
            router.post("\(base)/order_config", maximum: maximum) { _, body in
                .now(try orderConfig(body.get()))
            }
            router.post("\(base)/order", maximum: maximum) { request, body in
                try RelayInterface.v4.post(body.get(), of: request, to: intake)
            }
            router.post("\(base)/orders", maximum: Self.maximumBodyBytes) { request, body in
                let body = try body.get()
                return .task { try await postMany(body, of: request) }
            }
            router.on(
                .post,
                "\(base)/order/persistent",
                answer: { _ in throw FaultV4(status: .notImplemented, reason: "Not Implemented") }
            )
        }
    }

    // MARK: Reading

    /// An order is shown once its amount left is known.
    private func visibility(at horizon: UInt64) -> SortedListings.Visibility {
        SortedListings.Visibility(horizon: horizon, onlyRead: true)
    }

    @Sendable
    private func book(
        _ book: PageCache.Book,
        _ query: QueryV4,
        at horizon: UInt64
    ) -> PageCache.Content {
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
            total: max(bids.total, asks.total),
            book: book,
            validUntil: min(bids.validUntil, asks.validUntil)
        )
    }

    /// The filters of GET /orders and what they name; like the published server, it has none for
    /// expiry.
    static let orderFilters: [(name: String, kind: QueryV4.Kind, term: OrderTerm)] = [
        ("makerToken", .address, .makerToken), ("takerToken", .address, .takerToken),
        ("maker", .address, .maker), ("taker", .address, .taker), ("trader", .address, .trader),
        ("sender", .address, .sender), ("feeRecipient", .address, .feeRecipient),
        ("verifyingContract", .address, .exchange), ("pool", .word, .pool), ("hash", .word, .hash),
        ("makerAmount", .number, .makerAmount), ("takerAmount", .number, .takerAmount),
        ("salt", .number, .salt), ("takerTokenFeeAmount", .number, .takerFee),
        ("remainingFillableTakerAmount", .number, .remaining),
    ]

    private func orders(_ request: Request) throws(FaultV4) -> Answer {
        var kinds: [String: QueryV4.Kind] = ["unfillable": .flag, "chainId": .never]
        for filter in Self.orderFilters { kinds[filter.name] = filter.kind }
        let query = try QueryV4(request.query, filters: kinds)
        var wanted = OrderListQuery()
        for filter in Self.orderFilters {
            wanted[filter.term] = query.value(filter.name, filter.kind)
        }
        if query.flag("unfillable") {
            guard let maker = query.address("maker") else {
                throw .validation([FaultV4.required("maker")])
            }
            return .task { [wanted] in try await unfillable(wanted, query, of: maker) }
        }
        return .task { [wanted] in
            let page = await lists.page(wanted, visibility(at: intake.horizon)) {
                query.range(of: $0)
            }
            var body = ByteBuffer()
            write(page.listings.compactMap(RecordV4.init), of: page.total, query, to: &body)
            return Response(json: body)
        }
    }

    /// A maker's orders with those that are not in the book; it costs what one maker has.
    private func unfillable(
        _ wanted: OrderListQuery,
        _ query: QueryV4,
        of maker: Address
    ) async throws -> Response {
        // Of an order that is not in the book nothing remains.
        let remaining = wanted[.remaining]
        var wanted = wanted
        wanted[.remaining] = nil
        let visibility = visibility(at: intake.horizon)
        let shown = await lists.all(wanted)
        var records = shown.compactMap { listing in
            listing.entry.expiry > visibility.horizon
                ? RecordV4(listing) : RecordV4(tooLate: listing.entry)
        }
        // One that leaves the book meanwhile would be in both.
        let listed = Set(records.map(\.entry.hash))
        for listing in try await intake.unshown(of: maker)
        where wanted.matches(listing) && !listed.contains(listing.entry.hash) {
            if let record = RecordV4(listing) { records.append(record) }
        }
        if let remaining { records.removeAll { $0.remaining != remaining } }
        records.sort { $0.entry.hash < $1.entry.hash }
        var body = ByteBuffer()
        let page = Array(records[query.range(of: records.count)])
        write(page, of: records.count, query, to: &body)
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
        let query = try QueryV4(request.query)
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

    private func orderConfig(_ body: ByteBuffer) throws(FaultV4) -> Response {
        let json = try body.json(FaultV4.self)
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

    /// Accepts all of the orders or none of them.
    private func postMany(_ body: ByteBuffer, of request: Request) async throws -> Response {
        let json = try body.json(FaultV4.self)
        guard let elements = json.arrayValue else {
            throw FaultV4(status: .badRequest, reason: "The body is not a list of orders")
        }
        guard elements.count <= Self.maximumPosted else {
            throw FaultV4.validation(
                "orders",
                .valueOutOfRange,
                "At most \(Self.maximumPosted) orders are taken at once"
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
            _ = try await intake.post(
                orders,
                from: request.client,
                holder: request.holder
            )
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
