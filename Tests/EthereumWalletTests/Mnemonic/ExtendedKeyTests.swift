import Ethereum
import Testing

@testable import EthereumWallet

/// A master key's seed, and private keys below it.
private typealias Chain = (seed: String, keys: [(path: String, text: String)])

@Suite("Keys that derive from a master key")
struct ExtendedKeyTests {
    // Source: https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki#test-vectors
    private static let chains: [Chain] = [
        (
            "000102030405060708090a0b0c0d0e0f",
            [
                (
                    "m",
                    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6"
                        + "LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
                ),
                (
                    "m/0'",
                    "xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYU"
                        + "hd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7"
                ),
                (
                    "m/0H/1",
                    "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZ"
                        + "QaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs"
                ),
                (
                    "m/0h/1/2'",
                    "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4kty"
                        + "pQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM"
                ),
                (
                    "m/0'/1/2'/2",
                    "xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTt"
                        + "drbdqqsunu5Mm3wDvUAKRHSC34sJ7in334"
                ),
                (
                    "m/0'/1/2'/2/1000000000",
                    "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQj"
                        + "gPie1rFSruoUihUZREPSL39UNdE3BBDu76"
                ),
            ]
        ),
        (
            "fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a878481"
                + "7e7b7875726f6c696663605d5a5754514e4b484542",
            [
                (
                    "m",
                    "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8N"
                        + "SpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U"
                ),
                (
                    "m/0",
                    "xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkro"
                        + "cEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt"
                ),
                (
                    "m/0/2147483647'",
                    "xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVr"
                        + "cjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9"
                ),
                (
                    "m/0/2147483647'/1",
                    "xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tG"
                        + "AQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef"
                ),
                (
                    "m/0/2147483647'/1/2147483646'",
                    "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuose"
                        + "XzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc"
                ),
                (
                    "m/0/2147483647'/1/2147483646'/2",
                    "xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6"
                        + "dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j"
                ),
            ]
        ),
        // Keys that begin with zeros.
        (
            "4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d"
                + "5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be",
            [
                (
                    "m",
                    "xprv9s21ZrQH143K25QhxbucbDDuQ4naNntJRi4KUfWT7xo4EKsHt2QJDu7KXp1A3u7Bi1j8ph3EG"
                        + "sZ9Xvz9dGuVrtHHs7pXeTzjuxBrCmmhgC6"
                ),
                (
                    "m/0'",
                    "xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6v"
                        + "cBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L"
                ),
            ]
        ),
        (
            "3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678",
            [
                (
                    "m",
                    "xprv9s21ZrQH143K48vGoLGRPxgo2JNkJ3J3fqkirQC2zVdk5Dgd5w14S7fRDyHH4dWNHUgkvsvND"
                        + "CkvAwcSHNAQwhwgNMgZhLtQC63zxwhQmRv"
                ),
                (
                    "m/0'",
                    "xprv9vB7xEWwNp9kh1wQRfCCQMnZUEG21LpbR9NPCNN1dwhiZkjjeGRnaALmPXCX7SgjFTiCTT6bX"
                        + "es17boXtjq3xLpcDjzEuGLQBM5ohqkao9G"
                ),
                (
                    "m/0'/1'",
                    "xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJ"
                        + "HxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1"
                ),
            ]
        ),
    ]

    @Test("the standard's chains pass", arguments: chains.indices)
    func standard(index: Int) throws {
        let chain = Self.chains[index]
        let seed = try SecretBytes(copying: hex(chain.seed))
        for (path, expected) in chain.keys {
            let key = try ExtendedKey(seed: seed).derived(DerivationPath(path))
            let published = try ExtendedKey(text: secret(expected))
            let isSame = key.isSame(as: published)
            #expect(isSame, "\(path)")
        }
    }

    @Test("keys and addresses below phrases are eth-account's, at any path")
    func ethAccount() throws {
        for vector in try vectors("accounts") {
            let phrase = try Mnemonic(phrase: secret(vector.text("phrase")))
            let seed = try phrase.seed(passphrase: secret(vector.text("passphrase")))
            let path = try DerivationPath(vector.text("path"))
            let signer = try ExtendedKey(seed: seed).derived(path).signer()
            #expect(try key(of: signer) == vector.text("key"), "\(path)")
            #expect(try signer.address.checksummed == vector.text("address"), "\(path)")
        }
    }

    // The first account of the phrase that Hardhat, Anvil and Ganache share.
    @Test("the developers' phrase has its well-known first accounts")
    func wellKnown() throws {
        let words = String(repeating: "test ", count: 11) + "junk"
        let seed = try Mnemonic(phrase: secret(words)).seed(passphrase: secret(""))
        for (index, address) in [
            "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
            "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
            "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
        ].enumerated() {
            let path = try #require(DerivationPath.ethereum(UInt32(index)))
            let signer = try ExtendedKey(seed: seed).derived(path).signer()
            #expect(signer.address.checksummed == address)
        }
    }

    // Test vector 5 of the standard, with the reason that we give.
    private static let invalid: [(text: String, reason: String)] = [
        (
            "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU52"
                + "1AAwdZafEz7mnzBBsz4wKY5fTtTQBm",
            "it is a public one, which cannot sign"
        ),
        (
            "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWv"
                + "SQaaBv5cxi9gafk7NF3pnBju6dwKvH",
            "its key has not the form of a private one"
        ),
        (
            "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4q"
                + "HZGc62TG4McvMGcAUjeuwZdduYEvFn",
            "it is a public one, which cannot sign"
        ),
        (
            "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGpWnsj83BHtEy5Zt8CcD"
                + "r1UiRXuWCmTQLxEK9vbz5gPstX92JQ",
            "its key has not the form of a private one"
        ),
        (
            "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcM"
                + "tD9y5gkZ6Eq3Rjuahrv17fEQ3Qen6J",
            "its key has not the form of a private one"
        ),
        (
            "xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEP"
                + "Y53qmbZzCHshoQnNf4GvELZfqTUrcv",
            "it is a master key, but names a parent"
        ),
        (
            "xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbW"
                + "rR3FewATdCEebj6znwMfQkhRYHRLpJ",
            "it is a public one, which cannot sign"
        ),
        (
            "xprv9s21ZrQH4r4TsiLvyLXqM9P7k1K3EYhA1kkD6xuquB5i39AU8KF42acDyL3qsDbU9NmZn6MsGSUYZ"
                + "EsuoePmjzsB3eFKSUEh3Gu1N3cqVUN",
            "it is a master key, but has a number"
        ),
        (
            "DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5Kf"
                + "brZWZ6St24UVf2Qgo6oujFktLHdHY4",
            "its version is unknown; xprv is expected"
        ),
        (
            "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzF93Y5wvzdUayhgkkFoicQ"
                + "ZcP3y52uPPxFnfoLZB21Teqt1VvEHx",
            "its key is zero or beyond the group's order"
        ),
        (
            "xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcM"
                + "tD5SDKr24z3aiUvKr9bJpdrcLg1y3G",
            "its key is zero or beyond the group's order"
        ),
        (
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5"
                + "kejMRNNU3TGtRBeJgk33yuGBxrMPHL",
            "its checksum does not fit"
        ),
        ("", "it is too short"),
        ("xprv", "it is too short"),
        (String(repeating: "z", count: 112), "it is too long"),
        (String(repeating: "z", count: 121), "it is too long"),
        ("xprv0", "it has a character that Base58 has not"),
    ]

    @Test("the standard's invalid keys are refused", arguments: invalid)
    func refused(text: String, reason: String) {
        do throws(ExtendedKeyError) {
            _ = try ExtendedKey(text: secret(text))
            Issue.record("it was read")
        } catch {
            #expect(error == .malformed(reason))
            #expect("\(error)" == "This is no extended private key: \(reason).")
        }
    }

    @Test("seeds of another length and steps beyond the 255th are refused")
    func limits() throws {
        for count in [0, 15, 65] {
            do throws(ExtendedKeyError) {
                _ = try ExtendedKey(seed: SecretBytes(random: count))
                Issue.record("a seed of \(count) bytes was taken")
            } catch {
                #expect(error == .seed(byteCount: count))
                #expect("\(error)" == "A seed has 16 to 64 bytes, not \(count).")
            }
        }
        let path = try DerivationPath("m" + String(repeating: "/1", count: 255))
        let deepest = try ExtendedKey(seed: SecretBytes(random: 64)).derived(path)
        let depth = deepest.depth
        #expect(depth == 255)
        do throws(ExtendedKeyError) {
            _ = try deepest.child(0)
            Issue.record("a key of depth 256")
        } catch {
            #expect(error == .tooDeep)
            #expect("\(error)" == "The path leads more than 255 steps away from the master key.")
        }
        #expect(
            "\(ExtendedKeyError.unusable)"
                == "There is no key at this place of the path, which is rarer than any accident; "
                + "take the next number."
        )
    }
}
