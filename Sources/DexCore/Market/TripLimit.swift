import Ethereum
import Synchronization

/// A node that answers only so many reads one after another.
///
/// Reads that wait at the same time count as one.
final class TripLimit: ChainClient {
    private struct State {
        /// The longest row of reads that ended.
        var done = 0
        var isExceeded = false
    }

    private let chain: any ChainClient
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameter maximum: reads one after another, at least 1.
    init(_ chain: any ChainClient, maximum: Int) {
        self.chain = chain
        self.maximum = maximum
    }

    /// Whether a read was refused.
    var isExceeded: Bool { state.withLock(\.isExceeded) }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let place = state.withLock { state in
            if state.done >= maximum { state.isExceeded = true }
            return state.done + 1
        }
        guard place <= maximum else {
            throw .nonsense("it would take more than \(maximum) round trips")
        }
        let answers = try await chain.read(reads)
        state.withLock { $0.done = max($0.done, place) }
        return answers
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await chain.send(raw: raw)
    }
}
