import Ethereum

/// A product of any number of 256-bit factors, exact, for comparing prices and totals whose cross
/// products exceed 512 bits. Nothing overflows, whatever a hostile book says.
struct WideProduct: Comparable {
    /// 64-bit limbs, the least significant first, without leading zeros.
    private var limbs: [UInt64]

    init(_ factors: UInt256...) {
        limbs = [1]
        for factor in factors { multiply(by: factor) }
    }

    static func < (left: WideProduct, right: WideProduct) -> Bool {
        if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
        return left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed())
    }

    private mutating func multiply(by factor: UInt256) {
        let other = [factor.w0, factor.w1, factor.w2, factor.w3]
        var product = [UInt64](repeating: 0, count: limbs.count + other.count)
        for (i, a) in limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, b) in other.enumerated() {
                // a * b + product + carry is below 2^128 whatever they are.
                var (high, low) = a.multipliedFullWidth(by: b)
                for addend in [product[i + j], carry] {
                    let (sum, overflow) = low.addingReportingOverflow(addend)
                    low = sum
                    if overflow { high &+= 1 }
                }
                product[i + j] = low
                carry = high
            }
            product[i + other.count] = carry
        }
        while product.last == 0 { product.removeLast() }
        limbs = product
    }
}
