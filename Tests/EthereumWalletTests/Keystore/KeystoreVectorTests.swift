import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Keystores of other programs")
struct KeystoreVectorTests {
    // The two vectors of the standard's text, and geth's of keys whose leading zeros were lost.
    // Source: https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage
    // Source: https://github.com/ethereum/tests/blob/develop/KeyStoreTests/basic_tests.json
    private static let published: [(json: String, password: String, key: String)] = [
        (
            """
            {"crypto":{"cipher":"aes-128-ctr",
            "cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},
            "ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
            "kdf":"pbkdf2","kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256",
            "salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
            "mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
            "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}
            """,
            "testpassword",
            "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
        ),
        (
            """
            {"crypto":{"cipher":"aes-128-ctr",
            "cipherparams":{"iv":"83dbcc02d8ccb40e466191a123791e0e"},
            "ciphertext":"d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
            "kdf":"scrypt","kdfparams":{"dklen":32,"n":262144,"r":1,"p":8,
            "salt":"ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19"},
            "mac":"2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097"},
            "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}
            """,
            "testpassword",
            "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
        ),
        (
            """
            {"crypto":{"cipher":"aes-128-ctr",
            "cipherparams":{"iv":"e0c41130a323adc1446fc82f724bca2f"},
            "ciphertext":"9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984",
            "kdf":"scrypt","kdfparams":{"dklen":32,"n":2,"r":8,"p":1,
            "salt":"711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63"},
            "mac":"d5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5"},
            "id":"fecfc4ce-e956-48fd-953b-30f8b52ed66c","version":3}
            """,
            "foo",
            "00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35"
        ),
        (
            """
            {"crypto":{"cipher":"aes-128-ctr",
            "cipherparams":{"iv":"3ca92af36ad7c2cd92454c59cea5ef00"},
            "ciphertext":"108b7d34f3442fc26ab1ab90ca91476ba6bfa8c00975a49ef9051dc675aa",
            "kdf":"scrypt","kdfparams":{"dklen":32,"n":2,"r":8,"p":1,
            "salt":"d0769e608fb86cda848065642a9c6fa046845c928175662b8e356c77f914cd3b"},
            "mac":"75d0e6759f7b3cefa319c3be41680ab6beea7d8328653474bd06706d4cc67420"},
            "id":"a37e1559-5955-450d-8075-7b8931b392b2","version":3}
            """,
            "foo",
            "000081c29e8142bb6a81bef5a92bda7a8328a5c85bb2f9542e76f9b0f94fc018"
        ),
    ]

    @Test(
        "the standard's vectors open with their passwords and with no other",
        arguments: published
    )
    func standard(json: String, password: String, key expected: String) throws {
        let keystore = try Keystore(Array(json.utf8))
        #expect(keystore.address == nil)
        #expect(try key(of: keystore.open(password: secret(password))) == expected)
        #expect(throws: KeystoreError.wrongPassword) {
            try keystore.open(password: secret(password + " "))
        }
        #expect(throws: KeystoreError.wrongPassword) { try keystore.open(password: secret("")) }
    }

    @Test("files of eth-account open, also those with empty, long and Unicode passwords")
    func ethAccount() throws {
        for vector in try vectors("keystores") {
            let keystore = try Keystore(Array(vector.text("json").utf8))
            let password = try secret(vector.text("password"))
            let signer = try keystore.open(password: password)
            #expect(try key(of: signer) == vector.text("key"))
            #expect(try signer.address.checksummed == vector.text("address"))
            #expect(keystore.address == signer.address)
            // What we write of what we read is the same file.
            #expect(try Keystore(keystore.utf8) == keystore)
        }
    }

    @Test("capital letters, 0x, no address, an empty one and members of others are read")
    func variants() throws {
        let json = Self.published[2].json
        let spellings = [
            json.replacing("\"crypto\"", with: "\"Crypto\""),
            json.replacing("\"salt\":\"", with: "\"salt\":\"0x"),
            json.replacing("\"version\"", with: "\"address\":\"\",\"version\""),
            json.replacing("\"version\"", with: "\"address\":null,\"version\""),
            json.replacing("\"version\"", with: "\"x-ethers\":{\"client\":\"ethers\"},\"version\""),
            json.replacing(
                "e0c41130a323adc1446fc82f724bca2f",
                with: "E0C41130A323ADC1446FC82F724BCA2F"
            ),
            json.replacing("\"id\":\"fecfc4ce-e956-48fd-953b-30f8b52ed66c\",", with: ""),
            // Only the first 32 bytes of a longer derived key are used.
            json.replacing("\"dklen\":32", with: "\"dklen\":64"),
            "\n\t " + json + "\r\n",
        ]
        for spelling in spellings {
            try #require(spelling != json)
            let signer = try Keystore(Array(spelling.utf8)).open(password: secret("foo"))
            #expect(key(of: signer) == Self.published[2].key)
        }
    }

    @Test("a file that names another address than its key's is damaged")
    func otherAddress() throws {
        let other = "7e5f4552091a69125d5dfcb7b8c2659029395bdf"
        let json = Self.published[2].json
            .replacing("\"version\"", with: "\"address\":\"\(other)\",\"version\"")
        let keystore = try Keystore(Array(json.utf8))
        #expect(throws: KeystoreError.wrongPassword) {
            try keystore.open(password: secret("bar"))
        }
        #expect {
            try keystore.open(password: secret("foo"))
        } throws: { error in
            "\(error)".hasPrefix(
                "The keystore is damaged: it names 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, "
                    + "but holds the key of 0x"
            )
        }
    }
}
