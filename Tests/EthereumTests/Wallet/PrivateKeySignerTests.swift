import Ethereum
import EthereumWallet
import Testing

@Suite("Private keys")
struct PrivateKeySignerTests {
    private static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
    private static let last = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"
    private static let one = String(repeating: "0", count: 63) + "1"

    @Test(
        "keys have their well-known addresses",
        arguments: [
            (one, "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"),
            (
                String(repeating: "0", count: 63) + "2",
                "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF"
            ),
            (last, "0x80C0dbf239224071c59dD8970ab9d542E3414aB2"),
            (
                "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
                "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
            ),
            // ethereum/tests, BasicTests/keyaddrtest.json
            (
                "c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4",
                "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826"
            ),
            (
                "c87f65ff3f271bf5dc8643484f66b200109caffe4bf98c4cb393dc35740b28c0",
                "0x13978aee95f38490e9769c39b2773ed763d9cd5f"
            ),
        ]
    )
    func addresses(key: String, address: String) throws {
        let expected = try Address(address)
        #expect(try PrivateKeySigner(hex: key).address == expected)
        #expect(try PrivateKeySigner(hex: "0x" + key).address == expected)
        #expect(try PrivateKeySigner(hex: "0X" + key.uppercased()).address == expected)
        #expect(try PrivateKeySigner(key: Bytes32(hex: "0x" + key)).address == expected)
    }

    // The secp256k1 vectors for RFC 6979 that Bitcoin implementations share; digests are the
    // SHA-256 of "Satoshi Nakamoto", "All those moments will be lost in time, like tears in rain.
    // Time to die..." and "Alan Turing".
    // Source: https://bitcointalk.org/index.php?topic=285142.40
    @Test(
        "nonces follow RFC 6979",
        arguments: [
            (
                one, "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
                "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8",
                "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"
            ),
            (
                one, "7d1833f54854ac51659521afcd0ec6dca2ce2351429614bfa28a756b1b3c637f",
                "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b",
                "547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21"
            ),
            (
                last, "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e",
                "fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0",
                "6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5"
            ),
            (
                "f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181",
                "4ba38d48a60f1b29e9eb726eaff08b2e83d8d81e031666fee50e85900d7dc1ef",
                "7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c",
                "58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea"
            ),
        ]
    )
    func rfc6979(key: String, digest: String, r: String, s: String) throws {
        let signer = try PrivateKeySigner(hex: key)
        let digest = try Bytes32(hex: "0x" + digest)
        let signature = try signer.signature(over: digest)
        #expect(signature.r.hex == "0x" + r)
        #expect(signature.s.hex == "0x" + s)
        #expect(signature.hasLowS)
        #expect(try Secp256k1().recover(digest: digest, signature: signature) == signer.address)
    }

    // Source: https://web3js.readthedocs.io/en/v1.10.0/web3-eth-accounts.html#sign
    @Test("web3.js's example message has its signature")
    func web3Message() async throws {
        let signer = try PrivateKeySigner(
            hex: "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        )
        let message = Array("Some data".utf8)
        #expect(
            EthereumMessage.hash(message).hex
                == "0x1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655"
        )
        let signature = try await signer.sign(message: message)
        #expect(signature.v == 28)
        #expect(
            signature.r.hex
                == "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd"
        )
        #expect(
            signature.s.hex
                == "0x6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029"
        )
    }

    @Test("zero and numbers from the group's order on are no keys")
    func outOfRange() throws {
        let zero = String(repeating: "0", count: 64)
        for key in [zero, Self.order, String(repeating: "f", count: 64)] {
            #expect(throws: PrivateKeyError.outOfRange) { try PrivateKeySigner(hex: key) }
            #expect(throws: PrivateKeyError.outOfRange) {
                try PrivateKeySigner(key: Bytes32(hex: "0x" + key))
            }
        }
    }

    @Test(
        "what is not 64 digits is no key",
        arguments: [
            "", "0x", one.dropLast().description, one + "0", "0x0x" + one.dropFirst(2),
            "x" + one, one.replacing("1", with: "g"), one.replacing("1", with: "１"),
            " " + one.dropFirst(), one.dropLast() + "\n", "0y" + one, "00" + one,
        ]
    )
    func malformed(text: String) {
        #expect(throws: PrivateKeyError.malformed) { try PrivateKeySigner(hex: text) }
    }

    @Test("neither a signer's texts nor its reflection show the key")
    func neverPrinted() throws {
        let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        let signer = try PrivateKeySigner(hex: key)
        var dumped = ""
        dump(signer, to: &dumped)
        for text in ["\(signer)", String(reflecting: signer), dumped] {
            #expect(!text.lowercased().contains(key.prefix(8)))
            #expect(!text.contains(String(0x4c0883a691 as UInt64)))
        }
        let wrong = key.dropLast() + "z"
        #expect {
            try PrivateKeySigner(hex: String(wrong))
        } throws: { error in
            !"\(error)".contains("4c0883") && !String(reflecting: error).contains("4c0883")
        }
    }

    @Test(
        "each error is a sentence",
        arguments: [
            (
                PrivateKeyError.malformed,
                "The private key is not 64 hexadecimal digits (with or without 0x)."
            ),
            (.outOfRange, "The private key is zero or beyond the group's order."),
        ]
    )
    func sentences(error: PrivateKeyError, sentence: String) {
        #expect("\(error)" == sentence)
    }

    @Test("a transaction for another chain than the node's is not signed")
    func wrongChain() async throws {
        let signer = try PrivateKeySigner(hex: Self.one)
        for chainID in [nil, 1, 1338] as [UInt64?] {
            let transaction = Transaction(
                chainID: chainID,
                nonce: 0,
                fee: .legacy(gasPrice: .zero),
                gasLimit: 21000,
                to: .zero
            )
            await #expect(throws: SignerError.wrongChain(transaction: chainID, node: 1337)) {
                try await signer.sign(transaction, chainID: 1337)
            }
        }
    }

    @Test("a legacy transaction whose access list would be lost is not signed")
    func legacyAccessList() async throws {
        let signer = try PrivateKeySigner(hex: Self.one)
        let transaction = Transaction(
            chainID: 1337,
            nonce: 0,
            fee: .legacy(gasPrice: .zero),
            gasLimit: 21000,
            to: .zero,
            accessList: [AccessListEntry(address: .zero, storageKeys: [])]
        )
        let error = SignerError.refused("a legacy transaction cannot carry an access list.")
        await #expect(throws: error) { try await signer.sign(transaction, chainID: 1337) }
    }

    @Test("each reason for not signing is a sentence that says what to check")
    func signerSentences() {
        #expect(
            "\(SignerError.wrongChain(transaction: 1, node: 1337))"
                == "The transaction is for chain 1 but the node is on chain 1337; "
                + "nothing was signed. Check --network and --rpc."
        )
        #expect(
            "\(SignerError.wrongChain(transaction: nil, node: 5))".hasPrefix(
                "The transaction is for chain unknown but the node is on chain 5"
            )
        )
        #expect("\(SignerError.refused("no."))" == "The key did not sign: no.")
    }
}
