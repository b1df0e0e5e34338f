import CProcess
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport
@testable import EthereumWallet

/// The look for secrets that docs/security.md describes: in every system call that gives bytes
/// away, in every file, and in the memory of the processes that hold them.
@Suite("Secrets of the built binary")
struct SecretLeakTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    /// What a user keeps outside of dex: files with the secrets.
    private let vault: DexBinary
    private let key: [UInt8]
    private let password = Self.random("pass")
    private let passphrase = Self.random("phrase")
    private let words: String
    private let needles: SecretNeedles

    init() throws {
        home = try WalletHome()
        vault = try DexBinary()
        key = (0..<32).map { _ in .random(in: 0...255) }
        words = try Self.phrase()
        needles = SecretNeedles(
            key: key,
            texts: [
                ("the password", password), ("the passphrase", passphrase), ("the words", words),
            ]
        )
    }

    /// A new phrase, no two words of which follow each other in the list of all words: the program
    /// holds that list, which is no leak.
    private static func phrase() throws -> String {
        while true {
            let phrase = try Mnemonic(randomWords: 12).phrase().withBytes {
                String(decoding: $0, as: UTF8.self)
            }
            let numbers = phrase.split(separator: " ").compactMap {
                WordList.english.number(of: $0.utf8)
            }
            if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 + 1 != $1 }) { return phrase }
        }
    }

    private static func random(_ prefix: String) -> String {
        prefix
            + String(
                (0..<24).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" }
            )
    }

    private func secretFile(_ name: String, _ content: String) throws -> String {
        let url = vault.home.appending(path: name)
        try Data(content.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        return url.path
    }

    // MARK: System calls and files

    @Test("a session of importing, unlocking and signing gives no secret to any file or process")
    func session() async throws {
        let temporary = dex.home.appending(path: "tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let secrets = [
            "KEY_FILE": try secretFile("key", Hex.encode(key) + "\n"),
            "WORDS_FILE": try secretFile("words", words + "\n"),
            "PASSPHRASE_FILE": try secretFile("passphrase", passphrase),
            "DEX_PASSWORD_FILE": try secretFile("password", password + "\n"),
        ]
        let commands = """
            set -e
            dex wallet import key main --light --from "$KEY_FILE"
            dex wallet import words other --light --from "$WORDS_FILE" \\
                --passphrase-file "$PASSPHRASE_FILE"
            dex wallet sign-message hello --wallet main --network mainnet --yes
            dex wallet sign-message hello --wallet other --network mainnet --yes --json --verbose
            dex wallet backup "$DEX_HOME/saved" --light
            dex unlock main --network mainnet --for 5m --json
            dex wallet sign-message hello --wallet main --network mainnet --yes --verbose
            dex unlock --status
            dex lock
            dex wallet rename main third
            dex wallet export third --json
            dex wallet remove third --yes
            """
        let trace = vault.home.appending(path: "trace").path
        let run = try await dex.run(
            ["-c", commands.replacing("dex ", with: "\"$DEX\" ")],
            environment: secrets.merging(
                ["TMPDIR": temporary.path, "DEX": DexBinary.executable.path]
            ) { $1 },
            under: ["/usr/bin/strace"] + SystemCallTrace.arguments(output: trace),
            program: "/bin/sh"
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
        let calls = try SystemCallTrace(contentsOf: trace).calls
        try expectNothing(in: calls)
        try expectForbidden(in: calls, before: Array(secrets.values))

        #expect(needles.names(in: Array((run.stdout + run.stderr).utf8)) == [])
        var count = 0
        let files = FileManager.default.enumerator(at: dex.home, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) {
            // Folders and the like have no content.
            guard let content = try? Data(contentsOf: file) else { continue }
            count += 1
            #expect(needles.names(in: Array(content)) == [], "\(file.path)")
        }
        #expect(count >= 3, "keystore, backup and audit log are there")
    }

    /// The key goes once, whole, through the pipe to the agent, and no other call has a secret:
    /// no write, no argument, no variable, no path.
    private func expectNothing(in calls: [SystemCallTrace.Call]) throws {
        var handed: [SystemCallTrace.Call] = []
        for call in calls {
            for text in call.texts {
                let names = needles.names(in: text)
                if names == [SecretNeedles.rawKey], call.name == "write", text == key {
                    handed.append(call)
                    continue
                }
                #expect(names == [], "\(call.process) \(call.name)")
            }
        }
        #expect(handed.count == 1)
        // -y tells what a descriptor is: pipe:[123].
        let isPipe = handed.first?.texts.first?.starts(with: Array("pipe:[".utf8)) == true
        #expect(isPipe, "\(handed.first?.name ?? "")")
        for name in ["execve", "write", "openat", "prctl"] {
            #expect(calls.contains { $0.name == name }, "\(name) was not traced")
        }
        let programs = calls.count { $0.name == "execve" && $0.line.hasSuffix("= 0") }
        #expect(programs == 14, "the shell, its twelve commands and the agent")
    }

    /// Before a process opens a file with a secret nobody can look into it or dump it.
    private func expectForbidden(in calls: [SystemCallTrace.Call], before files: [String]) throws {
        let paths = files.map { Array($0.utf8) }
        var opened = 0
        for (index, call) in calls.enumerated()
        where call.name.hasPrefix("open") && call.texts.contains(where: { paths.contains($0) }) {
            opened += 1
            let before = calls[..<index].filter { $0.process == call.process }
            let isUndumpable = before.contains {
                $0.name == "prctl" && $0.line.contains("PR_SET_DUMPABLE")
                    && $0.line.hasSuffix("= 0")
            }
            let hasNoCore = before.contains {
                $0.line.contains("RLIMIT_CORE") && $0.line.contains("{rlim_cur=0, rlim_max=0}")
            }
            #expect(isUndumpable && hasNoCore, "\(call.line)")
        }
        #expect(opened >= 9)
    }

    // MARK: Memory

    @Test("an agent that has signed holds the key in secluded pages only, and no password")
    func agentMemory() async throws {
        let environment = ["DEX_PASSWORD_FILE": try secretFile("password", password + "\n")]
        let file = try secretFile("key", Hex.encode(key) + "\n")
        _ = try await home.done(
            "wallet",
            "import",
            "key",
            "main",
            "--light",
            "--from",
            file,
            environment: environment
        )
        let made = try await home.done(
            "unlock",
            "main",
            "--for",
            "5m",
            "--network",
            "mainnet",
            environment: environment
        )
        let isLocked = made["unlockedKeys"]?.arrayValue?.first?["memoryLocked"] == true
        _ = try await home.done(
            "wallet",
            "sign-message",
            "hello",
            "--wallet",
            "main",
            "--network",
            "mainnet",
            "--yes"
        )
        let address = try PrivateKeySigner(hex: Hex.encode(key)).address
        let socket = dex.home.appending(path: "agent/\(address.lowercaseHex.dropFirst(2))").path
        let descriptor = dex_socket_connect(socket, 10)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (process, user): (Int32, UInt32) = (0, 0)
        try #require(dex_socket_peer(descriptor, &process, &user) == 0)
        try expectSecluded(process, mayHold: [SecretNeedles.rawKey], demandsLock: isLocked)
        _ = try await home.done("lock")
    }

    @Test("while a new password is typed, key and password are in secluded pages only")
    func promptMemory() async throws {
        let name = "leak-\(UUID().uuidString.prefix(8))"
        let digits = Hex.encode(key)
        let looked = Looked()
        let talk = try await dex.converse(
            ["wallet", "import", "key", name, "--light"],
            [
                ("Private key: ", digits + "\n"),
                ("New password for the wallet \(name): ", password + "\n"),
                ("Repeat password: ", password + "\n"),
            ],
            atPrompt: { prompt in
                guard prompt == "Repeat password: " else { return }
                looked.note {
                    let process = try #require(Self.process(running: name))
                    try expectSecluded(
                        process,
                        mayHold: [SecretNeedles.rawKey, "the key's digits", "the password"],
                        demandsLock: false
                    )
                }
            }
        )
        #expect(talk.run.status == 0, "\(talk.run.stderr)")
        #expect(looked.error == nil)
        #expect(looked.count == 1)
    }

    @Test("a password that was wrong is nowhere when it is asked for again")
    func wrongPasswordMemory() async throws {
        let environment = ["DEX_PASSWORD_FILE": try secretFile("password", "another one\n")]
        let name = "leak-\(UUID().uuidString.prefix(8))"
        let file = try secretFile("key", Hex.encode(key) + "\n")
        _ = try await home.done(
            "wallet",
            "import",
            "key",
            name,
            "--light",
            "--from",
            file,
            environment: environment
        )
        let looked = Looked()
        let talk = try await dex.converse(
            ["wallet", "sign-message", "hello", "--wallet", name, "--network", "mainnet", "--yes"],
            [
                ("Password of \(name)", password + "\n"),
                ("Password of \(name)", "another one\n"),
            ],
            atPrompt: { _ in
                looked.note {
                    guard looked.count == 2 else { return }
                    let process = try #require(Self.process(running: name))
                    try expectSecluded(process, mayHold: [], demandsLock: false)
                }
            }
        )
        #expect(talk.run.status == 0, "\(talk.run.stderr)")
        #expect(looked.error == nil)
        #expect(looked.count == 2)
    }

    /// Where the system lets us look, each secret is where it may be, and found there; where it
    /// does not, that is what was asked for.
    private func expectSecluded(
        _ process: Int32,
        mayHold names: Set<String>,
        demandsLock: Bool
    ) throws {
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        let memory = ForeignMemory(process: process)
        do {
            let (hits, bytes) = try memory.search(for: needles, demandsLock: demandsLock)
            #expect(bytes > 1 << 20)
            for hit in hits {
                #expect(hit.isSecluded && names.contains(hit.name), "\(hit)")
            }
            // The search would have found it.
            if names.contains(SecretNeedles.rawKey) {
                #expect(hits.contains { $0.name == SecretNeedles.rawKey })
            }
        } catch let refused as ProcessFile.Refused {
            #expect([EACCES, EPERM].contains(refused.code))
            #expect(geteuid() != 0, "root is refused only in a container; see docs/security.md")
        }
    }

    /// The `dex` that has an argument.
    private static func process(running argument: String) -> Int32? {
        let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
        return processes?.compactMap { Int32($0) }.first { process in
            let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
            let words = (line ?? Data()).split(separator: 0).map {
                String(decoding: $0, as: UTF8.self)
            }
            return words.first == DexBinary.executable.path && words.contains(argument)
        }
    }
}
