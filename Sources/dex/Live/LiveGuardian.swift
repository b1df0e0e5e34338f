import CProcess
import DexCore
import Glibc

/// The parent process of `dex live`: it holds no key and reads no settings, and gives the terminal
/// back however the screen's own process ends.
enum LiveGuardian {
    /// The parent's process id, which marks its child.
    private static let variable = "DEX_LIVE_PARENT"

    /// Runs the command in a child; nil in that child, and where there is no terminal to guard.
    static func run() -> ExitCode? {
        if let text = getenv(variable), let parent = Int32(String(cString: text)),
            dex_die_with(parent) == 0
        {
            return nil
        }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        let status = dex_terminal_guard(terminal, { _ in LiveGuardian.start() }, nil)
        guard status != -1 else { return nil }
        let signal = status & 0x7F
        guard signal != 0 else {
            return ExitCode(rawValue: status >> 8 & 0xFF) ?? .fault
        }
        let name = strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
        Console.say(
            "error: dex live ended by a signal (\(name)). The terminal is as before; what was sent, "
                + "if anything, is in the journal.\nSee it before you trade again: dex resume\n"
        )
        return [SIGINT, SIGTERM, SIGHUP].contains(signal) ? .interrupted : .fault
    }

    private static func start() -> pid_t {
        let start = ChildStart(
            program: "/proc/self/exe",
            words: CommandLine.arguments,
            variables: ["\(variable)=\(getpid())"],
            keepsSecrets: true
        )
        guard case .started(let child) = start.run({ _ in }) else { return -1 }
        return child
    }
}
