/// The Link headers of a page, which refer to other pages.
///
/// Source: RFC 8288, section 3; links to another server are ignored.
struct RelayLinks: Hashable, Sendable {
    /// There is a page after this one.
    let hasNext: Bool
    /// The number of the last page; nil if unknown.
    let last: Int?

    /// The links of an answer; nil if none is to this server.
    init?(_ response: HTTPResponse, server: WebAddress?) {
        var relations: [String: String] = [:]
        for value in response.values(of: "link") {
            for (target, names) in Self.links(in: value) where Self.isLocal(target, to: server) {
                for name in names where relations[name] == nil { relations[name] = target }
            }
        }
        guard !relations.isEmpty else { return nil }
        hasNext = relations["next"] != nil
        last = relations["last"].flatMap(Self.page)
    }

    /// The targets of a header's value with their relations, in lower case.
    private static func links(in value: String) -> [(target: String, names: [String])] {
        var links: [(String, [String])] = []
        var rest = value[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            let parameters = rest.prefix { $0 != "<" }
            var names: [String] = []
            for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "rel" else { continue }
                names += trimmed(parts[1]).lowercased().split(separator: " ").map(String.init)
            }
            links.append((target, names))
            rest = rest[parameters.endIndex...]
        }
        return links
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while let first = rest.first, first == " " || first == "\t" || first == "\"" {
            rest.removeFirst()
        }
        while let last = rest.last, last == " " || last == "\t" || last == "\"" {
            rest.removeLast()
        }
        return rest
    }

    /// A relative target, or one on the same server.
    private static func isLocal(_ target: String, to server: WebAddress?) -> Bool {
        guard let address = WebAddress(target) else {
            return !target.contains("://") && !target.hasPrefix("//")
        }
        return server.map(address.isSameServer) ?? false
    }

    /// The page number in a target's parameters.
    private static func page(in target: String) -> Int? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for item in target[target.index(after: mark)...].split(whereSeparator: { "&#".contains($0) }
        )
        where item.hasPrefix("page=") {
            return Int(item.dropFirst(5))
        }
        return nil
    }
}
