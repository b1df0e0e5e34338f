import DexSigning
package import Ethereum
package import Uniswap
package import ZeroEx

/// Prices and trades of Uniswap's pools, read from the chain with nothing but a node.
///
/// A price takes two round trips: the states of all pools that may trade the pair, then what the
/// best paths give for the amount. The quote after it takes none.
package struct PoolSource: LiquiditySource {
    private let deployment: UniswapDeployment
    private let chain: any ChainClient
    /// Tokens that are known not to keep a part of a transfer: those of the token lists.
    private let isKnown: @Sendable (Address) -> Bool
    /// Seconds since 1970.
    private let now: @Sendable () -> UInt64
    private let memory = PoolMemory()

    package init(
        _ deployment: UniswapDeployment,
        chain: any ChainClient,
        isKnown: @escaping @Sendable (Address) -> Bool,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.deployment = deployment
        self.chain = chain
        self.isKnown = isKnown
        self.now = now
    }

    /// The pools of a network's chain; nil where none are known.
    package init?(
        _ network: Network,
        chain: any ChainClient,
        tokens: TokenMap,
        now: @escaping @Sendable () -> UInt64
    ) {
        guard let pools = network.pools else { return nil }
        let trusted = Set(pools.wrappedAndHubs)
        self.init(
            pools,
            chain: chain,
            isKnown: { trusted.contains($0) || tokens.listed($0) != nil },
            now: now
        )
    }

    package var rules: any LiquidityRules { PoolRules(deployment) }

    /// The chain itself.
    package func chains() async throws(LiquidityError) -> [UInt64] { [deployment.chainID] }

    /// The best path's price now.
    ///
    /// - Throws: `LiquidityError.noPool`, `.unprovenToken`, `.absent`,
    ///   `.foreignContracts`, `.chain`.
    package func price(_ request: SwapRequest) async throws(LiquidityError) -> SwapPrice {
        let route = try await route(request)
        await memory.keep(route, for: PoolRequest(request), at: now())
        return route.price(slippage: request.slippage)
    }

    /// The call of the route that was priced right before, or of the best one now.
    ///
    /// - Throws: as `price`; `.nonsense` for a request without a taker.
    package func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote {
        guard let taker = request.taker else { throw .nonsense("a quote without a taker") }
        let trade = PoolRequest(request)
        let kept = await memory.take(trade, at: now())
        let route: PoolRoute
        if let kept { route = kept } else { route = try await self.route(request) }
        let price = route.price(slippage: request.slippage)
        let terms = SwapTerms(
            request: request,
            account: taker,
            maximum: price.maximumSold,
            minimum: price.minimumBought,
            genuine: route.genuine,
            wrapped: deployment.wrapped,
            now: now()
        )
        do throws(RouterFault) {
            let call = try call(of: route, terms, slippage: request.slippage)
            return SwapQuote(price: price, call: call, gas: price.gas)
        } catch {
            throw .nonsense("\(error)")
        }
    }

    /// The call of the router that reaches the route's pools.
    private func call(
        of route: PoolRoute,
        _ terms: SwapTerms,
        slippage: UInt64
    ) throws(RouterFault) -> SwapCall {
        let rules = PoolRules(deployment)
        let bounds = rules.routerTerms(terms)
        let legs = route.routerLegs(slippage: slippage)
        let deadline = terms.now.addingSaturating(PoolRules.lifetime)
        // It trades one path a call.
        if let v2Router = deployment.v2Router, let leg = legs.first, legs.count == 1,
            rules.contract(for: leg.path, genuine: route.genuine) == v2Router
        {
            let call = try V2RouterCall.make(leg, bounds, deadline: deadline)
            return SwapCall(to: v2Router, data: call.data, value: call.value)
        }
        let call = try RouterCall.make(legs, bounds, deadline: deadline)
        return SwapCall(to: deployment.router, data: call.data, value: call.value)
    }

    // MARK: Reading

    private func route(_ request: SwapRequest) async throws(LiquidityError) -> PoolRoute {
        let trade = PoolRequest(request)
        guard let sold = trade.sold(deployment), let bought = trade.bought(deployment),
            sold != bought
        else { throw .noPool }
        let candidates = PoolCandidates(deployment, sold: sold, bought: bought)
        let market = try await PoolMarket.read(candidates, deployment, chain)
        let paths = try proven(
            market.paths(for: trade.amount).filter { path in
                let contract = PoolRules(deployment).contract(for: path, genuine: market.genuine)
                return contract != nil && (trade.spender ?? contract) == contract
            },
            trade,
            bought,
            market
        )
        guard !paths.isEmpty else { throw .noPool }
        let quotes = try await PathQuotes(
            deployment: deployment,
            market: market,
            amount: trade.amount,
            checked: await memory.checked
        ).read(paths, chain)
        await memory.check(quotes.checked)
        guard let best = quotes.best else { throw .noPool }
        return best
    }

    /// The paths at which it is known before the signature how much of a bought token arrives.
    ///
    /// A call of SwapRouter02 is proven by a simulation (`LiquidityRules.proof`), for a token of a
    /// list; only a v2 pair's router function measures it, and only of an exact amount in.
    private func proven(
        _ paths: [PoolPath],
        _ trade: PoolRequest,
        _ bought: Address,
        _ market: PoolMarket
    ) throws(LiquidityError) -> [PoolPath] {
        let isExactIn = if case .exactIn = trade.amount { true } else { false }
        if !isKnown(bought) {
            let measured = paths.filter { $0.isV2 && isExactIn }
            guard !measured.isEmpty else { throw .unprovenToken(bought) }
            return measured
        }
        guard !isExactIn, !deployment.wrappedAndHubs.contains(bought) else { return paths }
        // Nothing proves what v2 Router02 brings of a fixed purchase.
        let proven = paths.filter {
            PoolRules(deployment).contract(for: $0, genuine: market.genuine) == deployment.router
        }
        guard !proven.isEmpty || paths.isEmpty else { throw .exactInOnly }
        return proven
    }
}

/// What is traded, whoever asks and within which slippage.
struct PoolRequest: Hashable, Sendable {
    let sell: SwapAsset
    let buy: SwapAsset
    let amount: PoolAmount
    /// The only router that may trade it; nil for any.
    let spender: Address?

    init(_ request: SwapRequest) {
        (sell, buy, spender) = (request.sell, request.buy, request.spender)
        amount =
            switch request.amount {
            case .exactIn(let amount): .exactIn(amount)
            case .exactOut(let amount): .exactOut(amount)
            }
    }

    /// The token of the pools; nil for a coin that the router cannot wrap.
    func sold(_ deployment: UniswapDeployment) -> Address? { Self.token(sell, deployment) }

    func bought(_ deployment: UniswapDeployment) -> Address? { Self.token(buy, deployment) }

    private static func token(_ asset: SwapAsset, _ deployment: UniswapDeployment) -> Address? {
        switch asset {
        case .native: deployment.wrapped
        case .token(let address): address
        }
    }
}
