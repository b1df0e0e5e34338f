/// Bounds how many pages are made at once, and how many requests wait for that.
actor PageGate {
    private let width: Int
    private let queue: Int
    private var inside = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many requests wait.
    var waitingCount: Int { waiting.count }

    init(width: Int, queue: Int) {
        self.width = max(1, width)
        self.queue = max(0, queue)
    }

    /// Waits for room; false if too many wait already.
    ///
    /// Each true needs one `leave`.
    func enter() async -> Bool {
        if inside < width {
            inside += 1
            return true
        }
        guard waiting.count < queue else { return false }
        await withCheckedContinuation { waiting.append($0) }
        // The place of the one that left.
        return true
    }

    func leave() {
        if waiting.isEmpty {
            inside -= 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
