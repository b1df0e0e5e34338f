import Ethereum
import StrictJSON
import ZeroEx

/// Reads orders from a relay for any version of its API.
///
/// The versions differ in paths, in parameter names, and in the data around the orders.
struct RelayReader: Sendable {
    typealias Filters = [(name: String, value: String)]
    /// Scans lists in the plain form; nil for other forms.
    typealias Scan = @Sendable (inout JSONCursor) -> [ScannedOrders]?

    let channel: RelayChannel
    /// The size of pages to request.
    let pageSize: PageSize
    /// The relay answers an unknown path with 404 and a web page.
    ///
    /// Such an answer is a failure; it does not mean that the requested thing is missing.
    let answersUnknownPathsWithWebPages: Bool
    /// The limits of one list with all its pages.
    let limits: AnswerLimits
    let decode: @Sendable (JSONValue) throws(OrderError) -> any SignedOrder

    /// The maximum bytes of a decompressed page: ten times the size of a page as requested.
    private static let maximumPage = 8 << 20
    /// Relays may have a minimum page size, so longer pages than requested are accepted, up to
    /// this factor.
    private static let maximumTimesAsked = 10

    /// A budget for a list, whose time begins now.
    var budget: AnswerBudget { AnswerBudget(limits, clock: channel.clock) }

    /// GET /order/HASH; nil if the relay does not know it.
    ///
    /// - Throws: `RelayError`; an order that was not requested is `.nonsense`.
    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        let url = channel.address.url("/order/\(hash.hex)")
        let request = RelayChannel.get(url)
        guard let response = try await get(request, of: channel, orNil: true) else { return nil }
        return try RelayDecoder.order(
            RelayDecoder.json(response.body),
            hash: hash,
            decode: decode
        )
    }

    /// GET /orders, every page.
    ///
    /// - Parameter budget: shared with other lists; nil makes a new one.
    func orders(
        _ filters: Filters,
        budget: AnswerBudget? = nil,
        scan: @escaping Scan = { _ in nil }
    ) async throws(RelayError) -> RelayOrders {
        let pages = try await pages("/orders", filters, budget: budget) {
            [decode] response, url throws(RelayError) in
            try RelayOrdersPage(response, url: url, scan: scan, lists: Self.list, decode: decode)
        }
        return RelayOrdersPage.joined(pages, list: 0)
    }

    /// A pair's book, every page.
    ///
    /// - Parameter arrived: gets the orders of each page as it arrives.
    func orderbook(
        _ path: String,
        _ filters: Filters,
        scan: @escaping Scan,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        let pages = try await pages(path, filters) { [decode] response, url throws(RelayError) in
            let page = try RelayOrdersPage(
                response,
                url: url,
                scan: scan,
                lists: Self.sides,
                decode: decode
            )
            arrived(page.lists.flatMap(\.orders))
            return page
        }
        return Self.book(pages)
    }

    /// A pair's book, its first page.
    func bestOrders(
        _ path: String,
        _ filters: Filters,
        scan: @escaping Scan
    ) async throws(RelayError) -> RelayOrderbook {
        let budget = self.budget
        let first = try await sized { size throws(RelayError) in
            try await page(1, path, filters, size, budget) {
                [decode] response, url throws(RelayError) in
                try RelayOrdersPage(
                    response,
                    url: url,
                    scan: scan,
                    lists: Self.sides,
                    decode: decode
                )
            }
        }
        return Self.book(RelayPages(pages: [first].compactMap { $0 }, shortfall: nil))
    }

    private static func book(_ pages: RelayPages<RelayOrdersPage>) -> RelayOrderbook {
        RelayOrderbook(
            bids: RelayOrdersPage.joined(pages, list: 0),
            asks: RelayOrdersPage.joined(pages, list: 1)
        )
    }

    /// A list of other things than orders, every page; each element once.
    ///
    /// - Parameter what: the list, for errors.
    func list<Element: Hashable & Sendable>(
        _ path: String,
        _ filters: Filters,
        _ what: String,
        read: @escaping @Sendable (JSONValue) throws(RelayError) -> Element
    ) async throws(RelayError) -> [Element] {
        let pages = try await pages(path, filters) { response, url throws(RelayError) in
            try RelayListPage(
                RelayDecoder.list(RelayDecoder.json(response.body), what),
                frame: RelayPageFrame(response, url: url),
                read: read
            )
        }
        var seen: Set<Element> = []
        return pages.pages.flatMap(\.keys).filter { seen.insert($0).inserted }
    }

    /// All pages of a list.
    ///
    /// - Parameters:
    ///   - budget: shared with other lists; nil makes a new one.
    ///   - read: reads a page from the answer to a URL, concurrently with other pages.
    /// - Throws: `RelayError`, also if one page or all of them exceed the limits.
    func pages<Page: RelayPage>(
        _ path: String,
        _ filters: Filters,
        budget: AnswerBudget? = nil,
        read: @escaping @Sendable (HTTPResponse, _ url: String) throws(RelayError) -> Page
    ) async throws(RelayError) -> RelayPages<Page> {
        let budget = budget ?? self.budget
        return try await sized { size throws(RelayError) in
            try await RelayPager(perPage: size).pages { number async throws(RelayError) in
                try await page(number, path, filters, size, budget, read)
            }
        }
    }

    /// Runs a request, again with smaller pages while the relay refuses their size.
    private func sized<Result>(
        _ request: (_ size: Int?) async throws(RelayError) -> Result
    ) async throws(RelayError) -> Result {
        while true {
            let size = pageSize.current
            do throws(RelayError) {
                return try await request(size)
            } catch {
                guard pageSize.refused(size, by: error) else { throw error }
            }
        }
    }

    /// POST /order, once.
    ///
    /// - Throws: `RelayError`; without a clear answer the message says how to check.
    func post(_ order: any SignedOrder, _ json: JSONValue) async throws(RelayError) {
        try await channel.write(
            channel.post("/order", json),
            doubt: "the order may have been posted all the same; "
                + "`dex order \(order.hash.hex)` tells"
        )
    }

    @concurrent
    private func page<Page: RelayPage>(
        _ number: Int,
        _ path: String,
        _ filters: Filters,
        _ size: Int?,
        _ budget: AnswerBudget,
        _ read: @Sendable (HTTPResponse, _ url: String) throws(RelayError) -> Page
    ) async throws(RelayError) -> Page? {
        let paging = [("page", String(number))] + (size.map { [(pageSize.name, String($0))] } ?? [])
        let url = channel.address.url(path, filters + paging)
        let request = RelayChannel.get(url, maximumBody: Self.maximumPage)
        let response = try await get(request, of: channel.within(budget), orNil: number > 1)
        guard let response else { return nil }
        let page = try read(response, url)
        for count in page.counts where count > pageSize.preferred * Self.maximumTimesAsked {
            throw .nonsense(
                "a page has \(count) entries where \(size ?? pageSize.preferred) were asked for"
            )
        }
        if let maximum = budget.take(entries: page.counts.reduce(0, +)) {
            throw .nonsense("the list has more than \(maximum) entries")
        }
        return page
    }

    /// - Parameter orNil: nil for HTTP 404.
    private func get(
        _ request: HTTPRequest,
        of channel: RelayChannel,
        orNil: Bool
    ) async throws(RelayError) -> HTTPResponse? {
        let response = try await channel.read(request, takes404: orNil)
        guard response.status == 404 else { return response }
        let start = response.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if answersUnknownPathsWithWebPages, start == UInt8(ascii: "<") {
            throw channel.failure(of: response)
        }
        return nil
    }

    @Sendable
    private static func list(_ json: JSONValue) throws(RelayError) -> [RelayDecoder.List] {
        [try RelayDecoder.list(json, "what it sent for orders")]
    }

    @Sendable
    private static func sides(_ json: JSONValue) throws(RelayError) -> [RelayDecoder.List] {
        [
            try RelayDecoder.list(json["bids"], "the book's bids"),
            try RelayDecoder.list(json["asks"], "the book's asks"),
        ]
    }
}
