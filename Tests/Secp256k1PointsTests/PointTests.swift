import BigInt
import CSecp256k1
import DexTestSupport
import Ethereum
import Testing

@testable import Secp256k1Points

@Suite("Multiples of points against libsecp256k1's public keys")
struct PointTests {
    /// x and y of a private key's public key; nil for a key out of range.
    private static func publicKey(_ key: Bytes32) -> [UInt8]? {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN)) else {
            return nil
        }
        defer { secp256k1_context_destroy(context) }
        var publicKey = secp256k1_pubkey()
        guard secp256k1_ec_pubkey_create(context, &publicKey, key.bytes) == 1 else { return nil }
        var output = [UInt8](repeating: 0, count: 65)
        var count = 65
        _ = secp256k1_ec_pubkey_serialize(
            context,
            &output,
            &count,
            &publicKey,
            UInt32(SECP256K1_EC_UNCOMPRESSED)
        )
        return Array(output.dropFirst())
    }

    private static func point(_ key: Bytes32) throws -> AffinePoint {
        let bytes = try #require(publicKey(key))
        return AffinePoint(
            x: try #require(Bytes32(bytes: bytes[..<32])),
            y: try #require(Bytes32(bytes: bytes[32...]))
        )
    }

    /// x and y of each scalar times the table's point, all at once; nil without a sum.
    private static func multiples(_ scalars: [Bytes32], of table: PointTable) -> [[UInt8]?] {
        let width = table.windowCount
        let sums = PointAdditions(
            points: scalars.count * width,
            additions: scalars.count * width / 2
        )
        let counts = scalars.enumerated().map { index, scalar in
            table.write(Scalar(scalar), to: sums.points + index * width)
        }
        let haveSums = sums.addGroups(of: width, counts: counts)
        return haveSums.enumerated().map { index, hasSum in
            let point = sums.points[index * width]
            return hasSum ? point.x.word.bytes + point.y.word.bytes : nil
        }
    }

    private static func word(_ number: BigUInt) -> Bytes32 {
        let mask = BigUInt(UInt64.max)
        func limb(_ index: Int) -> UInt64 { UInt64(number >> (64 * index) & mask) }
        return Bytes32(limbs: (limb(3), limb(2), limb(1), limb(0)))
    }

    private static let order = UInt64.words(of: Scalar.orderWord)
        .reduce(BigUInt(0)) { $0 << 64 + BigUInt($1) }

    /// Small and large ones, single windows, digits next to half a window, and random ones.
    private static func scalars(seed: UInt64) -> [BigUInt] {
        var generator = SeededGenerator(seed: seed)
        var scalars: [BigUInt] = (1...300).map { BigUInt($0) }
        scalars += (1...300).map { order - BigUInt($0) }
        for bit in 0..<256 {
            let power = BigUInt(1) << bit
            scalars += [1, 127, 128, 129, 255, 511, 512, 513].map { power * $0 % order }
            scalars += [power - 1, power + 1].map { $0 % order }
        }
        // Every digit is half a window, or one more.
        for width in [8, 10] {
            for digit in [1 << (width - 1), (1 << (width - 1)) + 1, (1 << width) - 1] {
                let number = (0..<25).reduce(BigUInt(0)) { number, _ in
                    number << width + BigUInt(digit)
                }
                scalars += [number % order, (number << 6) % order]
            }
        }
        scalars += [order / 2, order / 2 + 1]
        scalars += (0..<500).map { _ in
            (0..<4).reduce(BigUInt(0)) { number, _ in number << 64 + BigUInt(generator.next()) }
                % order
        }
        return scalars.filter { $0 > 0 }
    }

    @Test("multiples of the generator, by windows of any width", arguments: [4, 5, 8, 9, 10])
    func generator(windowBits: Int) throws {
        let table = PointTable(.generator, windowBits: windowBits)
        let scalars = Self.scalars(seed: 1).map { Self.word($0) }
        for (scalar, multiple) in zip(scalars, Self.multiples(scalars, of: table)) {
            #expect(multiple == Self.publicKey(scalar), "\(scalar)")
        }
    }

    @Test("multiples of another point", arguments: [2, 3] as [UInt64])
    func otherPoint(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let key = try #require(Bytes32(bytes: generator.bytes(32)))
        let table = PointTable(try Self.point(key))
        #expect(table.byteCount == 262_144)
        let factor = UInt64.words(of: key).reduce(BigUInt(0)) { $0 << 64 + BigUInt($1) }
        let scalars = Self.scalars(seed: seed)
        let multiples = Self.multiples(scalars.map { Self.word($0) }, of: table)
        for (scalar, multiple) in zip(scalars, multiples) {
            let product = Self.word(scalar * factor % Self.order)
            #expect(multiple == Self.publicKey(product), "\(scalar), key \(key)")
        }
    }

    @Test("zero has no sum, and neither has it for the others")
    func zero() throws {
        let table = PointTable(.generator)
        let scalars = [Self.word(5), .zero, Self.word(Self.order), Self.word(6)]
        let multiples = Self.multiples(scalars, of: table)
        #expect(multiples[0] == Self.publicKey(scalars[0]))
        #expect(multiples[1] == nil)
        #expect(multiples[2] == nil)
        #expect(multiples[3] == Self.publicKey(scalars[3]))
    }

    /// Where the group with an impossible addition is, among groups of a batch.
    @Test("equal and opposite points leave the other groups alone", arguments: 0..<5)
    func impossible(place: Int) throws {
        let generator = AffinePoint.generator
        let opposite = AffinePoint(x: generator.x, y: generator.y.negated(if: .max))
        let two = try Self.point(Self.word(2))
        for last in [generator, opposite] {
            let sums = PointAdditions(points: 5 * 4, additions: 10)
            for group in 0..<5 {
                sums.points[4 * group] = generator
                sums.points[4 * group + 1] = group == place ? last : two
                sums.points[4 * group + 2] = two
            }
            let haveSums = sums.addGroups(of: 4, counts: [3, 3, 3, 3, 3])
            for group in 0..<5 {
                #expect(haveSums[group] == (group != place))
                guard group != place else { continue }
                let sum = sums.points[4 * group]
                let bytes = sum.x.word.bytes + sum.y.word.bytes
                #expect(bytes == Self.publicKey(Self.word(5)))
            }
        }
    }
}
