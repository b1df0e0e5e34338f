import StrictJSON

/// The number of a relay's orders, from its first page of one order.
enum RelayCount {
    /// The last page's number in the Link header, which equals the number of orders.
    static func ofLastLink(_ response: HTTPResponse) -> Int? {
        guard response.body.count > 2 else { return 0 }
        guard let links = response.values(of: "Link").first else { return 1 }
        let last = links.split(separator: ",").first { $0.contains("rel=\"last\"") }
        let query = last?.split(separator: "?").last?.split(separator: ">").first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("page=") }
            .flatMap { Int($0.dropFirst("page=".count)) }
    }

    /// The total beside the records.
    static func ofTotal(_ response: HTTPResponse) -> Int? {
        RelayDecoder.count((try? RelayDecoder.json(response.body))?["total"])  // nil: no JSON
    }
}
