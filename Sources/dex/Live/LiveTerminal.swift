import CProcess
import DexCore
import DexTerminal
// Sources may be used from any thread; its types do not say so.
@preconcurrency import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The terminal of the full screen: keys come in, grids go out.
///
/// It is restored by `end`, and by every signal that can be caught; `LiveGuardian` does it for the
/// others.
final class LiveTerminal: Sendable {
    enum Event: Sendable {
        case key(Key)
        case mouse(MouseInput)
        case resized(columns: Int, rows: Int)
        /// The terminal is gone.
        case hangup
    }

    private struct State {
        var painter: GridPainter
        var parser = KeyParser()
        /// What is shown, or waits for the bytes before it.
        var latest: Grid?
        /// Bytes that the terminal did not take yet.
        var unsent: ArraySlice<UInt8> = []
        /// The latest grid waits for them.
        var isWaiting = false
        /// Another part of the program has the terminal.
        var isLent = false
        /// The shell has the terminal.
        var isStopped = false
        var isReleased: Bool { isLent || isStopped }
        var hasEnded = false
        /// Counts reads, so that a timer knows whether something followed.
        var reads = 0
    }

    /// Milliseconds after which an Esc is a key, and keys behind a paste are typed.
    private static let patience = 50
    /// The most bytes that are copied: terminals refuse longer ones, or lose them.
    private static let longestCopy = 64 << 10
    /// Milliseconds until a terminal that took nothing is tried again.
    private static let writePause = 20

    let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation
    private let state: Mutex<State>
    private let descriptor: Int32
    private let hasMouse: Bool
    private let queue = DispatchQueue(label: "dex.live")
    private let keys: any DispatchSourceRead
    private let sizes: any DispatchSourceSignal

    /// nil if there is no terminal, or it cannot be taken.
    ///
    /// - Parameter hasMouse: clicks and the wheel are asked for; the terminal then selects text only
    ///   with Shift.
    init?(theme: GridTheme, hasMouse: Bool) {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard dex_terminal_live_screen(hasMouse ? 1 : 0) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.hasMouse = hasMouse
        state = Mutex(State(painter: GridPainter(theme: theme)))
        (events, sink) = AsyncStream.makeStream(of: Event.self)
        keys = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        sizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        keys.setEventHandler { [weak self] in self?.read() }
        sizes.setEventHandler { [weak self] in self?.resized() }
        keys.activate()
        sizes.activate()
        ask()
    }

    /// Columns and rows.
    var size: (columns: Int, rows: Int) {
        guard let size = Console.size(of: descriptor), size.columns > 0, size.rows > 0 else {
            return (80, 24)
        }
        return size
    }

    /// Whether a frame can be shown at once, and the background; answers come as keys would.
    private func ask() {
        state.withLock { send("\u{1B}[?2026$p\u{1B}]11;?\u{1B}\\".utf8, &$0) }
    }

    // MARK: Out

    /// Shows a grid: only what changed, in one write.
    ///
    /// A terminal that does not keep up misses frames, and gets the latest one later.
    func paint(_ grid: Grid) {
        state.withLock { paint(grid, &$0) }
    }

    private func paint(_ grid: Grid, _ state: inout State) {
        guard !state.hasEnded, !state.isReleased else { return }
        state.latest = grid
        guard state.unsent.isEmpty else {
            state.isWaiting = true
            return
        }
        send(state.painter.frame(grid), &state)
    }

    /// Puts a text on the clipboard, where the terminal allows it (OSC 52).
    func copy(_ text: String) {
        guard text.utf8.count <= Self.longestCopy else { return }
        let command = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}"
        state.withLock { state in
            if !state.isReleased { send(command.utf8, &state) }
        }
    }

    private func send(_ bytes: some Collection<UInt8>, _ state: inout State) {
        guard !bytes.isEmpty, !state.hasEnded else { return }
        state.unsent += bytes
        write(&state)
    }

    /// Writes what the terminal takes now; the rest when it has room.
    private func write(_ state: inout State) {
        while !state.unsent.isEmpty {
            let count = state.unsent.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                state.unsent = state.unsent.dropFirst(count)
                continue
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                queue.asyncAfter(deadline: .now() + .milliseconds(Self.writePause)) { [weak self] in
                    self?.flush()
                }
                return
            }
            // The terminal is gone; the reads say so.
            state.unsent = []
        }
    }

    private func flush() {
        state.withLock { state in
            guard !state.unsent.isEmpty else { return }
            write(&state)
            guard state.unsent.isEmpty, state.isWaiting, let grid = state.latest else { return }
            state.isWaiting = false
            paint(grid, &state)
        }
    }

    private func resized() {
        state.withLock { state in
            state.painter.forget()
            // After a stop the terminal is ours again.
            state.isStopped = false
        }
        let size = size
        sink.yield(.resized(columns: size.columns, rows: size.rows))
    }

    // MARK: In

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            // In the background the keys are another program's: this one stops until it has them.
            if count < 0, errno == EIO, isInBackground {
                suspend()
            } else {
                keys.cancel()
                sink.yield(.hangup)
            }
            return
        }
        let (inputs, reads, isWaiting) = state.withLock { state in
            state.reads += 1
            let inputs = state.parser.read(bytes.prefix(count))
            return (inputs, state.reads, state.parser.isWaiting)
        }
        take(inputs)
        guard isWaiting else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.patience)) { [weak self] in
            self?.pause(after: reads)
        }
    }

    private var isInBackground: Bool {
        let group = tcgetpgrp(descriptor)
        return group > 0 && group != getpgrp()
    }

    private func pause(after reads: Int) {
        take(state.withLock { $0.reads == reads ? $0.parser.pause() : [] })
    }

    private func take(_ inputs: [KeyParser.Input]) {
        for input in inputs {
            switch input {
            case .key(let key): sink.yield(.key(key))
            case .mouse(let mouse): sink.yield(.mouse(mouse))
            case .reply(let reply): state.withLock { take(reply, &$0) }
            }
        }
    }

    private func take(_ reply: TerminalReply, _ state: inout State) {
        switch reply {
        case .mode(2_026, let value):
            state.painter.isSynchronized = value == 1 || value == 2
        case .color:
            guard let isLight = reply.isLightBackground else { return }
            state.painter.theme.isLight = isLight
            if let latest = state.latest { paint(latest, &state) }
        case .mode, .cursor, .attributes: break
        }
    }

    // MARK: The terminal for others

    /// Stops this process, as Ctrl-Z does elsewhere; its parent stops once the terminal is given
    /// back, and the shell continues them.
    func suspend() {
        state.withLock { state in
            state.isStopped = true
            state.unsent = []
        }
        kill(getpid(), SIGTSTP)
    }

    /// Gives the terminal back for a body that asks on it, and takes it again.
    func released<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { state in
            state.isLent = true
            state.unsent = []
        }
        keys.suspend()
        dex_terminal_show()
        defer {
            Terminal.showTyping()
            _ = dex_terminal_live_screen(hasMouse ? 1 : 0)
            keys.resume()
            state.withLock { state in
                state.isLent = false
                state.painter.forget()
            }
            resized()
        }
        return try await body()
    }

    /// Gives the terminal back.
    func end() {
        state.withLock { $0.hasEnded = true }
        sizes.cancel()
        keys.cancel()
        sink.finish()
        dex_terminal_show()
    }
}
