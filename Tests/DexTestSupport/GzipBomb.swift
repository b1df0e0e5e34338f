/// Little that becomes much: a gzip stream of the same three bytes again and again, made by hand
/// from the longest back-references of Deflate's fixed code (RFC 1951, section 3.2.6; RFC 1952).
package enum GzipBomb {
    /// A stream of zeros, at least so many.
    package static func zeros(_ count: Int) -> [UInt8] {
        stream([], [0, 0, 0], times: count / 3 + 1, [])
    }

    /// A stream of a text, then another text of three characters again and again, then a third.
    ///
    /// - Parameter times: rounded up to a multiple of 86, since a back-reference is 86 times three.
    package static func text(
        _ start: String,
        _ repeated: String,
        times: Int,
        _ end: String
    ) -> [UInt8] {
        precondition(repeated.utf8.count == 3)
        return stream(Array(start.utf8), Array(repeated.utf8), times: times, Array(end.utf8))
    }

    private static func stream(
        _ start: [UInt8],
        _ repeated: [UInt8],
        times: Int,
        _ end: [UInt8]
    ) -> [UInt8] {
        let copies = (max(times, 1) + 84) / 86
        var writer = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        writer.append(0b1, bits: 1)
        // The type of the block, 01, with its lowest bit first.
        writer.append(0b10, bits: 2)
        for byte in start + repeated { writer.append(literal: byte) }
        for _ in 0..<copies {
            // 258 bytes, from three bytes before.
            writer.append(0b1100_0101, bits: 8)
            writer.append(0b00010, bits: 5)
        }
        for byte in end { writer.append(literal: byte) }
        writer.append(0, bits: 7)
        var sum = Checksum()
        sum.add(start + repeated)
        let copied = Array(repeating: repeated, count: 86).flatMap { $0 }
        for _ in 0..<copies { sum.add(copied) }
        sum.add(end)
        return writer.bytes + sum.trailer
    }

    /// What stands at the end of a stream: the CRC-32 of what was packed, and its length.
    private struct Checksum {
        private static let table: [UInt32] = (0..<256).map { index in
            (0..<8).reduce(UInt32(index)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
        private var code: UInt32 = .max
        private var length: UInt32 = 0

        mutating func add(_ bytes: [UInt8]) {
            for byte in bytes {
                code = Self.table[Int((code ^ UInt32(byte)) & 0xFF)] ^ (code >> 8)
            }
            length &+= UInt32(truncatingIfNeeded: bytes.count)
        }

        var trailer: [UInt8] {
            [~code, length].flatMap { word in
                (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
            }
        }
    }

    private struct BitWriter {
        var bytes: [UInt8]
        private var used = 8

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// A character by the fixed code.
        mutating func append(literal byte: UInt8) {
            if byte < 144 {
                append(0b0011_0000 + UInt32(byte), bits: 8)
            } else {
                append(0b1_1001_0000 + UInt32(byte - 144), bits: 9)
            }
        }

        /// Bits with the highest first, as codes are written.
        mutating func append(_ code: UInt32, bits: UInt32) {
            for bit in (0..<bits).reversed() {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |=
                    UInt8(truncatingIfNeeded: (code >> bit) & 1) << UInt8(used)
                used += 1
            }
        }
    }
}
