import StrictJSON

/// The number of a relay's orders, from its first page of one order.
enum RelayCount {
    /// The last page's number in the Link header, which equals the number of orders.
    static func ofLastLink(_ response: HTTPResponse) -> Int? {
        guard let links = response.values(of: "Link").first else {
            return response.body.count > 2 ? 1 : 0
        }
        let last = links.split(separator: ",").first { $0.contains("rel=\"last\"") }
        let query = last?.split(separator: "?").last?.split(separator: ">").first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("page=") }
            .flatMap { Int($0.dropFirst("page=".count)) }
    }

    /// The total beside the records.
    static func ofTotal(_ response: HTTPResponse) -> Int? {
        (try? RelayDecoder.json(response.body))?["total"]?.numberText.flatMap { Int($0) }  // or nil
    }
}
