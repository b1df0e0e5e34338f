/// What an Accept-Encoding header says of gzip.
///
/// Source: RFC 9110, section 12.5.3.
package enum AcceptEncoding {
    /// A longer header is taken as absent.
    private static let maximumBytes = 1_024
    /// The weight without `q`, in thousandths.
    private static let fullWeight = 1_000

    /// The client wants gzip: it accepts it, and does not like the answer as it is better.
    ///
    /// Without the header it gets the answer as it is.
    package static func prefersGzip(_ header: String?) -> Bool {
        guard let header, header.utf8.count <= maximumBytes else { return false }
        var gzip: Int?
        var any = 0
        var identity = 0
        for item in header.split(separator: ",") {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false)
            let weight = parts.dropFirst().compactMap { self.weight(trimmed($0)) }.first
            switch trimmed(parts[0]).lowercased() {
            case "gzip", "x-gzip": gzip = gzip ?? weight ?? fullWeight
            case "*": any = weight ?? fullWeight
            case "identity": identity = weight ?? fullWeight
            default: continue
            }
        }
        let weight = gzip ?? any
        return weight > 0 && weight >= identity
    }

    /// The thousandths of `q=0.5`; nil if it is no weight.
    private static func weight(_ parameter: Substring) -> Int? {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, trimmed(parts[0]).lowercased() == "q" else { return nil }
        let digits = trimmed(parts[1]).split(separator: ".", maxSplits: 1)
        guard let whole = digits.first.flatMap({ UInt8($0) }), whole <= 1 else { return nil }
        let places = digits.dropFirst().first ?? "0"
        guard places.allSatisfy(\.isWholeNumber), let part = Int((places + "00").prefix(3)) else {
            return nil
        }
        // Less than a thousandth is still not zero.
        let minimum = places.contains { $0 != "0" } ? 1 : 0
        return min(fullWeight, Int(whole) * fullWeight + max(minimum, part))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
