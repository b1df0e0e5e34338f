package import Ethereum
package import Uniswap
package import ZeroEx

/// What proves a call of Uniswap's router to be the trade that was planned, on one chain.
///
/// The call is our own, so a fault is of this program or of a program that asks for a signature.
package struct PoolRules: LiquidityRules {
    package let deployment: UniswapDeployment

    package init(_ deployment: UniswapDeployment) { self.deployment = deployment }

    package var name: String { "Uniswap pools" }

    /// How long a call of ours can be mined, in seconds after its quote.
    package static let lifetime: UInt64 = 300
    /// The longest that a call of a plan may be valid, in seconds; another program's may be longer,
    /// and is bound by its limits all the same.
    package static let longestLifetime: UInt64 = 600

    /// SwapRouter02 itself, which does not use Permit2.
    package func spender(_ payment: SwapPayment) -> Address { deployment.router }

    /// SwapRouter02, and v2 Router02 where the chain has one.
    package func spenders(_ payment: SwapPayment) -> [Address] {
        [deployment.router] + [deployment.v2Router].compactMap(\.self)
    }

    /// The router that the call is for.
    package func spender(_ payment: SwapPayment, of call: SwapCall) -> Address {
        call.to == deployment.v2Router ? call.to : deployment.router
    }

    /// The router that a path's trade is sent to; nil for a path of pairs that none reaches.
    ///
    /// - Parameter genuine: from `genuine`.
    package func contract(for path: PoolPath, genuine: [Address]) -> Address? {
        if !path.isV2 || genuine.contains(deployment.v2Factory) { return deployment.router }
        return deployment.v2Router.flatMap { genuine.contains($0) ? $0 : nil }
    }

    package var contracts: [Address] {
        [deployment.router, deployment.quoter, deployment.v3Factory]
    }

    package func revertReason(_ data: [UInt8]) -> String? {
        guard case .reason(let reason) = RouterRevert(data) else { return nil }
        return reason.description
    }

    // MARK: Registry

    private static let factory = ContractRead<Address>.factory
    private static let factoryV2 = ContractRead<Address>.factoryV2
    private static let wrapped = ContractRead<Address>.wrapped
    private static let wrappedByV2 = ContractRead<Address>.wrappedByV2

    /// What the routers and the quoter say of their factories and of the wrapped coin.
    package var registryCalls: [CallRequest] {
        [
            CallRequest(to: deployment.router, data: Self.factory.data),
            CallRequest(to: deployment.router, data: Self.wrapped.data),
            CallRequest(to: deployment.quoter, data: Self.factory.data),
            CallRequest(to: deployment.quoter, data: Self.wrapped.data),
            CallRequest(to: deployment.router, data: Self.factoryV2.data),
        ]
            + [deployment.v2Router].compactMap(\.self).flatMap { router in
                [
                    CallRequest(to: router, data: Self.factory.data),
                    CallRequest(to: router, data: Self.wrappedByV2.data),
                ]
            }
    }

    /// The factories whose pools SwapRouter02 reaches: that of v3, and that of v2 where it is this
    /// chain's.
    ///
    /// Where it is not, v2 Router02, if it is of this chain's v2 factory and wrapped coin.
    ///
    /// - Throws: `QuoteFault.otherContract` if a contract names another factory or wrapped coin than
    ///   the bundled list.
    package func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address] {
        // All are one address; nil: no answer of such a contract
        let reported = answers.map { $0.flatMap { try? Self.factory.decode($0) } }
        guard reported.count == registryCalls.count else {
            throw .otherContract(
                field: "SwapRouter02",
                expected: "\(registryCalls.count) answers",
                found: "\(reported.count)"
            )
        }
        let factory = deployment.v3Factory
        try Self.require(reported[0], factory, "SwapRouter02.factory()")
        try Self.require(reported[2], factory, "QuoterV2.factory()")
        // Where the chain has no coin to wrap, nothing is ever wrapped, and the word means nothing.
        if let wrapped = deployment.wrapped {
            try Self.require(reported[1], wrapped, "SwapRouter02.WETH9()")
            try Self.require(reported[3], wrapped, "QuoterV2.WETH9()")
        }
        if reported[4] == deployment.v2Factory { return [factory, deployment.v2Factory] }
        guard let v2Router = deployment.v2Router, reported[5] == deployment.v2Factory,
            deployment.wrapped == nil || reported[6] == deployment.wrapped
        else { return [factory] }
        return [factory, v2Router]
    }

    /// The chain has none of the contracts: nothing answers.
    package func isAbsent(answers: [[UInt8]?]) -> Bool {
        answers.allSatisfy { $0?.isEmpty == true }
    }

    private static func require(
        _ found: Address?,
        _ expected: Address,
        _ field: String
    ) throws(QuoteFault) {
        guard found == expected else {
            throw .otherContract(
                field: field,
                expected: expected.checksummed,
                found: found?.checksummed ?? "no address"
            )
        }
    }

    // MARK: Calls

    package func verify(
        _ quote: SwapQuote,
        _ terms: SwapTerms
    ) throws(QuoteFault) -> SwapCall {
        let call = quote.call
        let isV2Router = call.to == deployment.v2Router && terms.genuine.contains(call.to)
        let wanted = terms.request.spender ?? (isV2Router ? call.to : deployment.router)
        guard call.to == wanted, isV2Router || call.to == deployment.router else {
            throw .otherContract(
                field: "transaction.to",
                expected: wanted.checksummed,
                found: call.to.checksummed
            )
        }
        do throws(RouterFault) {
            if isV2Router {
                try V2RouterCall(data: call.data, value: call.value).check(routerTerms(terms))
            } else {
                try RouterCall(data: call.data, value: call.value).check(routerTerms(terms))
            }
        } catch {
            throw .otherContract(
                field: "transaction.data",
                expected: "a trade within the plan",
                found: "\(error)"
            )
        }
        return call
    }

    /// A trade's terms as the router's call must keep them.
    package func routerTerms(_ terms: SwapTerms) -> RouterTerms {
        RouterTerms(
            account: terms.account,
            sold: RouterAsset(terms.request.sell),
            bought: RouterAsset(terms.request.buy),
            wrapped: deployment.wrapped,
            maximum: terms.maximum,
            minimum: terms.minimum,
            now: terms.now,
            latestDeadline: terms.now.addingSaturating(Self.longestLifetime),
            allowsV2: terms.genuine.contains(deployment.v2Factory)
        )
    }

    /// None: the routers take tokens by an allowance alone.
    package func permit(
        of quote: SwapQuote,
        _ terms: SwapTerms
    ) throws(QuoteFault) -> SwapPermit? {
        guard quote.permit == nil else {
            throw .otherContract(field: "permit2", expected: "none", found: "a message")
        }
        return nil
    }

    /// The call itself, which holds no signature.
    package func call(_ call: SwapCall, signature: Signature) -> SwapCall { call }

    /// nil for what a router does beside trades, or for several recipients or assets.
    ///
    /// A wrapped coin that the value should pay for counts as paid too: if something takes the value
    /// in between, the router takes the token by its allowance.
    package func effects(of call: SwapCall) -> SwapEffects? {
        guard let (function, effects) = trade(call) else { return nil }
        guard effects.receives.count == 1, let received = effects.receives.first else { return nil }
        return SwapEffects(
            function: function,
            contract: call.to,
            pays: effects.pays,
            bought: SwapAsset(received.asset),
            recipient: received.recipient,
            operators: []
        )
    }

    /// The function of a router's trade, and what it can do; nil for what this program would not make.
    private func trade(_ call: SwapCall) -> (function: String, effects: RouterEffects)? {
        do throws(RouterFault) {
            switch call.to {
            case deployment.router:
                let trade = try RouterCall(data: call.data, value: call.value)
                return ("multicall", trade.effects)
            case deployment.v2Router:
                let trade = try V2RouterCall(data: call.data, value: call.value)
                return (trade.functionName, trade.effects)
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// The trade with SwapRouter02 itself as the recipient, which then gives what it got, if that is
    /// the minimum; nil for the coin, which keeps no part of a transfer, and for v2 Router02, whose
    /// calls for such a token measure what arrives.
    package func proof(of call: SwapCall, _ terms: SwapTerms) -> SwapCall? {
        guard case .token(let bought) = terms.request.buy, call.to == deployment.router,
            // nil: no trade of ours, which `verify` refuses
            let trade = try? RouterCall(data: call.data, value: call.value)
        else { return nil }
        let data = trade.arrivalProof(of: bought, for: terms.account)
        return SwapCall(to: call.to, data: data, value: call.value)
    }
}

extension RouterAsset {
    package init(_ asset: SwapAsset) {
        switch asset {
        case .native: self = .native
        case .token(let address): self = .token(address)
        }
    }
}

extension SwapAsset {
    package init(_ asset: RouterAsset) {
        switch asset {
        case .native: self = .native
        case .token(let address): self = .token(address)
        }
    }
}
