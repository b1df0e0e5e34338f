import Ethereum
import ZeroEx

/// A place where market orders trade: the relay's book, 0x's Swap API, Uniswap's pools.
///
/// A further one is a folder with its conformance and an entry of `Session.venues`. Whoever chooses
/// between venues knows their offers and none of their names.
package protocol Venue: Sendable {
    var id: VenueID { get }
    /// As screens name it: `0x Swap`.
    var name: String { get }
    /// The sentence about a venue that is not better by `OfferChooser.margin`, where this one is
    /// taken instead; nil of a venue that wins no such ties.
    var tieReason: String? { get }

    /// The offer that it would make for an order now.
    ///
    /// - Returns: a failure that concerns `.venue` if another venue may trade it.
    func answer(_ order: MarketOrder) async -> VenueAnswer
}

extension Venue {
    package var tieReason: String? { nil }
}

/// A venue's offer for an order, or why it has none.
package struct VenueAnswer: Sendable {
    let venue: any Venue
    let offer: Result<any Offer, DexError>
    /// The book that it read for this, by which the others' prices are compared; nil if it read none.
    var book: Result<BookSnapshot, DexError>?
}

extension Array {
    /// Those of venues that the chain has: one that it lacks is no venue there.
    ///
    /// - Parameters:
    ///   - isAlone: nothing else is left to trade at: if no venue is there, all of them stay.
    ///   - failure: why a venue has no price; nil if it has one.
    func present(isAlone: Bool, failure: (Element) -> DexError?) -> [Element] {
        let present = filter { failure($0)?.concerns(.absentVenue) != true }
        return present.isEmpty && isAlone ? self : present
    }
}

/// A venue's offer for a market order, which can be planned.
package protocol Offer: Sendable {
    /// The cost and the return of it; nil for amounts without a ratio.
    func price(in market: OrderMarket) async throws(DexError) -> OfferPrice?

    /// The same offer as the venue stands by it, with the bytes of its call.
    func firm(in market: OrderMarket) async throws(DexError) -> any Offer

    /// The plan of a trade by it.
    ///
    /// - Parameter alternatives: the venues that are not used, with the reasons.
    func plan(
        in market: OrderMarket,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> Plan<TradePlan>
}

/// The state by which the offers for an order are compared and planned: the account at one block,
/// and a price that is no venue's own.
package struct OrderMarket: Sendable {
    let head: AccountHead
    let reference: PriceReference
    /// The present price of gas; nil if the node does not say it, and gas is left out.
    let gasPrice: Wei?

    init(_ head: AccountHead, _ reference: PriceReference, _ settings: TradeSettings) {
        self.head = head
        self.reference = reference
        // nil: without a price of gas it is left out of the comparison
        gasPrice = (try? GasPricing.fee(head.fees, settings.fees)).map {
            GasPricing.present($0, head.fees)
        }
    }

    /// The market of a book that was read for an account.
    ///
    /// - Throws: `DexError`, `no-account`.
    init(_ book: BookSnapshot, _ settings: TradeSettings) throws(DexError) {
        guard let state = book.account, let fees = book.fees else { throw TradeError.noAccount }
        self.init(
            AccountHead(
                address: state.address,
                block: book.block,
                pendingNonce: state.pendingNonce,
                fees: fees
            ),
            .book(book),
            settings
        )
    }
}
