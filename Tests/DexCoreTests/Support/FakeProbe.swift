import Ethereum
import Synchronization

@testable import DexCore

/// A node that a test describes by what is true of it.
final class FakeProbe: NodeProbe {
    /// What the node says.
    struct State: Sendable {
        var chainID: Result<UInt64, ChainError> = .success(1337)
        var missing: Result<UInt64, ChainError> = .success(0)
        var block: Result<Block?, ChainError> = .success(
            TestMarket.block(TestMarket.head, timestamp: TestMarket.now)
        )
        /// Of the blocks that it has by number.
        var fork: UInt64 = 0
        /// The most questions in one request.
        var batch = 1_000
        var refusal = ChainError.rpc(code: -32_600, message: "batch too large")
        /// Of the numbers in a batch, every one behind the first.
        var lie: UInt64?
        /// The most blocks whose logs one question is about.
        var range: UInt64 = 10_000
        var logs: Result<[Log], ChainError> = .success([])
        /// It refuses logs, or calls, at a block's hash.
        var logsAtHash: ChainError?
        var callAtHash: ChainError?
        /// The node's clock less ours, in milliseconds; nil where it does not tell the time.
        var ahead: Int64? = 0
        /// What its Date header says instead.
        var date: UInt64?
        /// Our clock, milliseconds since 1970.
        var now = TestMarket.now * 1_000
        /// How long an answer takes, in milliseconds.
        var delay: UInt64 = 0
        var requests: [[ChainRead]] = []
        /// How long was slept, in milliseconds.
        var sleeps: [UInt64] = []
    }

    let name: String
    private let state: Mutex<State>

    init(name: String = "https://node.example", _ change: (inout State) -> Void = { _ in }) {
        var initial = State()
        change(&initial)
        self.name = name
        state = Mutex(initial)
    }

    var requests: [[ChainRead]] { state.withLock { $0.requests } }
    var sleeps: [UInt64] { state.withLock { $0.sleeps } }

    /// Time that passes when somebody sleeps or is answered.
    var environment: Environment {
        Environment(
            now: { self.state.withLock { $0.now / 1_000 } },
            sleep: { milliseconds in
                self.state.withLock { state in
                    state.sleeps.append(milliseconds)
                    state.now += milliseconds
                }
            },
            random: { .zero },
            progress: { _ in },
            onReported: { $0.write() }
        )
    }

    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer {
        let state = state.withLock { state in
            state.requests.append(reads)
            defer { state.now += state.delay }
            return state
        }
        var results: Result<[Result<ChainAnswer, ChainError>], ChainError>
        if case .failure(let error) = state.chainID {
            results = .failure(error)
        } else if reads.count > state.batch {
            results = .failure(state.refusal)
        } else {
            results = .success(reads.enumerated().map { Self.answer($1, at: $0, state) })
        }
        return NodeProbeAnswer(
            results: results,
            date: state.date ?? state.reported,
            sent: state.now,
            received: state.now + state.delay
        )
    }

    private static func answer(
        _ read: ChainRead,
        at place: Int,
        _ state: State
    ) -> Result<ChainAnswer, ChainError> {
        switch read {
        case .chainID:
            let lie = place > 0 ? state.lie : nil
            return state.chainID.map { .number(lie ?? $0) }
        case .blockNumber: return state.block.map { .number($0?.number ?? 0) }
        case .syncing: return state.missing.map { .number($0) }
        case .block(.latest): return state.block.map { .block($0) }
        case .block(.number(let number)):
            return state.block.map { block in
                .block(
                    block.flatMap { block in
                        number > block.number
                            ? nil : TestMarket.block(number, timestamp: 0, fork: state.fork)
                    }
                )
            }
        case .logs(let filter) where filter.blockHash != nil:
            if let error = state.logsAtHash { return .failure(error) }
            return .success(.logs([]))
        case .call(_, .hash):
            if let error = state.callAtHash { return .failure(error) }
            return .success(.bytes([UInt8](repeating: 0, count: 32)))
        case .logs(let filter):
            guard case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock, last - first < state.range
            else { return .failure(.rpc(code: -32_005, message: "range too large")) }
            return state.logs.map { .logs($0) }
        default: return .failure(.rpc(code: -32_601, message: "not for a doctor"))
        }
    }
}

extension FakeProbe.State {
    /// The node's time in the middle of an answer, in whole seconds.
    fileprivate var reported: UInt64? {
        ahead.map { UInt64((Int64(now + delay / 2) + $0) / 1_000) }
    }
}
