import DexSigning
import Ethereum
import ZeroEx

/// What is asked of a node before handed-over bytes are sent, and what it means for them.
struct BroadcastCheck {
    let session: Session
    let scope: SigningScope
    let file: SignedFile
    let signed: SignedTransaction
    private let head: JointRead<AccountHead>
    private let balance: ReadSlot<Wei>
    private let call: ReadSlot<[UInt8]>
    private let genuine: JointRead<[Address]>?

    /// Adds its questions to a batch.
    init(
        session: Session,
        scope: SigningScope,
        file: SignedFile,
        signed: SignedTransaction,
        in batch: inout ReadBatch
    ) {
        let transaction = signed.transaction
        self.session = session
        self.scope = scope
        self.file = file
        self.signed = signed
        head = AccountHead.ask(session, signed.sender, in: &batch)
        balance = batch.add(.balance(signed.sender, .latest))
        // As the chain will run it: with its own gas and price.
        call = batch.add(
            .call(
                CallRequest(
                    from: signed.sender,
                    to: file.to,
                    data: transaction.data,
                    value: transaction.value,
                    gas: transaction.gasLimit,
                    accessList: transaction.accessList,
                    fee: transaction.fee
                ),
                .latest
            )
        )
        genuine = scope.swap.flatMap { rules in
            let call = SwapCall(to: file.to, data: transaction.data, value: transaction.value)
            return rules.effects(of: call) == nil
                ? nil : SwapRegistry.ask(rules, at: .latest, in: &batch)
        }
    }

    /// The answers, of which only those that are needed must be there.
    ///
    /// - Throws: `DexError`, exit 3 for another chain, exit 4.
    func read(_ answers: ReadAnswers) throws(DexError) -> Answers {
        Answers(
            check: self,
            head: try answers.value(head),
            ether: try answers.value(balance),
            called: answers[call],
            genuine: try genuine.map { slot throws(DexError) in Set(try answers.value(slot)) } ?? []
        )
    }

    struct Answers {
        let check: BroadcastCheck
        let head: AccountHead
        let ether: Wei
        let called: Result<[UInt8], ChainError>
        /// The swap venue's contracts; empty if it is not called.
        let genuine: Set<Address>

        private var session: Session { check.session }
        private var transaction: Transaction { check.signed.transaction }

        /// Checks that it can be mined now and would do what it is for.
        ///
        /// - Parameter held: signed transactions of the account that are not sent, by nonce.
        /// - Throws: `DexError`, exit 6 or 10.
        func check(held: [UInt64: TransactionHash]) throws(DexError) {
            let nonce = transaction.nonce
            guard nonce <= head.pendingNonce else {
                throw DexError(
                    SignedFileError.nonceGap(
                        nonce,
                        next: head.pendingNonce,
                        held: held[head.pendingNonce]
                    )
                )
            }
            let price = transaction.maximumGasPrice
            if let base = head.fees.baseFee, price < base {
                throw DexError(SignedFileError.feeTooLow(most: price, base: base))
            }
            let time = max(head.block.timestamp, session.environment.now())
            if let end = check.file.validUntil, end <= time {
                throw DexError(SignedFileError.expired(ago: time - end))
            }
            guard let total = maxCost.adding(transaction.value), ether >= total else {
                throw DexError(
                    GasError.insufficient(ether: ether, value: transaction.value, gas: maxCost)
                )
            }
            let returned: [UInt8]
            do {
                returned = try called.get()
            } catch {
                guard error.isExecutionFailure else { throw DexError(error) }
                let words = RevertReason.words(of: error, by: session.exchangeProtocol)
                throw DexError(CallError.wouldRevert(subject: "the transaction", words: words))
            }
            guard check.file.to == check.scope.exchange else { return }
            try FilledAmount.check(
                returned,
                to: check.file.to,
                data: transaction.data,
                session,
                nothing: DexError(SignedFileError.fillsNothing(check.signed.hash))
            )
        }

        private var maxCost: Wei {
            transaction.maximumGasPrice.multiplied(by: UInt256(transaction.gasLimit)) ?? Wei(.max)
        }

        /// What the bytes do.
        func plan(
            _ place: BroadcastPlan.Place,
            names: (Set<Address>) async -> [Address: Token]
        ) async throws(DexError) -> BroadcastPlan {
            let request = SigningRequest(
                content: .transaction(transaction),
                account: check.signed.sender,
                scope: check.scope,
                terms: SigningTerms(purpose: check.file.purpose, genuine: genuine)
            )
            let effects = SigningEffects(of: request)
            var addresses = effects.received
            for approval in effects.approvals { addresses.insert(approval.token) }
            for case .token(let token) in effects.paid.keys { addresses.insert(token) }
            let tokens = addresses.isEmpty ? [:] : await names(addresses)
            func token(_ address: Address) -> Token { tokens[address] ?? .unknown(address) }
            let pays = effects.paid.map { asset, amount in
                switch asset {
                case .ether: BroadcastPlan.Payment(currency: .ether, amount: amount)
                case .token(let address):
                    BroadcastPlan.Payment(currency: .token(token(address)), amount: amount)
                }
            }
            return BroadcastPlan(
                place: place,
                hash: check.signed.hash,
                account: check.signed.sender,
                nonce: transaction.nonce,
                purpose: purpose(effects, isSwap: request.swap != nil),
                to: check.file.to,
                function: effects.function,
                dataCount: transaction.data.count,
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
                madeAt: check.file.madeAt,
                validUntil: check.file.validUntil,
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
            let to = check.file.to
            if isSwap { return .swap }
            if to == check.scope.exchange,
                let call = session.exchangeProtocol.effects(of: transaction.data)
            {
                return call.pays.isEmpty && call.receives.isEmpty ? .cancel : .fill
            }
            if transaction.data.isEmpty {
                return to == check.signed.sender && transaction.value == .zero
                    ? .cancelTransaction : .send
            }
            if let approval = effects.approvals.first {
                return approval.amount == .zero ? .resetAllowance : .approve
            }
            if to == check.scope.weth, effects.isUnderstood, effects.recipients.isEmpty {
                return effects.received.contains(to) ? .wrap : .unwrap
            }
            return effects.isUnderstood && !effects.recipients.isEmpty ? .send : .transact
        }
    }
}
