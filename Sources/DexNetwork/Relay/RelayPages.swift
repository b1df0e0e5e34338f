import Ethereum
import StrictJSON
import ZeroEx

/// What every page carries around its elements.
struct RelayPageFrame: Sendable {
    let links: RelayLinks?
    let remainingRequests: Int?

    init(_ response: HTTPResponse, url: String) {
        links = RelayLinks(response, server: WebAddress(url))
        remainingRequests = response.values(of: "x-ratelimit-remaining").first.flatMap { Int($0) }
    }
}

/// A page of orders.
struct RelayOrdersPage: RelayPage {
    let lists: [RelayOrders]
    let counts: [Int]
    let total: Int?
    private let frame: RelayPageFrame

    /// Reads the orders of some lists.
    init(
        _ lists: [RelayDecoder.List],
        frame: RelayPageFrame,
        exchangeProtocol: any ExchangeProtocol
    ) {
        self.frame = frame
        counts = lists.map(\.elements.count)
        total = lists.compactMap(\.total).max()
        self.lists = lists.map { list in
            var orders = RelayOrders(orders: [])
            orders.orders.reserveCapacity(list.elements.count)
            for element in list.elements {
                do throws(OrderError) {
                    orders.orders.append(try exchangeProtocol.decodeOrder(element))
                } catch {
                    orders.unreadable.append(error)
                }
            }
            return orders
        }
    }

    /// A page whose orders are read already, all of them readable.
    init(scanned lists: [[any SignedOrder]], frame: RelayPageFrame) {
        self.frame = frame
        counts = lists.map(\.count)
        total = nil
        self.lists = lists.map { RelayOrders(orders: $0) }
    }

    var links: RelayLinks? { frame.links }
    var remainingRequests: Int? { frame.remainingRequests }
    var keys: [OrderHash] { lists.flatMap { $0.orders.map(\.hash) } }
    var keyless: Int { lists.reduce(0) { $0 + $1.unreadable.count } }

    /// One list over all pages; an order that moved to a later page meanwhile is taken once.
    static func joined(_ pages: [RelayOrdersPage], list: Int) -> RelayOrders {
        var all = RelayOrders(orders: [])
        let count = pages.reduce(0) { $0 + $1.counts[list] }
        all.orders.reserveCapacity(count)
        var seen = Set<OrderHash>(minimumCapacity: count)
        for page in pages {
            for order in page.lists[list].orders where seen.insert(order.hash).inserted {
                all.orders.append(order)
            }
            all.unreadable += page.lists[list].unreadable
        }
        return all
    }
}

/// A page of token pairs.
struct RelayPairsPage: RelayPage {
    let pairs: [RelayTokenPair]
    let total: Int?
    private let frame: RelayPageFrame

    /// - Throws: `RelayError.nonsense`.
    init(_ list: RelayDecoder.List, frame: RelayPageFrame) throws(RelayError) {
        var pairs: [RelayTokenPair] = []
        for element in list.elements { pairs.append(try RelayDecoder.pair(element)) }
        self.pairs = pairs
        self.frame = frame
        total = list.total
    }

    var counts: [Int] { [pairs.count] }
    var keyless: Int { 0 }
    var links: RelayLinks? { frame.links }
    var remainingRequests: Int? { frame.remainingRequests }

    var keys: [RelayTokenPair] { pairs }
}
