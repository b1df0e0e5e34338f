import Ethereum
import ZeroEx

/// Adds the profit that is not realised yet to a history, by the relay's books.
package struct UnrealisedModel: Sendable {
    private let session: Session
    private let settings: ReadSettings

    package init(session: Session, settings: ReadSettings = ReadSettings()) {
        self.session = session
        self.settings = settings
    }

    /// Values what each position holds; a position without a price stays as it is.
    ///
    /// A relay that does not answer is a warning, since the history itself is complete. Without a
    /// relay nothing changes.
    package func add(to state: inout HistoryState) async {
        let held = state.positions.indices.filter { state.positions[$0].held != .zero }
        guard session.relay != nil, session.network.hasExchange, !held.isEmpty else { return }
        var prices: [Step: Price] = [:]
        var failure: String?
        for index in held {
            let pair = state.positions[index].pair
            let step = Step(base: traded(pair.base), quote: traded(pair.quote))
            guard step.base != step.quote else { continue }
            if prices[step] == nil {
                do throws(DexError) {
                    prices[step] = try await mid(step)
                } catch {
                    failure = failure ?? error.message
                }
            }
            guard let mid = prices[step] else { continue }
            let position = state.positions[index]
            state.positions[index].unrealised = UnrealisedProfit(
                held: position.held,
                averageCost: position.heldAverageCost,
                fifoCost: position.heldFIFOCost,
                mid: mid
            )
        }
        do throws(DexError) {
            try await addDollars(to: &state)
        } catch {
            failure = failure ?? error.message
        }
        if let failure {
            state.warnings.append("What is held could not be valued completely: \(failure)")
        }
    }

    /// A book: the priced token, and the token of its prices.
    private struct Step: Hashable {
        let base: Address
        let quote: Address
    }

    private func addDollars(to state: inout HistoryState) async throws(DexError) {
        let ranking = QuoteRank(session: session)
        let quotes = Set(
            state.positions.filter { $0.unrealised != nil }.map { traded($0.pair.quote) }
                .filter { !ranking.isStable($0) }
        )
        guard !quotes.isEmpty else { return }
        var coins: [Address: [Token]] = [:]
        let relay = try session.requiredRelay()
        for pair in try await relayed(try await relay.tokenPairs(nil, nil)) {
            let (a, b) = (pair.tokenA.token, pair.tokenB.token)
            for (quote, coin) in [(a, b), (b, a)] where quotes.contains(quote) {
                if let token = session.tokens.known(coin), ranking.isStable(coin) {
                    coins[quote, default: []].append(token)
                }
            }
        }
        for quote in quotes.sorted() {
            // USDC before the others, then by name, so that the same relay gives the same coin.
            let candidates = (coins[quote] ?? []).sorted {
                ($0.symbol == "USDC" ? 0 : 1, $0.symbol) < ($1.symbol == "USDC" ? 0 : 1, $1.symbol)
            }
            for coin in candidates {
                guard let mid = try await mid(Step(base: quote, quote: coin.address)) else {
                    continue
                }
                for index in state.positions.indices
                where traded(state.positions[index].pair.quote) == quote {
                    state.positions[index].unrealised?.convert(to: coin, at: mid)
                }
                break
            }
        }
    }

    private func mid(_ step: Step) async throws(DexError) -> Price? {
        try await PriceModel(session: session, settings: settings)
            .load(pairText: "\(step.base.checksummed)/\(step.quote.checksummed)").mid
    }

    /// The chain's own coin has the price of its wrapped form.
    private func traded(_ token: Token) -> Address {
        token.isNativeCoin ? session.network.weth ?? token.address : token.address
    }
}
