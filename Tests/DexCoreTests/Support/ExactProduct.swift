import Ethereum

/// Products of whole numbers in schoolbook arithmetic, to check comparisons by other means than the
/// code that is tested.
struct ExactProduct: Comparable {
    /// Base 2^16, the lowest first, without leading zeros.
    private let digits: [UInt64]

    init(_ factors: [UInt256]) {
        var product: [UInt64] = [1]
        for factor in factors {
            product = Self.product(product, Self.digits(of: factor))
        }
        digits = product
    }

    static func < (left: ExactProduct, right: ExactProduct) -> Bool {
        guard left.digits.count == right.digits.count else {
            return left.digits.count < right.digits.count
        }
        for (a, b) in zip(left.digits.reversed(), right.digits.reversed()) where a != b {
            return a < b
        }
        return false
    }

    private static func digits(of number: UInt256) -> [UInt64] {
        let bytes = number.bigEndianBytes
        let digits = stride(from: 30, through: 0, by: -2).map {
            UInt64(bytes[$0]) << 8 | UInt64(bytes[$0 + 1])
        }
        return trimmed(digits)
    }

    private static func product(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
        var sums = Array(repeating: UInt64(0), count: a.count + b.count + 1)
        for (i, x) in a.enumerated() {
            for (j, y) in b.enumerated() { sums[i + j] += x * y }
        }
        for index in sums.indices.dropLast() {
            sums[index + 1] += sums[index] >> 16
            sums[index] &= 0xffff
        }
        return trimmed(sums)
    }

    private static func trimmed(_ digits: [UInt64]) -> [UInt64] {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        return digits
    }
}
