import Foundation
import Testing

/// Compares a screen with the one recorded in Snapshots/; `DEX_RECORD=1` writes it again.
func expectSnapshot(
    _ lines: [String],
    named name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
    let file = folder.appending(path: "\(name).txt")
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["DEX_RECORD"] == "1" {
        try Data(text.utf8).write(to: file)
        return
    }
    let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text == recorded, "\(name).txt differs", sourceLocation: sourceLocation)
}
