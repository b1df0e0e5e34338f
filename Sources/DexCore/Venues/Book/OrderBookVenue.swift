import Ethereum
import ZeroEx

/// The orders of the relay's book.
///
/// Its prices are of orders that were verified and funded at one block, and what it reads of the
/// market every venue is compared with: so another one has to be better to be taken.
struct OrderBookVenue: Venue {
    var id: VenueID { .book }
    var name: String { "the relay's book" }
    var tieReason: String? {
        "It is better by less than 0.05 %, which counts as equal: the book is used."
    }

    func answer(_ order: MarketOrder) async -> VenueAnswer {
        answer(order, on: await Result { () async throws(DexError) in try await order.readBook() })
    }

    /// The answer by a book that was read, or the reason why it could not be read.
    func answer(_ order: MarketOrder, on book: Result<BookSnapshot, DexError>) -> VenueAnswer {
        VenueAnswer(
            venue: self,
            offer: book.flatMap { book in
                Result { () throws(DexError) in try BookTrade(order, on: book) }
            },
            book: book
        )
    }
}
