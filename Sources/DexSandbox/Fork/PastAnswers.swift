import Ethereum
import StrictJSON

/// What a fork was told of the live chain's past: kept once fetched, so that it is there offline.
final class PastAnswers {
    /// The most bytes that are kept; what comes later is answered, and asked for again.
    static let maximumBytes = 64 << 20

    private let store: ChainStore?
    /// Of a fork that keeps nothing on disk.
    private var kept: [String: [UInt8]] = [:]
    private var size: Int

    /// - Throws: `SandboxError`.
    init(_ store: ChainStore?) throws(SandboxError) {
        self.store = store
        size = try store?.sizeOfPast() ?? 0
    }

    /// An answer; nil if it was not kept.
    ///
    /// - Throws: `SandboxError`.
    subscript(_ key: String) -> JSONValue? {
        get throws(SandboxError) {
            guard let bytes = try store?.past(key) ?? kept[key] else { return nil }
            return try? JSONParser.parse(bytes)  // nil: damaged, so it is asked for again
        }
    }

    /// Keeps answers, as long as there is room.
    ///
    /// - Throws: `SandboxError`.
    func keep(_ answers: [String: JSONValue]) throws(SandboxError) {
        var some: [String: [UInt8]] = [:]
        for (key, answer) in answers {
            let bytes = answer.utf8
            guard size + bytes.count <= Self.maximumBytes else { continue }
            size += bytes.count
            some[key] = bytes
        }
        if let store { try store.keep(past: some) } else { kept.merge(some) { $1 } }
    }
}
