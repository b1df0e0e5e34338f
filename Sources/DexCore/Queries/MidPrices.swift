import DexStore
import Ethereum
import ZeroEx

/// Middle prices of pairs by the relay's books; where no book has one, by Uniswap's pools; else by
/// the venues beside the book.
///
/// They are estimates, never prices for trading.
struct MidPrices: Sendable {
    let session: Session
    let settings: ReadSettings

    /// The number of prices read at once.
    private static let width = 4

    /// A pair: the priced token, and the token of its prices.
    struct Step: Hashable, Sendable {
        let base: Address
        let quote: Address
    }

    struct Reading: Sendable {
        /// Without the pairs that have no price.
        var prices: [Step: Price] = [:]
        /// Why a price could not be read; a sentence.
        var failure: String?
    }

    /// The middle of each two-sided book, else of the pair's pools.
    func ofBooks(_ steps: Set<Step>) async -> Reading {
        await read(steps) { await book($0) }
    }

    /// The same, else what a venue beside the book gives for an amount and takes for it.
    ///
    /// - Parameter amounts: base units of each base, above zero; the venues are asked for these.
    func ofMarket(_ amounts: [Step: UInt256]) async -> Reading {
        await read(Set(amounts.keys)) { step in
            let book = await book(step)
            if case .success(.some) = book { return book }
            guard let amount = amounts[step] else { return book }
            var failure = book
            for venue in session.venues {
                let price = await swap(step, amount, venue.source)
                if case .success(.some) = price { return price }
                if case .success = failure { failure = price }
            }
            return failure
        }
    }

    private func read(
        _ steps: Set<Step>,
        _ price: @escaping @Sendable (Step) async -> Result<Price?, DexError>
    ) async -> Reading {
        await withTaskGroup(of: (Step, Result<Price?, DexError>).self) { group in
            var waiting = steps.sorted { ($0.base, $0.quote) < ($1.base, $1.quote) }[...]
            func next() {
                guard let step = waiting.popFirst() else { return }
                group.addTask { (step, await price(step)) }
            }
            for _ in 0..<Self.width { next() }
            var reading = Reading()
            while let (step, result) = await group.next() {
                switch result {
                case .success(let price): reading.prices[step] = price
                case .failure(let error): reading.failure = reading.failure ?? error.message
                }
                next()
            }
            return reading
        }
    }

    private func book(_ step: Step) async -> Result<Price?, DexError> {
        let relayed = await relayBook(step)
        // Where orders are traded, pools are a market only if they are asked for.
        guard session.isOfPools || session.network.pools != nil && session.venue(.pools) != nil
        else {
            return relayed
        }
        if case .success(.some) = relayed { return relayed }
        let pooled = await poolBook(step)
        if case .success(.none) = pooled { return relayed }
        return pooled
    }

    private func poolBook(_ step: Step) async -> Result<Price?, DexError> {
        do throws(DexError) {
            let pair = Pair(
                base: session.tokens.token(at: step.base),
                quote: session.tokens.token(at: step.quote)
            )
            return .success(try await PoolBookReader(session: session).read(pair).mid)
        } catch {
            return error.concerns(.absentPools) ? .success(nil) : .failure(error)
        }
    }

    private func relayBook(_ step: Step) async -> Result<Price?, DexError> {
        guard session.relay != nil, session.network.hasExchange else { return .success(nil) }
        let pair = PairAddresses(base: step.base, quote: step.quote).text
        return await Result { () async throws(DexError) in
            try await PriceModel(session: session, settings: settings).load(pairText: pair).mid
        }
    }

    /// Halfway between selling an amount, and buying back with what that brings.
    private func swap(
        _ step: Step,
        _ amount: UInt256,
        _ source: any LiquiditySource
    ) async -> Result<Price?, DexError> {
        do throws(LiquidityError) {
            let sale = try await source.price(request(step.base, amount, for: step.quote))
            guard sale.bought != .zero else { return .success(nil) }
            let purchase = try await source.price(
                request(step.quote, sale.bought, for: step.base)
            )
            return .success(
                PriceModel.mid(
                    Price(quote: sale.bought, base: sale.sold),
                    Price(quote: purchase.sold, base: purchase.bought)
                )
            )
        } catch {
            switch error {
            case .noLiquidity, .noPool, .absent: return .success(nil)
            default: return .failure(DexError(error))
            }
        }
    }

    private func request(_ sold: Address, _ amount: UInt256, for bought: Address) -> SwapRequest {
        SwapRequest(
            chainID: session.network.chainID,
            sell: .token(sold),
            buy: .token(bought),
            amount: .exactIn(amount),
            slippage: 10_000
        )
    }
}
