import Ethereum
import Testing

@testable import Uniswap

@Suite("Swaps of the genuine contracts")
struct SwapVectorTests {
    /// How the legs of the scenarios were checked.
    private struct Tally: Equatable {
        var swaps = 0
        var paths = 0
        var pairs = 0
        var dry = 0
        var refused = 0
    }

    /// One leg of a scenario.
    private struct Leg {
        let name: String
        let json: PoolVectors
        let amount: PoolAmount
        let path: PoolPath
        /// Of the scenario's pools, by their place.
        let depths: [Int: PoolDepth]
        let places: [Int]

        var byPool: [PoolID: PoolDepth] {
            var result: [PoolID: PoolDepth] = [:]
            for (pool, place) in zip(path.pools, places) { result[pool] = depths[place] }
            return result
        }

        func zeroForOne(_ place: Int) throws -> Bool {
            let index = try #require(places.firstIndex(of: place))
            return path.pools[index].token0 == path.tokens[index]
        }
    }

    @Test("every leg of every scenario has the amounts, the price and the tick of the contracts")
    func scenarios() throws {
        var tally = Tally()
        let scenarios = try PoolVectors.swaps.list("scenarios")
        #expect(scenarios.count == 297)
        for scenario in scenarios {
            let pools = try scenario.list("pools")
            for leg in try scenario.list("legs") {
                try check(leg, pools, try scenario.string("name"), &tally)
            }
        }
        #expect(tally == Tally(swaps: 198, paths: 40, pairs: 68, dry: 20, refused: 10))
    }

    private func check(
        _ json: PoolVectors,
        _ pools: [PoolVectors],
        _ name: String,
        _ tally: inout Tally
    ) throws {
        let places = try json.list("pools").map { try #require(Int(try $0.string())) }
        let tokens = try json.list("tokens").map { try Address(try $0.string()) }
        let ids = try places.map { try pools[$0].poolID() }
        let path = try #require(PoolPath(tokens, ids.map(\.kind)))
        #expect(path.pools == ids, "\(name)")
        var depths: [Int: PoolDepth] = [:]
        do {
            for place in places { depths[place] = try pools[place].depth() }
        } catch let error as PoolError {
            #expect(try json["quote"].string("reason") == "LOK" && error == .notInitialised)
            tally.refused += 1
            return
        }
        let leg = Leg(
            name: name,
            json: json,
            amount: try json.amount(),
            path: path,
            depths: depths,
            places: places
        )
        if path.isV2 { try checkPairs(leg, &tally) } else { try checkSwaps(leg, &tally) }
    }

    private func checkPairs(_ leg: Leg, _ tally: inout Tally) throws {
        let local = leg.json["quote"]["local"]
        let amounts = local.isNull ? [] : try local.list("amounts").map { try $0.string() }
        switch quote(leg) {
        case .success(let quote):
            let own = [quote.amountIn] + quote.pools.map(\.amountOut)
            #expect(own.map(\.description) == amounts, "\(leg.name)")
            tally.pairs += 1
        case .failure(let error):
            // The library answers 0 where the pair refuses.
            let isZero = leg.amount == .exactIn(0) || leg.amount == .exactOut(0)
            let expected: PoolError = isZero ? .zeroAmount : amounts.isEmpty ? .dry : .noOutput
            #expect(error == expected, "\(leg.name)")
            #expect(amounts.isEmpty || amounts.last == "0", "\(leg.name)")
            tally.refused += 1
        }
    }

    private func checkSwaps(_ leg: Leg, _ tally: inout Tally) throws {
        let quoted = leg.json["quote"]
        let limit = try leg.json.text("limit").map { _ in try leg.json.number("limit") }
        let reason = quoted.text("reason")
        var rest = leg.amount
        var isDry = false
        var prices: [String] = []
        // In the order of execution: an exact amount out begins with the last pool.
        for step in try quoted.list("local") {
            let place: Int = try step.integer("pool")
            guard case .v3(let state)? = leg.depths[place] else { throw Missing() }
            let zeroForOne = try leg.zeroForOne(place)
            if reason == "AS" || reason == "SPL" {
                #expect(throws: reason == "AS" ? PoolError.zeroAmount : .priceLimit) {
                    try state.swap(rest, zeroForOne: zeroForOne, limit: limit)
                }
                tally.refused += 1
                return
            }
            let swap = try state.swap(rest, zeroForOne: zeroForOne, limit: limit)
            let agrees = try agree(swap, step)
            #expect(agrees, "\(leg.name): \(swap)")
            isDry = isDry || swap.isDry
            prices.append(swap.sqrtPrice.description)
            rest = rest.isExactIn ? .exactIn(swap.amountOut) : .exactOut(swap.amountIn)
        }
        if reason == "Unexpected error" {
            #expect(isDry, "\(leg.name)")
        } else {
            let quotedPrices = try quoted.list("sqrtPriceX96After").map { try $0.string() }
            #expect(prices == quotedPrices, "\(leg.name)")
            let other = try quoted.number("amount")
            #expect(rest == (rest.isExactIn ? .exactIn(other) : .exactOut(other)), "\(leg.name)")
        }
        guard limit == nil else {
            tally.swaps += 1
            return
        }
        switch quote(leg) {
        case .success(let quote):
            let other = leg.amount.isExactIn ? quote.amountOut : quote.amountIn
            #expect(try other == quoted.number("amount"), "\(leg.name)")
            #expect(!isDry, "\(leg.name)")
            if leg.places.count > 1 { tally.paths += 1 } else { tally.swaps += 1 }
        case .failure(let error):
            #expect(isDry && error == .dry, "\(leg.name)")
            tally.dry += 1
        }
    }

    /// A swap is the one that the contracts carried out.
    private func agree(_ swap: SwapResult, _ step: PoolVectors) throws -> Bool {
        let (price, amountIn, amountOut) = try (
            step.number("sqrtPriceX96After"), step.number("amountIn"), step.number("amountOut")
        )
        let (tick, crossed): (Int32, Int) = try (
            step.integer("tickAfter"), step.integer("ticksCrossed")
        )
        let liquidity: UInt128 = try step.integer("liquidityAfter")
        return swap.amountIn == amountIn && swap.amountOut == amountOut
            && swap.sqrtPrice == price && swap.tick == tick && swap.liquidity == liquidity
            && swap.ticksCrossed == crossed
    }

    @Test("swaps one after the other through one pool leave the price of the contracts")
    func samePool() throws {
        var count = 0
        for scenario in try PoolVectors.swaps.list("scenarios") {
            let legs = try scenario.list("legs")
            let after = scenario["result"]["after"]
            guard try scenario.string("name").hasPrefix("same pool"), !after.isNull else {
                continue
            }
            let pool = try scenario.list("pools")[0]
            guard case .v3(var state) = try pool.depth() else { throw Missing() }
            for leg in legs {
                let sold = try Address(try leg.list("tokens")[0].string())
                let zeroForOne = try pool.poolID().token0 == sold
                state = state.after(try state.swap(try leg.amount(), zeroForOne: zeroForOne))
            }
            let end = try after.list()[0]
            #expect(try state.sqrtPrice == end.number("sqrtPriceX96"))
            #expect(try state.liquidity.description == end.string("liquidity"))
            #expect(try state.tick.description == end.string("tick"))
            count += 1
        }
        #expect(count == 3)
    }

    private struct Missing: Error {}

    private func quote(_ leg: Leg) -> Result<PathQuote, PoolError> {
        Result { () throws(PoolError) in try leg.path.quote(leg.amount, leg.byPool) }
    }
}

extension PoolAmount {
    var isExactIn: Bool {
        if case .exactIn = self { true } else { false }
    }
}
