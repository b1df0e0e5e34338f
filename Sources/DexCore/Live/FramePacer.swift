/// Decides when the full screen is drawn: at most 20 times a second, keys before news.
package struct FramePacer: Sendable {
    /// Frames of a second.
    package static let maximumFrames = 20
    /// Milliseconds between two frames that only show news.
    static let newsInterval: UInt64 = 100

    /// Milliseconds of the latest frames, the last one last.
    private var frames: [UInt64] = []

    package init() {}

    /// Milliseconds to wait before the next frame; 0 draws now.
    ///
    /// - Parameters:
    ///   - now: milliseconds of the steady clock.
    ///   - isUrgent: a key waits for its echo.
    package func delay(at now: UInt64, isUrgent: Bool) -> UInt64 {
        guard let last = frames.last else { return 0 }
        // A clock that was set back draws.
        guard now >= last else { return 0 }
        if !isUrgent, now - last < Self.newsInterval { return Self.newsInterval - (now - last) }
        guard frames.count == Self.maximumFrames, let first = frames.first, now - first < 1_000
        else {
            return 0
        }
        return 1_000 - (now - first)
    }

    package mutating func drew(at now: UInt64) {
        frames.append(now)
        if frames.count > Self.maximumFrames { frames.removeFirst() }
    }
}
