import Ethereum
import ZeroEx

/// Lists of a book's shown orders by what requests name, kept sorted from one request to the next.
///
/// A list is made by visiting orders once; after that a request costs what it shows and the changes
/// since the list was last read, whatever the size of the book. Lists are made one after another,
/// away from the event loops, and never under the book's lock.
///
/// Shape: one list of all orders for each term that was ever named, sorted by its values, about 20
/// bytes an order; and for requests that name several common values, a list of the orders that have
/// them all.
package actor OrderLists {
    private struct Kept: Sendable {
        var listings: SortedListings
        /// Of the book, when the list was last read.
        var revision: UInt64
        var lastUse: UInt64 = 0
    }

    private struct Joint: Hashable {
        let query: OrderListQuery
        let order: SortedListings.Order
    }

    /// So few orders are visited for a request rather than kept as a list.
    static let maximumVisited = 512
    private static let maximumJoint = 64

    private let book: OrderBook
    private var terms: [OrderTerm: Kept] = [:]
    private var joint: [Joint: Kept] = [:]
    private var uses: UInt64 = 0
    /// How many orders were looked at so far, for lists and for pages.
    private(set) var visited = 0

    package init(book: OrderBook) {
        self.book = book
    }

    /// A page of the visible orders that a query names.
    ///
    /// - Parameters:
    ///   - order: by hash, or as in the book for a query that names both tokens.
    ///   - range: the part of so many visible orders.
    package func page(
        _ query: OrderListQuery,
        by order: SortedListings.Order = .hash,
        _ visibility: SortedListings.Visibility,
        _ range: @Sendable (_ total: Int) -> Range<Int>
    ) -> SortedListings.Page {
        let page = source(query, by: order).page(visibility, range)
        visited += page.listings.count
        return page
    }

    /// All shown orders that a query names, by hash: for one that names few, such as a maker's.
    func all(_ query: OrderListQuery) -> [Listing] {
        switch source(query, by: .hash) {
        case .list(let list): list.all.map { $0 }
        case .part(let list, let value): list.listings(having: value)
        }
    }

    /// The list that has the orders of a query, sorted.
    private enum Source {
        case list(SortedListings)
        /// Those with a value in a list that is sorted by its term.
        case part(SortedListings, UInt256)

        func page(
            _ visibility: SortedListings.Visibility,
            _ range: (_ total: Int) -> Range<Int>
        ) -> SortedListings.Page {
            switch self {
            case .list(let list): list.page(visibility, range)
            case .part(let list, let value): list.page(visibility, having: value, range)
            }
        }
    }

    private func source(_ query: OrderListQuery, by order: SortedListings.Order) -> Source {
        if query.values.isEmpty { return .list(book.read { $0.shown }) }
        if let hash = query[.hash] {
            let listing = book.read { $0.shown(OrderHash(hash.word)) }
            visited += 1
            return .list(SortedListings(order, listing.map { [$0] }?.filter(query.matches) ?? []))
        }
        if order == .book, query.values.count == 2, let direction = query.direction {
            return .list(book.read { $0.side(direction) })
        }
        let rarest = query.values.map { term, value in (term, value, count(term, value)) }
            .min { $0.2 < $1.2 }
        guard let (term, value, count) = rarest else { return .list(SortedListings(order)) }
        if order == .hash, query.values.count == 1, term.parts.count == 1 {
            return .part(list(of: term), value)
        }
        if count <= Self.maximumVisited {
            return .list(SortedListings(order, found(query, term, value)))
        }
        return .list(joint(Joint(query: query, order: order)) { found(query, term, value) })
    }

    /// How many orders have a value; some may count twice.
    private func count(_ term: OrderTerm, _ value: UInt256) -> Int {
        term.parts.reduce(0) { $0 + list(of: $1).count(having: value) }
    }

    /// The orders of a query, each once, among those that have a value.
    private func found(_ query: OrderListQuery, _ term: OrderTerm, _ value: UInt256) -> [Listing] {
        var found: [Listing] = []
        for (index, part) in term.parts.enumerated() {
            let candidates = list(of: part).listings(having: value)
            visited += candidates.count
            found += candidates.filter { listing in
                query.matches(listing)
                    && !term.parts[..<index].contains { $0.value(of: listing) == value }
            }
        }
        return found
    }

    // MARK: Keeping

    /// All shown orders by the values of a term, as of now.
    private func list(of term: OrderTerm) -> SortedListings {
        let order = SortedListings.Order.value(term)
        let kept = current(terms.removeValue(forKey: term), { _ in true }) {
            let (shown, revision) = book.read { ($0.shown, $0.revision) }
            visited += shown.count
            return Kept(listings: SortedListings(order, Array(shown.all)), revision: revision)
        }
        terms[term] = kept
        return kept.listings
    }

    /// The orders that have several values, as of now.
    private func joint(_ name: Joint, _ make: () -> [Listing]) -> SortedListings {
        uses += 1
        var kept = current(joint.removeValue(forKey: name), name.query.matches) {
            // A change between the two is applied again, which changes nothing.
            let revision = book.read { $0.revision }
            return Kept(listings: SortedListings(name.order, make()), revision: revision)
        }
        kept.lastUse = uses
        joint[name] = kept
        let maximum = max(65_536, 8 * book.read { $0.shown.count })
        while joint.count > Self.maximumJoint
            || joint.count > 1 && joint.values.reduce(0, { $0 + $1.listings.count }) > maximum,
            let oldest = joint.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            joint[oldest.key] = nil
        }
        return kept.listings
    }

    /// A list with the changes since it was read; made again if they are too many.
    private func current(
        _ kept: consuming Kept?,
        _ matches: (Listing) -> Bool,
        _ make: () -> Kept
    ) -> Kept {
        guard var list = kept.take() else { return make() }
        let (changes, revision) = book.read { ($0.changes(after: list.revision), $0.revision) }
        guard let changes else { return make() }
        for change in changes.joined() {
            visited += 1
            if let before = change.before, matches(before) { list.listings.remove(before) }
            if let after = change.after, matches(after) { list.listings.put(after) }
        }
        list.revision = revision
        return list
    }
}
