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
    /// The longest that any call which is signed may be valid, in seconds.
    package static let longestLifetime: UInt64 = 600

    /// SwapRouter02 itself, which does not use Permit2.
    package func spender(_ payment: SwapPayment) -> Address { deployment.router }

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

    /// What the router and the quoter say of their factories and of the wrapped coin.
    package var registryCalls: [CallRequest] {
        [
            CallRequest(to: deployment.router, data: Self.factory.data),
            CallRequest(to: deployment.router, data: Self.wrapped.data),
            CallRequest(to: deployment.quoter, data: Self.factory.data),
            CallRequest(to: deployment.quoter, data: Self.wrapped.data),
            CallRequest(to: deployment.router, data: Self.factoryV2.data),
        ]
    }

    /// The factories whose pools the router reaches: that of v3, and that of v2 where it is this
    /// chain's.
    ///
    /// - Throws: `QuoteFault.otherContract` if a contract names another factory or wrapped coin than
    ///   the bundled list.
    package func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address] {
        // All are one address; nil: no answer of such a contract
        let told = answers.map { $0.flatMap { try? Self.factory.decode($0) } }
        guard told.count == registryCalls.count else {
            throw .otherContract(
                field: "SwapRouter02",
                expected: "5 answers",
                found: "\(told.count)"
            )
        }
        let factory = deployment.v3Factory
        try Self.require(told[0], factory, "SwapRouter02.factory()")
        try Self.require(told[2], factory, "QuoterV2.factory()")
        // Where the chain has no coin to wrap, nothing is ever wrapped, and the word means nothing.
        if let wrapped = deployment.wrapped {
            try Self.require(told[1], wrapped, "SwapRouter02.WETH9()")
            try Self.require(told[3], wrapped, "QuoterV2.WETH9()")
        }
        return told[4] == deployment.v2Factory ? [factory, deployment.v2Factory] : [factory]
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
        guard quote.call.to == deployment.router else {
            throw .otherContract(
                field: "transaction.to",
                expected: deployment.router.checksummed,
                found: quote.call.to.checksummed
            )
        }
        do throws(RouterFault) {
            try RouterCall(data: quote.call.data, value: quote.call.value)
                .check(routerTerms(terms))
        } catch {
            throw .otherContract(
                field: "transaction.data",
                expected: "a trade within the plan",
                found: "\(error)"
            )
        }
        return quote.call
    }

    /// A trade's terms as the router's call must keep them.
    package func routerTerms(_ terms: SwapTerms) -> RouterTerms {
        RouterTerms(
            account: terms.account,
            sold: RouterAsset(terms.request.sell),
            bought: RouterAsset(terms.request.buy),
            wrapped: deployment.wrapped,
            most: terms.most,
            least: terms.least,
            now: terms.now,
            latestDeadline: terms.now.addingSaturating(Self.longestLifetime),
            allowsV2: terms.genuine.contains(deployment.v2Factory)
        )
    }

    /// None: the router takes tokens by an allowance alone.
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

    /// nil for what the router does beside trades, or for several recipients or assets.
    ///
    /// A wrapped coin that the value should pay for counts as paid too: if something takes the value
    /// in between, the router takes the token by its allowance.
    package func effects(of call: SwapCall) -> SwapEffects? {
        guard call.to == deployment.router,
            // nil: it is no trade that this program would make
            let router = try? RouterCall(data: call.data, value: call.value)
        else { return nil }
        let effects = router.effects
        guard effects.receives.count == 1, let received = effects.receives.first else { return nil }
        return SwapEffects(
            function: "multicall",
            contract: deployment.router,
            pays: effects.pays,
            bought: SwapAsset(received.asset),
            recipient: received.recipient,
            operators: []
        )
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
