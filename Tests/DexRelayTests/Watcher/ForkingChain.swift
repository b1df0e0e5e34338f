import Ethereum
import Synchronization

@testable import DexRelay
@testable import ZeroEx

/// A node over a tree of blocks, of which one branch is its chain.
///
/// It answers a range of blocks with no logs at all: whoever asks so finds nothing.
final class ForkingChain: ChainClient {
    /// The money and the orders after a block.
    struct World {
        var balances: [TokenHolding: UInt256] = [:]
        var allowances: [TokenHolding: UInt256] = [:]
        /// What of an order is filled or cancelled.
        var used: [OrderHash: UInt256] = [:]
        /// The logs of the block that is being made.
        var logs: [Log] = []
    }

    private struct Entry {
        let block: Block
        let world: World
    }

    private struct State {
        var entries: [BlockHash: Entry] = [:]
        var head: BlockHash
        /// What the node calls its latest block, if it lags.
        var shown: BlockHash?
        var forgotten: Set<BlockHash> = []
        var failure: ChainError?
        /// Reads until they fail.
        var readsLeft: Int?
        var tampering: (@Sendable (ChainRead, ChainAnswer) -> ChainAnswer)?
        /// Contracts whose calls fail at the node.
        var broken: Set<Address> = []
        var reads: [[ChainRead]] = []
        /// Holds the answer of the read after so many.
        var gate: Gate?
        var readsBeforeGate = 0
    }

    static let start: UInt64 = 1_700_000_000
    private let spender: Address
    private let state: Mutex<State>

    init(spender: Address) {
        self.spender = spender
        let genesis = Self.block(salt: 0, number: 100, parent: BlockHash(.zero), time: Self.start)
        state = Mutex(
            State(
                entries: [genesis.hash: Entry(block: genesis, world: World())],
                head: genesis.hash
            )
        )
    }

    // MARK: Blocks

    private static func block(
        salt: UInt64,
        number: UInt64,
        parent: BlockHash,
        time: UInt64
    ) -> Block {
        Block(
            number: number,
            hash: BlockHash(Keccak256.hash(UInt256(salt).bigEndianBytes)),
            parentHash: parent,
            timestamp: time,
            baseFeePerGas: nil,
            gasLimit: 0,
            gasUsed: 0
        )
    }

    var head: Block {
        state.withLock { state in
            guard let entry = state.entries[state.head] else { preconditionFailure("no head") }
            return entry.block
        }
    }

    /// Makes a block on the head.
    @discardableResult
    func mine(
        after seconds: UInt64 = 12,
        _ change: (inout World) -> Void = { _ in }
    ) -> Block {
        state.withLock { state in
            guard let parent = state.entries[state.head] else { preconditionFailure("no head") }
            let block = Self.block(
                salt: UInt64(state.entries.count),
                number: parent.block.number + 1,
                parent: parent.block.hash,
                time: parent.block.timestamp + seconds
            )
            var world = parent.world
            world.logs = []
            change(&world)
            world.logs = world.logs.enumerated().map { index, log in
                Log(
                    address: log.address,
                    topics: log.topics,
                    data: log.data,
                    blockNumber: block.number,
                    blockHash: block.hash,
                    transactionHash: TransactionHash(block.hash.word),
                    logIndex: UInt64(index)
                )
            }
            state.entries[block.hash] = Entry(block: block, world: world)
            state.head = block.hash
            return block
        }
    }

    /// Undoes the latest blocks; the next one is made in their place.
    func undo(_ count: Int) {
        state.withLock { state in
            for _ in 0..<count {
                guard let block = state.entries[state.head]?.block,
                    state.entries[block.parentHash] != nil
                else { return }
                state.head = block.parentHash
            }
        }
    }

    /// Makes another branch the chain.
    func `switch`(to head: BlockHash) {
        state.withLock { $0.head = head }
    }

    // MARK: Trouble

    /// Shows an older block as the latest; nil the true one.
    func lag(at block: BlockHash?) {
        state.withLock { $0.shown = block }
    }

    func forget(_ blocks: Set<BlockHash>) {
        state.withLock { $0.forgotten = blocks }
    }

    func fail(with failure: ChainError?, after reads: Int = 0) {
        state.withLock { state in
            state.failure = failure
            state.readsLeft = reads
        }
    }

    func tamper(_ change: (@Sendable (ChainRead, ChainAnswer) -> ChainAnswer)?) {
        state.withLock { $0.tampering = change }
    }

    func breakCalls(of contracts: Set<Address>) {
        state.withLock { $0.broken = contracts }
    }

    /// Holds the answer of the read after so many; it is as of then.
    func holdRead(at gate: Gate, after reads: Int) {
        state.withLock { state in
            state.gate = gate
            state.readsBeforeGate = reads
        }
    }

    /// The reads since the last time they were taken.
    func takeReads() -> [[ChainRead]] {
        state.withLock { state in
            defer { state.reads = [] }
            return state.reads
        }
    }

    // MARK: Answers

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let (result, gate) = state.withLock { state -> (Result<State, ChainError>, Gate?) in
            state.reads.append(reads)
            if let failure = state.failure {
                guard let left = state.readsLeft, left > 0 else { return (.failure(failure), nil) }
                state.readsLeft = left - 1
            }
            state.readsBeforeGate -= 1
            guard state.readsBeforeGate < 0 else { return (.success(state), nil) }
            defer { state.gate = nil }
            return (.success(state), state.gate)
        }
        let state = try result.get()
        await gate?.pass()
        return reads.map { read in
            answer(read, state).map { state.tampering?(read, $0) ?? $0 }
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }

    private func answer(_ read: ChainRead, _ state: State) -> Result<ChainAnswer, ChainError> {
        switch read {
        case .block(.latest):
            return .success(.block(state.entries[state.shown ?? state.head]?.block))
        case .block(.hash(let hash)):
            guard !state.forgotten.contains(hash) else { return .success(.block(nil)) }
            return .success(.block(state.entries[hash]?.block))
        case .logs(let filter):
            guard let hash = filter.blockHash else { return .success(.logs([])) }
            return known(hash, state).map { entry in
                let pattern = LogPattern(contracts: filter.addresses, topics: filter.topics)
                return .logs(entry.world.logs.filter(pattern.matches))
            }
        case .call(let request, .hash(let hash)):
            guard !state.broken.contains(request.to) else {
                return .failure(.rpc(code: -32000, message: "execution timeout"))
            }
            return known(hash, state).flatMap { call(request, in: $0.world) }
        default: return .failure(.rpc(code: -32601, message: "not for a watcher"))
        }
    }

    /// A block of the chain that the node shows.
    private func known(_ hash: BlockHash, _ state: State) -> Result<Entry, ChainError> {
        var cursor: BlockHash? = state.shown ?? state.head
        while let current = cursor, let entry = state.entries[current] {
            if current == hash, !state.forgotten.contains(hash) { return .success(entry) }
            cursor = entry.block.parentHash
        }
        return .failure(.missingBlock(code: -32000, message: "unknown block"))
    }

    private func call(
        _ request: CallRequest,
        in world: World
    ) -> Result<ChainAnswer, ChainError> {
        let words = stride(from: 4, to: request.data.count, by: 32).compactMap {
            Bytes32(bytes: request.data[$0..<min(request.data.count, $0 + 32)])
        }
        func holding() -> TokenHolding {
            TokenHolding(token: request.to, owner: Address(truncating: words[0]))
        }
        let value: UInt256?
        switch (Hex.encode(request.data.prefix(4)), words.count) {
        case ("0x7e9abb50", 1): value = world.used[OrderHash(words[0])] ?? .zero
        case ("0x70a08231", 1): value = world.balances[holding()] ?? .zero
        case ("0xdd62ed3e", 2) where Address(truncating: words[1]) == spender:
            value = world.allowances[holding()] ?? .zero
        default: value = nil
        }
        guard let value else { return .failure(.reverted(data: [], message: "unknown call")) }
        return .success(.bytes(value.bigEndianBytes))
    }
}

extension ForkingChain.World {
    /// Gives an account a token and approves it, without a log.
    mutating func grant(_ token: Address, to owner: Address, _ amount: UInt256) {
        balances[TokenHolding(token: token, owner: owner)] = amount
        allowances[TokenHolding(token: token, owner: owner)] = .max
    }

    mutating func transfer(_ token: Address, from: Address, to: Address, _ amount: UInt256) {
        let source = TokenHolding(token: token, owner: from)
        let target = TokenHolding(token: token, owner: to)
        guard let balance = balances[source], balance >= amount else { return }
        balances[source] = balance - amount
        balances[target, default: 0] = (balances[target] ?? 0) + amount
        logs.append(
            Log(
                address: token,
                topics: [ERC20.transferTopic, from.word, to.word],
                data: amount.bigEndianBytes
            )
        )
    }

    mutating func approve(
        _ token: Address,
        by owner: Address,
        spender: Address,
        _ amount: UInt256
    ) {
        allowances[TokenHolding(token: token, owner: owner)] = amount
        logs.append(
            Log(
                address: token,
                topics: [ERC20.approvalTopic, owner.word, spender.word],
                data: amount.bigEndianBytes
            )
        )
    }

    /// Wraps ether: no Transfer tells of it.
    mutating func deposit(_ token: Address, by owner: Address, _ amount: UInt256) {
        balances[TokenHolding(token: token, owner: owner), default: 0] =
            (balances[TokenHolding(token: token, owner: owner)] ?? 0) + amount
        logs.append(
            Log(
                address: token,
                topics: [ERC20.depositTopic, owner.word],
                data: amount.bigEndianBytes
            )
        )
    }

    mutating func withdraw(_ token: Address, by owner: Address, _ amount: UInt256) {
        let holding = TokenHolding(token: token, owner: owner)
        guard let balance = balances[holding], balance >= amount else { return }
        balances[holding] = balance - amount
        logs.append(
            Log(
                address: token,
                topics: [ERC20.withdrawalTopic, owner.word],
                data: amount.bigEndianBytes
            )
        )
    }

    mutating func fill(_ order: any SignedOrder, _ amount: UInt256, by taker: Address) {
        used[order.hash] = (used[order.hash] ?? 0) + amount
        let given = ZeroExV1().makerAmount(of: order, filling: amount) ?? 0
        transfer(order.makerToken, from: order.maker, to: taker, given)
        let log = ExchangeLogV1.fill(
            FillEvent(
                orderHash: order.hash,
                maker: order.maker,
                taker: taker,
                feeRecipient: order.feeRecipient,
                makerToken: order.makerToken,
                takerToken: order.takerToken,
                makerAmount: given,
                takerAmount: amount,
                makerFee: 0,
                takerFee: 0
            )
        ).encoded
        logs.append(Log(address: order.exchange, topics: log.topics, data: log.data))
    }

    mutating func cancel(_ order: any SignedOrder) {
        used[order.hash] = order.takerAmount
        let event = CancelEvent(
            orderHash: order.hash,
            maker: order.maker,
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            makerAmount: order.makerAmount,
            takerAmount: order.takerAmount
        )
        let log = ExchangeLogV1.cancel(.init(event: event, feeRecipient: .zero)).encoded
        logs.append(Log(address: order.exchange, topics: log.topics, data: log.data))
    }
}
