import Ethereum
import Uniswap
import ZeroEx

/// The exact amounts of several paths at the market's block: v3 by the chain's own quoter, v2 by
/// the pairs' reserves.
struct PathQuotes: Sendable {
    let deployment: UniswapDeployment
    let market: PoolMarket
    let amount: PoolAmount
    /// The pools whose address the factory has confirmed.
    private(set) var checked: Set<PoolID>
    private var routes: [PoolRoute] = []

    init(
        deployment: UniswapDeployment,
        market: PoolMarket,
        amount: PoolAmount,
        checked: Set<PoolID>
    ) {
        self.deployment = deployment
        self.market = market
        self.amount = amount
        self.checked = checked
    }

    /// Reads them in one round trip.
    ///
    /// - Throws: `LiquidityError.chain`: the node gave no answer.
    func read(
        _ paths: [PoolPath],
        _ chain: any ChainClient
    ) async throws(LiquidityError) -> PathQuotes {
        let tag = BlockTag.number(market.block.number)
        var batch = ReadBatch()
        let quoted = paths.map { path in
            let call = QuoterCall(path, amount)
            let slot = call.map {
                batch.add(.call(CallRequest(to: deployment.quoter, data: $0.data), tag))
            }
            return (path: path, call: call, slot: slot)
        }
        let unchecked = Set(paths.flatMap(\.pools)).subtracting(checked).map { pool in
            (
                pool: pool,
                slot: batch.add(
                    .call(
                        CallRequest(
                            to: deployment.factory(of: pool.kind),
                            data: ContractRead.pool(pool).data
                        ),
                        tag
                    )
                )
            )
        }
        var result = self
        do throws(ChainError) {
            let answers = try await chain.read(batch)
            for (pool, slot) in unchecked {
                let found = try answers.answer(slot).flatMap { answer in
                    try? ContractRead.pool(pool).decode(answer)  // nil: no factory's answer
                }
                if found == deployment.address(of: pool) { result.checked.insert(pool) }
            }
            for (path, call, slot) in quoted
            where path.pools.allSatisfy(result.checked.contains) {
                let amounts =
                    if let call, let slot {
                        try answers.answer(slot).flatMap { answer in
                            // nil: no quote, or one that the pools' bound cut short
                            try? call.decode(answer).amount
                        }
                    } else {
                        market.estimate(path, amount)
                    }
                guard let amounts, amounts != .zero else { continue }
                result.routes.append(route(path, amounts))
            }
        } catch {
            throw .chain(error)
        }
        return result
    }

    private func route(_ path: PoolPath, _ quoted: UInt256) -> PoolRoute {
        PoolRoute(
            path: path,
            amount: amount,
            quoted: quoted,
            block: market.block.number,
            genuine: market.genuine
        )
    }

    // MARK: Choice

    /// The route that leaves most after gas, or that costs least with it; nil without any.
    var best: PoolRoute? {
        switch amount {
        case .exactIn:
            let token = market.candidates.bought
            return routes.max { net($0, token) < net($1, token) }
        case .exactOut:
            let token = market.candidates.sold
            return routes.min { gross($0, token) < gross($1, token) }
        }
    }

    private func net(_ route: PoolRoute, _ token: Address) -> UInt256 {
        route.quoted.subtractingSaturating(gasValue(route, token))
    }

    private func gross(_ route: PoolRoute, _ token: Address) -> UInt256 {
        route.quoted.addingSaturating(gasValue(route, token))
    }

    /// The route's gas in base units of a token, by the pools that were read; 0 without a price.
    private func gasValue(_ route: PoolRoute, _ token: Address) -> UInt256 {
        guard let price = market.gasPrice, let wrapped = deployment.wrapped,
            let cost = Wei(price).multiplied(by: UInt256(PoolRoute.gas(route.path)))?.rawValue
        else { return .zero }
        guard token != wrapped else { return cost }
        return PoolCandidates.kinds.compactMap { kind in
            PoolPath([wrapped, token], [kind]).flatMap { market.estimate($0, .exactIn(cost)) }
        }.max() ?? .zero
    }
}
