import Ethereum
import Synchronization

@testable import ZeroEx

/// A chain that knows balances, allowances and what is used up of orders, and fails on anything
/// else that it is asked.
final class FakeChain: ChainClient {
    struct State {
        var block: UInt64 = 1
        var balances: [Holding: UInt256] = [:]
        var allowances: [Holding: UInt256] = [:]
        var unavailable: [Bytes32: UInt256] = [:]
        /// Orders of v4 that were cancelled.
        var cancelled: Set<Bytes32> = []
        /// Tokens of which every call reverts.
        var failing: Set<Address> = []
        /// Of every block, in seconds since 1970.
        var time: UInt64 = 0
        var failure: ChainError?
        /// How many questions came in each batch.
        var batches: [Int] = []
        fileprivate var logs: [UInt64: [Log]] = [:]
    }

    struct Holding: Hashable {
        let owner: Address
        let token: Address
    }

    /// Who may move tokens: v1's proxy, and the exchange of v4 where there is one.
    private let spenders: Set<Address>
    /// The exchange whose orders of v4 it knows; nil knows none.
    let domain: ExchangeDomainV4?
    private let state = Mutex(State())

    init(spender: Address, domain: ExchangeDomainV4? = nil) {
        spenders = Set([spender, domain?.exchange].compactMap { $0 })
        self.domain = domain
    }

    /// Changes the chain; the logs of it are in the next block.
    func set(_ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state
            change(&state)
            let next = max(before.block + 1, state.block)
            state.logs[next, default: []] += logs(from: before, to: state)
        }
    }

    /// What the contracts would have said of a change.
    private func logs(from old: State, to new: State) -> [Log] {
        var logs: [Log] = []
        func holdings(_ before: [Holding: UInt256], _ after: [Holding: UInt256]) {
            for holding in Set(before.keys).union(after.keys)
            where before[holding] != after[holding] {
                logs.append(
                    Log(
                        address: holding.token,
                        topics: [
                            ERC20.transferTopic, holding.owner.word, Address.zero.word,
                        ],
                        data: UInt256(1).bigEndianBytes
                    )
                )
            }
        }
        holdings(old.balances, new.balances)
        holdings(old.allowances, new.allowances)
        let used = Set(new.unavailable.keys.filter { old.unavailable[$0] != new.unavailable[$0] })
            .union(new.cancelled.subtracting(old.cancelled))
        for hash in used {
            let cancel = ExchangeLogV1.cancel(
                .init(
                    event: CancelEvent(
                        orderHash: OrderHash(hash),
                        maker: .zero,
                        makerToken: .zero,
                        takerToken: .zero,
                        makerAmount: 0,
                        takerAmount: 0
                    ),
                    feeRecipient: .zero
                )
            ).encoded
            logs.append(
                Log(address: RelayFixture.exchange, topics: cancel.topics, data: cancel.data)
            )
            guard let domain else { continue }
            let native = ExchangeLogV4.orderCancelled(OrderHash(hash), maker: .zero).encoded
            logs.append(
                Log(address: domain.exchange, topics: native.topics, data: native.data)
            )
        }
        return logs
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
        case .block(let tag):
            var number = state.block
            if case .hash(let hash) = tag { number = UInt256(hash.word).uint64 ?? .max }
            guard number <= state.block else { return .success(.block(nil)) }
            return .success(
                .block(
                    Block(
                        number: number,
                        hash: BlockHash(UInt256(number).word),
                        parentHash: BlockHash(UInt256(number &- 1).word),
                        timestamp: state.time,
                        baseFeePerGas: nil,
                        gasLimit: 0,
                        gasUsed: 0
                    )
                )
            )
        case .logs(let filter):
            guard let hash = filter.blockHash, let number = UInt256(hash.word).uint64,
                number <= state.block
            else { return .failure(.missingBlock(code: -32000, message: "unknown block")) }
            let logs = (state.logs[number] ?? []).map { log in
                Log(
                    address: log.address,
                    topics: log.topics,
                    data: log.data,
                    blockNumber: number,
                    blockHash: hash
                )
            }
            return .success(.logs(logs))
        case .call(let request, _): return answer(request, state)
        default: return .failure(.rpc(code: -32601, message: "not for a relay"))
        }
    }

    private func answer(
        _ request: CallRequest,
        _ state: State
    ) -> Result<ChainAnswer, ChainError> {
        if let domain, request.to == domain.exchange {
            return answer(request, state, domain)
        }
        if state.failing.contains(request.to) {
            return .failure(.reverted(data: [], message: "paused"))
        }
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
        case ("0xdd62ed3e", 2) where spenders.contains(Address(truncating: words[1])):
            value =
                state.allowances[Holding(owner: Address(truncating: words[0]), token: request.to)]
                ?? .zero
        default: value = nil
        }
        guard let value else { return .failure(.reverted(data: [], message: "unknown call")) }
        return .success(.bytes(value.bigEndianBytes))
    }

    /// The exchange of v4, asked for many states at once or for one.
    private func answer(
        _ request: CallRequest,
        _ state: State,
        _ domain: ExchangeDomainV4
    ) -> Result<ChainAnswer, ChainError> {
        func info(_ order: LimitOrderV4) -> OrderInfoV4 {
            let hash = order.hash(in: domain)
            let filled = state.unavailable[hash.word]?.uint128 ?? 0
            let status: OrderStatusV4 =
                if filled >= order.takerAmount {
                    .filled
                } else if state.cancelled.contains(hash.word) {
                    .cancelled
                } else if order.expiry <= state.time {
                    .expired
                } else {
                    .fillable
                }
            return OrderInfoV4(orderHash: hash, status: status, filled: filled)
        }
        func relevant(_ order: LimitOrderV4) -> OrderRelevantStateV4 {
            if state.failing.contains(order.makerToken) {
                // As the contract answers where what it calls reverts.
                let nothing = OrderInfoV4(orderHash: OrderHash(.zero), status: .invalid, filled: 0)
                return OrderRelevantStateV4(info: nothing, fillable: 0, isSignatureValid: false)
            }
            let info = info(order)
            let left = info.status == .fillable ? order.takerAmount - info.filled : 0
            return OrderRelevantStateV4(info: info, fillable: left, isSignatureValid: true)
        }
        let answer: ExchangeAnswerV4
        switch try? ExchangeCallV4(data: request.data) {
        case .limit(.info(let order)): answer = .info(info(order))
        case .limit(.relevantState(let order, _)): answer = .relevantState(relevant(order))
        case .limit(.batchRelevantStates(let orders, _)):
            answer = .batchRelevantStates(orders.map(relevant))
        default: return .failure(.reverted(data: [], message: "unknown call"))
        }
        return .success(.bytes(answer.data))
    }
}
