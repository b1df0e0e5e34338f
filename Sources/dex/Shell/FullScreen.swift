import CProcess
import DexTerminal
// Sources may be used from any thread; its types do not say so.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// The whole terminal, for a screen that is drawn again and again until `q`.
///
/// It follows the terminal's size. The terminal is restored by `end`, and by every signal that can
/// be caught.
final class FullScreen: Sendable {
    /// What is drawn into columns and rows.
    typealias Draw = @Sendable (_ columns: Int, _ rows: Int) -> [String]

    private struct State {
        var draw: Draw?
        /// The last line: what just went wrong, or how to leave.
        var note: String?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let keys: any DispatchSourceRead
    private let sizes: any DispatchSourceSignal
    private let terminal: Int32
    private let style: Style
    /// An element once the user wants to leave.
    let leaving: AsyncStream<Void>

    /// nil if there is no terminal, or it cannot be taken.
    init?(style: Style) {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard terminal >= 0 else { return nil }
        guard dex_terminal_full_screen() == 0 else {
            close(terminal)
            return nil
        }
        let (leaving, leave) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let queue = DispatchQueue(label: "dex.screen")
        let keys = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: queue)
        keys.setEventHandler {
            var typed = [UInt8](repeating: 0, count: 256)
            let count = read(terminal, &typed, typed.count)
            // The terminal is gone, or the key is pressed.
            let isOver = count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
            let isQuit = count > 0 && typed[..<count].contains { $0 | 0x20 == UInt8(ascii: "q") }
            if isOver || isQuit { leave.yield() }
        }
        keys.setCancelHandler { close(terminal) }
        self.terminal = terminal
        self.style = style
        self.leaving = leaving
        self.keys = keys
        sizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        sizes.setEventHandler { [weak self] in self?.redraw() }
        keys.resume()
        sizes.resume()
    }

    /// Draws a screen now, and whenever the terminal's size changes.
    func show(_ draw: @escaping Draw) {
        state.withLock { state in
            state.draw = draw
            state.note = nil
            paint(state)
        }
    }

    /// Shows one line below the screen until the next drawing.
    func note(_ text: String) {
        state.withLock { state in
            state.note = text
            paint(state)
        }
    }

    /// Gives the terminal back.
    func end() {
        state.withLock { $0.hasEnded = true }
        sizes.cancel()
        keys.cancel()
        dex_terminal_show()
    }

    private func redraw() {
        state.withLock { paint($0) }
    }

    /// In one write: home, each line to its end, and nothing below.
    private func paint(_ state: State) {
        guard !state.hasEnded, let draw = state.draw else { return }
        guard let (columns, rows) = Console.size(of: terminal), columns > 0, rows > 0 else {
            return
        }
        var lines = Array(draw(columns, rows - 1).prefix(rows - 1))
        lines += [String](repeating: "", count: rows - 1 - lines.count)
        let last = TerminalText.truncate(state.note ?? "q quits", to: columns - 1)
        lines.append(style.paint(last, state.note == nil ? .dim : .yellow))
        var text =
            "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        // A terminal that takes nothing shows nothing; the next drawing tries again.
        _ = text.withUTF8 { Console.write(UnsafeRawBufferPointer($0), to: terminal) }
    }
}
