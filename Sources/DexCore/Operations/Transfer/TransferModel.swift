import DexStore
package import Ethereum
import ZeroEx

/// A transfer, as the user wrote it.
package enum TransferRequest: Hashable, Sendable {
    /// ETH, a symbol or an address; human units; an address or a name among those that are known.
    case send(
        asset: String,
        amount: String,
        to: String,
        known: KnownAddresses = KnownAddresses()
    )
    /// Ether, in human units.
    case wrap(String)
    /// Wrapped ether, in human units.
    case unwrap(String)
}

/// Sends ether and tokens, wraps and unwraps ether.
package struct TransferModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: TransferRequest) -> String {
        "reading the chain"
    }

    /// The simulated transfer; nothing is signed or written.
    ///
    /// It takes one request, and another for a token outside the map.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid amount, token or address; 6 if it is not
    ///   allowed; 10 if it would fail.
    package func plan(
        _ request: TransferRequest,
        account: Address
    ) async throws(DexError) -> Plan<TransferPlan> {
        let transfer = try await Transfer(
            request,
            account: account,
            session: session,
            settings: settings
        )
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
    ) async throws(DexError) -> Plan<TransferPlan> {
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
        var reading = try answers.value(asked)
        var transfer = transfer
        if let share = transfer.coinShare {
            transfer = transfer.moving(try await reading.coin(share, settings))
            reading = try await reading.simulating(transfer.call)
        }
        try transfer.checkRecipient(session, exchange: try answers.value(contracts))
        let balance = try transfer.check(
            try askedBalance.map { read throws(DexError) in try answers.value(read) },
            ether: reading.ether
        )
        let (step, gas, _) = try await reading.plan(
            settings,
            moved: transfer.ether(session.network)
        )
        let recipientCode = try answers.value(code)
        let plan = TransferPlan(
            kind: transfer.kind,
            account: account,
            recipient: transfer.recipient,
            recipientName: transfer.recipientName,
            runsCode: !recipientCode.isEmpty,
            amount: transfer.amount,
            paid: transfer.paid,
            arriving: transfer.arriving,
            balance: balance,
            block: reading.head.block.number,
            steps: [PlannedTransaction(step)],
            gas: gas,
            total: gas.maxCost.adding(transfer.call.request.value) ?? Wei(.max),
            warnings: reading.inFlight.warnings
                + transfer.warnings(session, code: recipientCode)
                + gas.warnings,
            stop: reading.inFlight.stop
        )
        return Plan(
            content: plan,
            command: plan.kind.rawValue,
            conflicts: inFlight.conflicts,
            steps: Step.calls([step], session, gas: gas),
            limits: Limits(gas: gas)
        )
    }
}

extension TransferPlan {
    /// The arrived amount, by events and balances.
    package static func outcome(
        of plan: Plan<TransferPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> TransferOutcome {
        guard results.isSent, let receipt = results.receipt else {
            let words = results.words(of: plan, nothing: "nothing was moved", context.settings)
            return TransferOutcome(
                plan: plan.content,
                transactions: results.transactions,
                received: .zero,
                warnings: words,
                ending: results.ending
            )
        }
        let audit = TransferAudit(session: context.session, plan: plan.content)
        let (received, warnings) = await audit.received(receipt)
        // A token may have moved nothing. The coin has left: unknown is no reason to send it again.
        let isEnough = received.map { $0 >= plan.content.amount } ?? (plan.content.token == nil)
        return TransferOutcome(
            plan: plan.content,
            transactions: results.transactions,
            received: received,
            warnings: warnings,
            ending: isEnough ? .done : .less
        )
    }
}
