import Glibc
import PrivateFiles

/// What tells a session at a terminal from every other one, also from those of an earlier boot.
///
/// Numbers of terminals and sessions are used again once they are free.
struct TerminalIdentity: Hashable {
    /// The number of the terminal's device.
    let device: UInt64
    /// The number of the session, when its first process started, and the boot.
    let session: String

    /// The terminal behind a descriptor; nil if it is not a terminal, or the system does not say
    /// which session uses it.
    init?(of descriptor: Int32) {
        var status = stat()
        guard isatty(descriptor) == 1, fstat(descriptor, &status) == 0 else { return nil }
        guard let session = Self.currentSession() else { return nil }
        device = UInt64(status.st_rdev)
        self.session = session
    }

    /// The terminal that controls this process, whatever its descriptors are; nil without one.
    static var controlling: TerminalIdentity? {
        // The number of the device, field 7.
        guard let number = field(7, of: getpid()).flatMap({ Int32($0) }), number != 0,
            let session = currentSession()
        else { return nil }
        return TerminalIdentity(
            device: UInt64(UInt32(bitPattern: number)),
            session: session
        )
    }

    init(device: UInt64, session: String) {
        self.device = device
        self.session = session
    }

    private static func currentSession() -> String? {
        let leader = getsid(0)
        // Clock ticks from the boot to its start, field 22.
        guard leader > 0, let started = field(22, of: leader),
            let boot = text("/proc/sys/kernel/random/boot_id")
        else { return nil }
        return "\(leader) \(started) \(boot)"
    }

    /// A field of a process's `stat`, proc(5), by its number there; 3 and more.
    private static func field(_ number: Int, of process: pid_t) -> String? {
        // The name before it, in parentheses, may have any characters.
        guard let text = text("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[name...].split(separator: " ")
        return fields.count > number - 2 ? String(fields[number - 2]) : nil
    }

    private static func text(_ path: String) -> String? {
        // nil: then no list is kept
        guard let bytes = try? PrivateFiles.read(path, limit: 4_096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
