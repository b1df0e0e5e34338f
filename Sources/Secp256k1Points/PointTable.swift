/// Multiples of a point, of which each multiple is a sum without doublings.
///
/// For each window of w bits there are k * 2^(w * window) times the point, for k from 1 to 2^(w-1);
/// digits are signed, because the opposite of a point costs nothing.
package final class PointTable: Sendable {
    /// The coordinates x and y of each multiple, window by window, as four words each, the least
    /// significant first.
    ///
    /// A vector is one line of a processor's cache.
    private let multiples: [SIMD8<UInt64>]
    private let windowBits: Int
    let windowCount: Int

    /// The bytes of the multiples of a table.
    package var byteCount: Int {
        multiples.count * MemoryLayout<SIMD8<UInt64>>.stride
    }

    /// The generator's table, which is made by the first use.
    package static let generator = PointTable(.generator, windowBits: 10)

    /// The table of a point of the group's order.
    ///
    /// - Parameter windowBits: 8 takes 262 144 bytes; each more nearly doubles it.
    package init(_ point: AffinePoint, windowBits: Int = 8) {
        self.windowBits = windowBits
        // Scalars are below 2^255, and the highest digit must take a carry without making one.
        windowCount = (255 + windowBits) / windowBits
        let size = 1 << (windowBits - 1)
        let count = windowCount * size
        let sums = PointAdditions(points: count, additions: count)
        let powers = point.doublings(count: windowCount * windowBits)
        for window in 0..<windowCount {
            for bit in 0..<windowBits {
                sums.points[window * size + (1 << bit) - 1] = powers[window * windowBits + bit]
            }
        }
        // With 1... m known, m + k is the next for each k below m.
        var known = 2
        while known < size {
            var additions = 0
            for window in 0..<windowCount {
                let highest = Int32(window * size + known - 1)
                for k in 1..<known {
                    let other = Int32(window * size + k - 1)
                    sums.additions[additions] = PointAdditions.Addition(
                        left: highest,
                        right: other,
                        sum: highest + Int32(k)
                    )
                    additions += 1
                }
            }
            // Less than n apart and from 0, no two of them have the same x.
            sums.add(additions) { _ in }
            known *= 2
        }
        multiples = (0..<count).map { index in
            let x = sums.points[index].x.words
            let y = sums.points[index].y.words
            return SIMD8(x.0, x.1, x.2, x.3, y.0, y.1, y.2, y.3)
        }
    }

    /// Writes the multiples whose sum is the point times a scalar.
    ///
    /// - Returns: how many, at most `windowCount`; none if the scalar is zero.
    func write(_ scalar: Scalar, to points: UnsafeMutablePointer<AffinePoint>) -> Int {
        let (magnitude, isNegated) = scalar.smaller
        let half = UInt64(1) &<< UInt64(windowBits &- 1)
        return multiples.withUnsafeBytes { multiples in
            var count = 0
            var carry: UInt64 = 0
            for window in 0..<windowCount {
                let digit = magnitude.bits(from: window &* windowBits, count: windowBits) &+ carry
                carry = digit > half ? 1 : 0
                guard digit != carry &<< UInt64(windowBits) else { continue }
                let size = carry == 1 ? 2 &* half &- digit : digit
                let index = window &* Int(half) &+ Int(truncatingIfNeeded: size) &- 1
                let isNegative = isNegated != (carry == 1)
                points[count] = Self.point(
                    multiples.baseAddress! + index &* 64,
                    isNegative ? .max : 0
                )
                count &+= 1
            }
            return count
        }
    }

    @inline(__always)
    private static func point(_ base: UnsafeRawPointer, _ negative: UInt64) -> AffinePoint {
        let words = base.assumingMemoryBound(to: UInt64.self)
        return AffinePoint(
            x: FieldElement(words[0], words[1], words[2], words[3]),
            y: FieldElement(words[4], words[5], words[6], words[7]).negated(if: negative)
        )
    }
}
