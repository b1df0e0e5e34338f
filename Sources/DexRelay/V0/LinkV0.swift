/// The Link header of a paged answer.
///
/// Source: RFC 5988; relations first, prev, next and last.
enum LinkV0 {
    /// The value of the header; a list of one page has it too, so that a client knows that it is all.
    ///
    /// - Parameters:
    ///   - path: of the request, without the query.
    ///   - authority: the host that the client requested; links are relative if it is not safe in a
    ///     header.
    static func header(
        path: String,
        authority: String?,
        query: QueryV0,
        count: Int
    ) -> String {
        let last = query.pages(of: count)
        let origin = authority.flatMap { isPlain($0) ? "http://\($0)" : nil } ?? ""
        var links: [(Int, String)] = [(1, "first")]
        if query.page > 1 { links.append((min(query.page - 1, last), "prev")) }
        if query.page < last { links.append((query.page + 1, "next")) }
        links.append((last, "last"))
        return
            links
            .map { "<\(origin)\(path)?\(query.text(page: $0))>; rel=\"\($1)\"" }
            .joined(separator: ", ")
    }

    /// A host and port, without a character that could end the link.
    private static func isPlain(_ authority: String) -> Bool {
        (1...255).contains(authority.utf8.count)
            && authority.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
