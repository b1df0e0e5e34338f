package import DexSigning
package import DexStore
package import Ethereum
import ZeroEx

/// What to move, as the user wrote it.
package enum TransferRequest: Hashable, Sendable {
    /// ETH, a symbol or an address; human units; an address.
    case send(asset: String, amount: String, to: String)
    /// Ether, in human units.
    case wrap(String)
    /// Wrapped ether, in human units.
    case unwrap(String)
}

/// Sends ether and tokens, wraps and unwraps ether.
package struct TransferModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: TradeSettings

    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// What would be moved, simulated; nothing is signed or written.
    ///
    /// One request, and one more for a token that is not in the map.
    ///
    /// - Throws: `DexError`: exit 2 for what is no amount, token or address; 6 where it must not be
    ///   tried; 10 where it would fail.
    package func plan(
        _ request: TransferRequest,
        account: Address
    ) async throws(DexError) -> PlannedTransfer {
        let transfer = try await Transfer(request, account: account, session: session)
        let inFlight = InFlight(
            session: session,
            journal: journal,
            conflicts: .move(transfer.kind.purpose, isAllowed: settings.allowsPending)
        )
        return try await inFlight.first(of: account) { () async throws(DexError) in
            try await plan(transfer, account: account, inFlight: inFlight)
        }
    }

    private func plan(
        _ transfer: Transfer,
        account: Address,
        inFlight: InFlight
    ) async throws(DexError) -> PlannedTransfer {
        var batch = ReadBatch()
        let asked = try CallReading.ask(
            transfer.call,
            account: account,
            inFlight: inFlight,
            in: &batch
        )
        let code = batch.add(.code(transfer.recipient, .latest))
        let askedBalance = transfer.askBalance(in: &batch)
        let contracts = ChainSetup.askContractsIfAny(session, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let reading = try answers.value(asked)
        try transfer.checkRecipient(session, exchange: try answers.value(contracts))
        let balance = try transfer.check(
            try askedBalance.map { read throws(DexError) in try answers.value(read) },
            ether: reading.ether
        )
        let (step, gas, _) = try reading.plan(settings, moved: transfer.ether(session.network))
        let isContract = CallReading.isContract(try answers.value(code))
        let plan = TransferPlan(
            kind: transfer.kind,
            account: account,
            recipient: transfer.recipient,
            amount: transfer.amount,
            paid: transfer.paid,
            arriving: transfer.arriving,
            balance: balance,
            block: reading.head.block.number,
            steps: [step],
            gas: gas,
            total: gas.maxCost.adding(transfer.call.request.value) ?? Wei(.max),
            warnings: reading.inFlight.warnings
                + transfer.warnings(session, isContract: isContract)
                + gas.warnings,
            stop: reading.inFlight.stop
        )
        return PlannedTransfer(plan: plan, transfer: transfer)
    }

    /// Tells whether all that is planned would be signed: the rules of policy.toml, and the limits
    /// of an unlocked key.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check(_ planned: PlannedTransfer, signer: AuthorizedSigner) throws(DexError) {
        try PolicyCheck(signer: signer, session: session)
            .check(planned.transfer.call, gas: planned.plan.gas)
    }

    /// Sends it, and tells by events and balances what arrived.
    ///
    /// - Throws: `DexError` where nothing is in flight, or the user interrupted.
    package func execute(
        _ planned: PlannedTransfer,
        signer: AuthorizedSigner
    ) async throws(DexError) -> TransferOutcome {
        let plan = planned.plan
        let call = planned.transfer.call
        return try await SigningRun(
            session: session,
            journal: journal,
            settings: settings,
            signer: signer,
            command: plan.kind.rawValue,
            conflicts: .move(call.purpose, isAllowed: settings.allowsPending)
        ).run(
            account: plan.account,
            plan: PlanRecord.json(plan),
            allowed: { policy throws(DexError) in
                try policy.check(call, gas: plan.gas)
            },
            exit: { $0.exit }
        ) { sender async throws(DexError) in
            let result = try await CallSender(session: session, sender: sender, contracts: nil)
                .send(call, budget: GasBudget(plan.gas, wish: settings.fees))
            return await outcome(planned, result)
        }
    }

    private func outcome(
        _ planned: PlannedTransfer,
        _ result: TransactionSender.Result
    ) async -> TransferOutcome {
        let plan = planned.plan
        let call = planned.transfer.call
        guard result.sent.stage == .confirmed, let receipt = result.receipt else {
            let words = result.sent.ending(
                call.subject,
                nothing: "nothing was moved",
                confirmations: settings.confirmations
            )
            return TransferOutcome(
                plan: plan,
                transactions: [result.sent],
                received: .zero,
                warnings: [words],
                exit: result.sent.stage.exit
            )
        }
        let audit = TransferAudit(session: session, plan: plan)
        let (received, warnings) = await audit.received(receipt, cost: result.sent.cost)
        return TransferOutcome(
            plan: plan,
            transactions: [result.sent],
            received: received,
            warnings: warnings,
            exit: received.map { $0 >= plan.amount } ?? false ? .done : .filledLess
        )
    }
}

/// A planned transfer: what is shown, and what `execute` needs.
package struct PlannedTransfer: Sendable {
    /// What is shown and confirmed.
    package let plan: TransferPlan
    let transfer: Transfer
}
