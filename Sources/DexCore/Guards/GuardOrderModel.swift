import DexStore
import Ethereum
import ZeroEx

/// The order of a guard that fires: a market order with the guard's limit, on the book or at
/// Uniswap's pools, whichever its key confirmed.
///
/// It is planned, checked against the rules and signed as `dex market-sell` and `dex market-buy`
/// do. Its intent takes the guard in the same transaction of the journal.
struct GuardOrderModel: Operation {
    let context: OperationContext

    init(_ context: OperationContext) { self.context = context }

    /// The order by the guard's base units; its trigger is checked on the very book that is planned
    /// from, and again on each later one; at pools at the latest block before the plan and before
    /// the signature.
    ///
    /// - Throws: `DexError`, exit 6, `guard-not-reached`, `guard-held`; as of a market order.
    func plan(_ request: JournalGuard, account: Address) async throws(DexError) -> PlannedGuard {
        guard let terms = request.terms else { throw DexError(GuardError.changed(request.id)) }
        let pair = try await ConfirmedPair(session: session)
            .pair(request.pair, decimals: (terms.baseDecimals, terms.quoteDecimals))
        let order = MarketRequest(
            side: TradeSide(request.side),
            pair: request.pair.text,
            amount: request.amount,
            limitPrice: request.limit,
            via: request.isAtPools ? .pools : .book,
            exact: MarketRequest.Exact(
                pair: pair,
                size: .base(terms.amount),
                limit: terms.limit
            )
        )
        let check = { @Sendable (market: TriggerMarket) throws(DexError) in
            switch GuardCheck.verdict(request, in: market) {
            case .fires: return
            case .waits: throw DexError(GuardError.notReached(request.id))
            case .held(let reason): throw DexError(GuardError.held(reason))
            }
        }
        let session = session
        let market = try await MarketOrderModel(context).plan(
            order,
            account: account,
            admits: MarketAdmission(
                book: { book throws(DexError) in try check(.book(book)) },
                pools: { () async throws(DexError) in
                    try check(try await TriggerMarket.read(pair, atPools: true, session: session))
                }
            )
        )
        return PlannedGuard(
            fired: FiredGuard(id: request.id, number: terms.nonce),
            market: market
        )
    }

    func signing(_ planned: PlannedGuard) -> SigningRun {
        let order = MarketOrderModel(context).signing(planned.market)
        return SigningRun(
            command: "guard run",
            conflicts: order.conflicts,
            bounds: order.bounds,
            signatures: order.signatures,
            firedGuard: planned.fired
        )
    }

    func perform(
        _ planned: PlannedGuard,
        sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        var outcome = try await MarketOrderModel(context).perform(planned.market, sender: sender)
        // Nobody read the plan.
        if [.done, .less].contains(outcome.ending) {
            outcome.warnings += planned.plan.ownOrderWarnings
        }
        return outcome
    }
}

struct PlannedGuard: PlannedOperation {
    let fired: FiredGuard
    let market: MarketPlan

    var plan: TradePlan { market.plan }
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
