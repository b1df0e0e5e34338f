/// Multiples of a point, of which each multiple is a sum without doublings.
///
/// For each window of w bits there are k * 2^(w * window) times the point, for k from 1 to 2^(w-1);
/// digits are signed, because the opposite of a point costs nothing.
package final class PointTable: Sendable {
    /// The coordinates x and y of a multiple, as four words each, the least significant first.
    private typealias Words = SIMD8<UInt64>

    /// The address of the multiples, window by window, as a number because Swift's pointers are not
    /// Sendable.
    ///
    /// An array would put a multiple across two lines of a processor's cache.
    private let address: UInt
    private let count: Int
    private let windowBits: Int
    let windowCount: Int

    /// The bytes of the multiples of a table.
    package var byteCount: Int {
        count * MemoryLayout<Words>.stride
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
        count = windowCount * size
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
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Words>.stride,
            alignment: MemoryLayout<Words>.stride
        )
        address = UInt(bitPattern: memory)
        let multiples = memory.bindMemory(to: Words.self, capacity: count)
        for index in 0..<count {
            let x = sums.points[index].x.words
            let y = sums.points[index].y.words
            (multiples + index).initialize(to: Words(x.0, x.1, x.2, x.3, y.0, y.1, y.2, y.3))
        }
    }

    deinit {
        // Plain numbers, which need no deinitialisation.
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }

    private var multiples: UnsafePointer<Words> {
        guard let multiples = UnsafePointer<Words>(bitPattern: address) else {
            preconditionFailure("allocated memory is not at address zero")
        }
        return multiples
    }

    /// Writes the multiples whose sum is the point times a scalar.
    ///
    /// - Returns: how many, at most `windowCount`; none if the scalar is zero.
    func write(_ scalar: Scalar, to points: UnsafeMutablePointer<AffinePoint>) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: windowCount) { places in
            let count = locate(scalar, in: places)
            let multiples = multiples
            // Tables are larger than a processor's nearest cache: many lines are fetched at once if
            // nothing else is done meanwhile. Words of x are not all zero.
            var touched: UInt64 = 0
            for index in 0..<count { touched |= multiples[places[index] &>> 1][0] }
            guard touched > 0 else { return 0 }
            for index in 0..<count {
                let place = places[index]
                points[index] = Self.point(multiples[place &>> 1], isNegative: place & 1)
            }
            return count
        }
    }

    /// Twice the place of each multiple of a sum, and one more if its opposite is meant.
    ///
    /// - Returns: how many there are.
    private func locate(_ scalar: Scalar, in places: UnsafeMutableBufferPointer<Int>) -> Int {
        let (magnitude, isNegated) = scalar.smaller
        var rest = magnitude.words
        let sign: UInt64 = isNegated ? 1 : 0
        let bits = UInt64(windowBits)
        let half = UInt64(1) &<< (bits &- 1)
        var count = 0
        var carry: UInt64 = 0
        var start: UInt64 = 0
        // Digits are random: a branch on their sign would be mispredicted every other time.
        for _ in 0..<windowCount {
            let value = (rest.0 & (2 &* half &- 1)) &+ carry
            rest.0 = rest.0 &>> bits | rest.1 &<< (64 &- bits)
            rest.1 = rest.1 &>> bits | rest.2 &<< (64 &- bits)
            rest.2 = rest.2 &>> bits | rest.3 &<< (64 &- bits)
            rest.3 = rest.3 &>> bits
            carry = (half &- value) &>> 63
            let negative = 0 &- carry
            let digit = ((value &- (carry &<< bits)) ^ negative) &- negative
            if digit > 0 {
                let place = (start &+ digit &- 1) &<< 1 | (carry ^ sign)
                places[count] = Int(truncatingIfNeeded: place)
                count &+= 1
            }
            start &+= half
        }
        return count
    }

    @inline(__always)
    private static func point(_ words: Words, isNegative: Int) -> AffinePoint {
        AffinePoint(
            x: FieldElement(words[0], words[1], words[2], words[3]),
            y: FieldElement(words[4], words[5], words[6], words[7])
                .negated(if: 0 &- UInt64(truncatingIfNeeded: isNegative))
        )
    }
}
