/// What an Accept-Encoding header says of gzip.
///
/// Source: RFC 9110, section 12.5.3.
package enum AcceptEncoding {
    /// A longer header is taken as absent.
    private static let mostBytes = 1_024

    /// The client accepts gzip; without the header it gets the answer as it is.
    package static func allowsGzip(_ header: String?) -> Bool {
        guard let header, header.utf8.count <= mostBytes else { return false }
        var any = false
        for item in header.split(separator: ",") {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false)
            let name = trimmed(parts[0]).lowercased()
            let isAccepted = parts.dropFirst().allSatisfy { !isZeroWeight(trimmed($0)) }
            switch name {
            case "gzip", "x-gzip": return isAccepted
            case "*": any = isAccepted
            default: continue
            }
        }
        return any
    }

    /// `q=0`, `q=0.0` to `q=0.000`.
    private static func isZeroWeight(_ parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, trimmed(parts[0]).lowercased() == "q" else { return false }
        let weight = trimmed(parts[1])
        return weight.utf8.first == UInt8(ascii: "0")
            && weight.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
