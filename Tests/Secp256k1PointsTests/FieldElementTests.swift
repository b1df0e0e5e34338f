import BigInt
import DexTestSupport
import Ethereum
import Testing

@testable import Secp256k1Points

@Suite("Arithmetic modulo the field's prime against BigInt")
struct FieldElementTests {
    private static let prime = BigUInt(1) << 256 - BigUInt(1) << 32 - 977

    /// An element and its number, which may be beyond the prime.
    private struct Sample {
        let element: FieldElement
        let number: BigUInt

        /// From five limbs, each to be multiplied by a power of 2^52.
        init(_ limbs: [UInt64]) {
            element = FieldElement(limbs: (limbs[0], limbs[1], limbs[2], limbs[3], limbs[4]))
            number = limbs.reversed().reduce(BigUInt(0)) { $0 << 52 + BigUInt($1) }
        }

        /// From a number below 2^256.
        init(_ number: BigUInt) {
            let mask = BigUInt(1) << 52 - 1
            self.init((0..<5).map { UInt64(number >> (52 * $0) & mask) })
        }
    }

    private static let edges: [Sample] = {
        var numbers: [BigUInt] = [0, 1, 2, BigUInt(1) << 256 - 1, BigUInt(1) << 255]
        numbers += [BigUInt(1) << 32 + 976, BigUInt(1) << 32 + 977, BigUInt(1) << 32 + 978]
        for offset in 0...3 {
            numbers += [prime - BigUInt(offset), prime + BigUInt(offset)]
        }
        numbers += (0..<256).map { BigUInt(1) << $0 }
        let ones = (UInt64(1) << 52) - 1
        let tidy = (UInt64(1) << 52) + (UInt64(1) << 46) - 1
        return numbers.map { Sample($0) }
            + [
                Sample([ones, ones, ones, ones, ones]), Sample([tidy, tidy, tidy, tidy, tidy]),
                Sample([0, 0, 0, 0, tidy]), Sample([tidy, 0, 0, 0, 0]),
                // Each multiple of p up to 2^260.
                Sample([0xF_FFFE_FFFF_FC2F, ones, ones, ones, ones >> 4]),
                Sample([0xF_FFEF_FFFF_C2F0, ones, ones, ones, ones]),
            ]
    }()

    /// Tidy ones, with many limbs that are all zeros or ones.
    private static func samples(seed: UInt64, count: Int) -> [Sample] {
        var generator = SeededGenerator(seed: seed)
        let ones = (UInt64(1) << 52) - 1
        return (0..<count).map { _ in
            Sample(
                (0..<5).map { _ in
                    switch generator.below(8) {
                    case 0: 0
                    case 1: ones
                    case 2: ones + generator.next() >> 18
                    default: generator.next() & ones
                    }
                }
            )
        }
    }

    private static func isTidy(_ element: FieldElement) -> Bool {
        let bound = UInt64(1) << 52 + UInt64(1) << 46
        return withUnsafeBytes(of: element) { bytes in
            bytes.bindMemory(to: UInt64.self).allSatisfy { $0 < bound }
        }
    }

    private static func number(_ element: FieldElement) -> BigUInt {
        UInt64.words(of: element.word).reduce(BigUInt(0)) { $0 << 64 + BigUInt($1) }
    }

    @Test("every operation on edges")
    func edges() {
        check(Self.edges)
    }

    @Test("every operation on random numbers", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        check(Self.samples(seed: seed, count: 120))
    }

    private func check(_ samples: [Sample]) {
        let p = Self.prime
        for a in samples {
            #expect(Self.number(a.element) == a.number % p)
            #expect(a.element.isZero == (a.number % p == 0))
            let square = a.element.squared
            #expect(Self.isTidy(square))
            #expect(Self.number(square) == a.number * a.number % p)
            let inverse = Self.number(a.element.inverse)
            #expect(inverse == (a.number.inverse(p) ?? 0))
            let opposite = a.element.negated(if: .max)
            #expect(Self.isTidy(opposite))
            #expect((Self.number(opposite) + a.number) % p == 0)
            #expect(Self.number(a.element.negated(if: 0)) == a.number % p)
            for b in samples {
                let product = a.element * b.element
                let difference = a.element - b.element
                let sum = a.element + b.element
                let isRight =
                    Self.isTidy(product) && Self.isTidy(sum.tidy) && Self.isTidy(difference.tidy)
                    && Self.number(product) == a.number * b.number % p
                    && Self.number(sum.tidy) == (a.number + b.number) % p
                    && (Self.number(difference) + b.number) % p == a.number % p
                #expect(isRight, "\(a.number) and \(b.number)")
            }
        }
    }

    @Test("loose factors: differences and sums, and limbs of 2^54", arguments: [4] as [UInt64])
    func looseFactors(seed: UInt64) {
        let p = Self.prime
        let limb = UInt64(1) << 54
        let highest = Sample([limb, limb, limb, limb, limb])
        #expect(Self.isTidy(highest.element * highest.element))
        #expect(Self.isTidy(highest.element.squared))
        #expect(Self.isTidy(highest.element.tidy))
        #expect(Self.number(highest.element.squared) == highest.number * highest.number % p)
        #expect(
            Self.number(highest.element * highest.element) == highest.number * highest.number % p
        )
        #expect(Self.number(highest.element) == highest.number % p)
        let samples = Self.samples(seed: seed, count: 40) + Self.edges.suffix(6)
        for a in samples {
            for b in samples {
                let difference = a.element - b.element
                let number = a.number + p << 9 - b.number
                let product = difference * difference
                let both = a.element.minus(b.element, a.element)
                let isRight =
                    Self.isTidy(product) && Self.number(product) == number * number % p
                    && Self.number(difference.squared) == number * number % p
                    && Self.isTidy(both) && (Self.number(both) + b.number) % p == 0
                #expect(isRight, "\(a.number) and \(b.number)")
            }
        }
    }
}

extension UInt64 {
    /// The four words of 32 bytes, the most significant first.
    static func words(of word: Bytes32) -> [UInt64] {
        [word.limbs.0, word.limbs.1, word.limbs.2, word.limbs.3]
    }
}
