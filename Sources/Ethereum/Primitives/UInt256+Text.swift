extension UInt256: CustomStringConvertible, LosslessStringConvertible {
    /// The number of a decimal text: ASCII digits only, no sign; nil for anything else or beyond
    /// 2^256 - 1. Leading zeros are accepted.
    public init?(decimal text: String) {
        var value = UInt256.zero
        guard !text.isEmpty else { return nil }
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt256(UInt64(byte - 0x30)))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        self = value
    }

    /// The number of a JSON-RPC quantity: `0x` and 1 to 64 digits in any letter case; nil for
    /// anything else. Leading zeros are accepted, since some nodes send them.
    public init?(quantity text: String) {
        let bytes = Array(text.utf8)
        guard (3...66).contains(bytes.count), bytes[0] == UInt8(ascii: "0"),
            bytes[1] == UInt8(ascii: "x")
        else { return nil }
        var value = UInt256.zero
        for byte in bytes.dropFirst(2) {
            guard let digit = Hex.value(ofDigit: byte) else { return nil }
            value = value << 4 | UInt256(UInt64(digit))
        }
        self = value
    }

    /// The same as `init(decimal:)`.
    public init?(_ description: String) {
        self.init(decimal: description)
    }

    /// The number in decimal digits.
    public var description: String {
        // 10^19 is the largest power of ten in a limb.
        let chunk: UInt64 = 10_000_000_000_000_000_000
        var chunks: [UInt64] = []
        var rest = self
        repeat {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: chunk)
            chunks.append(remainder)
            rest = quotient
        } while rest != .zero
        var text = String(chunks.removeLast())
        for value in chunks.reversed() {
            let digits = String(value)
            text += String(repeating: "0", count: 19 - digits.count) + digits
        }
        return text
    }

    /// The number as a JSON-RPC quantity: `0x` and no leading zeros; zero is `0x0`.
    public var quantity: String {
        "0x" + String(self, radix: 16)
    }
}
