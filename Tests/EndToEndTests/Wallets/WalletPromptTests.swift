import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Passwords")
struct WalletPromptTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private let key = WalletHome.key

    init() throws {
        home = try WalletHome()
    }

    private func make() async throws {
        let run = try await dex.run(
            ["wallet", "import", "key", "main", "--light", "--from", home.file("key", key)],
            environment: ["DEX_PASSWORD_FILE": home.file("password", "open sesame\r\nsecond line")]
        )
        try #require(run.status == 0, "\(run.stderr)")
    }

    private var keystores: [String] {
        let folder = dex.home.appending(path: "keystore").path
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private let sign = [
        "wallet", "sign-message", "hello", "--wallet", "main", "--network", "mainnet",
    ]

    @Test("what is typed is not shown, and the terminal shows it again afterwards")
    func hidden() async throws {
        let made = try await dex.converse(
            ["wallet", "import", "key", "main", "--light"],
            [
                ("Private key: ", key + "\n"),
                ("New password for the wallet main: ", "open sesame\n"),
                ("Repeat password: ", "open sesame\n"),
            ]
        )
        #expect(made.run.status == 0, "\(made.run.stderr)")
        #expect(made.echoes)
        for text in [made.shown, made.run.stdout, made.run.stderr] {
            #expect(!text.contains("sesame") && !text.contains("4c0883"))
        }
        let signed = try await dex.converse(
            sign,
            [("Sign this message? [y/N] ", "y\n"), ("Password of main", "open sesame\n")]
        )
        #expect(signed.run.status == 0, "\(signed.run.stderr)")
        #expect(signed.run.stdout.hasPrefix("0x"))
        #expect(signed.echoes)
        #expect(!signed.shown.contains("sesame"))
    }

    @Test("a wrong password may be mended twice, then the command ends with 5")
    func tries() async throws {
        try await make()
        let right = try await dex.converse(
            sign + ["--yes"],
            [
                ("Password of main", "wrong\n"), ("Password of main", "\n"),
                ("Password of main", "open sesame\n"),
            ]
        )
        #expect(right.run.status == 0, "\(right.run.stderr)")
        let wrong = try await dex.converse(
            sign + ["--yes", "--json"],
            [
                ("Password of main", "wrong\n"), ("Password of main", "wrong\n"),
                ("Password of main", "wrong\n"),
            ]
        )
        #expect(wrong.run.status == 5)
        #expect(wrong.echoes)
        #expect(try wrong.run.json()["error"]?["code"] == "wrong-password")
    }

    @Test("two passwords that differ, and an empty one, make nothing")
    func mismatch() async throws {
        let differ = try await dex.converse(
            ["wallet", "new", "--light"],
            (0..<3).flatMap { _ in
                [("New password", "open sesame\n"), ("Repeat password: ", "open barley\n")]
            }
        )
        #expect(differ.run.status == 2)
        #expect(differ.run.stderr.contains("The two passwords differ; nothing was written."))
        let empty = try await dex.converse(
            ["wallet", "new", "--light"],
            (0..<3).map { _ in ("New password", "\n") }
        )
        #expect(empty.run.status == 2)
        #expect(empty.run.stderr.contains("A password of no characters protects nothing"))
        #expect(keystores == [])
    }

    /// Nothing can have been signed yet, and no journal has anything to tell.
    private static func expectCancelled(_ broken: Conversation) {
        let words = broken.run.stderr
        #expect(words.hasSuffix("Cancelled. Nothing was signed or sent.\n"), "\(words)")
        #expect(!words.contains("error:") && !words.contains("journal"), "\(words)")
    }

    @Test("Ctrl-C between a question and its password, and while that is tried, is no error")
    func interruptedAfterYes() async throws {
        try await make()
        let atPassword = try await dex.converse(
            sign,
            [("[y/N] ", "y\n"), ("Password of main", Conversation.interrupt)]
        )
        #expect(atPassword.run.status == 130)
        Self.expectCancelled(atPassword)
        let json = try await dex.converse(
            sign + ["--yes", "--json"],
            [("Password of main", Conversation.interrupt)]
        )
        #expect(json.run.status == 130)
        let error = try #require(try json.run.json()["error"])
        #expect(error["code"] == "interrupted")
        #expect(error["message"] == "Cancelled. Nothing was signed or sent.")
        #expect(error["hint"] == "")
    }

    @Test(
        "Ctrl-C at each prompt ends with 130, with the echo on and nothing written",
        arguments: 0..<3
    )
    func interrupted(at place: Int) async throws {
        let all = [
            ("Recovery phrase: ", String(repeating: "test ", count: 11) + "junk\n"),
            ("Passphrase of the recovery phrase: ", "secret\n"),
            ("New password for the wallet wallet-1: ", "open sesame\n"),
            ("Repeat password: ", "open sesame\n"),
        ]
        let script = all[...place].enumerated().map { index, step in
            index == place ? (step.0, Conversation.interrupt) : step
        }
        let broken = try await dex.converse(
            ["wallet", "import", "words", "--passphrase", "--light"],
            script
        )
        #expect(broken.run.status == 130, "\(broken.run.stderr)")
        Self.expectCancelled(broken)
        #expect(broken.echoes)
        #expect(keystores == [])
    }

    @Test("Ctrl-C between two prompts ends with 130 too, however soon the next prompt comes")
    func interruptedBetween() async throws {
        let made = try await dex.run(
            ["wallet", "import", "key", "main", "--from", home.file("key", key)],
            environment: ["DEX_PASSWORD_FILE": home.file("password", "open sesame")]
        )
        try #require(made.status == 0, "\(made.stderr)")
        // The line end comes when the line was read; then a wrong password takes scrypt's time.
        let broken = try await dex.converse(
            sign + ["--yes"],
            [("Password of main", "wrong\n"), ("\n", Conversation.interrupt)]
        )
        #expect(broken.run.status == 130, "\(broken.run.stderr)")
        Self.expectCancelled(broken)
        #expect(broken.echoes)
        #expect(broken.run.stdout.isEmpty)
    }

    @Test("the keys that stop a process or dump its memory do nothing while a secret is typed")
    func keysOfTheTerminal() async throws {
        try await make()
        let signed = try await dex.converse(
            sign + ["--yes"],
            [
                ("Password of main", Conversation.quit + Conversation.suspend + "\n"),
                ("Password of main", "open sesame\n"),
            ]
        )
        #expect(signed.run.status == 0, "\(signed.run.stderr)")
        let ended = try await dex.converse(
            sign + ["--yes"],
            [("Password of main", Conversation.endOfInput)]
        )
        #expect(ended.run.status == 20)
        #expect(ended.echoes)
    }

    @Test("without terminal and file there is nobody to ask")
    func nobody() async throws {
        try await make()
        let run = try await dex.run(sign + ["--yes"])
        #expect(run.status == 5)
        #expect(run.stderr.contains("DEX_PASSWORD_FILE"))
        let new = try await dex.run("wallet new")
        #expect(new.status == 5)
        #expect(keystores.count == 1)
    }

    @Test("a file with a secret that others may read, or that is not there, is refused")
    func files() async throws {
        try await make()
        for mode in [0o644, 0o640, 0o602] {
            let exposed = try home.file("exposed", "open sesame", mode: mode)
            let run = try await dex.run(
                sign + ["--yes"],
                environment: ["DEX_PASSWORD_FILE": exposed]
            )
            #expect(run.status == 5)
            #expect(run.stderr.contains("Others than you may read \(exposed)"))
            #expect(run.stderr.contains("chmod 600"))
            let imported = try await dex.run("wallet import key --from \(exposed)")
            #expect(imported.status == 5)
            #expect(imported.stderr.contains("which --from names"))
        }
        let missing = try await dex.run(
            sign + ["--yes"],
            environment: ["DEX_PASSWORD_FILE": "/nonexistent"]
        )
        #expect(missing.status == 5)
        #expect(missing.stderr.contains("does not exist"))
        let folder = try await dex.run(
            sign + ["--yes"],
            environment: ["DEX_PASSWORD_FILE": dex.home.path]
        )
        #expect(folder.status == 5)
        let wrong = try await dex.run(
            sign + ["--yes"],
            environment: ["DEX_PASSWORD_FILE": home.file("wrong", "wrong")]
        )
        #expect(wrong.status == 5)
        #expect(wrong.stderr.contains("The password does not open this keystore."))
    }

    @Test("bad keys and phrases are refused without a word of them")
    func badSecrets() async throws {
        let bad = [
            ("key", "4c0883a69102937d62314", "The private key is not 64 hexadecimal digits"),
            ("key", String(repeating: "0", count: 64), "zero or beyond"),
            ("words", "zoo wrong zoo", "not 3"),
            ("words", String(repeating: "abandon ", count: 12), "does not fit its checksum"),
            ("words", String(repeating: "abandon ", count: 11) + "qwertz", "Word 12 of"),
        ]
        for (form, secret, sentence) in bad {
            let run = try await dex.run(
                ["wallet", "import", form, "--from", home.file("bad", secret)],
                environment: ["DEX_PASSWORD_FILE": home.file("password", "open sesame")]
            )
            #expect(run.status == 5, "\(secret): \(run.stderr)")
            #expect(run.stderr.contains(sentence), "\(run.stderr)")
            #expect(!run.stderr.contains(secret) && !run.stderr.contains("qwertz"))
        }
        #expect(keystores == [])
        for arguments in [
            ["wallet", "import", "key", "--path", "m"],
            ["wallet", "import", "keystore"],
            ["wallet", "import", "words", "--passphrase", "--passphrase-file", "x"],
            ["wallet", "new", "--words", "13"],
            ["wallet", "export", "main", "--key", "--words"],
            ["wallet", "sign-message"],
            ["wallet", "sign-message", "x", "--file", "y"],
        ] {
            let run = try await dex.run(arguments)
            #expect(run.status == 2, "\(arguments): \(run.stderr)")
        }
    }

    @Test("a damaged, a foreign and a greedy keystore are three different errors")
    func keystoreErrors() async throws {
        try await make()
        let folder = dex.home.appending(path: "keystore")
        let path = folder.appending(path: try #require(keystores.first))
        let original = try String(contentsOf: path, encoding: .utf8)
        let environment = ["DEX_PASSWORD_FILE": try home.file("password", "open sesame")]
        for (text, code) in [
            (original.replacing("\"p\":6", with: "\"p\":7"), "damaged-keystore"),
            (String(original.dropLast(9)), "damaged-keystore"),
            ("", "damaged-keystore"),
            (original.replacing("\"version\":3", with: "\"version\":4"), "damaged-keystore"),
            ("{\"version\":4,\"crypto\":{}}", "foreign-keystore"),
            ("hello", "foreign-keystore"),
        ] {
            let other = try home.file("other", text)
            let run = try await dex.run(
                ["wallet", "import", "keystore", "x", "--from", other, "--json"],
                environment: environment
            )
            #expect(run.status == 5)
            #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(text)")
        }
        let greedy = try #require(original.firstRange(of: ",\"x-dex\""))
        let bomb = original[..<greedy.lowerBound].replacing("\"n\":4096", with: "\"n\":1073741824")
        let run = try await dex.run(
            [
                "wallet", "import", "keystore", "x", "--from", home.file("other", bomb + "}"),
                "--json",
            ],
            environment: environment
        )
        #expect(try run.json()["error"]?["code"] == "unreasonable-keystore")
        #expect(run.stderr.contains("would take more than 1024 MiB of memory"))
    }

    @Test("the desktop's secret service keeps passwords, where it is there")
    func secretService() async throws {
        let tool = dex.home.appending(path: "bin/secret-tool")
        try FileManager.default.createDirectory(
            at: tool.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let script = """
            #!/bin/sh
            store=\(dex.home.path)/kept
            echo "$@" >> \(dex.home.path)/calls
            case $1 in
            store) cat > $store ;;
            lookup) [ -f $store ] && cat $store ;;
            clear) rm -f $store ;;
            esac
            """
        _ = try home.file("bin/secret-tool", script, mode: 0o700)
        let desktop = [
            "PATH": "\(dex.home.path)/bin:/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x",
        ]
        let made = try await dex.run(
            [
                "wallet", "import", "key", "main", "--light", "--remember", "--from",
                home.file("key", key),
            ],
            environment: desktop.merging(
                ["DEX_PASSWORD_FILE": home.file("password", "open sesame")]
            ) { $1 }
        )
        #expect(made.status == 0, "\(made.stderr)")
        let kept = dex.home.appending(path: "kept")
        #expect(try String(contentsOf: kept, encoding: .utf8) == "open sesame")
        let signed = try await dex.run(sign + ["--yes"], environment: desktop)
        #expect(signed.status == 0, "\(signed.stderr)")
        // Another password than the wallet's is not the end where somebody can be asked.
        try Data("old one".utf8).write(to: kept)
        let asked = try await dex.converse(
            sign + ["--yes"],
            environment: desktop,
            [("Password of main", "open sesame\n")]
        )
        #expect(asked.run.status == 0, "\(asked.run.stderr)")
        #expect(asked.run.stderr.contains("that the desktop keeps does not open main"))
        let removed = try await dex.run(
            ["wallet", "remove", "main", "--yes"],
            environment: desktop
        )
        #expect(removed.status == 0)
        #expect(!FileManager.default.fileExists(atPath: kept.path))
        let calls = try String(
            contentsOf: dex.home.appending(path: "calls"),
            encoding: .utf8
        )
        #expect(!calls.contains("sesame"))
        let nobody = try await dex.run(
            [
                "wallet", "import", "key", "again", "--light", "--remember", "--json", "--from",
                home.file("key", key),
            ],
            environment: ["DEX_PASSWORD_FILE": home.file("password", "open sesame")]
        )
        #expect(nobody.status == 0)
        #expect(try nobody.json()["warnings"]?.arrayValue?.count == 1)
    }
}
