import DexStore
package import Ethereum
import ZeroEx

/// A requested allowance of the transfer contract, as the user wrote it.
package struct AllowanceRequest: Hashable, Sendable {
    package enum Amount: Hashable, Sendable {
        /// Human units, or a share of the balance; `0` revokes the allowance.
        case exactly(String)
        case unlimited
    }

    /// A symbol or an address.
    package var token: String
    package var amount: Amount

    package init(token: String, amount: Amount) {
        self.token = token
        self.amount = amount
    }

    /// Revokes an allowance.
    package static func revoking(_ token: String) -> AllowanceRequest {
        AllowanceRequest(token: token, amount: .exactly("0"))
    }
}

/// Sets and revokes allowances of the exchange's transfer contract only.
package struct AllowanceModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: AllowanceRequest) -> String {
        "reading the allowance"
    }

    /// The required approvals, found by simulation; nothing is signed or written.
    ///
    /// Empty if the allowance is already right.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid token or amount; 6 `not-a-token`,
    ///   `decimals-mismatch`, `insufficient-ether`, `fee-cap`; 10 if the token refuses.
    package func plan(
        _ request: AllowanceRequest,
        account: Address
    ) async throws(DexError) -> Plan<AllowancePlan> {
        let token = try await TokenResolver(session: session).token(request.token)
        let amount = try await amount(request.amount, of: token, account: account)
        let inFlight = InFlight(session: session, journal: journal, conflicts: conflicts(amount))
        var first = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &first)
        let askedContracts = ChainSetup.askContracts(session, false, in: &first)
        let questions = try inFlight.questions(account: account, in: &first)
        let balance = first.add(.balance(account, .latest))
        let decimals = first.add(
            .call(CallRequest(to: token.address, data: ERC20.decimals), .latest)
        )
        let reported = try await first.send(to: session.chain)
        let head = try reported.value(askedHead)
        let contracts = try reported.value(askedContracts)
        let ether = try reported.value(balance)
        _ = try token.confirmed(by: reported.word(decimals))

        let planner = ApprovalPlanner(
            owner: account,
            spender: contracts.transferContract,
            approval: .exact,
            overrides: settings.fees,
            session: session
        )
        var batch = ReadBatch()
        let allowance = batch.add(
            .allowance(of: token.address, by: account, to: contracts.transferContract, .latest)
        )
        let simulation = planner.ask(token, amount, in: &batch)
        let answers = try await batch.send(to: session.chain)
        guard let current = try answers.word(allowance) else {
            throw TokenError.notAToken(token.address)
        }
        let need = ApprovalNeed(token: token, current: current, amount: amount)
        let steps =
            current == amount
            ? [] : try planner.steps(need, simulation, in: answers, block: head.block)
        let gas =
            steps.isEmpty
            ? nil
            : try await CallPricing(session: session)
                .plan(steps, head.fees, ether: ether, settings: settings)
        let earlier = try inFlight.report(questions, answers: reported, next: head.pendingNonce)
        let plan = AllowancePlan(
            account: account,
            token: token,
            spender: contracts.transferContract,
            current: current,
            amount: amount,
            block: head.block.number,
            steps: steps.map { PlannedTransaction($0) },
            gas: gas,
            warnings: earlier.warnings + warnings(token, amount, gas: gas),
            stop: steps.isEmpty ? nil : earlier.stop
        )
        return Plan(
            content: plan,
            command: amount == .zero ? "allowance revoke" : "allowance set",
            conflicts: inFlight.conflicts,
            steps: Step.calls(steps, session, gas: gas, contracts: contracts),
            limits: Limits(gas: gas),
            settled: steps.isEmpty ? AllowanceOutcome(unchanged: plan) : nil
        )
    }

    // MARK: Parts

    /// A revocation never waits; an approval may conflict with something in flight.
    private func conflicts(_ amount: UInt256) -> InFlight.ConflictPolicy {
        amount == .zero ? .cancel : .order(isAllowed: settings.allowsPending)
    }

    private func amount(
        _ amount: AllowanceRequest.Amount,
        of token: Token,
        account: Address
    ) async throws(DexError) -> UInt256 {
        guard case .exactly(let text) = amount else { return .max }
        // Zero revokes.
        if case .number(let number) = try AmountExpression(text) {
            return try reported(
                DecimalTextError.self,
                try number.units(decimals: token.decimals ?? 0)
            )
        }
        return try await SpendableFunds(session: session, settings: settings)
            .raw(text, of: token, account: account)
    }

    private func warnings(_ token: Token, _ amount: UInt256, gas: GasPlan?) -> [String] {
        var warnings: [String] = []
        let symbol = PlainText.name(token.symbol)
        if amount == .max {
            warnings.append(
                "UNLIMITED: the transfer contract may then move all \(symbol) that the account "
                    + "will ever have, for orders that the account signed."
            )
        }
        if amount != .zero, session.tokens.listed(token.address) == nil {
            warnings += session.tokens.warnings(for: token)
        }
        return warnings + (gas?.warnings ?? [])
    }
}

extension AllowancePlan {
    /// The effect of the approvals, with the allowance read again once they are mined.
    package static func outcome(
        of planned: Plan<AllowancePlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> AllowanceOutcome {
        let plan = planned.content
        guard results.isSent, let receipt = results.receipt else {
            let words = results.words(of: planned, nothing: "it changed nothing", context.settings)
            return AllowanceOutcome(
                plan: plan,
                transactions: results.transactions,
                allowance: nil,
                warnings: words,
                ending: results.ending
            )
        }
        let block = BlockTag.number(receipt.blockNumber)
        let bytes = try? await context.session.chain  // nil is a warning below
            .read(.allowance(of: plan.token.address, by: plan.account, to: plan.spender, block))
        let now = bytes.flatMap(TokenAnswers.word)
        let reported = plan.loggedAllowance(receipt.logs)
        var warnings: [String] = []
        if now == nil { warnings.append("The allowance could not be read again.") }
        if let now, now != plan.amount {
            warnings.append(
                reported == plan.amount
                    ? "It was set as planned, and used in the same block already."
                    : "The token was told to, and did not set it so."
            )
        }
        let isDone = reported == plan.amount || now == plan.amount
        return AllowanceOutcome(
            plan: plan,
            transactions: results.transactions,
            allowance: now,
            warnings: warnings,
            ending: isDone ? .done : .less
        )
    }

    /// The allowance in the token's last event; nil without one.
    private func loggedAllowance(_ logs: [Log]) -> UInt256? {
        let parties = account.word.bytes + spender.word.bytes
        let amounts = logs.compactMap { log -> UInt256? in
            guard log.address == token.address, log.topics.first == ERC20.approvalTopic
            else { return nil }
            let words = log.topics.dropFirst().flatMap(\.bytes) + log.data
            guard words.count == 96, words.starts(with: parties) else { return nil }
            return UInt256(bigEndian: words.suffix(32))
        }
        return amounts.last
    }
}

extension Read<[UInt8]> {
    /// What a spender may still move of an owner's tokens.
    static func allowance(
        of token: Address,
        by owner: Address,
        to spender: Address,
        _ block: BlockTag
    ) -> Self {
        .call(
            CallRequest(to: token, data: ERC20.allowance(owner: owner, spender: spender)),
            block
        )
    }
}
