import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Signers outside of dex")
struct SignerTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    /// A program of the shell in the home.
    private func program(_ script: String) throws -> String {
        try home.file("signer-\(UUID().uuidString).sh", "#!/bin/sh\n\(script)\n", mode: 0o700)
    }

    private func config(_ settings: String, mode: Int = 0o600) throws {
        let text = "[signers.vault]\naddress = \"\(WalletHome.address)\"\n\(settings)\n"
        _ = try home.file("config.toml", text, mode: mode)
    }

    private func sign(
        _ extra: String...,
        environment: [String: String] = [:]
    ) async throws -> DexBinary.Run {
        try await dex.run(
            [
                "wallet", "sign-message", "hello", "--network", "mainnet", "--wallet", "vault",
                "--yes", "--json",
            ] + extra,
            environment: environment
        )
    }

    private func expect(
        _ status: Int32,
        _ code: String,
        location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let run = try await sign()
        #expect(run.status == status, "\(run.stdout) \(run.stderr)", sourceLocation: location)
        let error = try run.json()["error"]
        #expect(error?["code"]?.stringValue == code, sourceLocation: location)
        return error?["message"]?.stringValue ?? ""
    }

    /// The signature over `hello`, as text of JSON.
    private func signature() async throws -> String {
        let key = try PrivateKeySigner(hex: WalletHome.key)
        let made = try await key.sign(digest: EthereumMessage.hash(Array("hello".utf8)))
        return Hex.encode(made.r.bytes + made.s.bytes + [made.v])
    }

    @Test("a program is run without a shell, with its arguments and without our keys")
    func runs() async throws {
        let seen = dex.home.appending(path: "seen").path
        let answer = "{\"signature\":\"\(try await signature())\"}"
        let script = try program(
            """
            cat > '\(seen)'
            printf '%s\\n' "$1" "$2" "${DEX_PRIVATE_KEY-none}" \\
                "${DEX_ZEROEX_API_KEY-none}" >> '\(seen)'
            echo '\(answer)'
            """
        )
        try config("command = [\"\(script)\", \"a b\", \"$HOME;\"]")
        let signed = try await sign(environment: ["DEX_ZEROEX_API_KEY": "of-the-swap-api"])
        #expect(signed.status == 0, "\(signed.stderr)")
        #expect(try signed.json()["data"]?["address"]?.stringValue == WalletHome.address)
        let lines = try String(decoding: Data(contentsOf: URL(filePath: seen)), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count == 5)
        #expect(try JSONParser.parse(text: String(lines[0]))["message"] == "0x68656c6c6f")
        #expect(lines.dropFirst() == ["a b", "$HOME;", "none", "none"])
    }

    @Test("a program that fails, lies, talks too much or is not there is told as such")
    func failures() async throws {
        let cases: [(script: String, status: Int32, code: String, words: String)] = [
            ("exit 3", 5, "signer-refused", "exit code 3"),
            ("kill -9 $$", 5, "signer-refused", "exit code -1"),
            ("echo hello", 5, "bad-signer-answer", "not one JSON object"),
            ("echo '{\"error\":\"no device\"}'", 5, "signer-refused", "no device"),
            ("echo '{\"error\":\"no\",\"declined\":true}'", 20, "declined", "declined to sign"),
            (
                "printf '{\"error\":\"\\\\u001b[31mred\"}'", 5, "signer-refused", "red"
            ),
            ("yes", 5, "bad-signer-answer", "more than 1048576 bytes"),
            (
                "echo '{\"signature\":\"0x\(String(repeating: "11", count: 64))1b\"}'", 5,
                "wrong-signature", "was not made by the account"
            ),
        ]
        for (script, status, code, words) in cases {
            try config("command = [\"\(try program(script))\"]")
            let message = try await expect(status, code)
            #expect(message.contains(words), "\(message)")
            #expect(!message.contains("\u{1B}"))
        }
        try config("command = [\"/none/such\"]")
        #expect(try await expect(3, "signer-command").contains("No such file"))
        try config("command = [\"no-such-program-of-dex\"]")
        _ = try await expect(3, "signer-command")
    }

    @Test("a program that does not answer in time is ended, and its children's pipes do not matter")
    func timeout() async throws {
        let pid = dex.home.appending(path: "pid").path
        let script = try program("echo $$ > '\(pid)'\ntrap '' TERM\nwhile :; do sleep 0.1; done")
        try config("command = [\"\(script)\"]\ntimeout = 1")
        #expect(try await expect(5, "signer-timeout").contains("within 1 s"))
        let text = try String(decoding: Data(contentsOf: URL(filePath: pid)), as: UTF8.self)
        let number = try #require(Int32(text.filter(\.isNumber)))
        #expect(kill(number, 0) != 0)
    }

    @Test("Ctrl-C ends the program and the command")
    func interruption() async throws {
        let script = try program("kill -INT $PPID\nexec sleep 100")
        try config("command = [\"\(script)\"]")
        let run = try await dex.run([
            "wallet", "sign-message", "hello", "--network", "mainnet", "--wallet", "vault",
            "--yes", "--json",
        ])
        #expect(run.status == 130, "\(run.stdout) \(run.stderr)")
    }

    @Test("a settings file that others could have written runs nothing")
    func alterable() async throws {
        let mark = dex.home.appending(path: "mark").path
        try config("command = [\"\(try program("touch '\(mark)'"))\"]", mode: 0o622)
        _ = try await expect(3, "alterable-config")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("a node is asked once, and what it does wrong is told without its key in the URL")
    func node() async throws {
        let good = try await signature()
        let cases: [(answer: ScriptedAnswer, status: Int32, code: String)] = [
            (ScriptedAnswer(body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\(good)\"}"), 0, ""),
            (ScriptedAnswer("500 Broken", body: "<html>"), 4, "signer-unreachable"),
            (ScriptedAnswer(body: "hello"), 4, "signer-unreachable"),
            (
                ScriptedAnswer(body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x12\"}"), 5,
                "bad-signer-answer"
            ),
            (
                ScriptedAnswer(
                    body:
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":4001,\"message\":\"no\"}}"
                ), 20, "declined"
            ),
        ]
        for (answer, status, code) in cases {
            let server = try ScriptedServer.answering { _ in answer }
            try config("rpc = \"\(server.url)/secret-key\"")
            let run = try await sign()
            server.stop()
            #expect(run.status == status, "\(run.stdout) \(run.stderr)")
            #expect(!(run.stdout + run.stderr).contains("secret-key"))
            if status != 0 { #expect(try run.json()["error"]?["code"]?.stringValue == code) }
            #expect(server.accepted == 1)
        }
        try config("rpc = \"http://127.0.0.1:1/secret-key\"")
        #expect(try await expect(4, "signer-unreachable").contains("http://127.0.0.1:1 gave no"))
    }

    @Test(
        "a signer that is described in part, twice or wrongly is an error that says so",
        arguments: [
            ("", "has neither rpc nor command"),
            ("rpc = \"http://a\"\ncommand = [\"/a\"]", "has both rpc and command"),
            ("command = [\"/a\"]\nmessage_method = \"eth_sign\"", "message_method means nothing"),
            ("rpc = \"http://a\"\ntimeout = 0", "timeout of 0 s"),
            ("command = []", "takes a program"), ("command = [\"./a\"]", "takes a program"),
            ("rpc = \"http://a\"\nmessage_method = \"sign\"", "takes \"eth_sign\""),
            ("port = 1", "is not known"),
        ]
    )
    func settings(text: String, words: String) async throws {
        try config(text)
        let run = try await sign()
        #expect(run.status == 3, "\(run.stdout)")
        let message = try run.json()["error"]?["message"]?.stringValue ?? ""
        #expect(message.contains(words), "\(message)")
    }

    @Test("a signer is listed, made the default and used by its address")
    func accounts() async throws {
        let answer = "{\"signature\":\"\(try await signature())\"}"
        try config("command = [\"\(try program("cat > /dev/null; echo '\(answer)'"))\"]")
        let used = try await home.done("wallet", "use", "vault")
        #expect(used["name"] == "vault" && used["isDefault"] == true)
        let listed = try await home.done("wallet", "list")
        #expect(listed["wallets"] == [])
        #expect(
            listed["signers"] == [
                [
                    "name": "vault", "address": .string(WalletHome.address), "kind": "command",
                    "isDefault": true,
                ]
            ]
        )
        #expect(try await dex.run("wallet list").stdout.contains("vault"))
        for account in [[], ["--wallet", WalletHome.address], ["--wallet", "vault"]] {
            let run = try await dex.run(
                ["wallet", "sign-message", "hello", "--network", "mainnet", "--yes"] + account
            )
            #expect(run.status == 0, "\(run.stderr)")
        }
        _ = try await home.importKey("vault")
        let clash = try await sign()
        #expect(clash.status == 3)
        #expect(try clash.json()["error"]?["code"] == "ambiguous-name")
    }
}
