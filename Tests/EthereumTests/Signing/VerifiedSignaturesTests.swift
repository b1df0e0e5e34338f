import DexTestSupport
import Ethereum
import Testing

@Suite("The set of verified signatures")
struct VerifiedSignaturesTests {
    private static func digest(_ value: Int) -> SignatureDigest {
        SignatureDigest(value: UInt128(value))
    }

    @Test("it holds what was added, once, and nothing else", arguments: [1, 2, 3])
    func membership(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var signatures = VerifiedSignatures()
        var model: Set<SignatureDigest> = []
        for _ in 0..<20_000 {
            // Half of them differ in the high bits only, so that they meet in one slot.
            let low = UInt128(generator.next() % 5_000)
            let value = low << (generator.next().isMultiple(of: 2) ? 100 : 0)
            let digest = SignatureDigest(value: value)
            #expect(signatures.contains(digest) == model.contains(digest))
            if generator.next().isMultiple(of: 2) {
                signatures.insert(digest)
                model.insert(digest)
            }
        }
        #expect(signatures.count == model.count)
        #expect(Set(signatures.newest) == model)
        #expect(model.allSatisfy(VerifiedSignatures(signatures.newest).contains))
    }

    @Test("the oldest leave first, and no more than twice the bound are ever held")
    func bound() {
        let maximum = VerifiedSignatures.maximum
        var signatures = VerifiedSignatures()
        for value in 0..<2 * maximum { signatures.insert(Self.digest(value)) }
        #expect(signatures.count == 2 * maximum)
        #expect(signatures.contains(Self.digest(0)))
        signatures.insert(Self.digest(2 * maximum))
        #expect(signatures.count == maximum)
        #expect(!signatures.contains(Self.digest(maximum)))
        #expect(signatures.contains(Self.digest(maximum + 1)))
        #expect(signatures.contains(Self.digest(2 * maximum)))
        #expect(signatures.newest.first == Self.digest(maximum + 1))
        #expect(signatures.newest.last == Self.digest(2 * maximum))
        let cut = VerifiedSignatures((0..<maximum + 5).map(Self.digest))
        #expect(cut.count == maximum)
        #expect(!cut.contains(Self.digest(4)) && cut.contains(Self.digest(5)))
    }
}
