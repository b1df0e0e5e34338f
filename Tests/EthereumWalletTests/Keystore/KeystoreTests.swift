import Ethereum
import StrictJSON
import Testing

@testable import EthereumWallet

@Suite("Keystores of ours")
struct KeystoreTests {
    /// The cheapest parameters, where not the parameters are tested.
    private static let cheap = KeyDerivation(
        function: .scrypt(cost: 2, blockSize: 1, parallelism: 1),
        salt: [7, 8, 9],
        length: 32
    )

    private func signer() throws -> PrivateKeySigner {
        try PrivateKeySigner(secret: SecretBytes(random: 32))
    }

    @Test("a key comes back with its password only", arguments: KeystoreStrength.allCases)
    func roundTrip(strength: KeystoreStrength) throws {
        let signer = try signer()
        let keystore = try Keystore(
            sealing: signer,
            password: secret("geheim 🔑"),
            strength: strength
        )
        #expect(keystore.address == signer.address)
        let read = try Keystore(keystore.utf8)
        #expect(read == keystore)
        #expect(try key(of: read.open(password: secret("geheim 🔑"))) == key(of: signer))
        #expect(throws: KeystoreError.wrongPassword) {
            try read.open(password: secret("Geheim 🔑"))
        }
    }

    @Test("a password opens in each of Unicode's forms, whichever form sealed the key")
    func unicodeForms() throws {
        let signer = try signer()
        // é, an ohm sign and the ligature of fi: composed, decomposed, compatible.
        let composed = "caf\u{E9} \u{2126} \u{FB01}"
        let forms = [
            composed, "cafe\u{301} \u{3A9} \u{FB01}", "caf\u{E9} \u{3A9} fi",
            "cafe\u{301} \u{3A9} fi",
        ]
        for form in forms {
            let keystore = try Keystore(
                sealing: signer,
                password: secret(form),
                derivation: Self.cheap
            )
            #expect(try key(of: keystore.open(password: secret(composed))) == key(of: signer))
            #expect(try key(of: keystore.open(password: secret(form))) == key(of: signer))
            #expect(throws: KeystoreError.wrongPassword) {
                try keystore.open(password: secret("caf\u{E8} \u{2126} \u{FB01}"))
            }
            #expect(throws: KeystoreError.wrongPassword) {
                try keystore.open(password: secret("cafe \u{2126} fi"))
            }
        }
    }

    @Test("the file has geth's members in geth's order, and geth's parameters")
    func layout() throws {
        let signer = try signer()
        for (strength, cost, lanes) in [
            (KeystoreStrength.standard, 262_144, 1), (.light, 4_096, 6),
        ] {
            let keystore = try Keystore(
                sealing: signer,
                password: secret(""),
                strength: strength
            )
            let json = try JSONParser.parse(keystore.utf8)
            let members = try #require(json.objectValue).members.map(\.key)
            #expect(members == ["address", "crypto", "id", "version", "x-dex"])
            #expect(json["address"]?.stringValue.map { "0x" + $0 } == signer.address.lowercaseHex)
            #expect(json["version"]?.numberText == "3")
            let crypto = try #require(json["crypto"])
            #expect(
                crypto.objectValue?.members.map(\.key)
                    == ["cipher", "ciphertext", "cipherparams", "kdf", "kdfparams", "mac"]
            )
            #expect(crypto["cipher"] == "aes-128-ctr")
            #expect(crypto["ciphertext"]?.stringValue?.count == 64)
            #expect(crypto["cipherparams"]?["iv"]?.stringValue?.count == 32)
            #expect(crypto["kdf"] == "scrypt")
            let parameters = try #require(crypto["kdfparams"])
            #expect(parameters["n"] == .integer(cost))
            #expect(parameters["r"] == 8)
            #expect(parameters["p"] == .integer(lanes))
            #expect(parameters["dklen"] == 32)
            #expect(parameters["salt"]?.stringValue?.count == 64)
            #expect(crypto["mac"]?.stringValue?.count == 64)
            let id = try #require(json["id"]?.stringValue)
            #expect(
                id.wholeMatch(
                    of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
                ) != nil
            )
        }
    }

    @Test("nothing that should be random comes twice")
    func fresh() throws {
        let signer = try signer()
        var seen: Set<String> = []
        for _ in 0..<8 {
            let keystore = try Keystore(sealing: signer, password: secret("a"), strength: .light)
            let json = try JSONParser.parse(keystore.utf8)
            let crypto = try #require(json["crypto"])
            for value in [
                json["id"], crypto["ciphertext"], crypto["cipherparams"], crypto["mac"],
                crypto["kdfparams"],
            ] {
                #expect(try seen.insert(#require(value).text).inserted)
            }
        }
    }

    @Test("whatever byte of the file is changed, no password is blamed and no key is wrong")
    func everyChange() throws {
        let password = secret("open")
        let signer = try signer()
        let file = try Keystore(
            sealing: signer,
            password: password,
            derivation: Self.cheap
        ).utf8
        let name = try #require(file.firstRange(of: Array("x-dex".utf8)))
        for index in file.indices {
            for change: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var altered = file
                altered[index] ^= change
                do throws(KeystoreError) {
                    let opened = try Keystore(altered).open(password: password)
                    // A checksum under another name is a member that is not ours.
                    #expect(name.contains(index), "byte \(index) ^ \(change)")
                    #expect(key(of: opened) == key(of: signer))
                } catch .wrongPassword {
                    Issue.record("byte \(index) ^ \(change)")
                } catch {
                    continue
                }
            }
        }
    }

    @Test("a file that is cut off anywhere is damaged")
    func everyTruncation() throws {
        let file = try Keystore(
            sealing: signer(),
            password: secret("open"),
            derivation: Self.cheap
        ).utf8
        // The line end may go.
        for length in 0..<file.count - 1 {
            let error = #expect(throws: KeystoreError.self) {
                try Keystore(Array(file[..<length]))
            }
            guard case .damaged = error else {
                Issue.record("\(length): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("without our checksum a changed file opens with no password or is damaged")
    func withoutChecksum() throws {
        let password = secret("open")
        let signer = try signer()
        let keystore = try Keystore(sealing: signer, password: password, derivation: Self.cheap)
        var object = try #require(JSONParser.parse(keystore.utf8).objectValue)
        object["x-dex"] = nil
        let file = JSONValue.object(object).utf8
        #expect(try key(of: Keystore(file).open(password: password)) == key(of: signer))
        for index in file.indices {
            var altered = file
            altered[index] ^= 0x01
            // The id is no part of the secret, and a name that nobody knows hides the address.
            if let opened = try? Keystore(altered).open(password: password) {
                #expect(key(of: opened) == key(of: signer), "byte \(index)")
            }
        }
    }

    @Test("bytes that are no key are damaged, although the password is right")
    func noKey() throws {
        let zero = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
        let sealed = try SealedSecret(zero, password: secret("a"), derivation: Self.cheap)
        let file: JSONValue = ["version": 3, "crypto": sealed.json]
        let keystore = try Keystore(file.utf8)
        #expect(throws: KeystoreError.damaged("what it holds is no private key")) {
            try keystore.open(password: secret("a"))
        }
    }

    @Test("neither a keystore's texts nor its reflection show key or password")
    func neverPrinted() throws {
        let signer = try signer()
        let keystore = try Keystore(
            sealing: signer,
            password: secret("Passwort1234"),
            derivation: Self.cheap
        )
        var dumped = ""
        dump(keystore, to: &dumped)
        for text in ["\(keystore)", String(reflecting: keystore), dumped] {
            #expect(!text.contains(key(of: signer).prefix(16)))
            #expect(!text.contains("Passwort"))
        }
    }

    @Test(
        "file names are geth's",
        arguments: [
            (
                1_439_273_637 as UInt64, 359_000_000 as UInt32,
                "UTC--2015-08-11T06-13-57.359000000Z--"
            ),
            (0, 0, "UTC--1970-01-01T00-00-00.000000000Z--"),
            (951_827_696, 7, "UTC--2000-02-29T12-34-56.000000007Z--"),
            (1_709_251_199, 999_999_999, "UTC--2024-02-29T23-59-59.999999999Z--"),
            (1_735_689_599, 1, "UTC--2024-12-31T23-59-59.000000001Z--"),
            (4_107_542_400, 1, "UTC--2100-03-01T00-00-00.000000001Z--"),
        ]
    )
    func names(seconds: UInt64, nanoseconds: UInt32, start: String) throws {
        let address = try Address("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
        #expect(
            KeystoreFileName.make(address, seconds: seconds, nanoseconds: nanoseconds)
                == start + "7e5f4552091a69125d5dfcb7b8c2659029395bdf"
        )
    }
}
