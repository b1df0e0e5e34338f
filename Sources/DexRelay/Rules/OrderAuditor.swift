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

    /// The hash of the latest block, so that a block is read only once.
    package func latestBlock() async throws(ChainError) -> BlockHash {
        try await chain.read(.latestBlock).hash
    }

    /// The audits of orders, in their order, read in one batch.
    ///
    /// - Throws: `ChainError` if the chain gave no usable answer: then nothing is known.
    package func audit(
        _ orders: [any SignedOrder]
    ) async throws(ChainError) -> [OrderAudit] {
        guard !orders.isEmpty else { return [] }
        let stateCalls = exchangeProtocol.stateCalls(
            of: orders,
            contracts: contracts,
            detail: .remaining
        )
        var batch = ReadBatch()
        let stateSlots = batch.add(stateCalls, at: .latest)
        var slots: [Holding: FundsSlots] = [:]
        func ask(_ owner: Address, _ token: Address) {
            let holding = Holding(owner: owner, token: token)
            guard slots[holding] == nil else { return }
            slots[holding] = holding.ask(spender: contracts.transferContract, in: &batch)
        }
        for order in orders {
            for token in funding(of: order).tokens { ask(order.maker, token) }
        }
        let answers = try await chain.read(batch)
        let states = try readStates(of: orders, stateSlots, in: answers)
        var funds: [Holding: Funds] = [:]
        for (holding, slots) in slots {
            funds[holding] = Funds(
                balance: try Self.amount(answers[slots.balance]),
                allowance: try Self.amount(answers[slots.allowance])
            )
        }
        return zip(orders, states).map { order, state in
            assess(order, state) { token in
                funds[Holding(owner: order.maker, token: token)]
                    ?? Funds(balance: .zero, allowance: .zero)
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
private struct Holding: Hashable {
    let owner: Address
    let token: Address

    func ask(spender: Address, in batch: inout ReadBatch) -> FundsSlots {
        let balance = CallRequest(to: token, data: ERC20.balanceOf(owner))
        let allowance = CallRequest(
            to: token,
            data: ERC20.allowance(owner: owner, spender: spender)
        )
        return FundsSlots(
            balance: batch.add(.call(balance, .latest)),
            allowance: batch.add(.call(allowance, .latest))
        )
    }
}

private struct FundsSlots {
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
