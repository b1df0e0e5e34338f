import Ethereum

/// A relay's base URL, to which paths and parameters are appended.
struct RelayAddress: Hashable, Sendable {
    private let base: String
    /// Parameters of the base URL itself, such as a key.
    private let query: String

    /// Accepts a base URL with or without trailing slashes; it is NOT checked to be a URL.
    init(_ text: String) {
        let withoutFragment = text.prefix { $0 != "#" }
        let parts = withoutFragment.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var base = parts.first ?? ""
        while base.hasSuffix("/") { base.removeLast() }
        self.base = String(base)
        query = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The URL of a resource; names and values must need no escaping.
    func url(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
        var items = parameters.map { "\($0.name)=\($0.value)" }
        if !query.isEmpty { items.insert(query, at: 0) }
        return base + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Only the used filters: an empty one would be refused as an invalid address.
    static func filters(
        _ filters: (name: String, value: Address?)...
    ) -> [(name: String, value: String)] {
        filters.compactMap { filter in
            filter.value.map { (filter.name, $0.lowercaseHex) }
        }
    }

    /// The base URL's path ends with this.
    func hasSuffix(_ path: String) -> Bool {
        base.hasSuffix(path)
    }

    /// The part that may be shown.
    var shown: String {
        WebAddress.shown(base)
    }
}
