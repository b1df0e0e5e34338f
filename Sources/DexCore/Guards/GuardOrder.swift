import DexStore
import Ethereum
import ZeroEx

extension MarketOrderModel {
    /// The order of a guard that fires: a market order with the guard's limit, on the book or at
    /// Uniswap's pools, whichever its key confirmed.
    ///
    /// It is of the guard's base units. Its trigger is checked on the very book that is planned from,
    /// and again on each later one; at pools at the latest block before the plan and before the
    /// signature. Its intent takes the guard in the same transaction of the journal.
    ///
    /// - Throws: `DexError`, exit 6, `guard-not-reached`, `guard-held`; as of a market order.
    func plan(
        firing guardOrder: JournalGuard,
        account: Address
    ) async throws(DexError) -> Plan<TradePlan> {
        guard let terms = guardOrder.terms else { throw GuardError.changed(guardOrder.id) }
        let pair = try await ConfirmedPair(session: session)
            .pair(guardOrder.pair, decimals: (terms.baseDecimals, terms.quoteDecimals))
        let order = MarketRequest(
            side: TradeSide(guardOrder.side),
            pair: guardOrder.pair.text,
            amount: guardOrder.amount,
            limitPrice: guardOrder.limit,
            via: guardOrder.isAtPools ? .pools : .book,
            exact: MarketRequest.Exact(
                pair: pair,
                size: .base(terms.amount),
                limit: terms.limit
            )
        )
        let check = { @Sendable (market: TriggerMarket) throws(DexError) in
            switch GuardCheck.verdict(guardOrder, in: market) {
            case .fires: return
            case .waits: throw GuardError.notReached(guardOrder.id)
            case .blocked(let reason): throw GuardError.held(reason)
            }
        }
        let session = session
        var plan = try await plan(
            order,
            account: account,
            admits: MarketAdmission(
                book: { book throws(DexError) in try check(.book(book)) },
                pools: { () async throws(DexError) in
                    try check(try await TriggerMarket.read(pair, atPools: true, session: session))
                }
            )
        )
        plan.command = "guard run"
        plan.firedGuard = FiredGuard(id: guardOrder.id, number: terms.nonce)
        return plan
    }
}

/// A pair that was confirmed before, with the decimals of then.
struct ConfirmedPair {
    let session: Session

    /// What reads its book compares these decimals with the chain's.
    func pair(
        _ addresses: PairAddresses,
        decimals: (base: UInt8?, quote: UInt8?)
    ) async throws(DexError) -> Pair {
        let tokens = try await TokenResolver(session: session)
            .tokens(at: [addresses.base, addresses.quote])
        let coin = session.network.coin
        func token(_ address: Address, _ decimals: UInt8?) -> Token {
            guard address != Token.nativeCoinAddress else { return .nativeCoin(coin) }
            let token = tokens[address] ?? .unknown(address)
            return Token(
                address: address,
                symbol: token.symbol,
                name: token.name,
                decimals: decimals,
                logoURI: token.logoURI
            )
        }
        return Pair(
            base: token(addresses.base, decimals.base),
            quote: token(addresses.quote, decimals.quote)
        )
    }
}
