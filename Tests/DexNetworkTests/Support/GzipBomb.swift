/// Little that becomes much: a gzip stream of zeros, made by hand from the longest back-references
/// of Deflate's fixed code (RFC 1951, section 3.2.6).
enum GzipBomb {
    /// A stream of at least so many zeros; its checksum is left out.
    static func zeros(_ count: Int) -> [UInt8] {
        var writer = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        writer.append(bits: [1])
        writer.append(bits: [1, 0])
        // The literal 0, then copies of 258 bytes from one byte before.
        writer.append(bits: [0, 0, 1, 1, 0, 0, 0, 0])
        for _ in 0..<(count / 258 + 1) {
            writer.append(bits: [1, 1, 0, 0, 0, 1, 0, 1])
            writer.append(bits: [0, 0, 0, 0, 0])
        }
        writer.append(bits: [0, 0, 0, 0, 0, 0, 0])
        return writer.bytes
    }

    private struct BitWriter {
        var bytes: [UInt8]
        var used = 8

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func append(bits: [UInt8]) {
            for bit in bits {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= bit << UInt8(used)
                used += 1
            }
        }
    }
}
