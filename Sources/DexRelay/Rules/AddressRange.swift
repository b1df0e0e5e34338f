import Glibc

/// A range of IP addresses, such as `10.0.0.0/8`, `::1` or `fd00::/8`.
package struct AddressRange: Hashable, Sendable {
    /// 4 or 16 bytes; those past the prefix are zero.
    package let bytes: [UInt8]
    /// Leading bits that an address must share.
    package let bits: Int

    /// Reads an address with or without `/BITS`; nil if it is neither IPv4 nor IPv6.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard var bytes = Self.bytes(of: String(parts[0])) else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard let number = Int(parts[1]), parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                0...bits ~= number
            else { return nil }
            bits = number
        }
        for index in bytes.indices {
            let kept = min(8, max(0, bits - index * 8))
            bytes[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
        self.bytes = bytes
        self.bits = bits
    }

    /// The address lies in the range; an IPv4 address mapped into IPv6 counts as IPv4.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        for index in bytes.indices {
            let kept = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            guard other[index] & mask == bytes[index] else { return false }
        }
        return true
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes }
        bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }
}
