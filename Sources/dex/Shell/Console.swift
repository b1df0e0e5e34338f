import CProcess
import DexCore
import DexTerminal
import EthereumWallet
import Glibc
import Synchronization

/// The only writer: results go to stdout; progress, warnings and prompts to stderr.
final class Console: Sendable {
    /// Options of the output.
    struct Settings: Sendable {
        var isJSON = false
        var isQuiet = false
        var isVerbose = false
        var isColourless = false
        /// Hears of progress, for a program that asks in place of a user.
        ///
        /// With one nothing is printed, and nobody is asked.
        var listener: (@Sendable (String) -> Void)?
    }

    private struct State {
        /// Lines of progress on the terminal, which must be cleared before other output.
        var progressLines = 0
        /// The whole terminal is taken: progress and warnings go to its last line.
        var fullScreen: FullScreen?
        /// The transaction that is waited for.
        var wait: TransactionWait?
        /// Counts the drawings of the wait.
        var frame = 0
        /// The current progress, not shown yet.
        var pending: String?
        /// The reader of stdout is gone.
        var isBroken = false
        /// stdout has a reader but accepted no more: its disk is full.
        var isLost = false
    }

    private let state = Mutex(State())
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isVerbose: Bool
    let listener: (@Sendable (String) -> Void)?
    private let outputStyle: Style
    private let errorStyle: Style
    let errorIsTerminal: Bool
    /// The terminal knows no escape sequences.
    let isDumb: Bool
    let interruption: Interruption
    /// Milliseconds before progress is shown.
    private static let patience = 500
    private let patience = ContinuousClock.now + .milliseconds(Console.patience)
    /// Wakes the spinner when there is something to wait for.
    private let waits = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        settings: Settings,
        environment: ProcessEnvironment,
        interruption: Interruption
    ) {
        isJSON = settings.isJSON
        isQuiet = settings.isQuiet
        isVerbose = settings.isVerbose
        listener = settings.listener
        let isDumb = environment["TERM"] == "dumb"
        let isColourless = settings.isColourless || environment["NO_COLOR"] != nil || isDumb
        func style(_ descriptor: Int32) -> Style {
            isatty(descriptor) == 1 && !isColourless ? .ansi : .plain
        }
        outputStyle = style(STDOUT_FILENO)
        errorStyle = style(STDERR_FILENO)
        errorIsTerminal = isatty(STDERR_FILENO) == 1
        self.isDumb = isDumb
        self.interruption = interruption
    }

    /// How stdout is drawn.
    var screen: Screen { screen(STDOUT_FILENO, outputStyle) }

    /// How a picture of stdout is drawn: in colours, whatever stdout is.
    var pictureScreen: Screen { screen(STDOUT_FILENO, .ansi) }

    /// How stderr is drawn.
    var errorScreen: Screen { screen(STDERR_FILENO, errorStyle) }

    private func screen(_ descriptor: Int32, _ style: Style) -> Screen {
        Screen(
            width: Self.width(descriptor),
            style: style,
            now: Self.now(),
            isVerbose: isVerbose,
            zone: Self.zone
        )
    }

    /// stdout is a terminal.
    var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    /// The clock that TZ, or else the machine, names.
    static let zone = LocalTime { seconds in
        var time = time_t(clamping: seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil, let name = parts.tm_zone else { return .utc }
        return LocalTime.Offset(seconds: Int64(parts.tm_gmtoff), name: String(cString: name))
    }

    /// Seconds since 1970.
    static func now() -> UInt64 {
        milliseconds() / 1_000
    }

    /// Milliseconds since 1970; 0 before that, and the last countable second beyond the range.
    static func milliseconds() -> UInt64 {
        dex_clock_milliseconds(CLOCK_REALTIME)
    }

    /// The terminal's columns; else COLUMNS if set, else 80.
    static func width(_ descriptor: Int32) -> Int {
        if let size = size(of: descriptor), size.columns > 0 { return size.columns }
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
            return min(columns, 1_000)
        }
        return 80
    }

    /// Prints a result and a line end; false once the reader is gone.
    @discardableResult
    func result(_ text: String) -> Bool {
        result(utf8: Array(text.utf8))
    }

    /// The same for UTF-8 bytes, without another copy of a large book.
    @discardableResult
    func result(utf8: consuming [UInt8]) -> Bool {
        utf8.append(UInt8(ascii: "\n"))
        guard listener == nil else { return false }
        let bytes = utf8
        return state.withLock { state in
            wipe(&state)
            guard !state.isBroken else { return false }
            state.isBroken = !bytes.withUnsafeBytes { Self.write($0, to: STDOUT_FILENO) }
            guard state.isBroken, errno != EPIPE, errno != EBADF else { return !state.isBroken }
            state.isLost = true
            Self.sayLost(errno)
            return false
        }
    }

    /// Prints a list: through a pager where it is longer than the terminal.
    @discardableResult
    func result(paging text: String, with pager: Pager?) -> Bool {
        guard let pager, !isJSON, !isDumb, isInteractive,
            let rows = Self.size(of: STDOUT_FILENO)?.rows, rows > 0,
            text.utf8.count(where: { $0 == 0x0A }) + 1 >= rows
        else { return result(text) }
        endProgress()
        let isShown = interruption.whilePaging { pager.show(Array((text + "\n").utf8)) }
        if !isShown { warn("The pager does not start: DEX_PAGER names another, --no-pager none.") }
        return isShown || result(text)
    }

    /// Results go to a terminal, where a person reads them.
    var isResultShown: Bool { Self.size(of: STDOUT_FILENO) != nil }

    /// The size of a terminal; 0 where it does not say, and nil for anything else.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    private static func sayLost(_ code: Int32) {
        let reason = String(cString: strerror(code))
        say(
            "error: The result could not be written to standard output (\(reason)). What was sent, "
                + "if anything, is in the journal.\nSee it before you repeat the command: dex resume\n"
        )
    }

    /// Writes on stderr without a console, where the process has none.
    static func say(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// The result could not be written, so its reader does not have it.
    var isResultLost: Bool { state.withLock { $0.isLost } }

    /// The process's exit code: a success with a lost result is a failure.
    func exit(_ code: ExitCode) -> ExitCode {
        guard isResultLost else { return code }
        return [.done, .planOnly, .dryRun].contains(code) ? .resultLost : code
    }

    /// Takes the whole terminal for the body, for `--watch`.
    ///
    /// - Returns: nil, without a call of the body, where the output is not a terminal that can be
    ///   taken.
    func withFullScreen<Result>(
        _ body: (FullScreen) async throws -> Result
    ) async rethrows -> Result? {
        guard listener == nil, !isJSON, isInteractive, !isDumb,
            let screen = FullScreen(style: outputStyle)
        else { return nil }
        state.withLock { state in
            wipe(&state)
            state.fullScreen = screen
        }
        defer {
            state.withLock { $0.fullScreen = nil }
            screen.end()
        }
        return try await body(screen)
    }

    /// How a screen of this size is drawn.
    func screen(columns: Int, rows: Int) -> Screen {
        Screen(
            width: columns,
            style: outputStyle,
            now: Self.now(),
            isVerbose: isVerbose,
            height: rows,
            zone: Self.zone
        )
    }

    /// Prints the version without a console.
    static func print(version: String) -> ExitCode {
        Self.print(lines: [version])
    }

    /// Lines before there is a console.
    static func print(lines: [String]) -> ExitCode {
        let text = lines.map { $0 + "\n" }.joined()
        if write(text, to: STDOUT_FILENO) || errno == EPIPE { return .done }
        sayLost(errno)
        return .resultLost
    }

    /// A line of context for the user: the account, assumptions.
    func note(_ text: String) {
        guard !isQuiet, !isJSON else { return }
        error(flowed(text))
    }

    /// The same for formatted lines.
    func note(lines: [String]) {
        guard !isQuiet, !isJSON else { return }
        error(lines.joined(separator: "\n"))
    }

    /// A line for `--verbose`.
    func detail(_ text: String) {
        guard isVerbose else { return }
        error(errorStyle.paint(text, .dim))
    }

    /// A warning; with `--json` warnings are in the envelope.
    func warn(_ text: String) {
        guard !isJSON, !isQuiet else { return }
        alert(text)
    }

    /// A warning about what was done, whatever the options.
    func alert(_ text: String) {
        if let screen = state.withLock({ $0.fullScreen }) {
            return screen.note(TerminalText.clean(text))
        }
        error(flowed("warning: " + TerminalText.cleanLines(text), label: "warning: ", .yellow))
    }

    /// The error and its remedy.
    func failure(_ failure: DexError) {
        guard failure != .cancelled else { return error(flowed(failure.message)) }
        var text = "error: " + TerminalText.cleanLines(failure.message)
        if let hint = failure.hint { text += "\n" + TerminalText.cleanLines(hint) }
        error(flowed(text, label: "error: ", .red))
        guard !isJSON, !failure.sent.isEmpty else { return }
        let lines = TransactionLines.lines(failure.sent, errorScreen)
        error((["Sent before that:"] + lines).joined(separator: "\n"))
    }

    /// ArgumentParser's usage error in the form of our errors.
    func usageError(_ text: String) {
        let label = "error: "
        let named = "Error: "
        let text = text.hasPrefix(named) ? label + text.dropFirst(named.count) : text
        error(
            text.hasPrefix(label)
                ? errorStyle.paint(label, .red) + text.dropFirst(label.count) : text
        )
    }

    /// On a terminal, the text with long lines broken between words.
    ///
    /// An indented line stays indented, and a command whole, to be copied. Elsewhere sentences are
    /// kept whole, for `grep`.
    private func flowed(_ text: String, label: String = "", _ ink: Style.Color? = nil) -> String {
        var lines = [text]
        if errorIsTerminal {
            let width = Self.width(STDERR_FILENO)
            lines = TerminalText.flow(text, width: width)
        }
        let plain = lines.joined(separator: "\n")
        guard plain.hasPrefix(label) else { return plain }
        return errorStyle.paint(label, ink) + plain.dropFirst(label.count)
    }

    /// Any text, whatever the options: usage errors, plans before a prompt.
    func error(_ text: String) {
        guard listener == nil else { return }
        state.withLock { state in
            wipe(&state)
            _ = Self.write(text + "\n", to: STDERR_FILENO)
        }
    }

    /// A progress line: overwritten on a terminal, elsewhere plain lines with `--verbose` only.
    func progress(_ text: String) {
        if let listener { return listener(TerminalText.clean(text)) }
        guard !isQuiet, !isJSON else { return }
        let text = TerminalText.clean(text)
        if let screen = state.withLock({ $0.fullScreen }) { return screen.note(text) }
        guard errorIsTerminal else {
            detail(text)
            return
        }
        state.withLock { state in
            if ContinuousClock.now < patience {
                state.pending = text
            } else {
                draw(text, &state)
            }
        }
    }

    /// Shows a transaction that is waited for, until there is none; on a terminal only.
    func show(_ wait: TransactionWait?) {
        guard listener == nil, errorIsTerminal, !isQuiet, !isJSON else { return }
        state.withLock { state in
            state.wait = wait
            if wait == nil { wipe(&state) } else { drawWait(&state) }
        }
        if wait != nil { waits.continuation.yield() }
    }

    private func drawWait(_ state: inout State) {
        guard let wait = state.wait else { return }
        draw(WaitView(wait).lines(errorScreen, frame: state.frame), &state)
        state.frame += 1
    }

    /// Runs a body; its current progress is shown after half a second.
    func withDelayedProgress<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard listener == nil, errorIsTerminal, !isQuiet, !isJSON else { return try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await Task.sleep(until: self.patience)
                } catch {
                    return  // It ended sooner.
                }
                self.state.withLock { state in
                    if let text = state.pending { self.draw(text, &state) }
                }
                await self.animate()
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Turns the spinner of what is waited for, until the task is cancelled.
    private func animate() async {
        for await _ in waits.stream {
            while !Task.isCancelled, isWaiting {
                do {
                    try await Task.sleep(for: .milliseconds(120))
                } catch {
                    return  // The command has ended.
                }
            }
        }
    }

    /// Draws what is waited for; false if there is nothing.
    private var isWaiting: Bool {
        state.withLock { state in
            drawWait(&state)
            return state.wait != nil
        }
    }

    private func draw(_ text: String, _ state: inout State) {
        let width = Self.width(STDERR_FILENO)
        let line = TerminalText.truncate("… " + text, to: width - 1)
        draw([errorStyle.paint(line, .dim)], &state)
    }

    /// Draws lines in place of those that are there.
    private func draw(_ lines: [String], _ state: inout State) {
        wipe(&state)
        _ = Self.write(lines.joined(separator: "\n"), to: STDERR_FILENO)
        state.progressLines = lines.count
    }

    /// Clears the progress line.
    func endProgress() {
        state.withLock { wipe(&$0) }
    }

    private func wipe(_ state: inout State) {
        state.pending = nil
        guard state.progressLines > 0 else { return }
        let above = String(repeating: "\u{1B}[1A\u{1B}[2K", count: state.progressLines - 1)
        state.progressLines = 0
        _ = Self.write("\r\u{1B}[2K" + above, to: STDERR_FILENO)
    }

    /// Writes all bytes; false on failure (a closed pipe, a full disk).
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// The same for bytes.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return false }
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, 1_000)
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    /// Writes as much as standard output takes at once, for a protocol that waits in its own way.
    ///
    /// - Returns: how many bytes; less than 0, with `errno`, if none.
    static func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
    }
}
