public import Ethereum

extension ZeroExSwapRules {
    /// The longest time that a signed message may be valid, in seconds.
    private static let longestPermit: UInt64 = 600

    /// The message of a quote for Permit2; nil where nothing is taken by Permit2.
    ///
    /// It lets the called Settler take exactly what the quote sells at most, once, within ten
    /// minutes. Its hash is that of our own types, so nothing else of the answer is signed.
    ///
    /// - Throws: `QuoteFault.counterfeit`.
    public func permit(
        of quote: SwapQuote,
        _ terms: SwapTerms
    ) throws(QuoteFault) -> SwapPermit? {
        guard terms.request.payment == .permit, case .token(let sold) = terms.request.sell,
            terms.wrapped != sold || terms.request.buy != .native
        else {
            try require(quote.permit == nil, "permit2", "none", "a message")
            return nil
        }
        guard let permit = quote.permit else {
            throw .counterfeit(field: "permit2", expected: "a message", found: "none")
        }
        try checkDomain(permit)
        try require(permit.token.word, isOneOf: [sold], Self.member("permitted.token"))
        try require(
            permit.amount == quote.price.maximumSold,
            Self.member("permitted.amount"),
            quote.price.maximumSold.description,
            permit.amount.description
        )
        try require(permit.amount, isAtMost: terms.maximum, Self.member("permitted.amount"))
        try require(permit.spender.word, isOneOf: terms.genuine, Self.member("spender"))
        try require(permit.spender.word, isOneOf: [quote.call.to], Self.member("spender"))
        try checkDeadline(permit, now: terms.now)
        try require(
            quote.permitHash == permit.hash,
            "permit2.hash",
            permit.hash.hex,
            quote.permitHash?.hex ?? "none"
        )
        return permit
    }

    /// The call with the signature in place: its length in a word, then r, s and v.
    ///
    /// - Parameter signature: s in the upper half is brought to the lower one.
    public func call(_ call: SwapCall, signature: Signature) -> SwapCall {
        let signature = signature.withLowS
        var signed = call
        UInt256(65).word.append(to: &signed.data)
        signature.r.append(to: &signed.data)
        signature.s.append(to: &signed.data)
        signed.data.append(signature.v)
        return signed
    }

    private func checkDomain(_ permit: SwapPermit) throws(QuoteFault) {
        try require(
            permit.contract.word,
            isOneOf: [spender(.permit)],
            "permit2.eip712.domain.verifyingContract"
        )
        try require(
            permit.chainID == chainID,
            "permit2.eip712.domain.chainId",
            chainID.description,
            permit.chainID.description
        )
    }

    private func checkDeadline(_ permit: SwapPermit, now: UInt64) throws(QuoteFault) {
        let last = now.addingSaturating(Self.longestPermit)
        try require(
            permit.deadline > UInt256(now) && permit.deadline <= UInt256(last),
            Self.member("deadline"),
            "after \(now) and at most \(last)",
            permit.deadline.description
        )
    }

    private static func member(_ name: String) -> String {
        "permit2.eip712.message.\(name)"
    }
}

extension Signature {
    /// The same signature with s in the lower half of the group's order.
    fileprivate var withLowS: Signature {
        guard !hasLowS else { return self }
        let (s, overflow) = Self.order.subtractingReportingOverflow(UInt256(s))
        // Beyond the order it is no signature: no contract accepts it.
        guard !overflow else { return self }
        return Signature(r: r, s: s.word, yParity: yParity ^ 1) ?? self
    }

    /// The number of points of secp256k1's group.
    private static let order: UInt256 =
        0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141
}
