import DexCore
import DexSettings
import Synchronization

/// config.toml as a command sees it: read once, when it is first needed.
final class SettingsReading: Sendable {
    private let environment: ProcessEnvironment
    private let file: @Sendable (String) throws(DexError) -> SettingsFile
    private let result = Mutex<Result<Settings, DexError>?>(nil)

    /// - Parameter file: reads the file at a path.
    init(
        _ environment: ProcessEnvironment,
        file: @escaping @Sendable (String) throws(DexError) -> SettingsFile = {
            path throws(DexError) in try SettingsFile(path: path)
        }
    ) {
        self.environment = environment
        self.file = file
    }

    /// There is a folder of settings.
    var hasHome: Bool {
        ["DEX_HOME", "XDG_CONFIG_HOME", "HOME"].contains { environment[$0] != nil }
    }

    /// The settings as they were when they were first needed.
    ///
    /// - Throws: `DexError`, exit 3, the same each time.
    func read() throws(DexError) -> Settings {
        try result.withLock { result in
            if let result { return result }
            let first = current()
            result = first
            return first
        }.get()
    }

    /// The settings as they are now: before a change, if the user was asked meanwhile.
    ///
    /// - Throws: `DexError`, exit 3.
    func readAgain() throws(DexError) -> Settings {
        let current = current()
        result.withLock { $0 = current }
        return try current.get()
    }

    /// Writes changed settings; from now on they are those of the command.
    ///
    /// - Throws: `DexError`, exit 3.
    func save(_ settings: Settings) throws(DexError) {
        try settings.file.save()
        result.withLock { $0 = .success(settings) }
    }

    private func current() -> Result<Settings, DexError> {
        do throws(DexError) {
            let home = try Home(environment)
            try home.checkFolders()
            return .success(Settings(file: try file(home.configFile)))
        } catch {
            return .failure(error)
        }
    }

    // MARK: What changes how a line is read

    /// The names of the user's aliases, for a suggestion.
    var aliasNames: [String] {
        // none: what is wrong with the settings is not what is reported here
        ((try? read())?.aliases ?? []).map(\.name)
    }

    /// `trade.pair`; nil without it, or where the settings cannot be read: that is reported elsewhere.
    var pair: String? {
        (try? read())?.text(["trade", "pair"])  // nil: see above
    }
}
