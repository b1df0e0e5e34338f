import Testing

@testable import EthereumWallet

@Suite("Keystores that are refused")
struct KeystoreRefusalTests {
    private static let salt = String(repeating: "ab", count: 32)

    private func file(
        version: String = "3",
        cipher: String = #""aes-128-ctr""#,
        iv: String = "\"\(String(repeating: "01", count: 16))\"",
        ciphertext: String = "\"\(String(repeating: "02", count: 32))\"",
        kdf: String = #""scrypt""#,
        parameters: String = #"{"dklen":32,"n":2,"p":1,"r":1,"salt":"abab"}"#,
        mac: String = "\"\(String(repeating: "03", count: 32))\"",
        more: String = ""
    ) -> [UInt8] {
        Array(
            (#"{"crypto":{"cipher":\#(cipher),"cipherparams":{"iv":\#(iv)},"#
                + #""ciphertext":\#(ciphertext),"kdf":\#(kdf),"kdfparams":\#(parameters),"#
                + #""mac":\#(mac)},"version":\#(version)\#(more)}"#).utf8
        )
    }

    private func sentence(_ file: [UInt8]) -> String {
        do throws(KeystoreError) {
            _ = try Keystore(file)
            return "read"
        } catch {
            return error.description
        }
    }

    @Test("the file that the others differ from is read")
    func fine() {
        #expect(sentence(file()) == "read")
    }

    private func scrypt(_ n: String, _ r: String, _ p: String, dklen: String = "32") -> [UInt8] {
        file(parameters: #"{"dklen":\#(dklen),"n":\#(n),"p":\#(p),"r":\#(r),"salt":"00"}"#)
    }

    private func pbkdf2(_ c: String, prf: String = "hmac-sha256", dklen: String = "32") -> [UInt8] {
        file(
            kdf: #""pbkdf2""#,
            parameters: #"{"c":\#(c),"dklen":\#(dklen),"prf":"\#(prf)","salt":"00"}"#
        )
    }

    @Test("memory and time bombs are refused with the value and the bound")
    func bombs() {
        let refused = "The keystore is refused: "
        #expect(sentence(scrypt("1048576", "8", "1")) == "read")
        #expect(
            sentence(scrypt("2097152", "8", "1")) == refused
                + "with n = 2097152, r = 8, p = 1 scrypt would take more than 1024 MiB of memory."
        )
        #expect(
            sentence(scrypt("4611686018427387904", "8", "1")).hasSuffix("1024 MiB of memory.")
        )
        #expect(
            sentence(scrypt("2", "1", "1073741823")).hasSuffix(
                "would work for minutes: n * r * p is more than 67108864."
            )
        )
        #expect(sentence(scrypt("2", "1", "8388608")) == "read")
        #expect(
            sentence(scrypt("2", "1", "8388609")) == refused
                + "with n = 2, r = 1, p = 8388609 scrypt would take more than 1024 MiB of memory."
        )
        #expect(
            sentence(scrypt("262144", "8", "64")).hasSuffix("n * r * p is more than 67108864.")
        )
        #expect(sentence(scrypt("262144", "8", "32")) == "read")
        #expect(
            sentence(scrypt("2", "32768", "32768")) == refused
                + "with n = 2, r = 32768, p = 32768 the product r * p is not below 2^30."
        )
        #expect(
            sentence(scrypt("2", "9223372036854775807", "9223372036854775807"))
                .hasSuffix("the product r * p is not below 2^30.")
        )
        #expect(
            sentence(scrypt("99999999999999999999", "8", "1")) == refused
                + "its crypto.kdfparams.n has 20 digits."
        )
        #expect(sentence(pbkdf2("100000000")) == "read")
        #expect(
            sentence(pbkdf2("100000001")) == refused
                + "its pbkdf2 parameter c is 100000001, more than 100000000."
        )
        #expect(
            sentence(pbkdf2("1", dklen: "1025")) == refused + "its dklen is 1025, more than 1024."
        )
        let salt = String(repeating: "ab", count: 1_025)
        #expect(
            sentence(file(parameters: #"{"dklen":32,"n":2,"p":1,"r":1,"salt":"\#(salt)"}"#))
                == refused + "its salt has 1025 bytes, more than 1024."
        )
    }

    @Test("parameters that mean nothing are damage, with the reason")
    func meaningless() {
        let damaged = "The keystore is damaged: "
        for n in ["0", "1", "3", "262143"] {
            #expect(
                sentence(scrypt(n, "8", "1")) == damaged
                    + "its scrypt parameter n is \(n), not a power of two from 2 on."
            )
        }
        #expect(
            sentence(scrypt("2", "0", "1")) == damaged
                + "its scrypt parameters r and p are 0 and 1, where both are at least 1."
        )
        #expect(sentence(scrypt("2", "1", "0")).hasSuffix("1 and 0, where both are at least 1."))
        for text in ["-2", "2.5", "2e-3", "\"2.0\"", "\"\"", "null", "true"] {
            #expect(
                sentence(scrypt(text, "8", "1")) == damaged
                    + "crypto.kdfparams.n is no whole number."
            )
        }
        for length in ["0", "16", "31"] {
            #expect(
                sentence(pbkdf2("1", dklen: length)) == damaged
                    + "its dklen is \(length), where 32 bytes are needed."
            )
        }
        #expect(
            sentence(pbkdf2("0")) == damaged
                + "its pbkdf2 parameter c is 0, where at least 1 is needed."
        )
    }

    @Test("what is missing or misshapen is damage that names the member")
    func shapes() {
        let damaged = "The keystore is damaged: "
        #expect(sentence([]) == damaged + "it is empty.")
        #expect(sentence(Array(" \n".utf8)) == damaged + "it is empty.")
        #expect(sentence(Array("{\"version\":3".utf8)).hasPrefix(damaged + "its JSON is broken at"))
        #expect(sentence(Array("{\"version\":3}".utf8)) == damaged + "it has no crypto.")
        #expect(sentence(Array("{\"crypto\":{}}".utf8)) == damaged + "it has no version.")
        #expect(
            sentence(Array("{\"crypto\":[],\"version\":3}".utf8)) == damaged
                + "crypto is no object."
        )
        #expect(
            sentence(Array("{\"crypto\":{},\"Crypto\":{},\"version\":3}".utf8)) == damaged
                + "it has both crypto and Crypto."
        )
        #expect(
            sentence(Array("{\"crypto\":{},\"version\":3}".utf8)) == damaged
                + "it has no crypto.cipher."
        )
        #expect(sentence(file(cipher: "7")) == damaged + "crypto.cipher is no text.")
        #expect(
            sentence(file(iv: "\"0102\"")) == damaged
                + "crypto.cipherparams.iv has 2 bytes, not 16."
        )
        #expect(
            sentence(file(iv: "\"010\"")) == damaged
                + "crypto.cipherparams.iv is not hexadecimal bytes."
        )
        #expect(
            sentence(file(ciphertext: "\"\"")) == damaged
                + "its ciphertext has 0 bytes, not 1 to 32."
        )
        #expect(
            sentence(file(ciphertext: "\"\(String(repeating: "00", count: 33))\"")) == damaged
                + "its ciphertext has 33 bytes, not 1 to 32."
        )
        #expect(sentence(file(mac: "\"00\"")) == damaged + "crypto.mac has 1 bytes, not 32.")
        #expect(
            sentence(file(more: ",\"address\":\"00\"")) == damaged
                + "address has 1 bytes, not 20."
        )
        #expect(sentence(file(more: ",\"address\":7")) == damaged + "address is no text.")
        #expect(
            sentence(file(more: ",\"x-dex\":{}")) == damaged + "its x-dex has no checksum."
        )
        #expect(
            sentence(file(more: ",\"x-dex\":{\"checksum\":\"00\"}")) == damaged
                + "its content does not fit its checksum, so it was altered."
        )
        #expect(sentence(file(more: ",\"version\":3")).hasPrefix(damaged + "its JSON is broken"))
    }

    @Test("what was never one of our formats is foreign, and says what it is")
    func foreign() {
        let foreign = "This is no keystore that dex can read: "
        for text in ["hello", "3", "\"{}\"", "\u{0}", "-----BEGIN"] {
            #expect(sentence(Array(text.utf8)) == foreign + "it is no JSON object.")
        }
        #expect(sentence(Array("{}".utf8)) == foreign + "it has neither version nor crypto.")
        for version in ["2", "\"2\""] {
            #expect(
                sentence(file(version: version)) == foreign
                    + "its version is 2, where dex knows 3, 1 of geth and 4 of Klaytn."
            )
        }
        #expect(
            sentence(file(version: "4")) == foreign
                + "its version is 4, but it has no keyring as Klaytn's has."
        )
        #expect(
            sentence(file(cipher: "\"aes-256-gcm\"")) == foreign
                + "its cipher is \"aes-256-gcm\", not aes-128-ctr."
        )
        #expect(
            sentence(file(kdf: "\"argon2id\"")) == foreign
                + "its key derivation function is \"argon2id\", not scrypt or pbkdf2."
        )
        #expect(
            sentence(pbkdf2("1", prf: "hmac-sha1")) == foreign
                + "its pbkdf2 is built on \"hmac-sha1\", not on hmac-sha256."
        )
        #expect(
            sentence([UInt8](repeating: 0x20, count: 1 << 20) + file()).hasSuffix(
                "more than 65536."
            )
        )
        let long = String(repeating: "x", count: 500)
        #expect(sentence(file(cipher: "\"\(long)\"")).utf8.count < 200)
    }

    @Test("the other errors are sentences too")
    func sentences() {
        #expect(
            "\(KeystoreError.wrongPassword)" == "The password does not open this keystore."
        )
        #expect(
            "\(KeystoreError.noMemory(bytes: 256 << 20))"
                == "Opening the keystore takes 256 MiB of memory, which the system does not give."
        )
    }
}
