package import Ethereum
import ZeroEx

/// One owner's holding of one token.
package struct HoldingKey: Hashable, Sendable {
    package let owner: Address
    package let token: Address

    package init(owner: Address, token: Address) {
        self.owner = owner
        self.token = token
    }
}

/// A balance and the transfer contract's allowance, read at one block; nil if the token's
/// contract did not answer like a token.
package struct Holding: Hashable, Sendable {
    package let balance: UInt256?
    package let allowance: UInt256?

    package init(balance: UInt256?, allowance: UInt256?) {
        self.balance = balance
        self.allowance = allowance
    }

    /// The amount that the transfer contract can move; nil if unknown.
    var spendable: UInt256? {
        guard let balance, let allowance else { return nil }
        return min(balance, allowance)
    }
}

/// All order data that is read at one block: the second round.
struct FundingReads {
    /// The block of the node's answers.
    let block: Block
    /// In the order of the orders.
    let states: [OrderState]
    let holdings: [HoldingKey: Holding]
    /// Decimals by token, for the requested tokens that reported them.
    let decimals: [Address: UInt256]
    let ether: Wei?

    struct Question {
        var orders: [any SignedOrder] = []
        var contracts: ExchangeContracts
        /// Whether filled and cancelled amounts are separate, which doubles the questions.
        var detail = StateDetail.full
        /// Holdings besides those of the orders' makers.
        var holdings: Set<HoldingKey> = []
        var decimals: [Address] = []
        var account: Address?
        /// Of which the node says what they read, where it can.
        var traced: [CallRequest] = []
        /// Also checks whether the exchange can trade at all.
        var checksReadiness = true
    }

    /// Sends one request; if the node lacks the block, a second one at the latest block.
    static func read(
        _ question: Question,
        at block: Block,
        session: Session
    ) async throws(DexError) -> FundingReads {
        let plan = await Layout(question, session: session)
        if let reads = try await plan.read(at: block.number) { return reads }
        session.environment.progress("The node lost block \(block.number); reading again.")
        var latest = ReadBatch()
        let slot = latest.add(.latestBlock)
        let head = try await latest.send(to: session.chain).value(slot)
        if let reads = try await plan.read(at: head.number) { return reads }
        throw ReadError.blockNotFound(head.number)
    }
}

/// The calls for a question, independent of the block.
private struct Layout {
    let question: FundingReads.Question
    let session: Session
    let stateCalls: [CallRequest]
    let readinessCalls: [CallRequest]
    let keys: [HoldingKey]

    @concurrent
    init(_ question: FundingReads.Question, session: Session) async {
        self.question = question
        self.session = session
        let exchange = session.exchangeProtocol
        let contracts = question.contracts
        async let stateCalls = exchange.stateCalls(
            of: question.orders,
            contracts: contracts,
            detail: question.detail
        )
        readinessCalls = question.checksReadiness ? exchange.readinessCalls(contracts) : []
        var keys = question.holdings
        for order in question.orders {
            for token in OrderFunding(order, by: exchange, contracts: contracts).tokens {
                keys.insert(HoldingKey(owner: order.maker, token: token))
            }
        }
        // A fixed order, so that the same question is the same request.
        self.keys = keys.sorted { ($0.token, $0.owner) < ($1.token, $1.owner) }
        self.stateCalls = await stateCalls
    }

    /// nil if the node lacks the block, by an error or a null answer.
    func read(at number: UInt64) async throws(DexError) -> FundingReads? {
        let tag = BlockTag.number(number)
        let contracts = question.contracts
        var batch = ReadBatch(
            capacity: 2 + readinessCalls.count + stateCalls.count + 2 * keys.count
                + question.decimals.count
        )
        let block = batch.add(.block(tag))
        let ether = question.account.map { batch.add(.balance($0, tag)) }
        let readiness = batch.add(readinessCalls, at: tag)
        let states = batch.add(stateCalls, at: tag)
        var slots: [(balance: Slot, allowance: Slot)] = []
        slots.reserveCapacity(keys.count)
        for key in keys {
            let allowance = ERC20.allowance(owner: key.owner, spender: contracts.transferContract)
            slots.append(
                (
                    batch.add(
                        .call(CallRequest(to: key.token, data: ERC20.balanceOf(key.owner)), tag)
                    ),
                    batch.add(.call(CallRequest(to: key.token, data: allowance), tag))
                )
            )
        }
        let decimals = question.decimals.map {
            ($0, batch.add(.call(CallRequest(to: $0, data: ERC20.decimals), tag)))
        }
        let traces = question.traced.map { ($0, batch.add(.accessList($0))) }
        let answers = try await batch.send(to: session.chain)
        guard !answers.isBlockMissing, let block = try answers.value(block) else { return nil }
        for (call, trace) in traces {
            answers.learn(trace, of: call, into: session.accesses)
        }
        let account = try ether.map { slot throws(DexError) in try answers.value(slot) }
        try checkReadiness(readiness, in: answers)
        var holdings: [HoldingKey: Holding] = [:]
        let orderStates = try self.states(states, in: answers)
        holdings.reserveCapacity(keys.count)
        for (key, slot) in zip(keys, slots) {
            holdings[key] = Holding(
                balance: try answers.word(slot.balance),
                allowance: try answers.word(slot.allowance)
            )
        }
        var answered: [Address: UInt256] = [:]
        for (token, slot) in decimals {
            if let value = try answers.word(slot) { answered[token] = value }
        }
        return FundingReads(
            block: block,
            states: orderStates,
            holdings: holdings,
            decimals: answered,
            ether: account
        )
    }

    private typealias Slot = ReadSlot<[UInt8]>

    private func states(
        _ slots: [Slot],
        in answers: ReadAnswers
    ) throws(DexError) -> [OrderState] {
        let bytes = try answers.values(slots)
        let states = try reported(
            ExchangeError.self,
            try session.exchangeProtocol.states(
                of: question.orders,
                answers: bytes,
                detail: question.detail
            )
        )
        guard states.count == question.orders.count else {
            throw DexError(ExchangeError.unreadableAnswer("states of other orders"))
        }
        return states
    }

    private func checkReadiness(_ slots: [Slot], in answers: ReadAnswers) throws(DexError) {
        guard question.checksReadiness else { return }
        let contracts = question.contracts
        for slot in slots {
            if case .failure(.reverted) = answers[slot] {
                throw DexError(
                    ExchangeError.notAuthorized(
                        exchange: contracts.exchange,
                        transferContract: contracts.transferContract
                    )
                )
            }
        }
        let bytes = try answers.values(slots)
        try reported(
            ExchangeError.self,
            try session.exchangeProtocol.checkReadiness(contracts, answers: bytes)
        )
    }
}

extension FundingReads {
    /// The data of the requested account.
    ///
    /// - Throws: `DexError`, exit 4, if none was read: missing data is not zero.
    func account(_ head: AccountHead, tokens: Set<Address>) throws(DexError) -> AccountSnapshot {
        guard let ether else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        var balances: [Address: UInt256] = [:]
        var allowances: [Address: UInt256] = [:]
        for token in tokens {
            let holding = holdings[HoldingKey(owner: head.address, token: token)]
            balances[token] = holding?.balance
            allowances[token] = holding?.allowance
        }
        return AccountSnapshot(
            address: head.address,
            ether: ether,
            pendingNonce: head.pendingNonce,
            balances: balances,
            allowances: allowances
        )
    }
}
