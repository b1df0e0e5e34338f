import Ethereum
import ZeroEx

/// The relay's book of the fee token against a pair's QUOTE, which tells what fees are worth where
/// the token is none of the pair.
struct FeeBook: Sendable {
    /// Orders of both sides, each hash with each signature; not verified.
    var orders: [any SignedOrder] = []

    /// Asks for the best orders of the book as soon as an order with a taker fee is seen, so beside
    /// the pair's further pages; asks nothing where there is none.
    ///
    /// - Parameters:
    ///   - token: nil where fees are in one of the pair's tokens.
    ///   - sightings: an element for orders with a taker fee, then its end.
    static func read(
        of token: Address?,
        in quote: Address,
        when sightings: AsyncStream<Void>,
        session: Session
    ) async -> FeeBook {
        guard let token, let relay = session.relay else { return FeeBook() }
        guard await sightings.first(where: { _ in true }) != nil else { return FeeBook() }
        do throws(RelayError) {
            let book = try await relay.bestOrders(base: token, quote: quote)
            return FeeBook(orders: book.bids.orders + book.asks.orders)
        } catch {
            session.environment.progress(
                "The relay's book of taker fees cannot be read, so they have no value here: "
                    + DexError(error).message
            )
            return FeeBook()
        }
    }

    /// The orders that have not expired at a block's time.
    func candidates(at block: Block) -> [any SignedOrder] {
        orders.filter { $0.expiry > UInt256(block.timestamp) }
    }
}
