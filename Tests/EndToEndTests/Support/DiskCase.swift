import DexTestSupport
import Foundation

/// A step that a command takes towards its disk, and what happens at it.
struct DiskCase: Sendable, CustomStringConvertible {
    /// What the library beside the tests can do (Tests/CFaults).
    enum Kind: String, Sendable {
        /// Killed before the step.
        case kill
        /// Killed in the middle of a write.
        case tear
        /// The disk is full in the middle of the write, and from then on.
        case full
        /// The disk says from then on that it cannot keep what was written.
        case unsynced
    }

    let kind: Kind
    /// Counted from 1.
    let step: Int
    let isRepeated: Bool

    var description: String {
        "step \(step) towards the disk: \(kind.rawValue)" + (isRepeated ? ", repeated first" : "")
    }

    /// What makes it happen to a process.
    func environment(home: URL) -> [String: String] {
        Self.environment(home: home).merging([
            "DEX_FAULT_KIND": kind.rawValue, "DEX_FAULT_STEP": "\(step)",
        ]) { $1 }
    }

    /// The library that does it, for LD_PRELOAD.
    static let library = DexBinary.executable.deletingLastPathComponent()
        .appending(path: "libdex-faults.so")

    /// What makes a process write its steps down.
    static func environment(home: URL, log: URL? = nil) -> [String: String] {
        [
            "LD_PRELOAD": library.path,
            "DEX_FAULT_FOLDER": home.resolvingSymlinksInPath().path,
        ].merging(log.map { ["DEX_FAULT_LOG": $0.path] } ?? [:]) { $1 }
    }
}
