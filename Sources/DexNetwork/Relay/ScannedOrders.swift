import StrictJSON
import ZeroEx

/// Orders scanned directly from a relay's text.
struct ScannedOrders: Sendable {
    let orders: [any SignedOrder]
    /// The number of orders on all pages; nil if the relay does not report it.
    let total: Int?

    /// A bare list of orders.
    init?(list cursor: inout JSONCursor, _ codec: any OrderCodec) {
        guard let orders = codec.scanOrders(&cursor) else { return nil }
        self.orders = orders
        total = nil
    }

    /// A list in the object of the later APIs: `{total, page, perPage, records}`, in any order.
    init?(envelope cursor: inout JSONCursor, _ codec: any OrderCodec) {
        var orders: [any SignedOrder]?
        var total: Int?
        var hasPage = false
        var hasPerPage = false
        guard cursor.take("{") else { return nil }
        repeat {
            if orders == nil, cursor.take(name: "records") {
                orders = codec.scanOrders(&cursor)
                guard orders != nil else { return nil }
            } else if total == nil, cursor.take(name: "total") {
                total = Self.count(&cursor)
                guard total != nil else { return nil }
            } else if !hasPage, cursor.take(name: "page") {
                guard Self.count(&cursor) != nil else { return nil }
                hasPage = true
            } else if !hasPerPage, cursor.take(name: "perPage") {
                guard Self.count(&cursor) != nil else { return nil }
                hasPerPage = true
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let orders else { return nil }
        self.orders = orders
        self.total = total
    }

    /// A book's bids and asks; nil if there is anything else.
    ///
    /// - Parameter side: reads one side.
    static func book(
        _ cursor: inout JSONCursor,
        side: (inout JSONCursor) -> ScannedOrders?
    ) -> [ScannedOrders]? {
        var bids: ScannedOrders?
        var asks: ScannedOrders?
        guard cursor.take("{") else { return nil }
        repeat {
            if bids == nil, cursor.take(name: "bids") {
                bids = side(&cursor)
                guard bids != nil else { return nil }
            } else if asks == nil, cursor.take(name: "asks") {
                asks = side(&cursor)
                guard asks != nil else { return nil }
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let bids, let asks else { return nil }
        return [bids, asks]
    }

    private static func count(_ cursor: inout JSONCursor) -> Int? {
        guard let digits = cursor.digits() else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
