import DexSandbox
import Ethereum
import Synchronization

/// A node over the simulated chain whose answers tests change on their way.
final class TamperedNode: ChainClient {
    /// What becomes of a broadcast.
    enum Sending: Sendable {
        case pass
        /// The chain never sees it.
        case lose(ChainError)
        /// The chain takes it, and the answer is lost.
        case takeAndFail(ChainError)
    }

    typealias Answers = [Result<ChainAnswer, ChainError>]

    private struct State {
        var rounds: [[ChainRead]] = []
        var sent: [[UInt8]] = []
        var onSend: (@Sendable (Int, [UInt8]) async throws -> Sending)?
        var onRead: (@Sendable ([ChainRead], Answers) throws(ChainError) -> Answers)?
        var hidesAccessLists = false
    }

    private let client: SandboxChain
    private let state = Mutex(State())

    init(_ client: SandboxChain) {
        self.client = client
    }

    /// Every batch, in order.
    var rounds: [[ChainRead]] { state.withLock { $0.rounds } }

    /// Everything that was to be broadcast, in order.
    var sent: [[UInt8]] { state.withLock { $0.sent } }

    func forgetRounds() {
        state.withLock { $0.rounds = [] }
    }

    /// Decides about each broadcast, by its number from 0; what it does to the chain first is seen
    /// by the transaction.
    func onSend(_ action: (@Sendable (Int, [UInt8]) async throws -> Sending)?) {
        state.withLock { $0.onSend = action }
    }

    /// Changes the answers of every batch.
    func onRead(
        _ action: (@Sendable ([ChainRead], Answers) throws(ChainError) -> Answers)?
    ) {
        state.withLock { $0.onRead = action }
    }

    /// The node has no eth_createAccessList, so that nothing is run before it is signed.
    func hideAccessLists() {
        state.withLock { $0.hidesAccessLists = true }
    }

    func read(_ reads: [ChainRead]) async throws(ChainError) -> Answers {
        let (onRead, hidesAccessLists) = state.withLock { state in
            state.rounds.append(reads)
            return (state.onRead, state.hidesAccessLists)
        }
        var answers = try await client.read(reads)
        if hidesAccessLists {
            let none = ChainError.rpc(code: -32_601, message: "the method does not exist")
            for (index, read) in reads.enumerated() {
                if case .accessList = read { answers[index] = .failure(none) }
            }
        }
        return NodeWords.read(try onRead?(reads, answers) ?? answers, to: reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        let (number, onSend) = state.withLock { state in
            state.sent.append(raw)
            return (state.sent.count - 1, state.onSend)
        }
        let sending: Sending
        do {
            sending = try await onSend?(number, raw) ?? .pass
        } catch {
            throw .nonsense("the test's own action failed: \(error)")
        }
        switch sending {
        case .pass:
            do {
                return try await client.send(raw: raw)
            } catch {
                return try NodeWords.sent(raw, error)
            }
        case .lose(let error): return try NodeWords.sent(raw, error)
        case .takeAndFail(let error):
            _ = try await client.send(raw: raw)
            return try NodeWords.sent(raw, error)
        }
    }
}

extension ChainError {
    /// A connection that broke.
    static let lost = ChainError.unreachable(url: "http://127.0.0.1:1", reason: "reset by peer")
}
