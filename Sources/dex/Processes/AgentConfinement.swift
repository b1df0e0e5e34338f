import CProcess
import DexCore
import DexSettings
import DexSigning
import Glibc
import PrivateFiles

/// The rights that an agent's process gives up, so that a fault exposes only its answers.
///
/// They are landlock for files and seccomp for system calls. On a kernel without them the process
/// runs unconfined; `dex unlock --status` shows the active ones.
enum AgentConfinement: Int32, CaseIterable {
    /// No program that it could start would get more rights.
    case privileges = 1
    /// It starts no program, makes no connection, and inspects no other process.
    case calls = 2
    /// It opens policy.toml and config.toml, appends to the audit log, and removes its socket.
    case files = 4

    /// The name in JSON.
    var name: String {
        switch self {
        case .privileges: "no-new-privileges"
        case .calls: "system-calls"
        case .files: "files"
        }
    }

    /// Gives up files, before any thread starts: only later threads are bound too.
    static func confineFiles(_ environment: ProcessEnvironment, _ reading: SettingsReading) {
        guard let home = try? Home(environment) else { return }  // nothing of ours to allow
        // Only what is there can be allowed. What cannot be made is reported where it is needed.
        try? PrivateFiles.makeFolder(home.config)
        try? PrivateFiles.makeFolder(home.agents)  // as above
        try? AuditFile(path: home.auditFile).make()  // as above
        // none: the settings cannot be read
        let lists = (try? reading.read().networks())?.compactMap(\.tokenList) ?? []
        // The files themselves too: they may be links to elsewhere. The library of threads counts
        // its threads in /proc.
        let readable =
            [home.config, home.configFile, home.policyFile, "/proc", "/sys/devices/system/cpu"]
            + lists
        confine(
            readable.map { ($0, DEX_PATH_READ) }
                + [home.auditFile, "/dev/null"].map { ($0, DEX_PATH_WRITE) }
                + [(home.agents, DEX_PATH_SOCKETS)]
        )
    }

    private static func confine(_ paths: [(String, Int)]) {
        let copies = paths.map { strdup($0.0) }
        defer { for copy in copies { free(copy) } }
        let rights = zip(copies, paths).map { copy, path in
            dex_path_right(path: copy, rights: Int32(path.1))
        }
        _ = dex_confine_files(rights, UInt(rights.count))
    }

    /// Gives up system calls, once the socket exists.
    ///
    /// - Returns: all active restrictions.
    static func confineCalls() -> [AgentConfinement] {
        _ = dex_confine_calls(1)
        let bits = dex_confinement()
        return allCases.filter { bits & $0.rawValue != 0 }
    }
}
