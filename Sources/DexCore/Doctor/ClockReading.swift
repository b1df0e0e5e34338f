import Ethereum

/// The offset of a server's clock from ours, as narrow as its answers allow.
///
/// The Date header has whole seconds: at some moment between sending and receiving, the server's
/// time was in `date` or up to a second later. The intersection of several answers is narrower.
struct ClockReading: Sendable {
    /// The server's time minus ours, in milliseconds; nil before an answer contained the time.
    private(set) var range: ClosedRange<Int64>?
    /// When the last answer with a time arrived, by our clock, and how long it took.
    private var last: (received: Int64, duration: Int64)?

    /// Times beyond, in milliseconds, are invalid: over 30,000 years.
    private static let bound: UInt64 = 1 << 50

    /// Adds an answer; one that contradicts the others, as several servers may, is ignored.
    mutating func note(_ answer: NodeProbeAnswer) {
        guard let date = answer.date, date < Self.bound / 1_000,
            answer.sent <= answer.received, answer.received < Self.bound
        else { return }
        let first = Int64(date) * 1_000
        let (sent, received) = (Int64(answer.sent), Int64(answer.received))
        last = (received, received - sent)
        let reported = (first - received)...(first + 999 - sent)
        guard let range else {
            self.range = reported
            return
        }
        guard range.overlaps(reported) else { return }
        self.range = range.clamped(to: reported)
    }

    /// The smallest possible difference in milliseconds.
    var minimum: UInt64 {
        guard let range, !range.contains(0) else { return 0 }
        return min(range.lowerBound.magnitude, range.upperBound.magnitude)
    }

    /// The largest possible difference in milliseconds.
    var maximum: UInt64 {
        range.map { max($0.lowerBound.magnitude, $0.upperBound.magnitude) } ?? 0
    }

    /// The width of the range in milliseconds.
    var doubt: UInt64 { range.map { ($0.upperBound - $0.lowerBound).magnitude } ?? 0 }

    /// The difference for a limit, in milliseconds.
    ///
    /// It is the largest one if the range is narrow, else the smallest: a slow answer says little.
    var difference: UInt64 { doubt <= Self.wellKnown ? maximum : minimum }

    /// Our clock is behind the server's.
    var isBehind: Bool { range.map { $0.lowerBound + $0.upperBound > 0 } ?? false }

    /// The nearest whole seconds to the middle of the range; nil if the range is too wide.
    var seconds: UInt64? {
        guard let range, doubt <= 1_500 else { return nil }
        return ((range.lowerBound + range.upperBound).magnitude / 2 + 500) / 1_000
    }

    private static let wellKnown: UInt64 = 500
    private static let narrow: UInt64 = 125
    private static let hopeless: Int64 = 2_000

    /// Milliseconds to wait so that the next answer halves the range.
    ///
    /// nil if no limit is inside the range, or the range is narrow enough. The request arrives when
    /// the server's second turns, if its clock is at the middle.
    func wait(limits: [UInt64]) -> UInt64? {
        // After such slow answers no quick one is expected.
        guard let range, let last, last.duration < Self.hopeless, doubt > Self.narrow,
            limits.contains(where: { minimum < $0 && $0 <= maximum })
        else { return nil }
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        let arrival = (last.received + last.duration / 2 + middle) % 1_000
        return UInt64((1_000 - (arrival < 0 ? arrival + 1_000 : arrival)) % 1_000)
    }
}
