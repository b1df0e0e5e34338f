import CProcess
import DexSigning
import EthereumWallet
import Glibc

/// The terminal itself, for questions: stdin and stdout may be files.
final class Terminal: Sendable {
    enum Line: ~Copyable {
        /// The typed text, without the line end.
        case typed(SecretBytes)
        /// The input ended, as with Ctrl-D.
        case ended
        /// A signal came.
        case interrupted
    }

    /// The most bytes of a terminal's line.
    private static let longestLine = 4_096

    private let descriptor: Int32
    private let interruption: Interruption

    /// nil if this process has no terminal.
    convenience init?(_ interruption: Interruption) {
        self.init(descriptor: open("/dev/tty", O_RDWR | O_CLOEXEC), interruption)
    }

    /// - Parameter descriptor: of a terminal, which it closes at its end; nil for a negative one.
    init?(descriptor: Int32, _ interruption: Interruption) {
        self.descriptor = descriptor
        self.interruption = interruption
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { Console.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Shows a secret to the user at the terminal.
    @discardableResult
    func write(_ secret: borrowing SecretBytes) -> Bool {
        secret.withBytes { Console.write($0, to: descriptor) }
    }

    /// Asks for a line.
    ///
    /// What was typed before is discarded: it was meant for something else, and answers no
    /// question that its user has not seen.
    ///
    /// - Parameter isHidden: typed text is not shown from here to the next visible question,
    ///   `showTyping()` or the end of the process.
    func ask(_ prompt: String, isHidden: Bool) async -> Line {
        if isHidden {
            guard dex_terminal_hide() == 0 else { return .ended }
        } else {
            Self.showTyping()
            guard tcflush(descriptor, TCIFLUSH) == 0 else { return .ended }
        }
        // The line end was hidden too.
        defer { if isHidden { write("\n") } }
        guard write(prompt) else { return .ended }
        return await line(isHidden: isHidden)
    }

    /// Shows a secret between two texts until Enter, alone on the screen.
    ///
    /// Afterwards it is gone, also from what one can scroll back to. Text that was typed before is
    /// not read.
    ///
    /// - Parameter isDumb: the terminal has no screen of its own for it: the secret stays visible.
    func show(
        _ secret: borrowing SecretBytes,
        below title: String,
        above prompt: String,
        isDumb: Bool
    ) async -> Line {
        guard (isDumb ? dex_terminal_hide() : dex_terminal_secret_screen()) == 0 else {
            return .ended
        }
        defer { if isDumb { write("\n") } else { Self.showTyping() } }
        let start = isDumb ? "\n" : "\u{1B}[H"
        guard write(start + title + "\n\n"), write(secret), write("\n" + prompt) else {
            return .ended
        }
        return await line(isHidden: true)
    }

    /// Reads a line; a signal ends it.
    ///
    /// It waits on a thread of its own: Swift has as many threads as there are cores, and a user who
    /// thinks must keep none of them from guards, feeds and receipts. That thread reads nothing: its
    /// stack outlives it, with what the registers held of a secret.
    private func line(isHidden: Bool) async -> Line {
        guard let stop = ChildPipe() else { return .ended }
        defer { stop.close() }
        let (descriptor, reader) = (descriptor, stop.reader)
        var typed = SecretBytes(copying: [])
        var reading = Reading.goesOn
        interruption.beginWaiting { stop.wake() }
        while reading == .goesOn {
            await DetachedThread.run {
                _ = Self.isReadable(descriptor, orUntil: reader, milliseconds: -1)
            }
            reading = read(&typed, orUntil: reader)
        }
        interruption.endWaiting()
        if interruption.isInterrupted {
            if !isHidden { write("\n") }
            return .interrupted
        }
        return reading == .line ? .typed(typed) : .ended
    }

    /// Shows typed text again after hidden questions.
    ///
    /// Unread text is discarded, so that no shell takes it for a command.
    static func showTyping() {
        dex_terminal_show()
    }

    /// Shows typed text again after a refused secret, a moment later.
    ///
    /// Its user may be typing the next answer already, and the shell must neither show nor run it.
    static func swallowTyping() async {
        await DetachedThread.run {
            poll(nil, 0, 300)
            showTyping()
        }
    }

    /// How far the reading of a line is.
    private enum Reading {
        case goesOn
        case line
        case ended
    }

    /// Whether there is something to read, or the end; nil after a byte from `stop`.
    ///
    /// - Parameter milliseconds: the longest wait; -1 for any.
    private static func isReadable(
        _ descriptor: Int32,
        orUntil stop: Int32,
        milliseconds: Int32
    ) -> Bool? {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, milliseconds) < 0 {
            guard errno == EINTR else { return nil }
        }
        return waiting[1].revents != 0 ? nil : waiting[0].revents != 0
    }

    /// Adds what is there, up to a line end, and waits for nothing.
    private func read(_ typed: inout SecretBytes, orUntil stop: Int32) -> Reading {
        var count = 0
        var reading = Reading.goesOn
        let new = SecretBytes(count: Self.longestLine - typed.count) { memory in
            while reading == .goesOn, count < memory.count {
                guard
                    let isReadable = Self.isReadable(descriptor, orUntil: stop, milliseconds: 0),
                    let place = memory.baseAddress?.advanced(by: count)
                else { return reading = .ended }
                guard isReadable else { return }
                let read = Glibc.read(descriptor, place, 1)
                if read < 0, errno == EINTR { continue }
                guard read == 1 else {
                    return reading = count + typed.count > 0 ? .line : .ended
                }
                if memory[count] == UInt8(ascii: "\n") || memory[count] == UInt8(ascii: "\r") {
                    reading = .line
                } else {
                    count += 1
                }
            }
            if count == memory.count { reading = .line }
        }
        typed = typed.withBytes { old in
            new.withBytes { new in
                SecretBytes(count: old.count + count) { memory in
                    memory.copyBytes(from: old)
                    UnsafeMutableRawBufferPointer(rebasing: memory[old.count...])
                        .copyBytes(from: new.prefix(count))
                }
            }
        }
        return reading
    }
}
