import Ethereum
import Testing

@testable import Uniswap

@Suite("Pools after the genuine contracts' swaps")
struct StateAfterTests {
    @Test("the quote's states after a trade are those that its transaction left")
    func after() throws {
        var (scenarios, pools) = (0, 0)
        for scenario in try PoolVectors.swaps.list("scenarios") {
            guard let quoted = try states(scenario) else { continue }
            let after = try scenario["result"].list("after")
            let name = try scenario.string("name")
            for (place, depth) in quoted {
                let agrees = try agree(depth, after[place])
                #expect(agrees, "\(name): \(depth)")
                pools += 1
            }
            scenarios += 1
        }
        #expect(scenarios == 186 && pools == 267, "\(scenarios) \(pools)")
    }

    /// The states by the place of their pools; nil for a scenario that the quote does not foresee.
    private func states(_ scenario: PoolVectors) throws -> [Int: PoolDepth]? {
        let name = try scenario.string("name")
        let legs = try scenario.list("legs")
        let places = try legs.map { leg in
            try leg.list("pools").map { try #require(Int(try $0.string())) }
        }
        let all = places.flatMap { $0 }
        // A fee token pays less in, and the second swap of a mixed trade is no leg.
        guard try scenario["result"].string("status") == "1", !legs.isEmpty,
            Set(all).count == all.count, !name.contains("fee-on-transfer"),
            !name.hasPrefix("mixed"), !name.contains("price limit")
        else { return nil }
        let pools = try scenario.list("pools")
        var states: [Int: PoolDepth] = [:]
        for (leg, places) in zip(legs, places) {
            let ids = try places.map { try pools[$0].poolID() }
            let tokens = try leg.list("tokens").map { try Address(try $0.string()) }
            let path = try #require(PoolPath(tokens, ids.map(\.kind)))
            let amount = try leg.amount()
            // A pair gives a little more than an exact amount out.
            guard !path.isV2 || amount.isExactIn else { return nil }
            var depths: [PoolID: PoolDepth] = [:]
            for (id, place) in zip(ids, places) { depths[id] = try pools[place].depth() }
            // A pool that runs dry is refused.
            guard let quote = try? path.quote(amount, depths) else { return nil }
            for (place, pool) in zip(places, quote.pools) { states[place] = pool.after }
        }
        return states
    }

    private func agree(_ depth: PoolDepth, _ after: PoolVectors) throws -> Bool {
        switch depth {
        case .v2(let pair):
            let (reserve0, reserve1) = try (after.number("reserve0"), after.number("reserve1"))
            return pair.reserve0 == reserve0 && pair.reserve1 == reserve1
        case .v3(let state):
            let (price, tick): (UInt256, Int32) = try (
                after.number("sqrtPriceX96"), after.integer("tick")
            )
            let liquidity: UInt128 = try after.integer("liquidity")
            return state.sqrtPrice == price && state.tick == tick && state.liquidity == liquidity
        }
    }
}
