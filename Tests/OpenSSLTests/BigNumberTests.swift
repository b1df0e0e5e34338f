import Testing

@testable import OpenSSL

@Suite("Large numbers of OpenSSL")
struct BigNumberTests {
    @Test(
        "base^exponent modulo a modulus, as long as the modulus",
        arguments: [
            ([3], [5], [7], [5]),
            ([3], [5], [0, 0, 7], [0, 0, 5]),
            ([], [], [5], [1]),
            ([], [5], [5], [0]),
            ([3], [], [5], [1]),
            ([3], [5], [0], [0]),
            ([3], [5], [1], [0]),
            ([3], [5], [], []),
            // An even modulus, and a base above it.
            ([0xFF, 0xFF], [2], [0x10, 0x00], [0, 1]),
            ([2], [1, 0], [1, 0, 1], [0, 0, 1]),
        ] as [([UInt8], [UInt8], [UInt8], [UInt8])]
    )
    func power(_ base: [UInt8], _ exponent: [UInt8], _ modulus: [UInt8], _ wanted: [UInt8]) {
        #expect(BigNumber.power(base, exponent, modulo: modulus) == wanted)
    }

    @Test("a signature on P-256 that another library made, and any byte of it changed")
    func p256() {
        // RFC 6979, appendix A.2.5: the message "sample" with SHA-256.
        let key = Self.bytes(
            "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
        let signature = Self.bytes(
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        )
        let digest = HashFunction.sha256.hash(Array("sample".utf8))
        #expect(P256.isValid(digest: digest, signature: signature, key: key))
        for index in 0..<64 {
            var wrong = signature
            wrong[index] ^= 1
            #expect(!P256.isValid(digest: digest, signature: wrong, key: key))
            var other = key
            other[index] ^= 1
            #expect(!P256.isValid(digest: digest, signature: signature, key: other))
        }
        for short in [[], Array(key.dropLast())] {
            #expect(!P256.isValid(digest: digest, signature: signature, key: short))
            #expect(!P256.isValid(digest: digest, signature: short, key: key))
        }
        #expect(!P256.isValid(digest: [], signature: signature, key: key))
        let nothing = [UInt8](repeating: 0, count: 64)
        #expect(!P256.isValid(digest: digest, signature: nothing, key: nothing))
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }
}
