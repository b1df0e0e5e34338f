import DexTestSupport
import Foundation
import Synchronization
import Testing

/// What was said on a terminal, and how the command ended.
struct Conversation: Sendable {
    let run: DexBinary.Run
    /// All that the terminal showed, what was typed with echo among it.
    let shown: String
    /// Afterwards the terminal shows what is typed.
    let echoes: Bool

    /// What stays on the screen: without the progress that a slow command shows and takes back.
    var lasting: String {
        shown.replacing("\r\n", with: "\n").replacing(/[^\r\n]*\r\u{1B}\[2K/, with: "")
    }

    /// The key that sends SIGINT.
    static let interrupt = "\u{03}"
    /// The key that ends the input.
    static let endOfInput = "\u{04}"
    /// The key that would quit with a core dump.
    static let quit = "\u{1C}"
    /// The key that would stop the process.
    static let suspend = "\u{1A}"
}

/// A pseudo-terminal: what the user types goes into it, what the program shows comes out.
private final class PseudoTerminal: Sendable {
    private let master: Int32
    let slave: FileHandle

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, which Glibc's module does not have.
        var lock: CInt = 0
        var number: CInt = 0
        try #require(master >= 0)
        try #require(ioctl(master, 0x4004_5431, &lock) == 0)
        try #require(ioctl(master, 0x8004_5430, &number) == 0)
        slave = try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)"))
    }

    deinit {
        close(master)
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// What is shown within a time, in milliseconds; empty where nothing is.
    func read(within milliseconds: Int32) -> [UInt8] {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) > 0 else { return [] }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = Foundation.read(master, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : []
    }

    var echoes: Bool {
        var settings = termios()
        return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}

extension DexBinary {
    /// Runs with a controlling terminal, on which each text is typed once its prompt is shown.
    ///
    /// stdout and stderr are files.
    ///
    /// - Parameters:
    ///   - ahead: typed before the command starts.
    ///   - shell: a script of bash that runs `"$@"`, and something before or behind it.
    ///   - hidden: a prompt whose answer is typed once the terminal hides what is typed.
    ///   - mayEnd: it may end before it has shown all prompts.
    ///   - atPrompt: run when a prompt is shown, before anything is typed.
    func converse(
        _ arguments: [String],
        environment: [String: String] = [:],
        ahead: String = "",
        _ script: [(prompt: String, answer: String)],
        shell: String? = nil,
        hidden: String? = nil,
        mayEnd: Bool = false,
        atPrompt: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Conversation {
        let terminal = try PseudoTerminal()
        terminal.type(ahead)
        // Whoever shows no prompt ends, or is ended for making no progress.
        let isOver = Mutex(false)
        async let shown = onOwnThread {
            Self.play(script, on: terminal, hidden: hidden, atPrompt: atPrompt) {
                isOver.withLock { $0 }
            }
        }
        defer { isOver.withLock { $0 = true } }
        let run = try await self.run(
            arguments,
            environment: environment,
            terminal: terminal.slave,
            shell: shell
        )
        isOver.withLock { $0 = true }
        let (text, missing) = try await shown
        #expect(mayEnd || missing.isEmpty, "never shown: \(missing); but: \(text) \(run.stderr)")
        let rest = String(decoding: terminal.read(within: 50), as: UTF8.self)
        return Conversation(run: run, shown: text + rest, echoes: terminal.echoes)
    }

    private static func play(
        _ script: [(prompt: String, answer: String)],
        on terminal: PseudoTerminal,
        hidden: String?,
        atPrompt: (String) -> Void,
        isOver: () -> Bool
    ) -> (shown: String, missing: String) {
        var shown: [UInt8] = []
        var from = 0
        for (prompt, answer) in script {
            let wanted = Array(prompt.utf8)
            while true {
                if let range = shown[from...].firstRange(of: wanted) {
                    from = range.upperBound
                    break
                }
                // Asked first: what was shown before the end is read afterwards.
                let isLast = isOver()
                let more = terminal.read(within: 100)
                guard !isLast || !more.isEmpty else {
                    return (String(decoding: shown, as: UTF8.self), prompt)
                }
                shown += more
            }
            atPrompt(prompt)
            while prompt == hidden, terminal.echoes, !isOver() {
                shown += terminal.read(within: 10)
            }
            terminal.type(answer)
        }
        return (String(decoding: shown, as: UTF8.self), "")
    }
}
