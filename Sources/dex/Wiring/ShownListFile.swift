import DexCore
import Ethereum
import PrivateFiles
import StrictJSON

/// The file that keeps the list that a terminal shows last, one for each terminal.
struct ShownListFile {
    /// Holds the files of all terminals.
    let folder: String
    let terminal: TerminalIdentity

    /// More files are of terminals that are gone.
    private static let maximumTerminals = 64

    private var path: String { "\(folder)/\(terminal.device).json" }

    /// Keeps a list in place of the previous one.
    ///
    /// - Throws: `PrivateFiles.Failure`; then no list is kept.
    func write(_ list: ShownList) throws(PrivateFiles.Failure) {
        try PrivateFiles.makeFolder(folder)
        // First: a list that could not be replaced would be another than the one on the screen.
        try PrivateFiles.remove(path)
        try removeOthers()
        let json: JSONValue = [
            "terminal": .string(terminal.session),
            "network": .string(list.network),
            "kind": .string(list.kind.rawValue),
            "hashes": .array(list.hashes.map { .string($0.hex) }),
        ]
        try PrivateFiles.replace(path, with: Array(json.text.utf8))
    }

    private func removeOthers() throws(PrivateFiles.Failure) {
        let names = try PrivateFiles.names(in: folder) ?? []
        guard names.count >= Self.maximumTerminals else { return }
        for name in names { try PrivateFiles.remove("\(folder)/\(name)") }
    }

    /// The list that this terminal shows last.
    ///
    /// - Throws: `DexError`, exit 2, `no-list`, also if the file is damaged or could have been
    ///   written by another user.
    func read() throws(DexError) -> ShownList {
        let bytes: [UInt8]?
        do throws(PrivateFiles.Failure) {
            bytes = try PrivateFiles.read(path, limit: 1 << 20)
        } catch {
            throw HashError.damagedList
        }
        guard let bytes else { throw HashError.noList }
        guard !PrivateFiles.isAlterable(path),
            let json = try? JSONParser.parse(bytes),  // nil: damaged
            let session = json["terminal"]?.stringValue,
            let network = json["network"]?.stringValue,
            let kind = json["kind"]?.stringValue.flatMap(ShownList.Kind.init),
            let texts = json["hashes"]?.arrayValue
        else { throw HashError.damagedList }
        guard session == terminal.session else { throw HashError.noList }
        let hashes = texts.compactMap { $0.stringValue.flatMap { Bytes32(ifHex: $0) } }
        guard hashes.count == texts.count, hashes.count <= ShownList.maximum else {
            throw HashError.damagedList
        }
        return ShownList(network: network, kind: kind, hashes: hashes)
    }
}
