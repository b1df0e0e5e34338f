package import Ethereum
package import ZeroEx

/// The state of an order on chain.
package struct OrderAudit: Hashable, Sendable {
    package let state: OrderState
    /// The maximum fill now, in taker token base units, if this were the maker's only order.
    package let fillable: UInt256
    /// The maker's shortage for the remaining amount; nil if there is none.
    package let shortage: Shortage?
    /// The maker's balance of the maker token, in base units.
    package let owned: UInt256

    /// The insufficient amount of a maker.
    package enum Shortage: Hashable, Sendable {
        case balance(needed: UInt256, found: UInt256)
        case allowance(needed: UInt256, found: UInt256)
        case feeBalance(needed: UInt256, found: UInt256)
        case feeAllowance(needed: UInt256, found: UInt256)
    }
}

/// Reads on chain what orders have left and whether their makers can pay.
package struct OrderAuditor: Sendable {
    private let exchangeProtocol: any ExchangeProtocol
    private let chain: any ChainClient
    private let contracts: ExchangeContracts

    package init(
        exchangeProtocol: any ExchangeProtocol,
        chain: any ChainClient,
        contracts: ExchangeContracts
    ) {
        self.exchangeProtocol = exchangeProtocol
        self.chain = chain
        self.contracts = contracts
    }

    /// The hash of the node's latest block.
    func latestBlock() async throws(ChainError) -> BlockHash {
        try await chain.read(.latestBlock).hash
    }

    /// The questions about some orders in a batch.
    package struct Question: Sendable {
        fileprivate let orders: [any SignedOrder]
        fileprivate let states: [ReadSlot<[UInt8]>]
        fileprivate let funds: [Holding: FundsSlots]
    }

    /// The audits of orders, in their order, read in one batch.
    ///
    /// - Throws: `ChainError` if the chain gave no usable answer: then nothing is known.
    package func audit(
        _ orders: [any SignedOrder],
        at block: BlockTag = .latest
    ) async throws(ChainError) -> [OrderAudit] {
        guard !orders.isEmpty else { return [] }
        var batch = ReadBatch()
        let question = ask(orders, at: block, in: &batch)
        let answers = try await chain.read(batch)
        return try audits(question, from: answers).map { audit throws(ChainError) in
            try audit.get()
        }
    }

    /// Adds the questions about orders to a batch, so that several versions can share one.
    package func ask(
        _ orders: [any SignedOrder],
        at block: BlockTag,
        in batch: inout ReadBatch
    ) -> Question {
        let calls = exchangeProtocol.stateCalls(
            of: orders,
            contracts: contracts,
            detail: .remaining
        )
        let states = batch.add(calls, at: block)
        var funds: [Holding: FundsSlots] = [:]
        for order in orders {
            for token in funding(of: order).tokens {
                let holding = Holding(owner: order.maker, token: token)
                guard funds[holding] == nil else { continue }
                funds[holding] = holding.ask(
                    spender: contracts.transferContract,
                    at: block,
                    in: &batch
                )
            }
        }
        return Question(orders: orders, states: states, funds: funds)
    }

    /// Each order's audit, or why there is none; in the order of the question.
    package func audits(
        _ question: Question,
        from answers: ReadAnswers
    ) -> [Result<OrderAudit, ChainError>] {
        var funds: [Holding: Result<Funds, ChainError>] = [:]
        for (holding, slots) in question.funds {
            funds[holding] = Result { () throws(ChainError) in
                Funds(
                    balance: try Self.amount(answers[slots.balance]),
                    allowance: try Self.amount(answers[slots.allowance])
                )
            }
        }
        return zip(question.orders, states(of: question, in: answers)).map { order, state in
            Result { () throws(ChainError) in
                let state = try state.get()
                var known: [Address: Funds] = [:]
                for token in funding(of: order).tokens {
                    known[token] = try funds[Holding(owner: order.maker, token: token)]?.get()
                }
                return assess(order, state) { known[$0] ?? Funds(balance: 0, allowance: 0) }
            }
        }
    }

    private func states(
        of question: Question,
        in answers: ReadAnswers
    ) -> [Result<OrderState, ChainError>] {
        let orders = question.orders
        do throws(ChainError) {
            return try readStates(of: orders, question.states, in: answers).map { .success($0) }
        } catch {
            // Where each order has a call of its own, the others are still known.
            guard orders.count > 1, question.states.count == orders.count else {
                return orders.map { _ in .failure(error) }
            }
        }
        return zip(orders, question.states).map { order, slot in
            Result { () throws(ChainError) in
                let states = try readStates(of: [order], [slot], in: answers)
                guard let state = states.first else { throw .nonsense("no state of an order") }
                return state
            }
        }
    }

    private func readStates(
        of orders: [any SignedOrder],
        _ slots: [ReadSlot<[UInt8]>],
        in answers: ReadAnswers
    ) throws(ChainError) -> [OrderState] {
        let bytes = try slots.map { slot throws(ChainError) in try answers[slot].get() }
        let states: [OrderState]
        do throws(ExchangeError) {
            states = try exchangeProtocol.states(of: orders, answers: bytes, detail: .remaining)
        } catch {
            throw .nonsense(error.description)
        }
        guard states.count == orders.count else {
            throw .nonsense("\(states.count) states of \(orders.count) orders")
        }
        return states
    }

    /// The amount that a token returned.
    ///
    /// A token that reverts or returns nothing cannot pay, so its amount is zero. Any other failure
    /// is the node's.
    private static func amount(
        _ answer: Result<[UInt8], ChainError>
    ) throws(ChainError) -> UInt256 {
        switch answer {
        case .success(let bytes):
            return bytes.count >= 32 ? UInt256(bigEndian: bytes.prefix(32)) ?? .zero : .zero
        case .failure(.reverted): return .zero
        case .failure(let error): throw error
        }
    }

    private func assess(
        _ order: any SignedOrder,
        _ state: OrderState,
        funds: (Address) -> Funds
    ) -> OrderAudit {
        let funding = funding(of: order)
        let shortage = funding.needs(filling: state.remaining)
            .compactMap { funds($0.token).shortage(of: $0) }
            .first
        var fillable =
            funding.payable(upTo: state.remaining) { token in
                let funds = funds(token)
                return min(funds.balance, funds.allowance)
            } ?? .zero
        // A fill that pays out nothing moves nothing, and an order that has ended has no fill.
        if state.status != .open
            || exchangeProtocol.makerAmount(of: order, filling: fillable) ?? .zero == .zero
        {
            fillable = .zero
        }
        return OrderAudit(
            state: state,
            fillable: fillable,
            shortage: shortage,
            owned: funds(order.makerToken).balance
        )
    }

    private func funding(of order: any SignedOrder) -> OrderFunding {
        OrderFunding(order, by: exchangeProtocol, contracts: contracts)
    }
}

/// An account's holding of a token.
private struct Holding: Hashable, Sendable {
    let owner: Address
    let token: Address

    func ask(spender: Address, at block: BlockTag, in batch: inout ReadBatch) -> FundsSlots {
        let balance = CallRequest(to: token, data: ERC20.balanceOf(owner))
        let allowance = CallRequest(
            to: token,
            data: ERC20.allowance(owner: owner, spender: spender)
        )
        return FundsSlots(
            balance: batch.add(.call(balance, block)),
            allowance: batch.add(.call(allowance, block))
        )
    }
}

private struct FundsSlots: Sendable {
    let balance: ReadSlot<[UInt8]>
    let allowance: ReadSlot<[UInt8]>
}

private struct Funds {
    let balance: UInt256
    let allowance: UInt256

    func shortage(of need: OrderFunding.Need) -> OrderAudit.Shortage? {
        if balance < need.amount {
            return need.isFee
                ? .feeBalance(needed: need.amount, found: balance)
                : .balance(needed: need.amount, found: balance)
        }
        guard allowance < need.amount else { return nil }
        return need.isFee
            ? .feeAllowance(needed: need.amount, found: allowance)
            : .allowance(needed: need.amount, found: allowance)
    }
}
