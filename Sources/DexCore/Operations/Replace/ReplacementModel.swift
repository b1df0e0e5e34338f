import DexSigning
import DexStore
package import Ethereum
import ZeroEx

/// `dex tx speedup` and `dex tx cancel`: replaces our transaction that is in no block.
package struct ReplacementModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: ReplacementRequest) -> String {
        "reading the chain"
    }

    /// The sender of the transaction, who signs its replacement.
    ///
    /// - Throws: `DexError`, exit 2, `unknown-transaction`, if it is not ours.
    package func signer(of request: ReplacementRequest) throws(DexError) -> Address? {
        try transaction(request.hash).sender
    }

    /// The replacement, simulated; nothing is signed or written.
    ///
    /// - Throws: `DexError`: exit 2 if it is not ours; 5 if it is another account's; 6 if it is
    ///   mined, replaced or given up, or by the limits of replacing; 10 if it would fail.
    package func plan(
        _ request: ReplacementRequest,
        account: Address
    ) async throws(DexError) -> Plan<ReplacementPlan> {
        let kind = request.kind
        let old = try transaction(request.hash, account: account)
        let signed = try bytes(of: old)
        let successor = ReplacementCall(
            session: session,
            kind: kind,
            old: old,
            transaction: signed.transaction
        )
        var call = try successor.planned(by: account)
        try await check(old)
        var batch = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &batch)
        let askedContracts = ChainSetup.askContractsIfAny(session, in: &batch)
        let balance = batch.add(.balance(account, .latest))
        let simulation = call.ask(session, in: &batch)
        let askedGenuine = successor.swapRules(of: call).map {
            SwapRegistry.ask($0, at: .latest, in: &batch)
        }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(askedHead)
        let ether = try answers.value(balance)
        let gasLimit = try successor.limit(
            of: call,
            answers.result(simulation),
            block: head.block,
            overrides: settings.fees
        )
        let limit = gasLimit.units
        let fees = try await CallPricing(session: session).priced(head.fees, for: [gasLimit])
        let contracts = try answers.value(askedContracts)
        let feeGas = try successor.protocolFeeGas(of: call, contracts)
        let line = try line(old, signed.transaction.fee)
        let replacement = try ReplacementFees(
            line,
            market: try market(for: signed.transaction.fee, fees),
            isExact: settings.fees.isExact,
            tip: settings.fees.tip,
            baseFee: fees.baseFee,
            limit: limit.addingSaturating(feeGas ?? 0),
            budget: try budget(limit.addingSaturating(feeGas ?? 0), fees),
            coin: fees.coin,
            allowsMore: settings.allowsBeyondLimits
        )
        let price = replacement.fee.maximum
        let cost =
            price.multiplied(by: UInt256(limit))?.adding(fees.rollup.maximum) ?? Wei(.max)
        // The exchange's own fee depends on the gas price, which is higher now.
        if let feeGas {
            call.request.value = price.multiplied(by: UInt256(feeGas)) ?? Wei(.max)
        }
        guard let total = cost.adding(call.request.value), ether >= total else {
            throw GasError.insufficient(
                ether: ether,
                value: call.request.value,
                gas: cost,
                coin: fees.coin
            )
        }
        let plan = ReplacementPlan(
            kind: kind,
            account: account,
            hash: old.hash,
            purpose: old.purpose,
            nonce: old.nonce,
            count: line.count + 1,
            replacedPrice: line.last.maximum,
            value: call.request.value,
            block: head.block.number,
            steps: [PlannedTransaction(PlannedStep(call: call, gasLimit: gasLimit))],
            gas: GasPlan(
                coin: fees.coin,
                limit: limit,
                maxFeePerGas: price,
                maxPriorityFeePerGas: replacement.fee.tip,
                maxCost: cost,
                presentCost: GasPricing.present(replacement.fee, fees)
                    .multiplied(by: UInt256(limit))?.adding(fees.rollup.present) ?? cost,
                priority: replacement.fee.tip == nil || settings.fees.tip != nil
                    ? nil : settings.fees.wanted,
                isCapped: replacement.isCut,
                rollup: fees.rollup,
                privateNode: fees.privateNode
            ),
            total: total,
            warnings: [gasLimit.warning].compactMap(\.self)
                + (try warnings(old, replacement, fees))
        )
        let request = TransactionSender.Request(
            purpose: call.purpose,
            call: call.request,
            gasLimit: limit,
            fee: replacement.fee,
            pendingNonce: plan.nonce,
            feeToken: contracts?.feeToken,
            genuine: try askedGenuine.map(answers.value).map(Set.init) ?? [],
            rollup: fees.rollup,
            replacing: old
        )
        let signature = PlannedSignature(
            request.call,
            session,
            gasLimit: limit,
            price: price,
            terms: request.terms(firedGuard: nil),
            replacing: plan.nonce
        )
        return Plan(
            content: plan,
            command: "tx \(kind.rawValue)",
            conflicts: nil,
            steps: [.replacement(request, signature)],
            limits: Limits(gas: plan.gas)
        )
    }

    /// Right before the signature: a mined transaction needs no replacement.
    func check(_ request: TransactionSender.Request) async throws(DexError) {
        if let old = request.replacing { try await check(old) }
    }

    /// The maximum gas cost: 150 % of the first confirmed one is the bound unless lifted.
    ///
    /// - Throws: `DexError`, exit 6, `fee-cap`, if a rollup alone takes more.
    private func budget(_ gas: UInt64, _ fees: FeeSnapshot) throws(DexError) -> Wei {
        let rollup = fees.rollup
        let cap =
            settings.allowsBeyondLimits
            ? FeeBounds.cap(gas: gas, rollup: rollup, settings)
            : settings.feeCap ?? FeeBounds.usualCap
        guard let budget = cap.subtracting(rollup.maximum) else {
            throw ReplacementError.feeCap(cost: rollup.maximum, budget: cap, coin: fees.coin)
        }
        return budget
    }

    /// The price of a new transaction of the same type.
    private func market(
        for old: Transaction.Fee,
        _ fees: FeeSnapshot
    ) throws(DexError) -> Transaction.Fee {
        let overrides = settings.fees
        try overrides.check(hasBaseFee: old.tip != nil, "The transaction to replace")
        guard old.tip == nil else { return try GasPricing.fee(fees, overrides) }
        if let price = overrides.gasPrice { return .legacy(gasPrice: price) }
        return try GasPricing.fee(fees)
    }

    /// The warnings in the plan.
    private func warnings(
        _ old: JournalTransaction,
        _ replacement: ReplacementFees,
        _ fees: FeeSnapshot
    ) throws(DexError) -> [String] {
        var warnings = [GasPricing.tipWarning(fees, settings.fees)].compactMap { $0 }
        if replacement.isCut {
            warnings.append(
                "The fee was cut to what is allowed "
                    + "(\(GasPricing.gwei(replacement.fee.maximum)) for a unit of gas): it may "
                    + "have to wait for a cheaper block. --beyond-limits and --max-gas-cost "
                    + "allow more."
            )
        }
        if let waiting = GasPricing.waiting(
            cap: replacement.fee.maximum,
            baseFee: fees.baseFee
        ) {
            warnings.append(waiting)
        }
        let unsettled = try journaled(
            try journal.unsettled(chainID: old.chainID, sender: old.sender)
        )
        let before = unsettled.first {
            $0.nonce < old.nonce && $0.successor == nil && $0.holdsNonce
        }
        if let before {
            warnings.append(
                "It waits for the transaction \(before.hash) (\(before.noun)) with the lower "
                    + "nonce \(before.nonce): replace that one first."
            )
        }
        return warnings
    }

    // MARK: The old one

    private func transaction(_ hash: TransactionHash) throws(DexError) -> JournalTransaction {
        guard let old = try journaled(try journal.transaction(hash)),
            old.chainID == session.network.chainID
        else { throw ReplacementError.unknown(hash, network: session.network.name) }
        return old
    }

    /// A transaction of the account that may still be replaced.
    private func transaction(
        _ hash: TransactionHash,
        account: Address
    ) throws(DexError) -> JournalTransaction {
        let old = try transaction(hash)
        guard old.sender == account else {
            throw ReplacementError.otherAccount(hash, sender: old.sender, account: account)
        }
        if let successor = old.successor {
            throw ReplacementError.hasSuccessor(hash, successor: successor)
        }
        switch old.stage {
        case .replaced, .forgotten: throw ReplacementError.neverMined(hash, old.stage)
        // The node is asked: a reorganization may have undone what is mined.
        default: return old
        }
    }

    private func bytes(of old: JournalTransaction) throws(DexError) -> SignedTransaction {
        do {
            return try SignedTransaction(raw: old.raw, recoverer: session.recoverer)
        } catch {
            throw ReplacementError.badJournal(old.hash, error: error)
        }
    }

    /// It must be in no block, and its nonce free.
    private func check(_ old: JournalTransaction) async throws(DexError) {
        let observer = TransactionObserver(session: session, journal: journal)
        let observed = try await observer.observe([old], observer.ask([old]))
        guard let life = observed.first?.life else { return }
        if life.isInDoubt { throw ReplacementError.undecided(old.hash) }
        switch life.stage {
        case .mined, .confirmed, .reverted: throw ReplacementError.mined(old.hash)
        case .replaced: throw ReplacementError.neverMined(old.hash, life.stage)
        // What was mined is unsettled again, so that it can have a successor.
        default: try LifecycleLog(session: session, journal: journal).update(old, life)
        }
    }

    /// The prices of all with this nonce, from the first confirmed one on.
    private func line(
        _ old: JournalTransaction,
        _ fee: Transaction.Fee
    ) throws(DexError) -> ReplacementFees.Line {
        let before = try journaled(try journal.predecessors(of: old))
        return ReplacementFees.Line(
            first: try bytes(of: before.last ?? old).transaction.fee,
            last: fee,
            count: before.count
        )
    }
}

extension ReplacementPlan {
    /// Which of the two was mined.
    package static func outcome(
        of plan: Plan<ReplacementPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> ReplacementOutcome {
        let sent = try results.done(results.transactions.last)
        return try await ReplacementAudit(
            session: context.session,
            journal: context.journal,
            confirmations: context.settings.confirmations
        ).outcome(plan.content, sent)
    }
}
