/// Who asks: the origin of a web page, or a program without one.
package enum DappOrigin: Hashable, Sendable {
    /// Scheme, host and port in lower case: `https://app.example`.
    case page(String)
    /// A program on this machine: browsers send an Origin with every post.
    case program

    /// The most bytes of an origin.
    private static let longest = 300

    /// Reads an Origin header; no header is a program.
    ///
    /// nil for anything but http and https, such as `null`: every sandboxed frame and every local
    /// file has that one, so a pairing with it would hold for all of them.
    ///
    /// Source: RFC 6454, section 7.
    package init?(header: String?) {
        guard let header else {
            self = .program
            return
        }
        let text = header.lowercased()
        guard text.utf8.count <= Self.longest,
            let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) })
        else { return nil }
        let place = text.dropFirst(scheme.count)
        guard !place.isEmpty, place.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self = .page(text)
    }

    /// Letters, digits and what IPv6 addresses and ports need: nothing that a terminal acts on.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// `https://app.example`, or `a program on this machine`.
    package var text: String {
        switch self {
        case .page(let origin): origin
        case .program: "a program on this machine"
        }
    }

    /// The same at the start of a sentence.
    package var subject: String {
        guard case .page(let origin) = self else { return "A program on this machine" }
        return origin
    }

    /// The value of `Access-Control-Allow-Origin`; nil for a program.
    var header: String? {
        guard case .page(let origin) = self else { return nil }
        return origin
    }
}
