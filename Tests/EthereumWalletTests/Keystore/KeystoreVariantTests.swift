import Ethereum
import EthereumWallet
import Testing

@Suite("Keystores in the spellings of other programs")
struct KeystoreVariantTests {
    private static let account = "008aeeda4d805471df9b2a5b0f38a0c3bcba786b"
    private static let accountKey =
        "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"

    private static let crypto = """
        {"cipher":"aes-128-ctr","cipherparams":{"iv":"00a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"},\
        "ciphertext":"69a89adb43a3c267193c0d5d9fd6fe9150253eee7907332a13c29d84f4eaaaab",\
        "kdf":"scrypt","kdfparams":{"dklen":32,"n":2,"r":8,"p":1,\
        "salt":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"},\
        "mac":"5876e9fe17b9ea0ffda5938df6af2303b88d0a3a2344e4d367d6518190335362"}
        """
    private static let standard =
        #"{"address":"\#(account)","crypto":\#(crypto),"version":3}"#

    private static func klaytn(_ keyring: String, address: String = account) -> String {
        #"{"version":4,"id":"a","address":"0x\#(address)","keyring":\#(keyring)}"#
    }

    private func read(_ json: String) throws(KeystoreError) -> Keystore {
        try Keystore(Array(json.utf8))
    }

    private func message(_ json: String) -> String {
        do throws(KeystoreError) {
            _ = try read(json).open(password: secret("foo"))
            return "read"
        } catch {
            return error.description
        }
    }

    @Test(
        "an initial vector without its leading zeros opens, and is written whole",
        arguments: ["a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", "0a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"]
    )
    func cutVector(written: String) throws {
        let json = Self.standard.replacing("00a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", with: written)
        try #require(json != Self.standard)
        let keystore = try read(json)
        #expect(try key(of: keystore.open(password: secret("foo"))) == Self.accountKey)
        #expect(String(decoding: keystore.utf8, as: UTF8.self).contains("00a1a1a1"))
        #expect(try Keystore(keystore.utf8) == keystore)
    }

    @Test("a vector that was cut elsewhere gives another key, which the address shows")
    func cutEnd() {
        #expect(
            message(Self.standard.replacing("00a1a1", with: "00a1"))
                .contains("but holds the key of")
        )
    }

    @Test("four zeros and an odd digit are given back, more are not")
    func moreCut() throws {
        let two = Self.standard
            .replacing("00a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", with: "b0b0b0b0b0b0b0b0b0b0b0b0b0b")
            .replacing(
                "69a89adb43a3c267193c0d5d9fd6fe9150253eee7907332a13c29d84f4eaaaab",
                with: "bfc4d54589930f9f435f4ca72b90b9c26510740a1c7dbc67b2868d34bac3a4a1"
            )
            .replacing(
                "5876e9fe17b9ea0ffda5938df6af2303b88d0a3a2344e4d367d6518190335362",
                with: "b602881d44a1afe985cdc188255d8fdd74780ababd437f7090431241250ceafb"
            )
        #expect(message(two) == "read")
        let short = Self.standard.replacing("00a1a1a1a1a1a1", with: "a1")
        #expect(
            message(short)
                == "The keystore is damaged: crypto.cipherparams.iv has 10 bytes, not 16."
        )
    }

    @Test("without an address nothing would show a wrong vector, so a short one is refused")
    func cutVectorWithoutAddress() {
        let json = Self.standard
            .replacing("00a1a1", with: "a1a1")
            .replacing("\"address\":\"\(Self.account)\",", with: "")
        #expect(
            message(json)
                == "The keystore is damaged: crypto.cipherparams.iv has 15 bytes, not 16."
        )
    }

    @Test("numbers as text or with a point, capitals and a list of one are read")
    func spellings() throws {
        let spellings = [
            Self.standard.replacing("\"version\":3", with: "\"version\":\"3\""),
            Self.standard.replacing("\"version\":3", with: "\"version\":3.0"),
            Self.standard.replacing("\"version\":3", with: "\"Version\":3"),
            Self.standard.replacing("\"n\":2", with: "\"n\":\"2\""),
            Self.standard.replacing("\"dklen\":32", with: "\"DKLen\":3.2e1"),
            Self.standard.replacing("\"cipherparams\"", with: "\"CipherParams\""),
            Self.standard.replacing("aes-128-ctr", with: "AES-128-CTR"),
            Self.standard.replacing("scrypt", with: "Scrypt"),
            Self.standard.replacing("\"address\"", with: "\"Address\""),
            "[\(Self.standard)]\n",
        ]
        for spelling in spellings {
            try #require(spelling != Self.standard)
            let keystore = try read(spelling)
            #expect(keystore.address == Address(ifValid: "0x" + Self.account))
            #expect(try key(of: keystore.open(password: secret("foo"))) == Self.accountKey)
            #expect(try Keystore(keystore.utf8) == keystore)
        }
    }

    @Test("several keystores in a list are refused by their number")
    func lists() {
        #expect(
            message("[\(Self.standard),\(Self.standard)]")
                == "This is no keystore that dex can read: it is a list of 2, where each keystore "
                + "needs a file of its own."
        )
        #expect(message("[]") == "This is no keystore that dex can read: it is an empty list.")
        #expect(message("[3]") == "This is no keystore that dex can read: it is no JSON object.")
    }

    // Source: https://github.com/ethereum/go-ethereum, accounts/keystore/testdata/v1.
    @Test("geth's version 1 opens with its password only, and is written as it was")
    func geth() throws {
        let json = """
            {"address":"cb61d5a9c4896fb9658090b597ef0e7be6f7b67e","Crypto":{"cipher":"aes-128-cbc",\
            "ciphertext":"6143d3192db8b66eabd693d9c4e414dcfaee52abda451af79ccf474dafb35f1b\
            fc7ea013aa9d2ee35969a1a2e8d752d0",\
            "cipherparams":{"iv":"35337770fc2117994ecdcad026bccff4"},"kdf":"scrypt",\
            "kdfparams":{"n":262144,"r":8,"p":1,"dklen":32,\
            "salt":"9afcddebca541253a2f4053391c673ff9fe23097cd8555d149d929e4ccf1257f"},\
            "mac":"3f3d5af884b17a100b0b3232c0636c230a54dc2ac8d986227219b0dd89197644",\
            "version":"1"},"id":"e25f7c1f-d318-4f29-b62c-687190d4d299","version":"1"}
            """
        let keystore = try read(json)
        #expect(
            try key(of: keystore.open(password: secret("g")))
                == "d1b1178d3529626a1a93e073f65028370d14c7eb0936eb42abef05db6f37ad7d"
        )
        #expect(try Keystore(keystore.utf8) == keystore)
        #expect(throws: KeystoreError.wrongPassword) {
            try keystore.open(password: secret("h"))
        }
        #expect(
            message(json.replacing("aes-128-cbc", with: "aes-128-ctr"))
                == "This is no keystore that dex can read: its cipher is \"aes-128-ctr\", not "
                + "aes-128-cbc."
        )
        #expect(
            message(json.replacing("6143d3192d", with: ""))
                == "The keystore is damaged: its ciphertext has 43 bytes, no multiple of 16."
        )
    }

    @Test("Klaytn's version 4 opens where it has one key, with roles or without")
    func klaytn() throws {
        for keyring in ["[\(Self.crypto)]", "[[\(Self.crypto)],[],[]]"] {
            let keystore = try read(Self.klaytn(keyring))
            #expect(try key(of: keystore.open(password: secret("foo"))) == Self.accountKey)
            #expect(try Keystore(keystore.utf8) == keystore)
        }
    }

    @Test("Klaytn's accounts of several keys, or of another key, are no damage")
    func klaytnRefused() {
        let foreign = "This is no keystore that dex can read: "
        #expect(
            message(Self.klaytn("[[\(Self.crypto)],[\(Self.crypto)],[]]")) == foreign
                + "it has 2 keys of a Klaytn account, where dex signs with one."
        )
        let other = "7e5f4552091a69125d5dfcb7b8c2659029395bdf"
        #expect(
            message(Self.klaytn("[\(Self.crypto)]", address: other)) == foreign
                + "it is of a Klaytn account, 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf, whose "
                + "key is another's: 0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b."
        )
        #expect(message(Self.klaytn("{}")) == "The keystore is damaged: keyring is no list.")
        #expect(message(Self.klaytn("[7]")) == "The keystore is damaged: keyring[0] is no object.")
    }

    @Test("a validator's key is named as one")
    func validator() {
        #expect(
            message(#"{"crypto":{"kdf":{}},"pubkey":"00","version":4}"#)
                == "This is no keystore that dex can read: it is a validator's BLS key "
                + "(EIP-2335), which signs no transactions."
        )
    }
}
