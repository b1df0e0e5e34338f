import Foundation

/// The inputs that are kept for a target: those that reached something new when they were found,
/// and those that once broke a property, named for what they broke.
enum Corpus {
    /// A kept input.
    struct Input: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

    /// The files of a target's folder, by name.
    static func inputs(of target: FuzzTarget) throws -> [Input] {
        let place = folder.appending(path: target.name)
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted().map {
            name in
            Input(name: name, bytes: Array(try Data(contentsOf: place.appending(path: name))))
        }
    }

    /// The folders that are there.
    static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
}
