import Ethereum
import Synchronization
import Testing

/// A node that answers only what a test has set, and fails the test on everything else.
///
/// Calls are answered by contract and call data, at any block up to the head. `rounds` holds every
/// batch that was asked, so tests count round trips.
final class FakeChain: ChainClient {
    /// What the node knows.
    struct State: Sendable {
        var chainID: UInt64 = 1337
        /// By number; the highest is the latest.
        var blocks: [UInt64: Block] = [:]
        var calls: [CallKey: Result<[UInt8], ChainError>] = [:]
        /// What calls returned at a block, where it is not what they return now.
        var pastCalls: [UInt64: [CallKey: Result<[UInt8], ChainError>]] = [:]
        var code: [Address: Result<[UInt8], ChainError>] = [:]
        var ether: [Address: Wei] = [:]
        /// What an account has after a block, in place of the same at all of them.
        var holdings: (@Sendable (Address, UInt64) -> Result<Holding, ChainError>)?
        var fullBlocks: [UInt64: FullBlock] = [:]
        var pendingNonces: [Address: UInt64] = [:]
        var minedNonces: [Address: UInt64] = [:]
        var gasPrice: Result<Wei, ChainError>?
        var tip: Result<Wei, ChainError>?
        var feeHistory: Result<FeeHistory, ChainError>?
        var receipts: [TransactionHash: TransactionReceipt?] = [:]
        var transactions: [TransactionHash: TransactionInfo?] = [:]
        /// Hashes that are not set are unknown to the node, which is no failure of the test.
        var hasNoOtherTransactions = false
        /// Asked with each filter; nil where the test expects none.
        var logs: (@Sendable (LogFilter) -> Result<[Log], ChainError>)?
        /// Asked where no call data is set; nil where the test expects no other call.
        var onCall: (@Sendable (CallRequest, BlockTag) -> Result<[UInt8], ChainError>)?
        /// nil where the test expects no estimate.
        var onEstimate: (@Sendable (CallRequest) -> Result<UInt64, ChainError>)?
        /// nil where the test expects nothing to be sent.
        var onSend: (@Sendable ([UInt8]) -> Result<TransactionHash, ChainError>)?
        /// Replaces the answers of a whole round, counted from 0; nil leaves it as it is.
        var onRound: (@Sendable (Int, [ChainRead]) -> RoundAnswer?)?
        var rounds: [[ChainRead]] = []
        var sent: [[UInt8]] = []
    }

    /// What a round is answered with instead of what the node knows.
    enum RoundAnswer: Sendable {
        case failure(ChainError)
        case answers([Result<ChainAnswer, ChainError>])
    }

    /// Ether and nonce of an account after a block.
    struct Holding: Sendable {
        var ether: UInt256
        var nonce: UInt64
    }

    /// A call without its caller and block.
    struct CallKey: Hashable, Sendable {
        let to: Address
        let data: [UInt8]
    }

    private let state: Mutex<State>

    init() {
        state = Mutex(State())
    }

    /// Changes what the node knows.
    func set(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Every batch that was asked, in order.
    var rounds: [[ChainRead]] {
        state.withLock { $0.rounds }
    }

    /// Every transaction that was broadcast, in order.
    var sent: [[UInt8]] {
        state.withLock { $0.sent }
    }

    /// The number of the latest block.
    var head: UInt64 {
        state.withLock { $0.blocks.keys.max() ?? 0 }
    }

    /// Sets what a call returns.
    func answer(_ to: Address, _ data: [UInt8], with result: Result<[UInt8], ChainError>) {
        state.withLock { $0.calls[CallKey(to: to, data: data)] = result }
    }

    /// What a call returns; nil if nothing is set.
    func known(_ call: CallKey) -> Result<[UInt8], ChainError>? {
        state.withLock { $0.calls[call] }
    }

    /// Sets what a call returned before.
    func restore(_ call: CallKey, _ answer: Result<[UInt8], ChainError>?) {
        state.withLock { $0.calls[call] = answer }
    }

    /// Sets the word that a call returns, unless the call is answered already.
    func answerOnce(_ to: Address, _ data: [UInt8], with word: UInt256) {
        state.withLock { state in
            let key = CallKey(to: to, data: data)
            if state.calls[key] == nil { state.calls[key] = .success(word.bigEndianBytes) }
        }
    }

    /// Sets the word that a call returns.
    func answer(_ to: Address, _ data: [UInt8], with word: UInt256) {
        answer(to, data, with: .success(word.bigEndianBytes))
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let (round, override, now) = state.withLock { state in
            state.rounds.append(reads)
            return (state.rounds.count - 1, state.onRound, state)
        }
        switch override?(round, reads) {
        case .failure(let error): throw error
        case .answers(let answers): return NodeWords.read(answers, to: reads)
        case nil: return NodeWords.read(reads.map { Self.answer($0, in: now) }, to: reads)
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        let onSend = state.withLock { state in
            state.sent.append(raw)
            return state.onSend
        }
        guard let onSend else { throw Self.unexpected("a broadcast") }
        do {
            return try onSend(raw).get()
        } catch {
            return try NodeWords.sent(raw, error)
        }
    }

    private static func answer(
        _ read: ChainRead,
        in state: State
    ) -> Result<ChainAnswer, ChainError> {
        let head = state.blocks.keys.max() ?? 0
        switch read {
        case .chainID: return .success(.number(state.chainID))
        case .blockNumber: return .success(.number(head))
        case .block(.latest), .block(.pending): return .success(.block(state.blocks[head]))
        case .block(.number(let number)): return .success(.block(state.blocks[number]))
        case .fullBlock(.latest): return answer(.fullBlock(.number(head)), in: state)
        case .fullBlock(.hash(let hash)):
            let number = state.blocks.first { $0.value.hash == hash }?.key
            return number.map { answer(.fullBlock(.number($0)), in: state) }
                ?? .success(.fullBlock(nil))
        case .fullBlock(.number(let number)):
            guard state.blocks[number] != nil else { return .success(.fullBlock(nil)) }
            return state.fullBlocks[number].map { .success(.fullBlock($0)) }
                ?? .failure(oldState)
        case .balance(let owner, .number(let number)) where state.holdings != nil:
            return whereKnown(.number(number), state) { nil }
                ?? state.holdings?(owner, number).map { .wei(Wei($0.ether)) }
                ?? .failure(unexpected("the ether of \(owner)"))
        case .transactionCount(let owner, .number(let number)) where state.holdings != nil:
            return whereKnown(.number(number), state) { nil }
                ?? state.holdings?(owner, number).map { .number($0.nonce) }
                ?? .failure(unexpected("the nonce of \(owner)"))
        case .balance(let owner, let tag):
            return whereKnown(tag, state) { state.ether[owner].map { .wei($0) } }
                ?? .failure(unexpected("the ether of \(owner)"))
        case .transactionCount(let owner, .pending):
            return state.pendingNonces[owner].map { .success(.number($0)) }
                ?? .failure(unexpected("the pending nonce of \(owner)"))
        case .transactionCount(let owner, _):
            // A pool never counts fewer than the chain.
            return (state.minedNonces[owner] ?? state.pendingNonces[owner])
                .map { .success(.number($0)) }
                ?? .failure(unexpected("the mined nonce of \(owner)"))
        case .call(let request, let tag): return call(request, tag, state)
        case .estimateGas(let request):
            guard let onEstimate = state.onEstimate else {
                return .failure(unexpected("an estimate of gas"))
            }
            return onEstimate(request).map { .number($0) }
        case .gasPrice:
            return state.gasPrice?.map { .wei($0) } ?? .failure(unexpected("the gas price"))
        case .maxPriorityFeePerGas, .lineaTip:
            return state.tip?.map { .wei($0) } ?? .failure(unexpected("a tip"))
        case .feeHistory:
            return state.feeHistory?.map { .feeHistory($0) }
                ?? .failure(unexpected("the fee history"))
        case .logs(let filter):
            guard let logs = state.logs else { return .failure(unexpected("logs")) }
            return logs(filter).map { .logs($0) }
        case .transaction(let hash):
            guard let known = state.transactions[hash] else {
                if state.hasNoOtherTransactions { return .success(.transaction(nil)) }
                return .failure(unexpected("the transaction \(hash)"))
            }
            return .success(.transaction(known))
        case .receipt(let hash):
            guard let known = state.receipts[hash] else {
                if state.hasNoOtherTransactions { return .success(.receipt(nil)) }
                return .failure(unexpected("the receipt of \(hash)"))
            }
            return .success(.receipt(known))
        case .code(let address, _):
            return state.code[address]?.map { .bytes($0) }
                ?? .failure(unexpected("the code of \(address)"))
        // As many nodes do.
        case .accessList:
            return .failure(
                .rpc(code: -32_601, message: "the method eth_createAccessList does not exist")
            )
        case .block, .fullBlock, .header, .proof, .storage, .syncing, .verbatim:
            return .failure(unexpected("\(read)"))
        }
    }

    private static func call(
        _ request: CallRequest,
        _ tag: BlockTag,
        _ state: State
    ) -> Result<ChainAnswer, ChainError> {
        if case .number(let number) = tag {
            guard state.blocks[number] != nil else {
                return .failure(.rpc(code: -32_000, message: "header not found"))
            }
            let key = CallKey(to: request.to, data: request.data)
            if let past = state.pastCalls[number]?[key] { return past.map { .bytes($0) } }
        }
        if let known = state.calls[CallKey(to: request.to, data: request.data)] {
            return known.map { .bytes($0) }
        }
        if let onCall = state.onCall { return onCall(request, tag).map { .bytes($0) } }
        // What a fill brought is asked of old balances.
        if case .number = tag, request.data.starts(with: ERC20.balanceOf(.zero).prefix(4)) {
            return .failure(oldState)
        }
        return .failure(unexpected("a call of \(request.to) with \(Hex.encode(request.data))"))
    }

    private static func whereKnown(
        _ tag: BlockTag,
        _ state: State,
        _ answer: () -> ChainAnswer?
    ) -> Result<ChainAnswer, ChainError>? {
        if case .number(let number) = tag, state.blocks[number] == nil {
            return .failure(.rpc(code: -32_000, message: "header not found"))
        }
        return answer().map { .success($0) }
    }

    /// The node keeps no old states.
    private static let oldState = ChainError.rpc(code: -32_000, message: "missing trie node")

    private static func unexpected(_ what: String) -> ChainError {
        Issue.record("the test set no answer for \(what)")
        return .nonsense("the test set no answer for \(what)")
    }
}
