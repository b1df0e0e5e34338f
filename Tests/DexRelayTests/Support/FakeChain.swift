import Ethereum
import Synchronization
import ZeroEx

/// A chain that knows balances, allowances and what is used up of orders, and fails on anything
/// else that it is asked.
final class FakeChain: ChainClient {
    struct State {
        var block: UInt64 = 1
        var balances: [Holding: UInt256] = [:]
        var allowances: [Holding: UInt256] = [:]
        var unavailable: [Bytes32: UInt256] = [:]
        var failure: ChainError?
        /// How many questions came in each batch.
        var batches: [Int] = []
    }

    struct Holding: Hashable {
        let owner: Address
        let token: Address
    }

    let spender: Address
    private let state = Mutex(State())

    init(spender: Address) {
        self.spender = spender
    }

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    var batches: [Int] {
        state.withLock { $0.batches }
    }

    /// Gives an account a token and approves it.
    func fund(_ owner: Address, _ token: Address, _ amount: UInt256) {
        set {
            $0.balances[Holding(owner: owner, token: token)] = amount
            $0.allowances[Holding(owner: owner, token: token)] = .max
        }
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let state = state.withLock { state in
            state.batches.append(reads.count)
            return state
        }
        if let failure = state.failure { throw failure }
        return reads.map { answer($0, state) }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }

    private func answer(_ read: ChainRead, _ state: State) -> Result<ChainAnswer, ChainError> {
        switch read {
        case .block:
            let hash = BlockHash(UInt256(state.block).word)
            return .success(
                .block(
                    Block(
                        number: state.block,
                        hash: hash,
                        parentHash: hash,
                        timestamp: 0,
                        baseFeePerGas: nil,
                        gasLimit: 0,
                        gasUsed: 0
                    )
                )
            )
        case .call(let request, _): return answer(request, state)
        default: return .failure(.rpc(code: -32601, message: "not for a relay"))
        }
    }

    private func answer(
        _ request: CallRequest,
        _ state: State
    ) -> Result<ChainAnswer, ChainError> {
        let words = stride(from: 4, to: request.data.count, by: 32).compactMap {
            Bytes32(bytes: request.data[$0..<min(request.data.count, $0 + 32)])
        }
        let value: UInt256?
        switch (Hex.encode(request.data.prefix(4)), words.count) {
        case ("0x7e9abb50", 1): value = state.unavailable[words[0]] ?? .zero
        case ("0x70a08231", 1):
            value =
                state.balances[Holding(owner: Address(truncating: words[0]), token: request.to)]
                ?? .zero
        case ("0xdd62ed3e", 2) where Address(truncating: words[1]) == spender:
            value =
                state.allowances[Holding(owner: Address(truncating: words[0]), token: request.to)]
                ?? .zero
        default: value = nil
        }
        guard let value else { return .failure(.reverted(data: [], message: "unknown call")) }
        return .success(.bytes(value.bigEndianBytes))
    }
}
