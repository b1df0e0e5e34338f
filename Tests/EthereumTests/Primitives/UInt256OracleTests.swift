import BigInt
import DexTestSupport
import Ethereum
import Testing

/// Arithmetic against attaswift's BigInt, over edge values and random ones of every width.
@Suite("UInt256 against BigInt")
struct UInt256OracleTests {
    private static let modulus = BigUInt(1) << 256

    /// Limbs of zeros, ones and single bits; neighbours of powers of two; the inputs for which a
    /// quotient digit of Knuth's algorithm D is estimated too high.
    private static let edges: [UInt256] = {
        var values: [UInt256] = [.zero, 1, 2, 3, 10, .max, .max - 1]
        for exponent in stride(from: 31, through: 255, by: 32) {
            let power = UInt256(1) << exponent
            values += [power, power - 1, power + 1]
            let next = power << 1
            values += [next, next &- 1, next &+ 1]
        }
        values += [
            UInt256(w0: 0, w1: .max, w2: 0, w3: .max),
            UInt256(w0: .max, w1: 0, w2: .max, w3: 0),
            UInt256(w0: 0, w1: 0, w2: 1 << 63, w3: 0),
            UInt256(w0: .max, w1: 0, w2: 1 << 63, w3: 0),
            UInt256(w0: 3, w1: 0, w2: 0, w3: 1 << 63),
            UInt256(w0: 1, w1: 0, w2: 0, w3: 1 << 61),
            UInt256(w0: 0, w1: .max, w2: .max - 1, w3: 1 << 63),
            UInt256(w0: .max, w1: .max, w2: 1 << 63, w3: 0),
        ]
        return values
    }()

    private static func random(_ generator: inout SeededGenerator) -> UInt256 {
        let limb = { (generator: inout SeededGenerator) -> UInt64 in
            switch generator.next() % 8 {
            case 0: 0
            case 1: .max
            case 2: 1 << (generator.next() % 64)
            default: generator.next()
            }
        }
        let value = UInt256(
            w0: limb(&generator),
            w1: limb(&generator),
            w2: limb(&generator),
            w3: limb(&generator)
        )
        return value >> Int(generator.next() % 256)
    }

    private static func pairs(seed: UInt64, count: Int) -> [(UInt256, UInt256)] {
        var generator = SeededGenerator(seed: seed)
        let drawn = (0..<count).map { _ in (random(&generator), random(&generator)) }
        return edges.flatMap { left in edges.map { (left, $0) } } + drawn
    }

    private func big(_ value: UInt256) -> BigUInt {
        BigUInt(words: value.words)
    }

    @Test("sums, differences and products agree, with their overflows")
    func ring() {
        for (left, right) in Self.pairs(seed: 1, count: 4000) {
            let (a, b) = (big(left), big(right))
            let sum = left.addingReportingOverflow(right)
            #expect(big(sum.partialValue) == (a + b) % Self.modulus)
            #expect(sum.overflow == (a + b >= Self.modulus))
            #expect(left &+ right == sum.partialValue)
            let difference = left.subtractingReportingOverflow(right)
            #expect(big(difference.partialValue) == (a + Self.modulus - b) % Self.modulus)
            #expect(difference.overflow == (a < b))
            #expect(left &- right == difference.partialValue)
            let product = left.multipliedReportingOverflow(by: right)
            #expect(big(product.partialValue) == a * b % Self.modulus)
            #expect(product.overflow == (a * b >= Self.modulus))
            #expect(left &* right == product.partialValue)
            let full = left.multipliedFullWidth(by: right)
            #expect(big(full.high) << 256 + big(full.low) == a * b)
        }
    }

    @Test("quotients and remainders agree")
    func division() {
        for (left, right) in Self.pairs(seed: 2, count: 6000) where right != .zero {
            let expected = big(left).quotientAndRemainder(dividingBy: big(right))
            let result = left.quotientAndRemainder(dividingBy: right)
            #expect(big(result.quotient) == expected.quotient, "\(left) / \(right)")
            #expect(big(result.remainder) == expected.remainder, "\(left) % \(right)")
            #expect(left / right == result.quotient)
            #expect(left % right == result.remainder)
        }
    }

    @Test("512-bit numbers divided by 256-bit ones agree")
    func fullWidthDivision() {
        var generator = SeededGenerator(seed: 3)
        var count = 0
        for (high, divisor) in Self.pairs(seed: 4, count: 6000) where divisor != .zero {
            // The quotient fits only where the high half is below the divisor.
            let high = high < divisor ? high : high % divisor
            for low in [Self.random(&generator), .max, .zero] {
                let result = divisor.dividingFullWidth((high: high, low: low))
                let expected = (big(high) << 256 + big(low))
                    .quotientAndRemainder(dividingBy: big(divisor))
                #expect(big(result.quotient) == expected.quotient, "(\(high),\(low))/\(divisor)")
                #expect(big(result.remainder) == expected.remainder, "(\(high),\(low))%\(divisor)")
                count += 1
            }
        }
        #expect(count > 18_000)
    }

    @Test("divisors of one and of two limbs agree at the edges of their limbs")
    func shortDivisors() {
        let limbs: [UInt64] = [
            0, 1, 2, 3, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, .max - 1, .max,
        ]
        let numbers = limbs.flatMap { high in
            limbs.map { UInt256(w0: $0, w1: high, w2: 0, w3: 0) }
        }
        var generator = SeededGenerator(seed: 10)
        for divisor in numbers where divisor != .zero {
            for high in numbers + [divisor - 1] where high < divisor {
                for low in [
                    .zero, .max, UInt256(w0: .max, w1: 0, w2: .max, w3: 0), divisor << 128,
                    divisor << 64 &- 1, Self.random(&generator),
                ] {
                    let result = divisor.dividingFullWidth((high: high, low: low))
                    let product = result.quotient.multipliedFullWidth(by: divisor)
                    let (sum, carry) = product.low.addingReportingOverflow(result.remainder)
                    let isSame =
                        result.remainder < divisor && sum == low
                        && product.high + (carry ? 1 : 0) == high
                    if !isSame { Issue.record("(\(high),\(low))/\(divisor): \(result)") }
                }
            }
        }
    }

    @Test("mulDiv agrees, and is nil exactly where the quotient does not fit")
    func mulDiv() {
        var generator = SeededGenerator(seed: 5)
        var absent = 0
        for (left, right) in Self.pairs(seed: 6, count: 3000) {
            let divisor = Self.random(&generator)
            let result = UInt256.mulDiv(left, right, divisor)
            guard divisor != .zero else {
                #expect(result == nil)
                continue
            }
            let expected = (big(left) * big(right)).quotientAndRemainder(dividingBy: big(divisor))
            if expected.quotient >= Self.modulus {
                #expect(result == nil)
                absent += 1
            } else {
                #expect(result.map { big($0.quotient) } == expected.quotient)
                #expect(result.map { big($0.remainder) } == expected.remainder)
            }
        }
        #expect(absent > 100)
    }

    @Test("bit operations and shifts by any amount agree")
    func bits() {
        for (left, right) in Self.pairs(seed: 7, count: 500) {
            let (a, b) = (big(left), big(right))
            #expect(big(left & right) == a & b)
            #expect(big(left | right) == a | b)
            #expect(big(left ^ right) == a ^ b)
            #expect(big(~left) == Self.modulus - 1 - a)
            #expect((left < right) == (a < b))
            #expect((left == right) == (a == b))
            #expect((left >= right) == (a >= b))
            #expect(left.nonzeroBitCount == a.words.map(\.nonzeroBitCount).reduce(0, +))
            #expect(left.leadingZeroBitCount == 256 - a.bitWidth)
            if left != .zero { #expect(left.trailingZeroBitCount == a.trailingZeroBitCount) }
        }
        var generator = SeededGenerator(seed: 8)
        for amount in -300...300 {
            let value = Self.random(&generator)
            let toLeft = amount >= 0 ? big(value) << amount : big(value) >> -amount
            let toRight = amount >= 0 ? big(value) >> amount : big(value) << -amount
            #expect(big(value << amount) == toLeft % Self.modulus)
            #expect(big(value >> amount) == toRight % Self.modulus)
            let masked = amount & 255
            #expect(value &<< UInt256(truncatingIfNeeded: amount) == value << masked)
            #expect(value &>> UInt256(truncatingIfNeeded: amount) == value >> masked)
        }
    }

    @Test("decimal and hexadecimal texts agree, both ways")
    func text() {
        for (value, _) in Self.pairs(seed: 9, count: 1000) {
            #expect(value.description == String(big(value)))
            #expect(UInt256(decimal: value.description) == value)
            #expect(value.quantity == "0x" + String(big(value), radix: 16))
            #expect(UInt256(quantity: value.quantity) == value)
            #expect(String(value, radix: 36) == String(big(value), radix: 36))
        }
    }
}
