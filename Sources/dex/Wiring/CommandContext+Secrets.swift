import CProcess
import DexCore
import EthereumWallet
import PrivateFiles

/// Reads secrets from the terminal without echo or from a file, never from an argument.
extension CommandContext {
    private static let passwordVariable = "DEX_PASSWORD_FILE"

    /// The most bytes of a file with a secret.
    private static let longestSecret = 64 << 10

    /// The password of DEX_PASSWORD_FILE: its first line; nil if the variable is not set.
    ///
    /// - Throws: `DexError`, exit 5, for a file that is missing or that others may read.
    func passwordFromFile() throws(DexError) -> SecretBytes? {
        guard let path = environment[Self.passwordVariable] else { return nil }
        let content = try secretFile(path, Self.passwordVariable)
        return content.withBytes { bytes in
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let hasReturn = line.last == UInt8(ascii: "\r")
            return SecretBytes(copying: hasReturn ? line.dropLast() : line)
        }
    }

    /// The whole of a file that holds a secret.
    ///
    /// - Parameter source: the flag or variable that named the file, for errors.
    /// - Throws: `DexError`, exit 5, for a file that is missing or that others may read; exit 3 for
    ///   a link that leads nowhere.
    func secretFile(_ path: String, _ source: String) throws(DexError) -> SecretBytes {
        CoreDumps.forbid()
        guard path == "-" || !PrivateFiles.isExposed(path) else {
            throw SecretError.exposed(path, source: source)
        }
        let content: SecretBytes?
        do throws(PrivateFiles.Failure) {
            content = try withContent(of: path, limit: Self.longestSecret) { bytes in
                SecretBytes(copying: bytes)
            }
        } catch {
            throw SecretError.unreadable(error, source: source)
        }
        guard let content else {
            throw SecretError.missing(path, source: source)
        }
        return content
    }

    /// Asks for a secret on the terminal, without echo.
    ///
    /// - Parameter instead: the advice if there is no terminal.
    /// - Throws: `DexError`: exit 5 without a terminal, exit 20 without input; `CancellationError`
    ///   after a signal.
    func secret(_ prompt: String, instead: String) async throws -> SecretBytes {
        CoreDumps.forbid()
        console.endProgress()
        guard let terminal = console.terminal() else {
            throw SecretError.noTerminal(instead: instead)
        }
        return try Self.answer(await terminal.ask(prompt, isHidden: true))
    }

    static func answer(_ line: consuming Terminal.Line) throws -> SecretBytes {
        switch consume line {
        case .typed(let secret): return secret
        case .interrupted: throw CancellationError()
        case .ended:
            throw DexError(DeclinedError.nothingEntered)
        }
    }

    /// A new password: of DEX_PASSWORD_FILE, or typed twice, in three tries.
    ///
    /// Typed text stays hidden until the command ends or asks something else: making a keystore
    /// takes a while.
    ///
    /// - Parameters:
    ///   - purpose: its use, as in `the wallet main`.
    ///   - rule: the rule for it.
    /// - Throws: `DexError`; `CancellationError` after a signal.
    func newPassword(for purpose: String, _ rule: PasswordRule) async throws -> SecretBytes {
        if let password = try passwordFromFile() {
            try rule.check(password)
            return password
        }
        for _ in 1..<Self.tries {
            do {
                return try await typedPassword(for: purpose, rule)
            } catch let error as DexError where Self.mendable.contains(error.code) {
                console.note("\(error.message) Try again.")
            }
        }
        do {
            return try await typedPassword(for: purpose, rule)
        } catch {
            await Terminal.swallowTyping()
            throw error
        }
    }

    private func typedPassword(
        for purpose: String,
        _ rule: PasswordRule
    ) async throws -> SecretBytes {
        let instead = "Keep a password in a file of mode 600, and name it in DEX_PASSWORD_FILE."
        let password = try await secret("New password for \(purpose): ", instead: instead)
        try rule.check(password)
        let again = try await secret("Repeat password: ", instead: instead)
        guard password.isEqual(to: again) else { throw SecretError.otherPassword }
        return password
    }

    /// The faults of a new password that typing it again mends.
    private static let mendable: Set<String> = [
        "weak-password", "empty-password", "password-mismatch",
    ]

    /// How often a password may be typed.
    private static let tries = 3

    /// Opens something with a password: of DEX_PASSWORD_FILE, else `kept`, else typed in three
    /// tries.
    ///
    /// - Parameters:
    ///   - label: what is opened, as in `main (0x…)`.
    ///   - kept: a password from elsewhere; the user is asked if it is wrong.
    ///   - body: throws `KeystoreError.wrongPassword` for a wrong one.
    func opened<Result: ~Copyable>(
        _ label: String,
        kept: () async -> SecretBytes? = { nil },
        _ body: (borrowing SecretBytes) throws -> Result
    ) async throws -> Result {
        console.progress("opening \(label)")
        if let password = try passwordFromFile() { return try body(password) }
        if let password = await kept() {
            do {
                return try body(password)
            } catch KeystoreError.wrongPassword {
                console.note("The password that the desktop keeps does not open \(label).")
            }
        }
        return try await openedOnTerminal(label, body)
    }

    /// Opens something with a password that is typed now, in three tries.
    ///
    /// - Parameter body: throws `KeystoreError.wrongPassword` for a wrong one.
    func openedOnTerminal<Result: ~Copyable>(
        _ label: String,
        _ body: (borrowing SecretBytes) throws -> Result
    ) async throws -> Result {
        // Only after the last attempt: that takes a while too.
        defer { Terminal.showTyping() }
        for _ in 1..<Self.tries {
            let password = try await typedPassword(of: label)
            do {
                console.progress("opening \(label)")
                return try body(password)
            } catch KeystoreError.wrongPassword {
                console.note("The password does not open \(label); try again.")
            }
        }
        let password = try await typedPassword(of: label)
        console.progress("opening \(label)")
        return try body(password)
    }

    private func typedPassword(of label: String) async throws -> SecretBytes {
        try await secret(
            "Password of \(label): ",
            instead: "Keep the password in a file of mode 600, and name it in DEX_PASSWORD_FILE."
        )
    }

    /// Asks the user to type a word before an irreversible action.
    ///
    /// - Throws: `DexError`: exit 20 for any other input, exit 5 without a terminal;
    ///   `CancellationError` after a signal.
    func typedConfirmation(_ question: String, word: String) async throws -> Terminal {
        console.endProgress()
        guard let terminal = console.terminal() else {
            throw SecretError.noTerminalToConfirm
        }
        let prompt = "\(question)\nType \(word) to go on: "
        let answer = try Self.answer(await terminal.ask(prompt, isHidden: false))
        let isWord = answer.withBytes { bytes in
            String(decoding: bytes, as: UTF8.self).split(separator: " ").joined() == word
        }
        guard isWord else {
            throw DexError(DeclinedError.nothingDone)
        }
        return terminal
    }
}

/// Core dumps, which would contain secrets.
enum CoreDumps {
    /// Forbids core dumps of this process, and inspection by the user's other processes.
    static func forbid() {
        // /proc/self is unreadable afterwards.
        _ = ProcessEnvironment.inherited
        // If it fails, as in some containers, memory is still overwritten after use.
        _ = dex_process_forbid_inspection()
    }
}
