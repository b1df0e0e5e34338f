import Ethereum
import Synchronization

/// How many blocks a node is asked for at once, learnt from its answers.
///
/// Without a refusal the number doubles. Between the largest that was answered and the smallest that
/// was refused it is searched for, as long as that saves requests; what was refused is tried again
/// only after many answers, more each time, since a refusal may have been about the logs of its own
/// blocks alone.
struct LogPageSize: Hashable, Sendable {
    /// Blocks in the next request.
    private(set) var size: UInt64
    /// The most that was answered since the last refusal of less; 0 before an answer.
    private var answered: UInt64 = 0
    /// The least that was refused; nil without a refusal.
    private var refused: UInt64?
    /// Answers before a refused number is tried again.
    private var patience = minimumPatience
    private var answers = 0

    /// Blocks in the first request; most nodes allow this number by default.
    static let usual: UInt64 = 10_000
    private static let minimumPatience = 8

    init(_ size: UInt64 = usual) {
        self.size = max(1, size)
    }

    /// Notes an answer about so many blocks.
    ///
    /// - Parameter left: the blocks after them that are still to be read.
    mutating func answer(_ length: UInt64, left: UInt64) {
        answered = max(answered, length)
        if let minimum = refused, length >= minimum {
            refused = nil
            patience = Self.minimumPatience
        }
        answers += 1
        guard let refused else {
            size = Self.doubled(length)
            return
        }
        let middle = length + (refused - length) / 2
        if Self.requests(left, middle) + 2 <= Self.requests(left, length) {
            size = middle
        } else if answers >= patience {
            answers = 0
            size = Self.doubled(length)
        } else {
            size = length
        }
    }

    /// Notes that the node refused so many blocks.
    ///
    /// - Parameter named: the most that its words allow; nil if they name nothing.
    mutating func refuse(_ length: UInt64, named: UInt64? = nil) {
        answers = 0
        if let refused, length >= refused { patience = min(patience * 2, 1 << 20) }
        if answered >= length { answered = 0 }
        refused = min(refused ?? .max, length)
        if let named, named > 0, named < length {
            size = named
            // Some count one block less than they allow.
            refused = min(refused ?? .max, named.addingSaturating(2))
        } else {
            size = answered > 0 ? answered : max(1, length / 2)
        }
    }

    private static func doubled(_ size: UInt64) -> UInt64 {
        let (doubled, isHuge) = size.multipliedReportingOverflow(by: 2)
        return isHuge ? size : doubled
    }

    private static func requests(_ left: UInt64, _ size: UInt64) -> UInt64 {
        left / size + (left % size == 0 ? 0 : 1)
    }
}

/// The number of blocks that the readers of one session share.
package final class LogPageMemory: Sendable {
    private let state = Mutex(LogPageSize())

    package init() {}

    var size: LogPageSize { state.withLock { $0 } }

    func note(_ size: LogPageSize) { state.withLock { $0 = size } }
}

extension LogPageSize {
    /// The number of blocks that a refusal names as allowed; nil if it names none.
    ///
    /// Example: for 10,000 blocks from 0x0, "up to a 10 block range … [0x0, 0x9]" is 10, and
    /// "requested 10000 blocks, at most 2,000" is 2,000.
    static func named(in words: String, from first: UInt64, length: UInt64) -> UInt64? {
        let text = words.lowercased()
        guard text.contains("block") || text.contains("range") else { return nil }
        let hex = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
            .filter { $0.hasPrefix("0x") }
            .compactMap { UInt64($0.dropFirst(2), radix: 16) }
        for (from, to) in zip(hex, hex.dropFirst()) where from == first && to >= from {
            let span = (to - from).addingSaturating(1)
            if span < length { return span }
        }
        // A number of logs is none of blocks.
        guard
            !["result", "event", "response", "log entries", " logs"].contains(where: text.contains)
        else { return nil }
        let digits = text.filter { $0 != "," && $0 != "_" }
        return digits.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "-") }
            .compactMap { UInt64($0) }
            .filter { $0 > 0 && $0 < length }
            .max()
    }
}
