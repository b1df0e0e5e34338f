import Ethereum
import Testing

@Suite("Digests of verified signatures")
struct SignatureDigestTests {
    private static func word(_ seed: UInt64) -> Bytes32 {
        Keccak256.hash(UInt256(seed).bigEndianBytes)
    }

    private static func flipped(_ word: Bytes32, bit: Int) -> Bytes32 {
        (UInt256(word) ^ (UInt256(1) << bit)).word
    }

    private let key = word(1)
    private let purpose = Array("v1 1337 0x12".utf8)
    private let message = word(2)
    private let signer = Address(truncating: word(5))

    private func signature(r: Bytes32 = word(3), s: Bytes32 = word(4), yParity: UInt8 = 0)
        throws -> Signature
    {
        try #require(Signature(r: r, s: s, yParity: yParity))
    }

    @Test("a digest is half a Keccak-256 hash of the derived key and everything that was verified")
    func formula() throws {
        let signature = try signature(yParity: 1)
        var text = Array(Keccak256.hash(key.bytes + purpose).bytes.prefix(16))
        for part in [message.bytes, signature.r.bytes, signature.s.bytes] { text += part }
        text += signer.word.bytes.suffix(20)
        text.append(1)
        let half = Keccak256.hash(text).bytes.prefix(16)
        let expected = half.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let digest = SignatureDigester(key: key, purpose: purpose)
            .digest(of: message, signature, by: signer)
        #expect(digest == SignatureDigest(value: expected))
    }

    @Test("a signature of a message's hash is another fact than one of the message")
    func prefix() throws {
        let digester = SignatureDigester(key: key, purpose: purpose)
        let digests = try [UInt8(0), 1].flatMap { yParity in
            let signature = try signature(yParity: yParity)
            return [false, true].map {
                digester.digest(of: message, hasPrefix: $0, signature, by: signer)
            }
        }
        #expect(Set(digests).count == 4)
    }

    @Test("every bit of what was verified, the key and the purpose count")
    func everyBit() throws {
        let digester = SignatureDigester(key: key, purpose: purpose)
        let plain = try signature()
        var digests: Set<SignatureDigest> = [digester.digest(of: message, plain, by: signer)]
        var count = 1
        func add(_ digest: SignatureDigest) {
            digests.insert(digest)
            count += 1
        }
        for bit in 0..<256 {
            let message = Self.flipped(message, bit: bit)
            add(digester.digest(of: message, plain, by: signer))
            let r = try signature(r: Self.flipped(plain.r, bit: bit))
            add(digester.digest(of: self.message, r, by: signer))
            let s = try signature(s: Self.flipped(plain.s, bit: bit))
            add(digester.digest(of: self.message, s, by: signer))
            let other = SignatureDigester(key: Self.flipped(key, bit: bit), purpose: purpose)
            add(other.digest(of: self.message, plain, by: signer))
        }
        for bit in 0..<160 {
            let other = Address(truncating: Self.flipped(signer.word, bit: bit))
            add(digester.digest(of: message, plain, by: other))
        }
        add(digester.digest(of: message, try signature(yParity: 1), by: signer))
        for purpose in ["v4 1337 0x12", "v1 1 0x12", "v1 1337 0x13", ""] {
            let other = SignatureDigester(key: key, purpose: Array(purpose.utf8))
            add(other.digest(of: message, plain, by: signer))
        }
        #expect(digests.count == count)
    }
}
