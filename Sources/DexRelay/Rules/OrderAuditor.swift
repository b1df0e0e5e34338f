package import Ethereum
package import ZeroEx

/// The state of an order on chain.
package struct OrderAudit: Hashable, Sendable {
    package fileprivate(set) var state: OrderState
    /// The maximum fill now, in taker token base units, if this were the maker's only order.
    package fileprivate(set) var fillable: UInt256
    /// The maker's shortage for the remaining amount; nil if there is none.
    package let shortage: Shortage?
    /// The maker's balance of the maker token, in base units.
    package let owned: UInt256
    /// What a fill of all that is left gives, in base units of the maker token; nil if the
    /// contract's arithmetic overflows.
    package let gives: UInt256?
    /// The time of the chain's latest block if the audit looked at it, in seconds since 1970;
    /// else 0.
    package fileprivate(set) var time: UInt64 = 0

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
        /// What each order takes from its maker.
        fileprivate let needs: [Needs]
        fileprivate let funds: [FundsSlots]
    }

    /// What an order takes from its maker.
    fileprivate struct Needs: Sendable {
        let funding: OrderFunding
        /// Where the funds of the maker token are in a question.
        let main: Int
        /// The same for the fee token, if that is another one.
        let fee: (token: Address, place: Int)?
    }

    /// The audits of orders at the latest block, in their order, read in one batch.
    ///
    /// An order that has expired at the block's time is expired, also if its exchange does not say
    /// so.
    ///
    /// - Throws: `ChainError` if the chain gave no usable answer: then nothing is known.
    package func audit(
        _ orders: [any SignedOrder]
    ) async throws(ChainError) -> [OrderAudit] {
        guard !orders.isEmpty else { return [] }
        var batch = ReadBatch()
        let head = batch.add(.latestBlock)
        let question = ask(orders, at: .latest, in: &batch)
        let answers = try await chain.read(batch)
        let time = try answers[head].get().timestamp
        return try zip(orders, audits(question, from: answers)).map {
            order,
            audit throws(ChainError) in
            var audit = try audit.get()
            audit.time = time
            if audit.state.status == .open, order.expiry <= UInt256(time) {
                audit.state = OrderState(
                    filled: audit.state.filled,
                    cancelled: audit.state.cancelled,
                    remaining: audit.state.remaining,
                    status: .expired
                )
                audit.fillable = .zero
            }
            return audit
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
        var places: [TokenHolding: Int] = [:]
        var funds: [FundsSlots] = []
        func place(_ owner: Address, _ token: Address) -> Int {
            let holding = TokenHolding(token: token, owner: owner)
            if let place = places[holding] { return place }
            places[holding] = funds.count
            funds.append(
                holding.ask(spender: contracts.transferContract, at: block, in: &batch)
            )
            return funds.count - 1
        }
        let needs = orders.map { order in
            let funding = OrderFunding(order, by: exchangeProtocol, contracts: contracts)
            let tokens = funding.tokens
            return Needs(
                funding: funding,
                main: place(order.maker, order.makerToken),
                fee: tokens.dropFirst().first.map { ($0, place(order.maker, $0)) }
            )
        }
        return Question(orders: orders, states: states, needs: needs, funds: funds)
    }

    /// Each order's audit, or why there is none; in the order of the question.
    package func audits(
        _ question: Question,
        from answers: ReadAnswers
    ) -> [Result<OrderAudit, ChainError>] {
        let funds = question.funds.map { slots in
            Result { () throws(ChainError) in
                Funds(
                    balance: try Self.amount(answers[slots.balance]),
                    allowance: try Self.amount(answers[slots.allowance])
                )
            }
        }
        let states = states(of: question, in: answers)
        return question.orders.indices.map { index in
            Result { () throws(ChainError) in
                let needs = question.needs[index]
                return assess(
                    question.orders[index],
                    try states[index].get(),
                    needs.funding,
                    main: try funds[needs.main].get(),
                    fee: try needs.fee.map { fee throws(ChainError) in
                        (fee.token, try funds[fee.place].get())
                    }
                )
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

    /// - Parameters:
    ///   - main: the maker's funds of the maker token.
    ///   - fee: those of the fee token, if that is another one.
    private func assess(
        _ order: any SignedOrder,
        _ state: OrderState,
        _ funding: OrderFunding,
        main: Funds,
        fee: (token: Address, funds: Funds)?
    ) -> OrderAudit {
        func funds(_ token: Address) -> Funds {
            if let fee, fee.token == token { fee.funds } else { main }
        }
        let gives = exchangeProtocol.makerAmount(of: order, filling: state.remaining)
        let needs = funding.needs(filling: state.remaining, giving: gives)
        var shortage: OrderAudit.Shortage?
        for need in needs where shortage == nil {
            shortage = funds(need.token).shortage(of: need)
        }
        var fillable =
            shortage == nil
            ? state.remaining
            : funding.payable(upTo: state.remaining, needing: needs) { token in
                let funds = funds(token)
                return min(funds.balance, funds.allowance)
            } ?? .zero
        // A fill that pays out nothing moves nothing, and an order that has ended has no fill.
        if state.status != .open || payout(of: order, fillable, of: state, gives) == .zero {
            fillable = .zero
        }
        return OrderAudit(
            state: state,
            fillable: fillable,
            shortage: shortage,
            owned: main.balance,
            gives: gives
        )
    }

    /// What a fill gives, in base units of the maker token; zero if the contract cannot tell.
    ///
    /// - Parameter gives: what a fill of all that is left gives.
    private func payout(
        of order: any SignedOrder,
        _ fill: UInt256,
        of state: OrderState,
        _ gives: UInt256?
    ) -> UInt256 {
        let payout =
            fill == state.remaining
            ? gives : exchangeProtocol.makerAmount(of: order, filling: fill)
        return payout ?? .zero
    }
}

extension TokenHolding {
    fileprivate func ask(
        spender: Address,
        at block: BlockTag,
        in batch: inout ReadBatch
    ) -> FundsSlots {
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
