import BigInt
import DexTestSupport
import Ethereum
import Testing

@testable import Secp256k1Points

@Suite("Arithmetic modulo the group's order against BigInt")
struct ScalarTests {
    private static let order = UInt64.words(of: Scalar.orderWord)
        .reduce(BigUInt(0)) { $0 << 64 + BigUInt($1) }

    private static func word(_ number: BigUInt) -> Bytes32 {
        let mask = BigUInt(UInt64.max)
        func limb(_ index: Int) -> UInt64 { UInt64(number >> (64 * index) & mask) }
        return Bytes32(limbs: (limb(3), limb(2), limb(1), limb(0)))
    }

    private static func number(_ scalar: Scalar) -> BigUInt {
        UInt64.words(of: scalar.word).reduce(BigUInt(0)) { $0 << 64 + BigUInt($1) }
    }

    private static func samples(seed: UInt64) -> [BigUInt] {
        var generator = SeededGenerator(seed: seed)
        let edges: [BigUInt] = [
            0, 1, 2, order - 2, order - 1, order, order + 1, order / 2, order / 2 + 1,
            BigUInt(1) << 255, BigUInt(1) << 256 - 1, BigUInt(1) << 256 - order,
            BigUInt(1) << 128, BigUInt(1) << 128 - 1, BigUInt(1) << 192,
        ]
        let random = (0..<100).map { _ in
            (0..<4).reduce(BigUInt(0)) { number, _ in
                let word: UInt64 =
                    switch generator.below(6) {
                    case 0: 0
                    case 1: .max
                    default: generator.next()
                    }
                return number << 64 + BigUInt(word)
            }
        }
        return edges + random
    }

    @Test("products, inverses, ranges and signs", arguments: [1, 2] as [UInt64])
    func operations(seed: UInt64) {
        let n = Self.order
        let samples = Self.samples(seed: seed)
        for a in samples {
            let scalar = Scalar(Self.word(a))
            #expect(Self.number(scalar) == a % n)
            #expect((Scalar(inRange: Self.word(a)) != nil) == (a > 0 && a < n))
            #expect(Self.number(scalar.inverse) == (a.inverse(n) ?? 0))
            let (magnitude, isNegated) = scalar.smaller
            #expect(Self.number(magnitude) < BigUInt(1) << 255)
            #expect(Self.number(magnitude) == (isNegated ? n - a % n : a % n))
            for b in samples {
                let product = Self.number(scalar * Scalar(Self.word(b)))
                #expect(product == a * b % n, "\(a) and \(b)")
            }
        }
    }
}

extension Scalar {
    /// n: 32 bytes, big-endian.
    static var orderWord: Bytes32 {
        Bytes32(limbs: (order.3, order.2, order.1, order.0))
    }
}
