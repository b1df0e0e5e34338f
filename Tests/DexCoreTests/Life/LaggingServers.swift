import DexSandbox
import DexTestSupport
import Ethereum
import Synchronization

@testable import DexCoreTestSupport

/// Two servers of one chain behind one address: each question goes to either, and one of them lags.
///
/// No server lies: the one behind answers as the chain was some blocks ago.
final class LaggingServers: ChainClient {
    private struct State {
        var generator: SeededGenerator
        /// Blocks that the second server lags.
        var lag: UInt64
        var sent: [[UInt8]] = []
    }

    private let chain: SandboxChain
    private let client: SandboxChain
    private let state: Mutex<State>

    init(_ chain: SandboxChain, lag: UInt64, seed: UInt64) {
        self.chain = chain
        client = chain
        state = Mutex(State(generator: SeededGenerator(seed: seed), lag: lag))
    }

    /// Everything that was broadcast, in order.
    var sent: [[UInt8]] { state.withLock { $0.sent } }

    func setLag(_ lag: UInt64) { state.withLock { $0.lag = lag } }

    private var isBehind: Bool { state.withLock { $0.generator.pick([true, false]) } }

    func read(_ reads: [ChainRead]) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let head = try await client.read(.blockNumber)
        let behind = head - min(head, state.withLock { $0.lag })
        var answers: [Result<ChainAnswer, ChainError>] = []
        for read in reads {
            let asked = isBehind ? Self.question(read, at: behind) : nil
            let answer = try await client.read([asked ?? read]).first ?? .failure(.lost)
            let isNumber = read == .blockNumber && asked != nil
            answers.append(
                isNumber
                    ? .success(.number(behind))
                    : asked == nil ? answer : Self.cut(answer, at: behind)
            )
        }
        return answers
    }

    /// What the server behind is asked: its latest block is an older one.
    private static func question(_ read: ChainRead, at block: UInt64) -> ChainRead {
        switch read {
        case .block(.latest), .block(.pending): .block(.number(block))
        case .balance(let owner, .latest): .balance(owner, .number(block))
        case .transactionCount(let owner, .latest), .transactionCount(let owner, .pending):
            .transactionCount(owner, .number(block))
        case .call(let request, .latest): .call(request, .number(block))
        default: read
        }
    }

    /// The answer of a server that does not have the later blocks.
    private static func cut(
        _ answer: Result<ChainAnswer, ChainError>,
        at block: UInt64
    ) -> Result<ChainAnswer, ChainError> {
        switch answer {
        case .success(.receipt(let receipt?)) where receipt.blockNumber > block:
            .success(.receipt(nil))
        // It did not get what waits in the other one's pool either.
        case .success(.transaction(let info?)) where info.blockNumber ?? .max > block:
            .success(.transaction(nil))
        case .success(.block(let latest?)) where latest.number > block: .success(.block(nil))
        default: answer
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        state.withLock { $0.sent.append(raw) }
        return try await client.send(raw: raw)
    }
}
