import Ethereum

/// An unsigned integer of any size, for exact fractions of products of 256-bit numbers.
struct BigUInt: Hashable, Sendable {
    /// The least significant first; no zeros at the end.
    private var limbs: [UInt64]

    init(_ value: UInt256) {
        limbs = [value.w0, value.w1, value.w2, value.w3]
        trim()
    }

    init(_ value: UInt64) {
        limbs = value == 0 ? [] : [value]
    }

    /// The value if it fits in 256 bits; else nil.
    var uint256: UInt256? {
        guard limbs.count <= 4 else { return nil }
        let limb = { (index: Int) in index < limbs.count ? limbs[index] : 0 }
        return UInt256(w0: limb(0), w1: limb(1), w2: limb(2), w3: limb(3))
    }

    var isZero: Bool {
        limbs.isEmpty
    }

    static func * (left: BigUInt, right: BigUInt) -> BigUInt {
        var result = BigUInt(UInt64(0))
        result.limbs = Array(repeating: 0, count: left.limbs.count + right.limbs.count)
        for (i, a) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, b) in right.limbs.enumerated() {
                let (high, low) = a.multipliedFullWidth(by: b)
                let (sum, first) = low.addingReportingOverflow(result.limbs[i + j])
                let (total, second) = sum.addingReportingOverflow(carry)
                result.limbs[i + j] = total
                // high <= 2^64 - 2, so both carries fit.
                carry = high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
            }
            result.limbs[i + right.limbs.count] = carry
        }
        result.trim()
        return result
    }

    static func + (left: BigUInt, right: BigUInt) -> BigUInt {
        var result = left
        let count = max(left.limbs.count, right.limbs.count)
        result.limbs += Array(repeating: 0, count: count + 1 - left.limbs.count)
        var carry: UInt64 = 0
        for index in 0...count {
            let other = index < right.limbs.count ? right.limbs[index] : 0
            let (sum, first) = result.limbs[index].addingReportingOverflow(other)
            let (total, second) = sum.addingReportingOverflow(carry)
            result.limbs[index] = total
            carry = first || second ? 1 : 0
        }
        result.trim()
        return result
    }

    /// The distance between two numbers.
    static func distance(_ left: BigUInt, _ right: BigUInt) -> BigUInt {
        let (large, small) = left < right ? (right, left) : (left, right)
        var result = large
        var borrow: UInt64 = 0
        for index in large.limbs.indices {
            let other = index < small.limbs.count ? small.limbs[index] : 0
            let (rest, first) = result.limbs[index].subtractingReportingOverflow(other)
            let (total, second) = rest.subtractingReportingOverflow(borrow)
            result.limbs[index] = total
            borrow = first || second ? 1 : 0
        }
        result.trim()
        return result
    }

    /// The quotient rounded up, at most `UInt64.max`, also of a division by zero.
    func dividedRoundingUp(by divisor: BigUInt) -> UInt64 {
        if isZero { return 0 }
        // The smallest k with divisor * k >= self.
        var low: UInt64 = 0
        var high = UInt64.max
        while low < high {
            let middle = low + (high - low) / 2
            if divisor * BigUInt(middle) < self { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }
}

extension BigUInt: Comparable {
    static func < (left: BigUInt, right: BigUInt) -> Bool {
        guard left.limbs.count == right.limbs.count else {
            return left.limbs.count < right.limbs.count
        }
        for (a, b) in zip(left.limbs.reversed(), right.limbs.reversed()) where a != b {
            return a < b
        }
        return false
    }
}
