import StrictJSON
import ZeroEx

/// The data of a page besides its elements.
struct RelayPageFrame: Sendable {
    let links: RelayLinks?
    let remainingRequests: Int?

    init(_ response: HTTPResponse, url: String) {
        links = RelayLinks(response, server: WebAddress(url))
        remainingRequests = response.values(of: "x-ratelimit-remaining").first.flatMap { Int($0) }
    }
}

/// A page of orders, in one list or two.
struct RelayOrdersPage: RelayPage {
    let lists: [RelayOrders]
    let counts: [Int]
    let totals: [Int?]
    /// Of the answer's bytes where it has unreadable entries; 0 without.
    private(set) var digest = 0
    private let frame: RelayPageFrame

    /// Reads the orders of some lists.
    init(
        _ lists: [RelayDecoder.List],
        frame: RelayPageFrame,
        decode: (JSONValue) throws(OrderError) -> any SignedOrder
    ) {
        self.frame = frame
        counts = lists.map(\.elements.count)
        totals = lists.map(\.total)
        self.lists = lists.map { RelayOrders(reading: $0.elements, decode) }
    }

    /// A page of scanned orders, all of them readable.
    init(scanned lists: [ScannedOrders], frame: RelayPageFrame) {
        self.frame = frame
        counts = lists.map(\.orders.count)
        totals = lists.map(\.total)
        self.lists = lists.map { RelayOrders(orders: $0.orders) }
    }

    /// Reads the orders of an answer: with a scanner if its form is plain, otherwise as JSON.
    ///
    /// - Parameters:
    ///   - scan: reads the whole text; nil if its form is not plain.
    ///   - lists: finds the lists in the answer.
    /// - Throws: `RelayError.nonsense`.
    init(
        _ response: HTTPResponse,
        url: String,
        scan: (inout JSONCursor) -> [ScannedOrders]?,
        lists: (JSONValue) throws(RelayError) -> [RelayDecoder.List],
        decode: (JSONValue) throws(OrderError) -> any SignedOrder
    ) throws(RelayError) {
        let frame = RelayPageFrame(response, url: url)
        if let orders = JSONCursor.read(response.body, scan) {
            self.init(scanned: orders, frame: frame)
        } else {
            self.init(try lists(RelayDecoder.json(response.body)), frame: frame, decode: decode)
            if keyless > 0 { digest = response.body.hashValue }
        }
    }

    var links: RelayLinks? { frame.links }
    var remainingRequests: Int? { frame.remainingRequests }
    var keys: [OrderCopyID] { lists.flatMap { $0.orders.map(\.copyID) } }
    var keyless: Int { lists.reduce(0) { $0 + $1.unreadable.count } }

    /// One list over all pages.
    ///
    /// An order that moved to a later page meanwhile is taken once. A copy with another signature
    /// is kept too, since no signature is checked yet.
    static func joined(_ whole: RelayPages<RelayOrdersPage>, list: Int) -> RelayOrders {
        let pages = whole.pages
        var all = RelayOrders(orders: [])
        all.shortfall = whole.shortfall
        let count = pages.reduce(0) { $0 + $1.counts[list] }
        all.orders.reserveCapacity(count)
        var seen = Set<OrderCopyID>(minimumCapacity: count)
        for page in pages {
            for order in page.lists[list].orders where seen.insert(order.copyID).inserted {
                all.orders.append(order)
            }
            all.unreadable.add(page.lists[list].unreadable)
        }
        return all
    }
}

/// A page of a list of other things than orders.
struct RelayListPage<Element: Hashable & Sendable>: RelayPage {
    let keys: [Element]
    let totals: [Int?]
    private let frame: RelayPageFrame

    /// - Throws: `RelayError.nonsense`.
    init(
        _ list: RelayDecoder.List,
        frame: RelayPageFrame,
        read: (JSONValue) throws(RelayError) -> Element
    ) throws(RelayError) {
        keys = try list.elements.map(read)
        totals = [list.total]
        self.frame = frame
    }

    var counts: [Int] { [keys.count] }
    var keyless: Int { 0 }
    var digest: Int { 0 }
    var links: RelayLinks? { frame.links }
    var remainingRequests: Int? { frame.remainingRequests }
}

extension RelayOrders {
    /// Reads a relay's list; what is no order is only counted.
    init(
        reading list: [JSONValue],
        _ decode: (JSONValue) throws(OrderError) -> any SignedOrder
    ) {
        self.init(orders: [])
        orders.reserveCapacity(list.count)
        for json in list {
            do throws(OrderError) {
                orders.append(try decode(json))
            } catch {
                unreadable.add(error)
            }
        }
    }
}
