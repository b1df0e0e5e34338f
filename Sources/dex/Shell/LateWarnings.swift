import DexCore
import Synchronization

/// Warnings that arose after the plan of a command was confirmed, each once, in their order.
final class LateWarnings: Sendable {
    private let warnings = Mutex<[String]>([])

    var all: [String] { warnings.withLock { $0 } }

    /// Keeps a warning; false if it was there.
    func add(_ warning: String) -> Bool {
        warnings.withLock { warnings in
            guard !warnings.contains(warning) else { return false }
            warnings.append(warning)
            return true
        }
    }
}

/// The old states that were named already, by their blocks.
final class StaleMarks: Sendable {
    private let blocks = Mutex<Set<UInt64>>([])

    func isFirst(_ stale: StaleChain) -> Bool {
        blocks.withLock { $0.insert(stale.block).inserted }
    }
}
