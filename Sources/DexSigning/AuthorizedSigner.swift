package import Ethereum
import StrictJSON
package import ZeroEx

/// The only way to a signature.
///
/// A request passes the policy and is logged. Then the key signs, and its signature is verified.
package struct AuthorizedSigner: Sendable {
    private let key: any KeyHolder
    private let scope: SigningScope
    private let policy: Policy
    private let log: any AuditLog
    private let returns: any AuditLog
    private let recoverer: any SignatureRecovering
    /// The plan of `dex mcp` for which it signs; nil for the user's own commands.
    private let origin: PlanOrigin?
    /// Seconds since 1970.
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - log: records and counts signatures.
    ///   - returns: records revoked allowances; nil is the log.
    ///   - origin: the plan of `dex mcp` that all its signatures are for.
    package init(
        key: any KeyHolder,
        scope: SigningScope,
        policy: Policy,
        log: any AuditLog,
        returns: (any AuditLog)? = nil,
        recoverer: any SignatureRecovering,
        origin: PlanOrigin? = nil,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.key = key
        self.scope = scope
        self.policy = policy
        self.log = log
        self.returns = returns ?? log
        self.recoverer = recoverer
        self.origin = origin
        self.now = now
    }

    package var address: Address { key.address }

    // MARK: Signing

    /// Signs a transaction, but only for this chain.
    ///
    /// - Parameter chainID: the node's; the transaction must have the same.
    package func sign(
        _ transaction: Transaction,
        chainID: UInt64,
        terms: SigningTerms
    ) async throws(SigningError) -> SignedTransaction {
        guard transaction.chainID == chainID, chainID == scope.chainID else {
            throw SigningError.wrongChain(transaction.chainID, node: chainID)
        }
        if case .legacy = transaction.fee, !transaction.accessList.isEmpty {
            throw SigningError.listInLegacy
        }
        let request = request(.transaction(transaction), terms)
        return try await signed(request) { signature in
            let signed = SignedTransaction(
                transaction: transaction,
                signature: signature,
                sender: address
            )
            return (signed, signed.hash.hex)
        }
    }

    /// Signs an order of our own.
    package func sign(
        _ draft: OrderDraft,
        terms: SigningTerms
    ) async throws(SigningError) -> any SignedOrder {
        let signature = try await signature(of: draft, terms: terms)
        let exchange = scope.exchangeProtocol
        do throws(SignerError) {
            return try await exchange.sign(
                draft,
                with: GivenSignature(
                    address: address,
                    digest: exchange.digest(of: draft),
                    value: signature
                )
            )
        } catch {
            throw SigningError.signer(error)
        }
    }

    /// Only the signature of our own order.
    func signature(
        of draft: OrderDraft,
        terms: SigningTerms
    ) async throws(SigningError) -> Signature {
        let request = request(.order(draft), terms)
        let hash = scope.exchangeProtocol.hash(of: draft).hex
        return try await signed(request) { ($0, hash) }
    }

    /// Signs a message (EIP-191).
    ///
    /// - Throws: `SigningError`: `looks-like-a-hash` for 32 bytes, whatever their text.
    package func sign(message: [UInt8]) async throws(SigningError) -> Signature {
        let request = request(.message(message), SigningTerms(purpose: "message"))
        return try await signed(request) { ($0, request.digest.hex) }
    }

    /// Signs the terms of a guard, as a message (EIP-191) that begins with `guardPrefix`.
    package func sign(guardTerms message: [UInt8]) async throws(SigningError) -> Signature {
        let terms = SigningTerms(purpose: Policy.guardPurpose)
        let request = request(.message(message), terms)
        return try await signed(request) { ($0, request.digest.hex) }
    }

    /// Signs a message for Permit2, but only for this chain and for the swap venue.
    ///
    /// - Parameters:
    ///   - chainID: the node's; the message must have the same.
    ///   - terms: with the venue's genuine contracts, one of which is the spender.
    /// - Throws: `SigningError`: `foreign-permit` for any other message.
    package func sign(
        permit: SwapPermit,
        chainID: UInt64,
        terms: SigningTerms
    ) async throws(SigningError) -> Signature {
        guard permit.chainID == chainID, chainID == scope.chainID else {
            throw SigningError.wrongChain(permit.chainID, node: chainID)
        }
        return try await signed(request(.permit(permit), terms)) { ($0, permit.hash.hex) }
    }

    /// Signs typed data of another program, but only for this chain.
    ///
    /// - Throws: `SigningError`: `other-chain` if the domain names another one.
    package func sign(typedData data: TypedData) async throws(SigningError) -> Signature {
        let request = request(.typedData(data), SigningTerms(purpose: "typed-data"))
        return try await signed(request) { ($0, request.digest.hex) }
    }

    /// The signature of any content.
    func signature(
        of content: SigningRequest.Content,
        terms: SigningTerms
    ) async throws(SigningError) -> Signature {
        switch content {
        case .transaction(let transaction):
            try await sign(transaction, chainID: scope.chainID, terms: terms).signature
        case .order(let draft): try await signature(of: draft, terms: terms)
        case .message(let bytes) where terms.purpose == Policy.guardPurpose:
            try await sign(guardTerms: bytes)
        case .message(let bytes): try await sign(message: bytes)
        case .permit(let permit):
            try await sign(permit: permit, chainID: scope.chainID, terms: terms)
        case .typedData(let data): try await sign(typedData: data)
        }
    }

    /// Records that an allowance of the account was revoked on this chain.
    ///
    /// - Throws: `SigningError` if the log cannot be written: the allowance still counts.
    package func note(_ revocation: Revocation) throws(SigningError) {
        let line = AuditLine(revocation, id: AuditLine.newID(), time: now())
        try returns.append(since: nil) { _ in line }
    }

    /// The audit log has the signature of a trade by which a guard fired.
    ///
    /// - Parameter number: what the guard's key signed.
    /// - Throws: `SigningError` if the log cannot be read.
    package func hasSigned(firingOf number: Bytes32) throws(SigningError) -> Bool {
        let lines = try returns.lines(since: now())
        let failed = Set(lines.filter { $0.event == .failed }.map(\.id))
        return lines.contains { $0.firedGuard == number.hex && !failed.contains($0.id) }
    }

    /// The audit log has a signature for a plan of `dex mcp` beyond an approval.
    ///
    /// - Throws: `SigningError` if the log cannot be read.
    package func hasSigned(plan: UInt64) throws(SigningError) -> Bool {
        // A plan is open for minutes.
        let time = now()
        let lines = try returns.lines(since: time - min(time, 2 * Policy.day))
        let failed = Set(lines.filter { $0.event == .failed }.map(\.id))
        return lines.contains { line in
            line.carriesOut(plan) && !failed.contains(line.id)
        }
    }

    /// Checks whether something would be signed now; nothing is written.
    ///
    /// - Parameter replacing: its nonce is known; earlier signatures with it no longer count.
    package func check(
        _ content: SigningRequest.Content,
        terms: SigningTerms,
        replacing: Bool = false
    ) throws(SigningError) {
        try check([(content, terms, replacing)])
    }

    /// Checks whether all of something would be signed now, one after another; nothing is written.
    ///
    /// What the earlier ones pay counts for the later ones, as it will then: for the day's limits, and
    /// for those of an unlocked key.
    ///
    /// - Parameter planned: in the order of the signatures; replacing: its nonce is known, and earlier
    ///   signatures with it no longer count.
    package func check(
        _ planned: [(content: SigningRequest.Content, terms: SigningTerms, replacing: Bool)]
    ) throws(SigningError) {
        let time = now()
        let since = dayBegan(time)
        var lines: [AuditLine] = []
        if let since { lines = try log.lines(since: since) }
        var requests: [PlannedRequest] = []
        for (index, (content, terms, replacing)) in planned.enumerated() {
            let request = request(content, terms)
            let effects = SigningEffects(of: request)
            do throws(Policy.Refusal) {
                _ = try decide(
                    request,
                    effects,
                    lines,
                    since: since,
                    time: time,
                    replacing: replacing ? request.slot : nil
                )
            } catch {
                throw refused(error)
            }
            requests.append(PlannedRequest(request, replacing: replacing))
            guard since != nil, index + 1 < planned.count else { continue }
            lines.append(
                AuditLine(
                    .authorized,
                    id: AuditLine.newID(),
                    time: time,
                    request: request.planned(index),
                    effects: effects,
                    holder: key.place,
                    policy: policy,
                    decision: .array([])
                )
            )
        }
        try key.check(requests)
    }

    /// What a transaction does by its bytes.
    package func effects(of transaction: Transaction, terms: SigningTerms) -> SigningEffects {
        SigningEffects(of: request(.transaction(transaction), terms))
    }

    // MARK: The one way

    private func request(
        _ content: SigningRequest.Content,
        _ terms: SigningTerms
    ) -> SigningRequest {
        var terms = terms
        terms.origin = origin
        return SigningRequest(content: content, account: address, scope: scope, terms: terms)
    }

    /// - Parameter finish: makes the result, and its hash for the log.
    private func signed<Result>(
        _ request: SigningRequest,
        _ finish: (Signature) -> (Result, hash: String)
    ) async throws(SigningError) -> Result {
        let id = AuditLine.newID()
        let authorized = try authorize(request, id: id)
        do throws(SigningError) {
            let signature = try await key.signature(of: authorized)
            try verify(signature, request.digest)
            let (result, hash) = finish(signature)
            try end(AuditLine(signed: hash, id: id, time: now()))
            return result
        } catch {
            // If the log cannot be written, the request still counts: that is the safe side.
            try? end(AuditLine(failed: error.words.code, id: id, time: now()))
            throw error
        }
    }

    private func authorize(
        _ request: SigningRequest,
        id: String
    ) throws(SigningError) -> AuthorizedRequest {
        let time = now()
        let effects = SigningEffects(of: request)
        var refusal: Policy.Refusal?
        let since = dayBegan(time)
        try log.append(since: since) { lines in
            var event = AuditLine.Event.authorized
            var decision: [String] = []
            do throws(Policy.Refusal) {
                decision = try decide(
                    request,
                    effects,
                    lines,
                    since: since,
                    time: time,
                    replacing: request.slot
                )
            } catch {
                refusal = error
                event = .refused
                decision = [error.rule]
            }
            return AuditLine(
                event,
                id: id,
                time: time,
                request: request,
                effects: effects,
                holder: key.place,
                policy: policy,
                decision: .array(decision.map { .string($0) })
            )
        }
        if let refusal { throw refused(refusal) }
        return AuthorizedRequest(request)
    }

    private func decide(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        _ lines: [AuditLine],
        since: UInt64?,
        time: UInt64,
        replacing slot: String? = nil
    ) throws(Policy.Refusal) -> [String] {
        guard let since else {
            return try policy.decide(request, effects, ledger: .empty)
                + policy.decideForAgent(request, effects, lines: [], since: 0)
        }
        let newest = lines.map(\.time).max() ?? 0
        // If the clock was turned back, older lines would end the search for those of the day.
        guard newest <= time || newest - time <= Self.clockTolerance else {
            throw Policy.Refusal(
                rule: "max_per_day",
                reason: "the clock is \(newest - time) seconds behind the last line of the audit "
                    + "log, so that the last 24 hours are unknown"
            )
        }
        return try policy.decide(
            request,
            effects,
            ledger: SpendingLedger(lines, since: since),
            besides: slot
        ) + policy.decideForAgent(request, effects, lines: lines, since: since, besides: slot)
    }

    /// The usual range of clock corrections, in seconds.
    private static let clockTolerance: UInt64 = 600

    private func verify(_ signature: Signature, _ digest: Bytes32) throws(SigningError) {
        guard signature.hasLowS else { throw .highS }
        let signer = try? recoverer.recover(digest: digest, signature: signature)  // nil: no key's
        guard signer == address else { throw .wrongSignature }
    }

    private func end(_ line: AuditLine) throws(SigningError) {
        try log.append(since: nil) { _ in line }
    }

    private func refused(_ refusal: Policy.Refusal) -> SigningError {
        guard refusal != .hashMessage else {
            return SigningError.looksLikeAHash(reason: refusal.reason)
        }
        guard refusal.rule != Policy.Refusal.permitRule else {
            return SigningError.foreignPermit(reason: refusal.reason)
        }
        guard refusal.rule != Policy.Refusal.grantRule else {
            return SigningError.openGrant(reason: refusal.reason)
        }
        guard refusal.rule != Policy.Refusal.chainRule else {
            return SigningError.otherChain(reason: refusal.reason)
        }
        guard !refusal.isOfAgents else {
            return SigningError.needsPerson(rule: refusal.rule, reason: refusal.reason)
        }
        return SigningError.policy(
            rule: refusal.rule,
            source: policy.source,
            reason: refusal.reason
        )
    }

    /// 24 hours ago; nil if no rule needs it: an unreadable log then does not matter.
    private func dayBegan(_ time: UInt64) -> UInt64? {
        guard policy.countsDays || policy.countsAgentDays(origin) else { return nil }
        return time > Policy.day ? time - Policy.day : 0
    }
}

/// Gives a protocol the verified signature, for this digest only.
private struct GivenSignature: Signer {
    let address: Address
    let digest: Bytes32
    let value: Signature

    func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        guard digest == self.digest else {
            throw .refused("another hash than the one that was authorized.")
        }
        return value
    }
}
