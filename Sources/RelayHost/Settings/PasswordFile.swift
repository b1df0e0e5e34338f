import DexCore
import DexSettings
import PrivateFiles

/// The file with a store's password: its first line.
enum PasswordFile {
    private static let maximumBytes = 4_096

    /// - Throws: `DexError`, exit 3, if others can read it, or it has no line of text.
    static func read(_ path: String) throws(DexError) -> String {
        guard !PrivateFiles.isExposed(path) else {
            throw RelaySettingsError.exposedPassword(path: path)
        }
        let content = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, as: .text, limit: maximumBytes)
        )
        let line = (content ?? []).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0), let text = String(validating: line, as: UTF8.self)
        else { throw RelaySettingsError.noPassword(path: path) }
        return text
    }
}
