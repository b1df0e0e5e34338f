import Ethereum
import EthereumWallet
import Testing

@Suite("EthereumWallet: keys, signatures and keystores")
struct WalletTests {
    /// The key of the examples in EIP-155.
    private let signer: PrivateKeySigner

    init() throws {
        signer = try PrivateKeySigner(hex: String(repeating: "46", count: 32))
    }

    @Test("the transaction of EIP-155's example has its bytes")
    func transaction() async throws {
        let transaction = Transaction(
            chainID: 1,
            nonce: 9,
            fee: .legacy(gasPrice: Wei(20_000_000_000)),
            gasLimit: 21_000,
            to: try Address(lenient: "0x3535353535353535353535353535353535353535"),
            value: Wei(1_000_000_000_000_000_000)
        )
        let signed = try await signer.sign(transaction, chainID: 1)
        #expect(
            Hex.encode(signed.raw)
                == "0xf86c098504a817c800825208943535353535353535353535353535353535353535880"
                + "de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620"
                + "aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
        )
        let read = try SignedTransaction(raw: signed.raw, recoverer: Secp256k1())
        #expect(read == signed)
        #expect(read.sender == signer.address)
        await #expect(throws: SignerError.self) {
            try await signer.sign(transaction, chainID: 5)
        }
    }

    @Test("a transaction of type 2 is its sender's, and of nobody else if a bit changes")
    func dynamicFee() async throws {
        let transaction = Transaction(
            chainID: 8453,
            nonce: 0,
            fee: .dynamic(maxFeePerGas: Wei(2_000_000), maxPriorityFeePerGas: Wei(1_000)),
            gasLimit: 60_000,
            to: try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
            data: ERC20.transfer(to: signer.address, amount: 25),
            accessList: [AccessListEntry(address: .zero, storageKeys: [.zero])]
        )
        var raw = try await signer.sign(transaction, chainID: 8453).raw
        #expect(
            try SignedTransaction(raw: raw, recoverer: Secp256k1()).sender == signer.address
        )
        raw[20] ^= 1
        let other = try? SignedTransaction(raw: raw, recoverer: Secp256k1())
        #expect(other?.sender != signer.address)
    }

    @Test("a message is signed and its signer recovered; many claims are checked at once")
    func message() async throws {
        let message = Array("hello".utf8)
        let signature = try await signer.sign(message: message)
        let digest = EthereumMessage.hash(message)
        #expect(try Secp256k1().recover(digest: digest, signature: signature) == signer.address)

        let claims = [signer.address, .zero].map {
            SignatureClaim(digest: digest, signature: signature, signer: $0)
        }
        let outcomes = SignatureVerifier().outcomes(of: claims)
        #expect(outcomes == [.signed, .otherSigner(signer.address)])
    }

    @Test("the mail of EIP-712 has its digest, and its signature recovers")
    func typedData() async throws {
        let data = try TypedData(
            types: TypedDataTypes([
                TypedDataStruct("Person", [("name", "string"), ("wallet", "address")]),
                TypedDataStruct(
                    "Mail",
                    [("from", "Person"), ("to", "Person"), ("contents", "string")]
                ),
            ]),
            primaryType: "Mail",
            domain: TypedDataDomain(
                name: "Ether Mail",
                version: "1",
                chainID: 1,
                verifyingContract: try Address("0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC")
            ),
            message: .tuple([
                .tuple([
                    .string("Cow"),
                    .address(try Address("0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")),
                ]),
                .tuple([
                    .string("Bob"),
                    .address(try Address("0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB")),
                ]),
                .string("Hello, Bob!"),
            ])
        )
        #expect(
            data.digest.hex
                == "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
        )
        #expect(try TypedData(json: data.json) == data)
        let signature = try await signer.sign(digest: data.digest)
        #expect(
            try Secp256k1().recover(digest: data.digest, signature: signature) == signer.address
        )
    }

    @Test("words become accounts, and a keystore keeps one under a password")
    func keystore() throws {
        let words = SecretBytes(
            copying: "test test test test test test test test test test test junk".utf8
        )
        let phrase = try Mnemonic(phrase: words)
        let seed = try phrase.seed(passphrase: SecretBytes(copying: []))
        let path = try #require(DerivationPath.ethereum(0))
        let account = try ExtendedKey(seed: seed).derived(path).signer()
        #expect(account.address.checksummed == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")

        let password = SecretBytes(copying: "correct horse".utf8)
        let sealed = try Keystore(sealing: account, password: password, strength: .light)
        let file = try Keystore(sealed.utf8)
        #expect(file.address == account.address)
        #expect(try file.open(password: password).address == account.address)
        #expect(throws: KeystoreError.wrongPassword) {
            try file.open(password: SecretBytes(copying: "battery staple".utf8))
        }
    }
}
