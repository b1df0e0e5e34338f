import DexCore
import PrivateFiles

/// What the operator's commands write beside relay.toml, one JSON object a line, and a running relay
/// reads.
struct OperatorFile: Sendable {
    let path: String
    private let maximumBytes: Int

    /// - Parameters:
    ///   - settings: the path of relay.toml.
    ///   - suffix: `a.toml` has `a` with this behind it.
    init(beside settings: String, suffix: String, maximumBytes: Int) {
        let base = settings.hasSuffix(".toml") ? String(settings.dropLast(5)) : settings
        path = base + suffix
        self.maximumBytes = maximumBytes
    }

    /// What changes with the file; nil if there is none.
    var identity: PrivateFiles.Identity? { PrivateFiles.identity(path) }

    /// The bytes of the file; none if there is no file.
    ///
    /// - Throws: `DexError`, exit 3; also if another user could have written it.
    func content() throws(DexError) -> [UInt8] {
        let content = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, limit: maximumBytes)
        )
        guard let content else { return [] }
        guard !PrivateFiles.isAlterable(path) else {
            throw RelaySettingsError.alterable(path: path)
        }
        return content
    }

    /// Reads each line that is not empty.
    ///
    /// - Parameters:
    ///   - what: says of a line what it is not.
    ///   - hint: how it is mended.
    ///   - read: adds what a line says; false if it is none.
    /// - Throws: `DexError`, exit 3, with the line that is none.
    func readLines(
        of content: [UInt8],
        what: String,
        hint: String,
        _ read: (ArraySlice<UInt8>) -> Bool
    ) throws(DexError) {
        for (index, line) in content.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).enumerated() where !line.isEmpty {
            guard !read(line) else { continue }
            throw RelaySettingsError.malformed(path: path, line: index + 1, what: what, hint: hint)
        }
    }

    /// Replaces the file by what a change makes, while no other command writes it.
    ///
    /// - Throws: `DexError`, exit 3, and what the change throws; then the file is as it was.
    func replace<Result>(
        _ change: () throws(DexError) -> (content: [UInt8], result: Result)
    ) throws(DexError) -> Result {
        let lock: ExclusiveLock?
        do throws(PrivateFiles.Failure) {
            lock = try ExclusiveLock("\(path)-lock")
        } catch {
            throw DexError(error)
        }
        guard let lock else { throw RelaySettingsError.moderationBusy(path: path) }
        // Held until the file is written.
        defer { withExtendedLifetime(lock) {} }
        let (content, result) = try change()
        do throws(PrivateFiles.Failure) {
            // A service of another user reads it, as it reads relay.toml.
            try PrivateFiles.replace(path, with: content, for: .everyone)
        } catch {
            throw DexError(error)
        }
        return result
    }
}
