import Foundation

/// Holds threads back until enough of them have come.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let arrivals = Counter()
    private let needed: Int

    init(opensAt needed: Int) {
        self.needed = needed
    }

    /// Returns once `needed` threads have called it.
    func wait() {
        condition.lock()
        arrivals.increment()
        condition.broadcast()
        while arrivals.value < needed { condition.wait() }
        condition.unlock()
    }
}
