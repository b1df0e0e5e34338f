import DexCore
import Testing

@testable import DexCommandLine

@Suite("Secrets typed as arguments")
struct SecretArgumentTests {
    private static let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let address = "0xE41d2489571d322189246DaFA5ebDe1F4699F498"

    private func refused(_ arguments: [String]) -> SecretArguments.Kind? {
        SecretArguments(arguments).refused
    }

    @Test("a key is refused wherever no hash is expected, in every spelling and with a mistake")
    func keys() {
        let key = Self.key
        let spellings = [
            key, "0x\(key)", "0X\(key)", key.uppercased(), "0x\(key.uppercased())",
            String(key.dropLast()), "0x\(key)a", "0x\(key.dropLast())g", "0xO\(key.dropFirst())",
            " \(key) ", "\"\(key)\"", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRN"
                + "NU3TGtRBeJgk33yuGBxrMPHi",
        ]
        for key in spellings {
            for arguments in [
                [key], ["wallet", "import", "key", key], ["wallet", "import", "key", "main", key],
                ["wallet", "import", "key", "main", "--from", key],
                ["wallet", "import", "key", "main", "--from=\(key)"],
                ["unlock", key], ["send", "ETH", "1", key], ["balance", "--wallet", key],
                ["balance", "-w", key], ["help", key], ["config", "set", "wallet", key],
                ["alias", "set", "me", "wallet import key \(key)"], ["address", "add", "me", key],
                ["tokens", key], ["orderbook", "\(key)/WETH"], ["wallet", "new", key],
                ["wallet", "import", "key", "--", key],
            ] {
                #expect(refused(arguments) == .key, "\(arguments)")
            }
        }
    }

    @Test("what may be 64 digits is taken: hashes, arguments of a call, messages")
    func others() {
        let hash = "0x\(Self.key)"
        for arguments in [
            ["order", hash], ["why", hash], ["status", hash], ["cancel", hash, hash],
            ["fill", hash, "1"], ["replace", hash, "--price", "1"], ["tx", "speedup", hash],
            ["block", hash], ["call", Self.address, "f(bytes32)", hash],
            ["transact", Self.address, "f(bytes32)", hash], ["wallet", "sign-message", hash],
            ["send", "ETH", "1", Self.address], ["orderbook", "ZRX/WETH"],
            ["tokens", Self.address], ["balance", "--rpc", "https://node.example/\(Self.key)"],
            ["fill", "/home/me/\(Self.key).json"],
            ["wallet", "sign-message", "hello", "--network", "mainnet", "--dry-run", "--json"],
            [
                "init", "--network", "mine", "--import", "key", "--from", "/tmp/key", "--name",
                "main", "--light", "--dry-run", "--yes", "--json",
            ],
        ] {
            #expect(refused(arguments) == nil, "\(arguments)")
        }
    }

    @Test("a phrase is refused in one argument or in many, also with a wrong word")
    func phrases() {
        let words = Self.phrase.split(separator: " ").map(String.init)
        var wrong = words
        wrong[3] = "yearx"
        for phrase in [words, wrong, words.map { $0.uppercased() }, Array(words.prefix(7))] {
            for arguments in [
                phrase, [phrase.joined(separator: " ")], [phrase.joined(separator: ",")],
                ["wallet", "import", "words"] + phrase,
                ["wallet", "import", "words", "main", phrase.joined(separator: " ")],
                ["wallet", "import", "words", "main", "--from", phrase.joined(separator: "  ")],
                ["unlock", phrase.joined(separator: "-")],
                ["help"] + phrase,
            ] {
                #expect(refused(arguments) == .phrase, "\(arguments)")
            }
        }
        for arguments in [
            ["place-limit", "buy", "ZRX/WETH", "100", "--price", "0.1", "--expires", "24h"],
            ["wallet", "sign-message", "I agree to the terms of this page and nothing else"],
            ["alert", "add", "ZRX/WETH", "price", "above", "0.1"],
            ["market-buy", "ZRX/WETH", "1", "--tag", "trade test", "--yes", "--json"],
        ] {
            #expect(refused(arguments) == nil, "\(arguments)")
        }
    }

    @Test("no message repeats a part of one, and its code stays")
    func messages() {
        let key = Self.key
        // As a hash it is looked for; as a mistyped hash it may be a key.
        let secrets = SecretArguments(["status", key], others: ["0x\(key)"])
        for text in [
            "There is no wallet \(key).", "\"0x\(key.uppercased())\" is wrong.",
            "\"\(key.prefix(20))\u{2026}\" is too long.",
        ] {
            #expect(secrets.hiding(text).hasPrefix(SecretArguments.hidden))
        }
        #expect(secrets.hiding("There is no such wallet.") == "There is no such wallet.")
        let error = ArgumentError.noFile(key)
        let hidden = secrets.hiding(error)
        #expect(hidden.code == "no-file" && hidden.exit == error.exit)
        #expect(!hidden.message.contains(key.prefix(12)))
        #expect(hidden.hint?.contains("shell's history") == true)
        // A well-formed hash where one is expected is named.
        let hash = SecretArguments(["order", "0x\(key)"])
        #expect(hash.hiding("The order 0x\(key) is unknown.").contains(key))
        let phrase = SecretArguments(["wallet", "import", "words", Self.phrase])
        let hiddenPhrase = phrase.hiding("11 unexpected: winner, thank, year")
        #expect(hiddenPhrase.hasPrefix(SecretArguments.hidden))
        #expect(hiddenPhrase.contains("shell's history"))
    }
}
