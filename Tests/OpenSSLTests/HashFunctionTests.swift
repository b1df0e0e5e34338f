import Testing

@testable import OpenSSL

@Suite("Hash functions of OpenSSL")
struct HashFunctionTests {
    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    private static func code(_ function: HashFunction, key: [UInt8], _ text: String) -> [UInt8] {
        key.withUnsafeBytes { AuthenticationKey($0) }.code(of: Array(text.utf8), function)
    }

    private static func derived(
        _ function: HashFunction,
        _ password: String,
        _ salt: String,
        rounds: Int,
        count: Int
    ) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: count)
        key.withUnsafeMutableBytes { key in
            Array(password.utf8).withUnsafeBytes { password in
                Array(salt.utf8).withUnsafeBytes { salt in
                    function.derive(password: password, salt: salt, rounds: rounds, into: key)
                }
            }
        }
        return key
    }

    @Test(
        "the examples of FIPS 180, and no bytes at all",
        arguments: [
            (HashFunction.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (.ripemd160, "abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
            (.ripemd160, "", "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
        ]
    )
    func hashes(_ function: HashFunction, _ text: String, _ wanted: String) {
        #expect(function.hash(Array(text.utf8)) == Self.bytes(wanted))
    }

    @Test("RFC 4231's codes of HMAC, with a key longer than a block and with none")
    func codes() {
        #expect(
            Self.code(.sha256, key: Array("Jefe".utf8), "what do ya want for nothing?")
                == Self.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
        #expect(
            Self.code(
                .sha512,
                key: [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First"
            )
                == Self.bytes(
                    "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
                )
        )
        #expect(
            Self.code(.sha256, key: [], "")
                == Self.bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        )
    }

    @Test("RFC 7914's keys of PBKDF2, and an empty password and salt")
    func keys() {
        #expect(
            Self.derived(.sha256, "passwd", "salt", rounds: 1, count: 64)
                == Self.bytes(
                    "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
                )
        )
        #expect(
            Self.derived(.sha256, "Password", "NaCl", rounds: 80_000, count: 64)
                == Self.bytes(
                    "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
                )
        )
        // One round of HMAC over the salt and the block's number.
        let block = Self.code(.sha256, key: [], "\0\0\0\u{1}")
        #expect(Self.derived(.sha256, "", "", rounds: 1, count: 32) == block)
    }

    @Test("hundreds of hashes at once are each their own")
    func concurrently() async {
        let wanted = (0..<200).map { HashFunction.sha256.hash([UInt8($0)]) }
        let found = await withTaskGroup(of: (Int, [UInt8]).self) { group in
            for index in 0..<200 {
                group.addTask { (index, HashFunction.sha256.hash([UInt8(index)])) }
            }
            return await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        #expect(Set(wanted).count == 200)
        #expect((0..<200).allSatisfy { found[$0] == wanted[$0] })
    }
}
