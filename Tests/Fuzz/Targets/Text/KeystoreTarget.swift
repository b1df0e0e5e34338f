import Ethereum
import StrictJSON

@testable import EthereumWallet

extension FuzzTarget {
    /// Keystores: what is taken asks for bounded work, of which none is done here; what was read
    /// is written again, checksum and all, and read the same.
    static let keystore = FuzzTarget(
        "keystore",
        maximumLength: 4_096,
        seeds: KeystoreTarget.seeds
    ) { input in
        // Half of the inputs are a `crypto` section, whose file is put around it.
        let bytes = input.first == UInt8(ascii: "c") ? KeystoreTarget.file(input) : input
        if let keystore = try? Keystore(bytes) {
            try require(bytes.count <= 1 << 16, "a file without bound")
            let again = try Keystore(keystore.utf8)
            try requireEqual(again, keystore, "a keystore that was written is read again")
            try requireEqual(again.utf8, keystore.utf8, "a keystore that is written twice")
        }
        if let sealed = try? SealedFile(bytes, format: "dex-wallets") {
            try requireEqual(
                try SealedFile(sealed.utf8, format: "dex-wallets"),
                sealed,
                "a sealed file that was written is read again"
            )
        }
        guard let json = try? JSONParser.parse(bytes, maximumDepth: 8),
            let object = (json["crypto"] ?? json["Crypto"])?.objectValue,
            let derivation = try? KeyDerivation(KeystoreSection(object))
        else { return }
        try KeystoreTarget.check(derivation)
    }
}

private enum KeystoreTarget {
    static func check(_ derivation: KeyDerivation) throws {
        try require((32...1_024).contains(derivation.length), "a key without bound")
        try require(derivation.salt.count <= 1_024, "a salt without bound")
        switch derivation.function {
        case .scrypt(let cost, let blockSize, let parallelism):
            let numbers = [cost, blockSize, parallelism].map { UInt256(UInt64(max(0, $0))) }
            try require(
                cost >= 2 && blockSize >= 1 && parallelism >= 1
                    && cost.nonzeroBitCount == 1,
                "scrypt parameters that are none"
            )
            try require(128 &* numbers[0] &* numbers[1] <= 1 << 30, "memory without bound")
            try require(numbers[0] &* numbers[1] &* numbers[2] <= 1 << 26, "work without bound")
        case .pbkdf2(let rounds):
            try require((1...100_000_000).contains(rounds), "rounds without bound")
        }
        var object = JSONObject()
        object["kdf"] = .string(derivation.name)
        object["kdfparams"] = derivation.parameters
        try requireEqual(
            try KeyDerivation(KeystoreSection(object)),
            derivation,
            "parameters that were written are read again"
        )
    }

    static func file(_ input: [UInt8]) -> [UInt8] {
        Array("{\"version\":3,\"".utf8) + input + Array("}".utf8)
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let password = SecretBytes(copying: Array("password".utf8))
        let signer = try PrivateKeySigner(key: UInt256(0x5EED).word)
        let scrypt = KeyDerivation(
            function: .scrypt(cost: 2, blockSize: 1, parallelism: 1),
            salt: Array(0..<32),
            length: 32
        )
        let rounds = KeyDerivation(function: .pbkdf2(rounds: 1), salt: [1, 2], length: 64)
        let files = try [scrypt, rounds].map { derivation in
            try Keystore(sealing: signer, password: password, derivation: derivation).utf8
        }
        let sections = [
            ("scrypt", #"{"dklen":32,"n":262144,"p":1,"r":8,"salt":"ab"}"#),
            ("scrypt", #"{"dklen":32,"n":9223372036854775808,"p":1,"r":8,"salt":"ab"}"#),
            (
                "scrypt",
                #"{"dklen":32,"n":4611686018427387904,"p":4,"r":9223372036854775807,"salt":""}"#
            ),
            ("scrypt", #"{"dklen":1025,"n":1,"p":0,"r":0,"salt":"0xAB"}"#),
            ("pbkdf2", #"{"c":10240,"dklen":32,"prf":"hmac-sha256","salt":"ab"}"#),
            ("pbkdf2", #"{"c":100000001,"dklen":32,"prf":"hmac-sha512","salt":"ab"}"#),
        ].map { name, parameters in
            "crypto\":{\"cipher\":\"aes-128-ctr\",\"ciphertext\":\"00\",\"cipherparams\":{\"iv\":\""
                + String(repeating: "01", count: 16) + "\"},\"kdf\":\"\(name)\",\"kdfparams\":"
                + parameters + ",\"mac\":\"" + String(repeating: "02", count: 32) + "\"}"
        }
        // The random parts of a file, its id and nonce, are made the same each time.
        let plain = files.map { file in
            KeystoreTarget.steady(String(decoding: file, as: UTF8.self))
        }
        return (sections + plain).map { Array($0.utf8) }
    }

    /// A keystore without what differs from one making to the next, and so without a checksum.
    private static func steady(_ text: String) -> String {
        guard let json = try? JSONParser.parse(text: text), case .object(var object) = json else {
            return text
        }
        object["x-dex"] = nil
        object["id"] = "00000000-0000-4000-8000-000000000000"
        if case .object(var crypto)? = object["crypto"] {
            crypto["cipherparams"] = ["iv": .string(String(repeating: "01", count: 16))]
            crypto["ciphertext"] = .string(String(repeating: "ab", count: 32))
            crypto["mac"] = .string(String(repeating: "02", count: 32))
            object["crypto"] = .object(crypto)
        }
        return JSONValue.object(object).text
    }
}
