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
        let leader = getsid(0)
        guard leader > 0, let started = Self.start(of: leader),
            let boot = Self.text("/proc/sys/kernel/random/boot_id")
        else { return nil }
        device = UInt64(status.st_rdev)
        session = "\(leader) \(started) \(boot)"
    }

    init(device: UInt64, session: String) {
        self.device = device
        self.session = session
    }

    /// Clock ticks from the boot to the start of a process, field 22 of its `stat`, proc(5).
    private static func start(of process: pid_t) -> String? {
        // The name before it, in parentheses, may have any characters.
        guard let text = text("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[name...].split(separator: " ")
        return fields.count > 20 ? String(fields[20]) : nil
    }

    private static func text(_ path: String) -> String? {
        // nil: then no list is kept
        guard let bytes = try? PrivateFiles.read(path, limit: 4_096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
