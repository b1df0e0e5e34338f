import Ethereum
import StrictJSON
import ZeroEx

@testable import DexNetwork

/// A relay in memory that pages as the API says.
enum FakeRelay {
    static let base = "https://relay.example:8443/0x/v0"
    static let shown = "https://relay.example:8443"

    /// What the Link header tells.
    enum Links: CaseIterable, Sendable {
        case none
        case next
        case nextAndLast
    }

    /// An order's wire form; orders differ by their number, which is their salt.
    static func order(_ number: Int) -> String {
        """
        {"exchangeContractAddress":"0x12459c951127e0c374ff9105dda097662a027093",\
        "maker":"0x1111111111111111111111111111111111111111",\
        "taker":"0x0000000000000000000000000000000000000000",\
        "makerTokenAddress":"0xe41d2489571d322189246dafa5ebde1f4699f498",\
        "takerTokenAddress":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",\
        "feeRecipient":"0x0000000000000000000000000000000000000000",\
        "makerTokenAmount":"1000","takerTokenAmount":"2000","makerFee":"0","takerFee":"0",\
        "expirationUnixTimestampSec":"1900000000","salt":"\(number)","ecSignature":{"v":27,\
        "r":"0x\(String(repeating: "1", count: 64))","s":"0x\(String(repeating: "2", count: 64))"}}
        """
    }

    /// The value of a parameter of a request.
    static func parameter(_ name: String, of request: HTTPRequest) -> String? {
        guard let mark = request.url.firstIndex(of: "?") else { return nil }
        for item in request.url[request.url.index(after: mark)...].split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first == name[...] { return parts.count > 1 ? String(parts[1]) : nil }
        }
        return nil
    }

    static func page(of request: HTTPRequest) -> Int {
        parameter("page", of: request).flatMap { Int($0) } ?? 0
    }

    /// The part of a list that is on the page that a request asks for.
    static func slice(_ count: Int, _ request: HTTPRequest, perPage: Int = 100) -> Range<Int> {
        let start = min(count, (page(of: request) - 1) * perPage)
        return start..<min(count, start + perPage)
    }

    static func links(
        _ links: Links,
        _ request: HTTPRequest,
        count: Int,
        perPage: Int = 100
    ) -> [HTTPHeader] {
        let page = page(of: request)
        let last = max(1, (count + perPage - 1) / perPage)
        var parts = ["<\(base)/x?page=1&per_page=100>; rel=\"first\""]
        if page < last { parts.append("<\(base)/x?page=\(page + 1)&per_page=100>; rel=\"next\"") }
        if links == .nextAndLast { parts.append("<\(base)/x?page=\(last)>; rel=last") }
        return links == .none ? [] : [HTTPHeader("Link", parts.joined(separator: ", "))]
    }

    /// Answers /orders with so many orders.
    static func orders(
        _ count: Int,
        links: Links = .none,
        perPage: Int = 100,
        headers: [HTTPHeader] = []
    ) -> FakeTransport {
        FakeTransport { request, _ in
            let orders = slice(count, request, perPage: perPage).map(order)
            return .success(
                HTTPResponse(
                    200,
                    "[\(orders.joined(separator: ","))]",
                    headers: Self.links(links, request, count: count, perPage: perPage) + headers
                )
            )
        }
    }

    /// Answers /orderbook with so many orders on each side.
    static func book(bids: Int, asks: Int, links: Links = .none) -> FakeTransport {
        FakeTransport { request, _ in
            let bidList = slice(bids, request).map { order($0) }.joined(separator: ",")
            let askList = slice(asks, request).map { order(1_000_000 + $0) }.joined(separator: ",")
            return .success(
                HTTPResponse(
                    200,
                    #"{"bids":[\#(bidList)],"asks":[\#(askList)]}"#,
                    headers: Self.links(links, request, count: max(bids, asks))
                )
            )
        }
    }

    static func client(
        _ transport: FakeTransport,
        base: String = base,
        clock: FakeClock = FakeClock()
    ) -> RelayClientV0 {
        RelayClientV0(
            baseURL: base,
            exchangeProtocol: ZeroExV1(),
            transport: transport,
            clock: clock.clock
        )
    }
}
