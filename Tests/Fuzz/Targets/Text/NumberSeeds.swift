import Ethereum

/// Numbers at the edges, as seeds.
extension NumberTarget {
    @Sendable
    static func integerSeeds() -> [[UInt8]] {
        let edges: [UInt256] = [
            0, 1, 2, 10, 999, 1_000, 1 << 64, 1 << 128, 1 << 192, .max, .max - 1, 1 << 255,
            10_000_000_000_000_000_000,
        ]
        return edges.indices.map { index in
            var writer = InputWriter()
            for offset in 0..<4 { writer.uint256(edges[(index + 3 * offset) % edges.count]) }
            writer.byte(UInt8(index * 19))
            return writer.bytes
        }
    }

    @Sendable
    static func amountSeeds() -> [[UInt8]] {
        let texts = [
            "0", "1", "1.5", "0.000000000000000001", "123456789.987654321", "00.10", "1.", ".5",
            "1..2", "-1", "1e18", " 1", "1,5", "\u{661}", "0x10", "0xFFff",
            "115792089237316195423570985008687907853269984665640564039457584007913129639935",
            "115792089237316195423570985008687907853269984665640564039457584007913129639936",
            "0." + String(repeating: "0", count: 250) + "1", "1.50000000000000000000000000",
        ]
        return texts.flatMap { text in
            [0, 6, 18, 255].map { decimals in [decimals, 8] + Array(text.utf8) }
        }
    }
}
