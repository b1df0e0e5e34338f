import DexStore
import Foundation

/// A real journal in a folder of its own, which goes with it.
final class TemporaryJournal: Sendable {
    let journal: SQLiteJournal
    private let folder: String

    init() {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-tests-\(UUID().uuidString)").path
        journal = SQLiteJournal(path: "\(folder)/journal.sqlite")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
