import DexSigning
import Ethereum
import ZeroEx

/// Handed-over bytes, and what a node tells of them before they are sent.
struct BroadcastCheck {
    let session: Session
    let scope: SigningScope
    let file: SignedFile
    let signed: SignedTransaction
    let head: AccountHead
    let ether: Wei
    /// What a rollup takes beside the gas.
    let rollup: RollupCost
    let called: Result<[UInt8], ChainError>
    /// As the chain will run it: with its own gas and price.
    private let call: CallRequest
    /// The swap venue's contracts; empty if it is not called.
    let genuine: Set<Address>

    private var transaction: Transaction { signed.transaction }

    /// Asks what is needed in a batch, with the transaction simulated.
    ///
    /// The result throws `DexError`, exit 3 for another chain, exit 4.
    static func ask(
        session: Session,
        scope: SigningScope,
        file: SignedFile,
        signed: SignedTransaction,
        in batch: inout ReadBatch
    ) -> JointRead<BroadcastCheck> {
        let transaction = signed.transaction
        let head = AccountHead.ask(session, signed.sender, in: &batch)
        let balance = batch.add(.balance(signed.sender, .latest))
        // As the chain will run it: with its own gas and price.
        let request = CallRequest(
            from: signed.sender,
            to: file.to,
            data: transaction.data,
            value: transaction.value,
            gas: transaction.gasLimit,
            accessList: transaction.accessList,
            fee: transaction.fee
        )
        let call = batch.add(.call(request, .latest))
        let accesses = batch.add(.accessList(request))
        let rules = session.network.fees
        let rollup = RollupOracle(kind: rules.rollupFee, chainID: session.network.chainID).ask(
            GasLimit(
                units: transaction.gasLimit,
                needed: transaction.gasLimit,
                request: request
            ),
            in: &batch
        )
        let swap = SwapCall(to: file.to, data: transaction.data, value: transaction.value)
        let genuine = scope.venues.first { $0.effects(of: swap) != nil }
            .map { SwapRegistry.ask($0, at: .latest, in: &batch) }
        return JointRead { answers throws(DexError) in
            answers.learn(accesses, of: request, into: session.accesses)
            return BroadcastCheck(
                session: session,
                scope: scope,
                file: file,
                signed: signed,
                head: try answers.value(head),
                ether: try answers.value(balance),
                rollup: try answers.value(rollup),
                called: answers[call],
                call: request,
                genuine: try genuine.map(answers.value).map(Set.init) ?? []
            )
        }
    }

    /// Checks that it can be mined now and would do what it is for.
    ///
    /// - Parameter held: signed transactions of the account that are not sent, by nonce.
    /// - Throws: `DexError`, exit 6 or 10.
    func check(held: [UInt64: TransactionHash]) throws(DexError) {
        let nonce = transaction.nonce
        guard nonce <= head.pendingNonce else {
            throw SignedFileError.nonceGap(
                nonce,
                next: head.pendingNonce,
                held: held[head.pendingNonce]
            )
        }
        let price = transaction.maximumGasPrice
        if let base = head.fees.baseFee, price < base {
            throw SignedFileError.feeTooLow(maximum: price, base: base)
        }
        let time = max(head.block.timestamp, session.environment.now())
        if let end = file.validUntil, end <= time {
            throw SignedFileError.expired(ago: time - end)
        }
        guard let total = maxCost.adding(transaction.value), ether >= total else {
            throw GasError.insufficient(
                ether: ether,
                value: transaction.value,
                gas: maxCost,
                coin: session.network.coin
            )
        }
        let returned: [UInt8]
        do {
            returned = try called.get()
        } catch {
            guard error.isExecutionFailure else { throw DexError(error) }
            let words = RevertReason.words(of: error, by: session.exchangeProtocol)
            throw CallError.wouldRevert(subject: "the transaction", words: words)
        }
        guard file.to == scope.exchange else { return }
        try FilledAmount.check(
            returned,
            to: file.to,
            data: transaction.data,
            session,
            nothing: SignedFileError.fillsNothing(signed.hash)
        )
    }

    private var maxCost: Wei {
        transaction.maximumGasPrice.multiplied(by: UInt256(transaction.gasLimit))?
            .adding(rollup.maximum) ?? Wei(.max)
    }

    private var request: SigningRequest {
        SigningRequest(
            content: .transaction(transaction),
            account: signed.sender,
            scope: scope,
            terms: SigningTerms(purpose: file.purpose, genuine: genuine)
        )
    }

    /// A plan with what the transaction changes, by a run on this machine.
    ///
    /// It takes up to three more round trips, and two for proofs.
    ///
    /// - Throws: `DexError`, as `StateProver`.
    func explored(_ plan: BroadcastPlan) async throws(DexError) -> BroadcastPlan {
        var plan = plan
        let coin = session.network.coin
        let report = try await TransactionSimulator(session: session).explore(
            SimulatedTransaction(
                call: call,
                account: signed.sender,
                gasLimit: transaction.gasLimit,
                fee: transaction.fee
            ),
            head: head.block,
            baseFee: head.fees.baseFee
        )
        plan.simulation = report
        if let changes = report.changes {
            let bounds = ChangeBounds(SigningEffects(of: request), moves: .none, coin: coin)
            plan.differences = bounds.differences(changes)
            plan.warnings += plan.differences.map { "ITS BYTES DO NOT SAY IT: \($0)" }
        }
        return plan
    }

    /// What the bytes do.
    func plan(
        _ place: BroadcastPlan.Place,
        names: (Set<Address>) async -> [Address: Token]
    ) async throws(DexError) -> BroadcastPlan {
        let request = request
        let effects = SigningEffects(of: request)
        var addresses = effects.received
        for approval in effects.approvals { addresses.insert(approval.token) }
        for case .token(let token) in effects.paid.keys { addresses.insert(token) }
        let tokens = addresses.isEmpty ? [:] : await names(addresses)
        func token(_ address: Address) -> Token { tokens[address] ?? .unknown(address) }
        let pays = effects.paid.map { asset, amount in
            switch asset {
            case .ether:
                BroadcastPlan.Payment(currency: .coin(session.network.coin), amount: amount)
            case .token(let address):
                BroadcastPlan.Payment(currency: .token(token(address)), amount: amount)
            }
        }
        return BroadcastPlan(
            place: place,
            hash: signed.hash,
            account: signed.sender,
            nonce: transaction.nonce,
            purpose: purpose(effects, isSwap: request.swap != nil),
            to: file.to,
            function: effects.function,
            dataCount: transaction.data.count,
            coin: session.network.coin,
            value: transaction.value,
            pays: pays.sorted { $0.currency.symbol < $1.currency.symbol },
            receives: effects.received.sorted().map(token),
            approvals: effects.approvals.map {
                BroadcastPlan.Approval(
                    token: token($0.token),
                    spender: $0.spender,
                    amount: $0.amount
                )
            },
            recipients: effects.recipients.sorted(),
            gasLimit: transaction.gasLimit,
            maxFeePerGas: transaction.maximumGasPrice,
            maxPriorityFeePerGas: transaction.fee.tip,
            maxCost: maxCost,
            total: maxCost.adding(transaction.value) ?? Wei(.max),
            block: head.block.number,
            madeAt: file.madeAt,
            validUntil: file.validUntil,
            warnings: warnings(place, effects)
        )
    }

    private func warnings(
        _ place: BroadcastPlan.Place,
        _ effects: SigningEffects
    ) -> [String] {
        var warnings: [String] = []
        if place == .pooled {
            warnings.append(
                "A node has it in its pool already: sending it again changes nothing, and it is "
                    + "waited for."
            )
        }
        if !effects.isUnderstood {
            warnings.append(
                "What this call does cannot be read from its bytes: send it only if you know "
                    + "who signed it, and what for."
            )
        }
        return warnings
    }

    /// By the bytes: what the file says of it is not used.
    private func purpose(_ effects: SigningEffects, isSwap: Bool) -> TransactionPurpose {
        let to = file.to
        if isSwap { return .swap }
        if to == scope.exchange,
            let call = session.exchangeProtocol.effects(of: transaction.data)
        {
            return call.pays.isEmpty && call.receives.isEmpty ? .cancel : .fill
        }
        if transaction.data.isEmpty {
            return to == signed.sender && transaction.value == .zero
                ? .cancelTransaction : .send
        }
        if let approval = effects.approvals.first {
            return approval.amount == .zero ? .resetAllowance : .approve
        }
        if to == ZeroExSwapContracts.permit2, Permit2Revocation(data: transaction.data) != nil {
            return .resetAllowance
        }
        if to == scope.weth, effects.isUnderstood, effects.recipients.isEmpty {
            return effects.received.contains(to) ? .wrap : .unwrap
        }
        return effects.isUnderstood && !effects.recipients.isEmpty ? .send : .transact
    }
}
