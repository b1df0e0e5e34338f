import Ethereum

/// The parameters of a request's query that an API knows.
struct QueryItems: Sendable {
    /// The most that are read.
    static let most = 32

    /// Each name once, in the order of the query.
    private(set) var values: [(name: String, value: String)] = []
    /// Names that were given again.
    private(set) var repeated: [String] = []

    /// Reads what is behind a `?`; nil where there is too much of it.
    init?(_ text: String?, known: [String]) {
        let pieces = (text ?? "").split(separator: "&")
        guard pieces.count <= Self.most else { return nil }
        for piece in pieces {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else { continue }
            guard !values.contains(where: { $0.name == name }) else {
                repeated.append(name)
                continue
            }
            values.append((name, parts.count == 2 ? Self.decoded(parts[1]) : ""))
        }
    }

    /// Percent-escapes resolved; what is not one stays and fails the checks of its value.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hex.value(ofDigit:)),
                let low = rest.dropFirst().first.flatMap(Hex.value(ofDigit:))
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
