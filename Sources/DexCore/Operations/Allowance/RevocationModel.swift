import DexSigning
import DexStore
package import Ethereum
import ZeroEx

/// What `dex allowance revoke --all` or `--spender` takes back.
package struct RevocationRequest: Sendable {
    package enum Subject: Sendable {
        /// Every allowance of the account.
        case all
        /// A token's allowances of one spender: inside the token, and inside Permit2.
        case one(token: String, spender: Address)
    }

    package let subject: Subject
    let known: KnownAddresses
    let firstBlock: UInt64?

    /// - Parameters:
    ///   - known: the addresses that the user knows by name.
    ///   - firstBlock: the first block whose Approval events are read; nil asks for all at once.
    package init(_ subject: Subject, known: KnownAddresses, firstBlock: UInt64? = nil) {
        self.subject = subject
        self.known = known
        self.firstBlock = firstBlock
    }
}

/// The plan of a revocation: the allowances that end, and the transactions that end them.
package struct RevocationPlan: PlanContent {
    package typealias Outcome = RevocationOutcome

    package let account: Address
    /// Those that are taken back.
    package let grants: [TokenGrant]
    package let block: UInt64
    /// Empty if there is nothing to take back.
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]

    package init(
        account: Address,
        grants: [TokenGrant],
        block: UInt64,
        steps: [PlannedTransaction],
        gas: GasPlan?,
        warnings: [String]
    ) {
        self.account = account
        self.grants = grants
        self.block = block
        self.steps = steps
        self.gas = gas
        self.warnings = warnings
    }
}

/// What became of the allowances.
package struct RevocationOutcome: TransactionOutcome {
    package let plan: RevocationPlan
    package let transactions: [SentTransaction]
    /// Base units that each spender of the plan may move now; nil if unknown.
    package let allowances: [UInt256?]
    package let warnings: [String]
    package let ending: Ending

    package static var less: DexError { OutcomeError.allowanceNotSet }

    package init(
        plan: RevocationPlan,
        transactions: [SentTransaction],
        allowances: [UInt256?],
        warnings: [String],
        ending: Ending
    ) {
        self.plan = plan
        self.transactions = transactions
        self.allowances = allowances
        self.warnings = warnings
        self.ending = ending
    }
}

/// Takes allowances of any spender back.
///
/// Those inside Permit2 end by one `lockdown` for up to 250 of them; each inside a token is set to
/// zero by its own transaction.
package struct RevocationModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: RevocationRequest) -> String {
        "reading the allowances"
    }

    /// The lockdowns and approvals of zero, each simulated; nothing is signed or written.
    ///
    /// An allowance that its contract does not let go of is left out with a warning.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid token; 6 `not-a-token`, `insufficient-ether`,
    ///   `fee-cap`; 10 if the one token that was named refuses.
    package func plan(
        _ request: RevocationRequest,
        account: Address
    ) async throws(DexError) -> Plan<RevocationPlan> {
        let inFlight = InFlight(session: session, journal: journal, conflicts: .cancel)
        var first = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &first)
        let questions = try inFlight.questions(account: account, in: &first)
        let balance = first.add(.balance(account, .latest))
        let reported = try await first.send(to: session.chain)
        let head = try reported.value(askedHead)
        let ether = try reported.value(balance)
        let found = try await grants(request, of: account, at: head.block)
        var warnings = found.warnings
        var batch = ReadBatch()
        let simulations = found.grants.map { grant in
            (grant, planner(account, grant).ask(grant.token, .zero, in: &batch))
        }
        let lockdowns = Permit2Lockdown.all(of: found.permit2, by: account).map {
            ($0, $0.call.ask(session, in: &batch))
        }
        let answers = try await batch.send(to: session.chain)
        var grants: [TokenGrant] = []
        var lockedDown: [TokenGrant] = []
        var steps: [PlannedStep] = []
        let bounds = GasBounds(head.block, session.network.fees, settings.fees)
        for (lockdown, simulation) in lockdowns {
            do throws(DexError) {
                let limit = try lockdown.call.gasLimit(answers.value(simulation), within: bounds)
                steps.append(PlannedStep(call: lockdown.call, gasLimit: limit))
                lockedDown += lockdown.grants
            } catch {
                if case .one = request.subject, found.grants.isEmpty { throw error }
                warnings.append(
                    "\(lockdown.grants.count) of the allowances inside Permit2 are left out: "
                        + error.message
                )
            }
        }
        for (grant, simulation) in simulations {
            let need = ApprovalNeed(
                token: grant.token,
                current: grant.allowance ?? .zero,
                amount: .zero
            )
            do throws(DexError) {
                steps += try planner(account, grant)
                    .steps(need, simulation, in: answers, block: head.block)
                grants.append(grant)
            } catch {
                guard case .all = request.subject else { throw error }
                warnings.append(
                    "The allowance of \(PlainText.name(grant.token.symbol)) to "
                        + "\(grant.spender.checksummed) is left out: \(error.message)"
                )
            }
        }
        let gas =
            steps.isEmpty
            ? nil
            : try await CallPricing(session: session)
                .plan(steps, head.fees, ether: ether, settings: settings)
        let earlier = try inFlight.report(questions, answers: reported, next: head.pendingNonce)
        let plan = RevocationPlan(
            account: account,
            grants: grants + lockedDown,
            block: head.block.number,
            steps: steps.map { PlannedTransaction($0) },
            gas: gas,
            warnings: earlier.warnings + warnings + (gas?.warnings ?? [])
        )
        return Plan(
            content: plan,
            command: "allowance revoke",
            conflicts: inFlight.conflicts,
            steps: Step.calls(steps, session, gas: gas),
            limits: Limits(gas: gas),
            settled: steps.isEmpty
                ? RevocationOutcome(
                    plan: plan,
                    transactions: [],
                    allowances: [],
                    warnings: [],
                    ending: .done
                ) : nil
        )
    }

    private func planner(_ account: Address, _ grant: TokenGrant) -> ApprovalPlanner {
        ApprovalPlanner(
            owner: account,
            spender: grant.spender,
            approval: .exact,
            overrides: settings.fees,
            session: session,
            spenderName: grant.name ?? "the spender"
        )
    }

    private func grants(
        _ request: RevocationRequest,
        of account: Address,
        at block: Block
    ) async throws(DexError) -> GrantSearch.Found {
        switch request.subject {
        case .one(let text, let spender):
            let token = try await TokenResolver(session: session).token(text)
            return try await grants(of: token, spender, request.known, account, at: block.number)
        case .all:
            let holdings = try await AccountHoldings.read(session, of: account, tokens: [])
            let contract = holdings.contracts.transferContract
            let search = GrantSearch(
                session: session,
                journal: journal,
                known: request.known,
                firstBlock: request.firstBlock
            )
            var found = try await search.find(of: account, at: block, beside: contract)
            let own = holdings.rows.compactMap { row -> TokenGrant? in
                guard let allowance = row.allowance, allowance != .zero else { return nil }
                return TokenGrant(
                    token: row.token,
                    spender: contract,
                    name: "the transfer contract",
                    allowance: allowance
                )
            }
            found.grants = own + found.grants
            found.warnings = holdings.warnings + found.warnings
            return found
        }
    }

    /// A token's allowances of one spender.
    ///
    /// - Throws: `DexError`, `not-a-token`, if neither the token nor Permit2 answers of one.
    private func grants(
        of token: Token,
        _ spender: Address,
        _ known: KnownAddresses,
        _ account: Address,
        at block: UInt64
    ) async throws(DexError) -> GrantSearch.Found {
        let names = ContractNames(network: session.network, tokens: session.tokens, known: known)
        var found = GrantSearch.Found()
        found.permit2 = try await Permit2Reader(session: session, names: names).grants(
            [TokenSpender(token: token.address, spender: spender)],
            of: account,
            at: block
        )
        var batch = ReadBatch()
        let slot = batch.add(
            .allowance(of: token.address, by: account, to: spender, .number(block))
        )
        let answers = try await batch.send(to: session.chain)
        guard let allowance = try answers.word(slot) else {
            guard !found.permit2.isEmpty else {
                throw TokenError.notAToken(token.address)
            }
            found.warnings.append(
                "The allowance of \(PlainText.name(token.symbol)) inside its contract could not be "
                    + "read: unknown, and left as it is."
            )
            return found
        }
        guard allowance != .zero else { return found }
        found.grants = [
            TokenGrant(
                token: token,
                spender: spender,
                name: names.name(of: spender),
                allowance: allowance
            )
        ]
        return found
    }
}

extension RevocationPlan {
    /// The effect of the calls, with the allowances read again once the last one is mined.
    package static func outcome(
        of planned: Plan<RevocationPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> RevocationOutcome {
        let plan = planned.content
        let mined = results.sent.compactMap { $0.receipt?.blockNumber }.max()
        let block = mined.map { BlockTag.number($0) } ?? .latest
        var batch = ReadBatch()
        let slots = plan.grants.map { ($0, $0.ask(plan.account, block, in: &batch)) }
        let answers = try? await batch.send(to: context.session.chain)  // nil is a warning below
        let now = slots.map { grant, slot in
            answers?.optional(slot).flatMap { grant.amount(in: $0) }
        }
        var warnings: [String] = []
        if !results.isSent {
            warnings = results.words(
                of: planned,
                nothing: "its allowance is as it was",
                context.settings
            )
        } else if now.contains(nil) {
            warnings.append("Not every allowance could be read again.")
        }
        let ending: Ending =
            !results.isSent ? results.ending : now.allSatisfy { $0 == .zero } ? .done : .less
        return RevocationOutcome(
            plan: plan,
            transactions: results.transactions,
            allowances: now,
            warnings: warnings,
            ending: ending
        )
    }
}
