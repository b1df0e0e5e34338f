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

    private let descriptor: Int32
    private let interruption: Interruption

    /// The most bytes of a terminal's line.
    private static let longestLine = 4_096

    /// nil if this process has no terminal.
    init?(_ interruption: Interruption) {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
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
    private func line(isHidden: Bool) async -> Line {
        guard let stop = ChildPipe() else { return .ended }
        defer { stop.close() }
        let (descriptor, reader) = (descriptor, stop.reader)
        // Swift has as many threads as there are cores: a user who thinks must keep none of them from
        // guards, feeds and receipts.
        interruption.beginWaiting { stop.wake() }
        await DetachedThread.run { Self.waitForLine(descriptor, orUntil: reader) }
        var count: Int?
        let memory = SecretBytes(count: Self.longestLine) { memory in
            count = line(into: memory, orUntil: reader)
        }
        interruption.endWaiting()
        if interruption.isInterrupted {
            if !isHidden { write("\n") }
            return .interrupted
        }
        guard let count else { return .ended }
        return .typed(memory.withBytes { SecretBytes(copying: $0.prefix(count)) })
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
    static func swallowTyping() {
        poll(nil, 0, 300)
        showTyping()
    }

    /// Blocks until the terminal has a line, its input ends, or a byte comes from `stop`.
    private static func waitForLine(_ descriptor: Int32, orUntil stop: Int32) {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0, errno == EINTR {}
    }

    /// Reads up to a line end or the first byte from `stop`.
    ///
    /// - Returns: the bytes before the line end; nil if the input ended before any.
    private func line(into memory: UnsafeMutableRawBufferPointer, orUntil stop: Int32) -> Int? {
        var count = 0
        while count < memory.count {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waiting, 2, -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if waiting[1].revents != 0 { return nil }
            guard let place = memory.baseAddress?.advanced(by: count) else { return nil }
            let read = Glibc.read(descriptor, place, 1)
            if read < 0, errno == EINTR { continue }
            guard read == 1 else { return count > 0 ? count : nil }
            if memory[count] == UInt8(ascii: "\n") || memory[count] == UInt8(ascii: "\r") {
                return count
            }
            count += 1
        }
        return count
    }
}
