import DexCore
import PrivateFiles

/// The folders of config and data.
struct Home: Sendable, Equatable {
    /// Holds config.toml: DEX_HOME, else XDG_CONFIG_HOME/dex, else ~/.config/dex.
    let config: String
    /// Holds journal and sandbox: DEX_HOME, else XDG_DATA_HOME/dex, else ~/.local/share/dex.
    let data: String

    init(_ environment: ProcessEnvironment) throws(DexError) {
        if let root = environment["DEX_HOME"] {
            let path = try Self.absolute(root)
            config = path
            data = path
            return
        }
        config = try Self.folder("XDG_CONFIG_HOME", fallback: ".config", environment)
        data = try Self.folder("XDG_DATA_HOME", fallback: ".local/share", environment)
    }

    var configFile: String { "\(config)/config.toml" }
    var policyFile: String { "\(config)/policy.toml" }
    /// The log of all signatures.
    var auditFile: String { "\(data)/audit.jsonl" }
    /// Our own keystores.
    var keystores: String { "\(data)/keystore" }
    /// The sockets of unlocked keys.
    var agents: String { "\(data)/agent" }
    var sandbox: String { "\(data)/sandbox" }
    /// A copy of another machine's sandbox.
    var sandboxCopy: String { "\(data)/sandbox-copy" }
    /// The lists that terminals show last.
    var lists: String { "\(data)/lists" }
    /// What only saves time and may be removed.
    var cache: String { "\(data)/cache" }

    /// Refuses folders that another user could change: they hold settings, rules, keys and journal.
    ///
    /// A folder that is, or lies behind, a link that leads nowhere is refused too: what it holds
    /// would count as missing.
    ///
    /// - Throws: `DexError`, exit 3: `exposed-folder`, `file`.
    func checkFolders() throws(DexError) {
        var checked: Set<String> = []
        for folder in [config, data, keystores, agents, sandbox, sandboxCopy, lists]
        where checked.insert(folder).inserted {
            if let link = PrivateFiles.deadLink(on: folder) {
                throw DexError(
                    PrivateFiles.Failure(
                        path: PlainText.clean(link, limit: 400),
                        action: "read",
                        code: PrivateFiles.Failure.deadLink
                    )
                )
            }
            guard let found = PrivateFiles.alterableFolder(of: folder) else { continue }
            let path = PlainText.clean(found, limit: 400)
            let held = found == folder ? "" : ", which holds \(PlainText.clean(folder, limit: 400))"
            throw SetupError.exposedFolder(path, held: held)
        }
    }

    /// The XDG specification ignores relative paths.
    /// Source: https://specifications.freedesktop.org/basedir-spec/latest/
    private static func folder(
        _ variable: String,
        fallback: String,
        _ environment: ProcessEnvironment
    ) throws(DexError) -> String {
        if let path = environment[variable], path.hasPrefix("/") { return "\(path)/dex" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw SetupError.noHome
        }
        return "\(home)/\(fallback)/dex"
    }

    private static func absolute(_ path: String) throws(DexError) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let current = PrivateFiles.currentFolder() else {
            throw SetupError.noCurrentFolder(home: path)
        }
        return "\(current)/\(path)"
    }
}
