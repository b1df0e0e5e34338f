import Ethereum

/// The parameters of a query that an API knows.
struct QueryItems: Sendable {
    /// The maximum number of parameters.
    static let most = 32

    /// Each name once, in the order of the query.
    private(set) var values: [(name: String, value: String)] = []
    /// Names that appear more than once.
    private(set) var repeated: [String] = []

    /// Reads the part after `?`; nil if it has too many parameters.
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

    /// Resolves percent-escapes; an invalid one stays and fails the checks of its value.
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
