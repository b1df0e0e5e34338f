package import NIOCore
import Synchronization

/// The latest compressed answers by their tags, so that a page is compressed once for all readers.
package final class CompressedAnswers: Sendable {
    /// Two generations: when the newer one is full, it becomes the older, and that is dropped.
    private struct State {
        var newer: [String: ByteBuffer] = [:]
        var older: [String: ByteBuffer] = [:]
        var newerBytes = 0
    }

    private let maximumBytes: Int
    private let state = Mutex(State())

    /// - Parameter maximumBytes: of one generation.
    package init(maximumBytes: Int = 4 * 1_024 * 1_024) {
        self.maximumBytes = maximumBytes
    }

    /// The compressed form of an answer; nil if zlib has no memory for it.
    func compressed(_ body: ByteBuffer, _ tag: EntityTag) -> ByteBuffer? {
        let known = state.withLock { state -> ByteBuffer? in
            if let buffer = state.newer[tag.value] { return buffer }
            guard let buffer = state.older[tag.value] else { return nil }
            keep(buffer, tag, &state)
            return buffer
        }
        if let known { return known }
        guard let buffer = Gzip.compress(body) else { return nil }
        state.withLock { keep(buffer, tag, &$0) }
        return buffer
    }

    /// An answer needs no work: it is kept, or too short to be compressed.
    package func isReady(_ body: ByteBuffer, _ tag: EntityTag) -> Bool {
        guard body.readableBytes >= Response.minimumCompressed else { return true }
        return state.withLock { $0.newer[tag.value] != nil || $0.older[tag.value] != nil }
    }

    private func keep(_ buffer: ByteBuffer, _ tag: EntityTag, _ state: inout State) {
        guard buffer.readableBytes <= maximumBytes else { return }
        if state.newerBytes + buffer.readableBytes > maximumBytes {
            state.older = state.newer
            state.newer = [:]
            state.newerBytes = 0
        }
        guard state.newer.updateValue(buffer, forKey: tag.value) == nil else { return }
        state.newerBytes += buffer.readableBytes
    }

    /// The bytes that are kept.
    var bytes: Int {
        state.withLock { state in
            (Array(state.newer.values) + Array(state.older.values)).reduce(0) {
                $0 + $1.readableBytes
            }
        }
    }
}
