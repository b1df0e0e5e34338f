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
        let trusted = Set([pools.wrapped].compactMap(\.self) + pools.hubs)
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
        await memory.keep(route, for: PoolTrade(request), at: now())
        return route.price(slippage: request.slippage)
    }

    /// The call of the route that was priced right before, or of the best one now.
    ///
    /// - Throws: as `price`; `.nonsense` for a request without a taker.
    package func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote {
        guard let taker = request.taker else { throw .nonsense("a quote without a taker") }
        let trade = PoolTrade(request)
        let kept = await memory.take(trade, at: now())
        let route: PoolRoute
        if let kept { route = kept } else { route = try await self.route(request) }
        let price = route.price(slippage: request.slippage)
        let terms = SwapTerms(
            request: request,
            account: taker,
            most: price.mostSold,
            least: price.leastBought,
            genuine: route.genuine,
            wrapped: deployment.wrapped,
            now: now()
        )
        let call: RouterCall
        do throws(RouterFault) {
            call = try RouterCall.make(
                route.routerLegs(slippage: request.slippage),
                PoolRules(deployment).routerTerms(terms),
                deadline: terms.now.addingSaturating(PoolRules.lifetime)
            )
        } catch {
            throw .nonsense("\(error)")
        }
        return SwapQuote(
            price: price,
            call: SwapCall(to: deployment.router, data: call.data, value: call.value),
            gas: price.gas
        )
    }

    // MARK: Reading

    private func route(_ request: SwapRequest) async throws(LiquidityError) -> PoolRoute {
        let trade = PoolTrade(request)
        guard let sold = trade.sold(deployment), let bought = trade.bought(deployment),
            sold != bought
        else { throw .noPool }
        let candidates = PoolCandidates(deployment, sold: sold, bought: bought)
        let market = try await PoolMarket.read(candidates, deployment, chain)
        var paths = market.paths(for: trade.amount)
        // Only a v2 pair's router function measures what arrives, and only of an exact amount in.
        if !isKnown(bought) {
            let isExactIn = if case .exactIn = trade.amount { true } else { false }
            paths.removeAll { !($0.isV2 && isExactIn) }
            guard !paths.isEmpty else { throw .unprovenToken(bought) }
        }
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
}

/// What is traded, whoever asks and within which slippage.
struct PoolTrade: Hashable, Sendable {
    let sell: SwapAsset
    let buy: SwapAsset
    let amount: PoolAmount

    init(_ request: SwapRequest) {
        (sell, buy) = (request.sell, request.buy)
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
