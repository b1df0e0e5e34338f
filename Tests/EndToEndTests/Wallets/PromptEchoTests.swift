import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("What is typed around prompts for secrets")
struct PromptEchoTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    /// Tells on stderr whether a whole line was left for the program that comes next.
    private static let thenLook = """
        "$@"
        status=$?
        if read -r -t 0; then read -r line; echo "left [$line]" >&2; else echo nothing >&2; fi
        exit $status
        """

    private let sign = [
        "wallet", "sign-message", "hello", "--wallet", "main", "--network", "mainnet", "--yes",
    ]

    /// A wallet whose password takes scrypt a while.
    private func makeSlowWallet() async throws {
        let made = try await dex.run(
            ["wallet", "import", "key", "main", "--from", home.file("key", WalletHome.key)],
            environment: home.password()
        )
        try #require(made.status == 0, "\(made.stderr)")
    }

    @Test("what is typed before the first prompt is no password")
    func ahead() async throws {
        _ = try await home.importKey()
        let signed = try await dex.converse(
            sign,
            ahead: "typed ahead\n",
            [("Password of main", "open sesame\n")],
            shell: Self.thenLook
        )
        #expect(signed.run.status == 0, "\(signed.run.stderr)")
        #expect(!signed.run.stderr.contains("does not open"))
        #expect(signed.run.stderr.hasSuffix("nothing\n"), "\(signed.run.stderr)")
        #expect(signed.echoes)
    }

    @Test("what is typed while scrypt runs is not shown, no password, and not left for the shell")
    func meanwhile() async throws {
        try await makeSlowWallet()
        let signed = try await dex.converse(
            sign,
            [
                // The line end is shown when the line was read; then scrypt takes its time.
                ("Password of main", "wrong\n"), ("\n", "typed meanwhile\n"),
                ("Password of main", "open sesame\n"), ("\n", "typed at the end\n"),
            ],
            shell: Self.thenLook
        )
        #expect(signed.run.status == 0, "\(signed.run.stderr)")
        #expect(signed.run.stderr.components(separatedBy: "does not open").count == 2)
        #expect(signed.run.stderr.hasSuffix("nothing\n"), "\(signed.run.stderr)")
        #expect(!signed.shown.contains("typed"), "\(signed.shown)")
        #expect(signed.echoes)
    }

    @Test("the same while a new wallet is made, and behind its last prompt")
    func new() async throws {
        let made = try await dex.converse(
            ["wallet", "new", "main"],
            [
                ("New password for the wallet main: ", "open sesame\n"),
                ("Repeat password: ", "open sesame\ntyped at once\n"),
                ("\n", "typed meanwhile\n"),
            ],
            shell: Self.thenLook
        )
        #expect(made.run.status == 0, "\(made.run.stderr)")
        #expect(made.run.stderr.hasSuffix("nothing\n"), "\(made.run.stderr)")
        #expect(!made.shown.contains("typed") && !made.shown.contains("sesame"), "\(made.shown)")
        #expect(made.echoes)
    }

    @Test(
        "a signal that ends the process leaves the echo on",
        arguments: [SIGHUP, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV]
    )
    func killed(signal: Int32) async throws {
        _ = try await home.importKey()
        let broken = try await dex.converse(
            sign,
            [("Password of main", "")],
            atPrompt: { _ in
                Self.send(signal, to: dex)
            }
        )
        #expect(broken.run.status != 0)
        #expect(broken.echoes)
    }

    @Test("stopped, it leaves the echo on; continued, it hides again what is typed")
    func stopped() async throws {
        _ = try await home.importKey()
        let script = PythonEnvironment.root
            .appending(path: "Tests/Python/clients/job_control.py").path
        let signed = try await dex.converse(
            sign,
            [("Password of main", ""), ("continued", "open sesame\n")],
            // A process of a group without a shell cannot be stopped.
            shell: "exec python3 \(script) \"$@\"",
            hidden: "continued",
            atPrompt: { prompt in
                guard prompt == "Password of main" else { return }
                Self.send(SIGTSTP, to: dex)
            }
        )
        #expect(signed.run.status == 0, "\(signed.run.stderr)")
        #expect(signed.run.stderr.contains("echo\n"), "\(signed.run.stderr)")
        #expect(!signed.run.stderr.contains("mute"), "\(signed.run.stderr)")
        #expect(!signed.shown.contains("sesame"), "\(signed.shown)")
        #expect(signed.echoes)
    }

    /// To the one `dex` that waits at a prompt.
    private static func send(_ signal: Int32, to dex: DexBinary) {
        let count = Result { try dex.send(signal) }
        if (try? count.get()) != 1 {
            Issue.record("not one process got the signal: \(count)")
        }
    }

    @Test("a short and a mistyped password are asked for again, and the shell gets nothing")
    func again() async throws {
        let made = try await dex.converse(
            ["wallet", "new", "main", "--light"],
            [
                ("New password for the wallet main: ", "short\ntyped ahead\n"),
                ("New password for the wallet main: ", "open sesame\n"),
                ("Repeat password: ", "open barley\n"),
                ("New password for the wallet main: ", "open sesame\n"),
                ("Repeat password: ", "open sesame\n"),
            ],
            shell: Self.thenLook
        )
        #expect(made.run.status == 0, "\(made.run.stderr)")
        #expect(made.run.stderr.contains("8 are the least"), "\(made.run.stderr)")
        #expect(made.run.stderr.contains("The two passwords differ"))
        #expect(made.run.stderr.hasSuffix("nothing\n"), "\(made.run.stderr)")
        #expect(!made.shown.contains("typed") && !made.shown.contains("sesame"), "\(made.shown)")
    }

    @Test("a new password has 8 characters at least, from a terminal and from a file")
    func weak() async throws {
        let typed = try await dex.converse(
            ["wallet", "new", "--light", "--json"],
            (0..<3).map { _ in ("New password", "pässwör\n") }
        )
        #expect(typed.run.status == 2)
        #expect(try typed.run.json()["error"]?["code"] == "weak-password")
        #expect(typed.echoes)
        let out = dex.home.appending(path: "backup.json").path
        let file = try home.file("key", WalletHome.key)
        for command in [
            ["wallet", "new", "main", "--light"],
            ["wallet", "import", "key", "main", "--light", "--from", file],
            ["wallet", "backup", out, "--light"],
        ] {
            if command.contains("backup") { _ = try await home.importKey("kept") }
            let weak = try home.password("1234567")
            let run = try await dex.run(command + ["--json"], environment: weak)
            #expect(run.status == 2, "\(command): \(run.stdout)")
            let error = try run.json()["error"]
            #expect(error?["code"] == "weak-password")
            #expect(error?["message"]?.stringValue?.contains("7 characters") == true)
            #expect(error?["hint"]?.stringValue?.contains("--allow-weak-password") == true)
            let allowed = try await dex.run(
                command + ["--allow-weak-password", "--json"],
                environment: home.password("1234567")
            )
            #expect(allowed.status == 0, "\(allowed.stdout)")
            if !command.contains("backup") {
                _ = try await home.done("wallet", "remove", "main", "--yes")
            }
        }
        #expect(FileManager.default.fileExists(atPath: out))
    }

    @Test("a keystore with a short password opens, and is imported with a flag")
    func existing() async throws {
        let password = try home.password("short")
        let made = try await dex.run(
            [
                "wallet", "import", "key", "main", "--light", "--allow-weak-password", "--from",
                home.file("key", WalletHome.key), "--json",
            ],
            environment: password
        )
        try #require(made.status == 0, "\(made.stdout)")
        let path = try #require(try made.json()["data"]?["path"]?.stringValue)
        let signed = try await dex.run(sign, environment: password)
        #expect(signed.status == 0, "\(signed.stderr)")
        let taken = try home.file("other", String(contentsOfFile: path, encoding: .utf8))
        _ = try await home.done("wallet", "remove", "main", "--yes")
        let again = ["wallet", "import", "keystore", "main", "--light", "--from", taken, "--json"]
        let refused = try await dex.run(again, environment: password)
        #expect(refused.status == 2, "\(refused.stdout)")
        #expect(try refused.json()["error"]?["code"] == "weak-password")
        let allowed = try await dex.run(
            again + ["--allow-weak-password"],
            environment: password
        )
        #expect(allowed.status == 0, "\(allowed.stdout)")
    }
}
