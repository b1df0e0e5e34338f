import Ethereum
import ZeroEx

/// One owner's holding of one token.
struct HoldingKey: Hashable {
    let owner: Address
    let token: Address
}

/// Balances and the transfer contract's allowances, read at one block; nil where the token's
/// contract did not answer as a token.
struct Holding: Hashable {
    let balance: UInt256?
    let allowance: UInt256?

    /// What the transfer contract can move; nil where it is not known.
    var spendable: UInt256? {
        guard let balance, let allowance else { return nil }
        return min(balance, allowance)
    }
}

/// Everything about orders that is read at one block: the second round.
struct FundingReads {
    /// The block that the node really answered at.
    let block: Block
    /// In the order of the orders.
    let states: [OrderState]
    let holdings: [HoldingKey: Holding]
    /// By token, of the tokens whose decimals were asked for and that told them.
    let decimals: [Address: UInt256]
    /// nil where no account was given.
    let ether: Wei?

    /// What to read.
    struct Question {
        var orders: [any SignedOrder] = []
        var contracts: ExchangeContracts
        /// Whether filled and cancelled are told apart, at twice the questions.
        var detail = StateDetail.full
        /// Holdings beside those of the orders' makers.
        var holdings: Set<HoldingKey> = []
        /// Whose decimals are read.
        var decimals: [Address] = []
        /// Whose ether is read.
        var account: Address?
        /// Whether the exchange can trade at all is checked too.
        var checksReadiness = true
    }

    /// Asks in one request; once more at the latest block where the node does not have this one.
    static func read(
        _ question: Question,
        at block: Block,
        session: Session
    ) async throws(DexError) -> FundingReads {
        let plan = Plan(question, session: session)
        var answers = try await plan.batch(at: block.number).send(to: session.chain)
        if plan.isBlockMissing(in: answers) {
            session.environment.progress("The node lost block \(block.number); reading again.")
            var latest = ReadBatch()
            let place = latest.add(.block(.latest))
            let head = try await latest.send(to: session.chain)
                .value(place) { answer throws(ChainError) in try answer.block() }
            guard let head else {
                throw DexError(ChainError.nonsense("the node has no latest block"))
            }
            answers = try await plan.batch(at: head.number).send(to: session.chain)
            if plan.isBlockMissing(in: answers) {
                throw DexError(
                    .unreachable,
                    code: "block-not-found",
                    message: "The node does not have block \(head.number), which it named as its "
                        + "latest.",
                    hint: "It may be catching up; try again, or another node with --rpc.",
                    retryable: true
                )
            }
        }
        return try plan.result(of: answers)
    }
}

/// The questions in their fixed order, so that answers are found by position.
private struct Plan {
    let question: FundingReads.Question
    let session: Session
    let stateCalls: [CallRequest]
    let readinessCalls: [CallRequest]
    let keys: [HoldingKey]

    init(_ question: FundingReads.Question, session: Session) {
        self.question = question
        self.session = session
        let exchange = session.exchangeProtocol
        let contracts = question.contracts
        stateCalls = exchange.stateCalls(
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
    }

    func batch(at number: UInt64) -> ReadBatch {
        let tag = BlockTag.number(number)
        var batch = ReadBatch(
            capacity: 2 + readinessCalls.count + stateCalls.count + 2 * keys.count
                + question.decimals.count
        )
        _ = batch.add(.block(tag))
        if let account = question.account { _ = batch.add(.balance(account, tag)) }
        _ = batch.add(readinessCalls, at: tag)
        _ = batch.add(stateCalls, at: tag)
        let spender = question.contracts.transferContract
        for key in keys {
            let balance = CallRequest(to: key.token, data: ERC20.balanceOf(key.owner))
            let allowance = CallRequest(
                to: key.token,
                data: ERC20.allowance(owner: key.owner, spender: spender)
            )
            _ = batch.add([balance, allowance], at: tag)
        }
        for token in question.decimals {
            _ = batch.add(.call(CallRequest(to: token, data: ERC20.decimals), tag))
        }
        return batch
    }

    /// The node lacks the block, in words or by answering null for it.
    func isBlockMissing(in answers: ReadAnswers) -> Bool {
        if answers.isBlockMissing { return true }
        if case .success(.block(nil)) = answers[0] { return true }
        return false
    }

    func result(of answers: ReadAnswers) throws(DexError) -> FundingReads {
        let block = try answers.value(0) { answer throws(ChainError) in
            guard let block = try answer.block() else {
                throw ChainError.nonsense("the block is missing")
            }
            return block
        }
        var place = 1
        var ether: Wei?
        if question.account != nil {
            ether = try answers.value(place) { answer throws(ChainError) in try answer.wei() }
            place += 1
        }
        try checkReadiness(answers, at: place..<place + readinessCalls.count)
        place += readinessCalls.count
        let stateAnswers = try answers.bytes(place..<place + stateCalls.count)
        place += stateCalls.count
        let states: [OrderState]
        do {
            states = try session.exchangeProtocol.states(
                of: question.orders,
                answers: stateAnswers,
                detail: question.detail
            )
        } catch {
            throw DexError(error)
        }
        guard states.count == question.orders.count else {
            throw DexError(ExchangeError.unreadableAnswer("states of other orders"))
        }
        var holdings: [HoldingKey: Holding] = [:]
        holdings.reserveCapacity(keys.count)
        for key in keys {
            holdings[key] = Holding(
                balance: try answers.word(place),
                allowance: try answers.word(place + 1)
            )
            place += 2
        }
        var decimals: [Address: UInt256] = [:]
        for token in question.decimals {
            if let value = try answers.word(place) { decimals[token] = value }
            place += 1
        }
        return FundingReads(
            block: block,
            states: states,
            holdings: holdings,
            decimals: decimals,
            ether: ether
        )
    }

    private func checkReadiness(
        _ answers: ReadAnswers,
        at places: Range<Int>
    ) throws(DexError) {
        guard question.checksReadiness else { return }
        let contracts = question.contracts
        for place in places {
            if case .failure(.reverted) = answers[place] {
                throw DexError(
                    ExchangeError.notAuthorized(
                        exchange: contracts.exchange,
                        transferContract: contracts.transferContract
                    )
                )
            }
        }
        let bytes = try answers.bytes(places)
        do {
            try session.exchangeProtocol.checkReadiness(contracts, answers: bytes)
        } catch {
            throw DexError(error)
        }
    }
}

extension FundingReads {
    /// An account's part of what was read.
    func account(
        _ address: Address,
        pendingNonce: UInt64,
        tokens: Set<Address>
    ) -> AccountSnapshot {
        var balances: [Address: UInt256] = [:]
        var allowances: [Address: UInt256] = [:]
        for token in tokens {
            let holding = holdings[HoldingKey(owner: address, token: token)]
            balances[token] = holding?.balance
            allowances[token] = holding?.allowance
        }
        return AccountSnapshot(
            address: address,
            ether: ether ?? .zero,
            pendingNonce: pendingNonce,
            balances: balances,
            allowances: allowances
        )
    }
}
