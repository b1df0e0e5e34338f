/// The name of one request in answers and logs.
package enum RequestIdentifier {
    /// The client's own name if it is harmless in a log: up to 64 letters, digits, `.`, `_`, `-`.
    package static func accepted(_ header: String?) -> String? {
        guard let header, (1...64).contains(header.utf8.count),
            header.utf8.allSatisfy(isPlain)
        else { return nil }
        return header
    }

    /// A name of 16 hexadecimal digits.
    package static func make(_ random: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { digits in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: random >> (60 - 4 * UInt64(place)) & 15)
                digits[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 16
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
