import Ethereum
import ZeroEx

/// The relay's books of the fee token against a pair's QUOTE and BASE.
///
/// They give the value of fees in a token outside the pair.
struct FeeBook: Sendable {
    /// Orders of both sides and both books, each hash with each signature; not verified.
    var orders: [any SignedOrder] = []

    /// Requests the best orders of both books as soon as an order with a taker fee is seen.
    ///
    /// This runs during the pair's further pages. Without such an order there is no request.
    ///
    /// - Parameters:
    ///   - token: nil if fees are in one of the pair's tokens.
    ///   - pair: the pair with QUOTE and BASE.
    ///   - observations: an element for orders with a taker fee, then its end.
    static func read(
        of token: Address?,
        against pair: Pair,
        when observations: AsyncStream<Void>,
        session: Session
    ) async -> FeeBook {
        guard let token, let relay = session.relay else { return FeeBook() }
        guard await observations.first(where: { _ in true }) != nil else { return FeeBook() }
        async let inQuote = best(token, pair.quote.address, relay)
        async let inBase = best(token, pair.base.address, relay)
        let (quote, base) = await (inQuote, inBase)
        // One of the two books suffices; without any order a failure is reported.
        let orders = ((try? quote.get()) ?? []) + ((try? base.get()) ?? [])
        if orders.isEmpty, case .failure(let error) = quote.flatMap({ _ in base }) {
            session.environment.progress(
                "The relay's book of taker fees cannot be read, so they have no value here: "
                    + DexError(error).message
            )
        }
        return FeeBook(orders: orders)
    }

    private static func best(
        _ token: Address,
        _ other: Address,
        _ relay: any RelayClient
    ) async -> Result<[any SignedOrder], RelayError> {
        await Result { () async throws(RelayError) in
            let book = try await relay.bestOrders(base: token, quote: other)
            let pricing = OrderPricing(base: token, quote: other)
            return (book.bids.orders + book.asks.orders).filter { pricing.side(of: $0) != nil }
        }
    }

    /// The orders that have not expired at a block's time.
    func candidates(at block: Block) -> [any SignedOrder] {
        orders.filter { $0.expiry > UInt256(block.timestamp) }
    }
}
