import Ethereum

extension RouterCall {
    /// The call for the legs of a trade, with unwrapping, refund and value by what is traded.
    ///
    /// - Parameters:
    ///   - legs: all with an exact amount in, or all with an exact amount out.
    ///   - deadline: seconds since 1970.
    /// - Throws: `RouterFault`, as `check`: the legs do not meet the terms.
    public static func make(
        _ legs: [RouterLeg],
        _ terms: RouterTerms,
        deadline: UInt64
    ) throws(RouterFault) -> RouterCall {
        let unwraps = terms.bought == .native
        var call = RouterCall(
            deadline: deadline,
            swaps: legs.map { leg in
                RouterSwap(
                    path: leg.path,
                    amount: leg.amount,
                    bound: leg.bound,
                    recipient: unwraps ? RouterSwap.inRouter : terms.account
                )
            }
        )
        if unwraps {
            let minimum = try sum(call.swaps.map(\.minimum))
            call.unwrap = RouterUnwrap(minimum: minimum, recipient: terms.account)
        }
        if terms.sold == .native {
            call.value = Wei(try sum(call.swaps.map(\.maximum)))
            call.refunds = true
        }
        try call.check(terms)
        return call
    }

    /// Refuses a call that is not within the terms in every part: the rule before signing.
    ///
    /// - Throws: `RouterFault`, the first that is found.
    public func check(_ terms: RouterTerms) throws(RouterFault) {
        try checkStructure()
        guard deadline > terms.now else { throw .deadlinePassed(deadline) }
        guard deadline <= terms.latestDeadline else { throw .deadlineTooFar(deadline) }
        try checkTokens(terms)
        try checkRecipients(terms)
        try checkAmounts(terms)
    }

    /// What is wrong whatever the terms are.
    func checkStructure() throws(RouterFault) {
        guard let first = swaps.first else { throw .noSwaps }
        if let unwrap {
            guard unwrap.minimum != 0 else { throw .zeroBound }
            guard !Self.isReserved(unwrap.recipient) else {
                throw .reservedRecipient(unwrap.recipient)
            }
        }
        var pools: Set<PoolID> = []
        for swap in swaps {
            guard swap.fixed != 0 else { throw .zeroAmount }
            guard swap.bound != 0 else { throw .zeroBound }
            guard swap.isExactIn == first.isExactIn else { throw .mixedDirections }
            if swap.recipient == RouterSwap.inRouter {
                guard unwrap != nil else { throw .leftInRouter }
            } else {
                guard !Self.isReserved(swap.recipient) else {
                    throw .reservedRecipient(swap.recipient)
                }
                guard unwrap == nil else { throw .notUnwrapped }
            }
            for pool in swap.path.pools {
                guard pools.insert(pool).inserted else { throw .poolTwice(pool) }
            }
        }
    }

    private func checkTokens(_ terms: RouterTerms) throws(RouterFault) {
        guard let sold = terms.sold.token(wrapped: terms.wrapped),
            let bought = terms.bought.token(wrapped: terms.wrapped)
        else { throw .noWrappedCoin }
        guard sold != bought else { throw .sameToken }
        for swap in swaps {
            guard swap.path.sold == sold else { throw .otherSold(swap.path.sold) }
            guard swap.path.bought == bought else { throw .otherBought(swap.path.bought) }
            guard terms.allowsV2 || !swap.path.isV2 else { throw .v2NotReached }
        }
    }

    /// Together with the structure: all swaps leave their output in the router if, and only if,
    /// the native coin is bought.
    private func checkRecipients(_ terms: RouterTerms) throws(RouterFault) {
        guard !Self.isReserved(terms.account) else { throw .reservedRecipient(terms.account) }
        if let unwrap {
            guard terms.bought == .native else { throw .unwrapNotWanted }
            guard unwrap.recipient == terms.account else { throw .otherRecipient(unwrap.recipient) }
        } else {
            guard terms.bought != .native else { throw .unwrapMissing }
            for swap in swaps where swap.recipient != terms.account {
                throw .otherRecipient(swap.recipient)
            }
        }
    }

    private func checkAmounts(_ terms: RouterTerms) throws(RouterFault) {
        let taken = try Self.sum(swaps.map(\.maximum))
        let given = try Self.sum(swaps.map(\.minimum))
        guard taken <= terms.maximum else { throw .aboveMaximum(taken, maximum: terms.maximum) }
        guard given >= terms.minimum else { throw .belowMinimum(given, minimum: terms.minimum) }
        if let unwrap {
            guard unwrap.minimum == given else { throw .otherUnwrapMinimum(unwrap.minimum) }
        }
        let due = terms.sold == .native ? Wei(taken) : .zero
        guard value == due else { throw .otherValue(value, due: due) }
        guard refunds == (value > .zero) else {
            throw refunds ? .refundNotWanted : .refundMissing
        }
    }

    private static func sum(_ amounts: [UInt256]) throws(RouterFault) -> UInt256 {
        var total = UInt256.zero
        for amount in amounts {
            let (sum, overflow) = total.addingReportingOverflow(amount)
            guard !overflow else { throw .tooMuch }
            total = sum
        }
        return total
    }

    /// The zero address, and the two that the router's swaps take for something else.
    static func isReserved(_ address: Address) -> Bool {
        address == .zero || address == RouterSwap.sender || address == RouterSwap.inRouter
    }
}
