import Ethereum
import ZeroEx

/// The value of holdings at the middle of the relay's books.
///
/// It is an estimate, never a price for trading.
struct Valuation {
    let session: Session
    let settings: ReadSettings
    /// The unit of the value.
    let unit: Currency

    /// The value of ether and tokens; those without a price are left out.
    ///
    /// A balance or a book that cannot be read makes the sum partial.
    ///
    /// - Throws: `DexError` if the relay does not report its pairs.
    func marketValue(
        of ether: Wei,
        and rows: [BalanceState.Row]
    ) async throws(DexError) -> BalanceState.MarketValue {
        var amounts: [Address: UInt256] = [:]
        for row in rows {
            guard let balance = row.balance, balance != .zero else { continue }
            amounts[row.token.address] = balance
        }
        let weth = session.network.weth
        let wanted = Set(amounts.keys).union(ether == .zero ? [] : [weth].compactMap { $0 })
        let routes = try await routes(from: wanted)
        let mids = await MidPrices(session: session, settings: settings)
            .ofBooks(Set(routes.values.flatMap(\.self)))
        func value(_ raw: UInt256, _ token: Address) -> UInt256? {
            if token == place { return raw }
            guard let route = routes[token] else { return nil }
            return route.reduce(Optional(raw)) { raw, step in
                guard let raw, let mid = mids.prices[step] else { return nil }
                return UInt256.mulDiv(raw, mid.quote, mid.base)?.quotient
            }
        }
        var tokens: [Address: UInt256] = [:]
        for (token, raw) in amounts { tokens[token] = value(raw, token) }
        let ofEther =
            unit.token == nil ? ether.rawValue : weth.flatMap { value(ether.rawValue, $0) }
        let total = tokens.values.reduce(ofEther ?? .zero) { $0.addingSaturating($1) }
        return BalanceState.MarketValue(
            unit: unit,
            ether: ofEther,
            tokens: tokens,
            known: total,
            failure: mids.failure,
            isPartial: mids.failure != nil || rows.contains { $0.balance == nil }
        )
    }

    /// Ether is counted as wrapped ether, one to one.
    private var place: Address? {
        unit.token?.address ?? session.network.weth
    }

    /// The books from each token to the unit: a direct one, else two through wrapped ether.
    private func routes(from tokens: Set<Address>) async throws(DexError) -> [Address: [MidPrices
        .Step]]
    {
        guard let place, let relay = session.relay else { return [:] }
        let targets = tokens.subtracting([place])
        guard !targets.isEmpty else { return [:] }
        var books: Set<Set<Address>> = []
        for pair in try await relayed(try await relay.tokenPairs(nil, nil)) {
            books.insert([pair.tokenA.token, pair.tokenB.token])
        }
        var routes: [Address: [MidPrices.Step]] = [:]
        for token in targets {
            if books.contains([token, place]) {
                routes[token] = [MidPrices.Step(base: token, quote: place)]
            } else if let weth = session.network.weth, books.contains([token, weth]),
                books.contains([weth, place])
            {
                routes[token] = [
                    MidPrices.Step(base: token, quote: weth),
                    MidPrices.Step(base: weth, quote: place),
                ]
            }
        }
        return routes
    }
}
