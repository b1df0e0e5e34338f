package import DexCore
package import Ethereum
import PrivateFiles

/// A network's own token list: the file that `tokens` in config.toml names, changed in place.
package struct OwnTokenList: Sendable {
    package let path: String
    /// The network has no list yet: the file and its setting are made.
    package let isNew: Bool
    private let network: Network
    /// What the file had when it was read.
    private let original: [UInt8]?
    package private(set) var document: TokenListDocument

    /// Lists of 10,000 tokens are about 4 MB.
    private static let longest = 16 << 20

    /// The name of a network's list beside config.toml, where the network has none.
    private static func name(for network: Network) -> String { "\(network.name).tokenlist.json" }

    /// Reads the list of a network.
    ///
    /// - Throws: `DexError`, exit 3: `bad-token-list`, `stray-token-list` if there is a file of the
    ///   new list's name that no setting names, or `file`.
    package init(of network: Network, _ settings: Settings) throws(DexError) {
        self.network = network
        isNew = network.tokenList == nil
        path = network.tokenList ?? settings.absolute(Self.name(for: network))
        original = try Self.content(path)
        if isNew, original != nil {
            throw SettingsError.strayTokenList(path: path, network: network.name)
        }
        document =
            if let original {
                try TokenListDocument(original, chainID: network.chainID)
            } else {
                TokenListDocument(network: network.name, chainID: network.chainID)
            }
    }

    /// - Parameter timestamp: the time of the change in the form of RFC 3339.
    /// - Throws: `DexError`, exit 3, `bad-token-list`.
    package mutating func add(_ token: Token, timestamp: String) throws(DexError) {
        try document.add(token, timestamp: timestamp)
    }

    /// - Parameter timestamp: as of `add`.
    /// - Throws: `DexError`, exit 3, `bad-token-list`.
    package mutating func remove(_ token: Token, timestamp: String) throws(DexError) {
        _ = try document.remove(token.address, timestamp: timestamp)
    }

    /// Writes the list, and the setting that names a new one: all of it, or nothing.
    ///
    /// - Throws: `DexError`, exit 3: `config-changed` if another program changed the list since it
    ///   was read, or the file's failure.
    package func save(_ settings: Settings) throws(DexError) {
        guard try Self.content(path) == original else {
            throw SettingsError.tokenListChanged(path: path)
        }
        guard isNew else { return try write() }
        var file = settings.file
        let key = ["networks", network.name, "tokens"]
        try file.set([(key, .text(Self.name(for: network)))])
        // The list first: a setting without its file would stop every command.
        try write()
        do throws(DexError) {
            try file.save()
        } catch {
            try? PrivateFiles.remove(path)  // no setting names it; the next run reports it
            throw error
        }
    }

    private func write() throws(DexError) {
        let bytes = document.bytes
        do throws(PrivateFiles.Failure) {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            try PrivateFiles.makeFolder(folder.joined(separator: "/"))
            try PrivateFiles.replace(path, with: bytes)
        } catch {
            throw DexError(error)
        }
    }

    private static func content(_ path: String) throws(DexError) -> [UInt8]? {
        try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, as: .text, limit: longest)
        )
    }
}
