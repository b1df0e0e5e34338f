import Ethereum
import ZeroEx

/// Adds the profit that is not realised yet to positions, by the market's middle prices.
package struct UnrealisedModel: Sendable {
    private let session: Session
    private let prices: MidPrices
    private let ranking: QuoteRank

    package init(session: Session, settings: ReadSettings = ReadSettings()) {
        self.session = session
        prices = MidPrices(session: session, settings: settings)
        ranking = QuoteRank(session: session)
    }

    /// Values what each position holds; a position without a price stays as it is.
    ///
    /// Without a relay and a swap venue nothing changes, and nobody is asked.
    ///
    /// - Returns: why not everything has a price, a sentence; nil if nothing failed.
    package func add(to positions: inout [HistoryState.Position]) async -> String? {
        guard session.relay != nil || !session.venues.isEmpty else { return nil }
        var amounts: [MidPrices.Step: UInt256] = [:]
        for position in positions {
            guard position.held != .zero, let step = step(position.pair) else { continue }
            amounts[step] = max(amounts[step] ?? .zero, position.held)
        }
        guard !amounts.isEmpty else { return nil }
        let reading = await prices.ofMarket(amounts)
        var failure = reading.failure
        for index in positions.indices where positions[index].held != .zero {
            let position = positions[index]
            guard let mid = step(position.pair).flatMap({ reading.prices[$0] }) else { continue }
            positions[index].unrealised = UnrealisedProfit(
                held: position.held,
                averageCost: position.heldAverageCost,
                fifoCost: position.heldFIFOCost,
                mid: mid
            )
        }
        do throws(DexError) {
            failure = try await addDollars(to: &positions) ?? failure
        } catch {
            failure = failure ?? error.message
        }
        return failure.map { "What is held could not be valued completely: \($0)" }
    }

    /// The book of a pair; nil if both are the chain's own coin.
    private func step(_ pair: Pair) -> MidPrices.Step? {
        let (base, quote) = (traded(pair.base), traded(pair.quote))
        return base == quote ? nil : MidPrices.Step(base: base, quote: quote)
    }

    /// The chain's own coin has the price of its wrapped form.
    private func traded(_ token: Token) -> Address {
        token.isNativeCoin ? session.network.weth ?? token.address : token.address
    }

    /// - Returns: why a price could not be read; a sentence.
    private func addDollars(
        to positions: inout [HistoryState.Position]
    ) async throws(DexError) -> String? {
        var amounts: [Address: UInt256] = [:]
        for position in positions {
            let quote = traded(position.pair.quote)
            guard let value = position.unrealised?.value, value != .zero,
                !ranking.isStable(quote)
            else { continue }
            amounts[quote] = max(amounts[quote] ?? .zero, value)
        }
        guard !amounts.isEmpty else { return nil }
        let coins = try await coins(for: Set(amounts.keys))
        var failure: String?
        for (quote, amount) in amounts {
            for coin in coins[quote] ?? [] {
                let step = MidPrices.Step(base: quote, quote: coin.address)
                let reading = await prices.ofMarket([step: amount])
                guard let mid = reading.prices[step] else {
                    failure = failure ?? reading.failure
                    continue
                }
                for index in positions.indices
                where traded(positions[index].pair.quote) == quote {
                    positions[index].unrealised?.convert(to: coin, at: mid)
                }
                break
            }
        }
        return failure
    }

    /// Coins of a fixed value with a price in each of some tokens, the preferred one first.
    ///
    /// Those of the relay's pairs; for the swap venue, the first one of the token map too.
    private func coins(
        for quotes: Set<Address>
    ) async throws(DexError) -> [Address: [Token]] {
        var coins: [Address: [Token]] = [:]
        if let relay = session.relay {
            for pair in try await relayed(try await relay.tokenPairs(nil, nil)) {
                let (a, b) = (pair.tokenA.token, pair.tokenB.token)
                for (quote, coin) in [(a, b), (b, a)] where quotes.contains(quote) {
                    if let token = session.tokens.known(coin), ranking.isStable(coin) {
                        coins[quote, default: []].append(token)
                    }
                }
            }
        }
        let usual =
            session.venues.isEmpty
            ? nil
            : session.tokens.search(nil).filter { ranking.isStable($0.address) }
                .min(by: Self.isPreferred)
        for quote in quotes {
            var found = (coins[quote] ?? []).sorted(by: Self.isPreferred)
            if let usual, !found.contains(usual) { found.append(usual) }
            coins[quote] = found
        }
        return coins
    }

    /// USDC before the others, then by name, so that the same market gives the same coin.
    private static func isPreferred(_ one: Token, _ other: Token) -> Bool {
        (one.symbol == "USDC" ? 0 : 1, one.symbol, one.address)
            < (other.symbol == "USDC" ? 0 : 1, other.symbol, other.address)
    }
}
