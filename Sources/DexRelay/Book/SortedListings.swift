import Ethereum

/// A sorted list of orders, as a value that is cheap to copy and cheap to change.
///
/// It is a list of chunks of bounded length: a change copies at most one chunk and the list of
/// chunks, and only while somebody reads an earlier value.
package struct SortedListings: Sendable {
    package enum Order: Hashable, Sendable {
        /// The best for a taker first.
        case book
        case hash
        /// Those with one value stand together, by hash; the order of values means nothing.
        case value(OrderTerm)

        /// Orders with a smaller key come first; equal keys say nothing.
        fileprivate func key(of listing: Listing) -> UInt64 {
            switch self {
            case .book: listing.entry.priceKey
            case .hash: listing.entry.hash.word.limbs.0
            case .value(let term): term.value(of: listing).w0
            }
        }
    }

    private struct Chunk: Sendable {
        private(set) var listings: [Listing]
        /// The sort keys of the listings, side by side: a search looks at little else.
        private(set) var keys: [UInt64]
        /// How many listings there are, beside those of other chunks: a count looks at nothing else.
        private(set) var count: Int
        /// At most the earliest expiry, in seconds since 1970.
        var earliestExpiry: UInt64
        var hasUnread: Bool

        init(_ listings: [Listing], by order: Order) {
            self.listings = listings
            keys = listings.map(order.key)
            count = listings.count
            earliestExpiry = .max
            hasUnread = false
            survey()
        }

        mutating func insert(_ listing: Listing, key: UInt64, at index: Int) {
            listings.insert(listing, at: index)
            keys.insert(key, at: index)
            count += 1
            earliestExpiry = min(earliestExpiry, listing.entry.expiry)
            if !listing.isRead { hasUnread = true }
        }

        /// Replaces a listing by one of the same order.
        mutating func update(_ listing: Listing, at index: Int) {
            listings[index] = listing
            survey()
        }

        mutating func remove(at index: Int) {
            listings.remove(at: index)
            keys.remove(at: index)
            survey()
        }

        mutating func append(_ other: Chunk) {
            listings += other.listings
            keys += other.keys
            survey()
        }

        private mutating func survey() {
            count = listings.count
            earliestExpiry = listings.lazy.map(\.entry.expiry).min() ?? .max
            hasUnread = listings.contains { !$0.isRead }
        }

        /// Every order is visible: no order needs to be looked at.
        func isVisible(_ visibility: Visibility) -> Bool {
            earliestExpiry > visibility.horizon && !(visibility.onlyRead && hasUnread)
        }
    }

    /// Which orders of the book a request may see.
    package struct Visibility: Hashable, Sendable {
        /// The latest expiry that is no longer shown, in seconds since 1970.
        package let horizon: UInt64
        /// Only orders whose amount left was read on chain.
        package let onlyRead: Bool

        package init(horizon: UInt64, onlyRead: Bool = false) {
            self.horizon = horizon
            self.onlyRead = onlyRead
        }

        func allows(_ listing: Listing) -> Bool {
            listing.entry.expiry > horizon && (listing.isRead || !onlyRead)
        }
    }

    /// A part of the visible orders.
    package struct Page: Sendable {
        package let listings: [Listing]
        /// How many orders are visible.
        package let total: Int
        /// The earliest expiry of a visible order, in seconds since 1970: until the horizon reaches
        /// it, the same orders are visible.
        package let validUntil: UInt64
    }

    private static let maximumOfChunk = 128
    private static let minimumOfChunk = 32

    private let order: Order
    private var chunks: [Chunk] = []
    package private(set) var count = 0

    package init(_ order: Order) {
        self.order = order
    }

    /// A list of orders in any order.
    package init(_ order: Order, _ listings: [Listing]) {
        self.order = order
        let sorted = listings.sorted { Self.precedes($0, $1, by: order) }
        chunks = sorted.chunks(of: Self.maximumOfChunk / 2).map { Chunk($0, by: order) }
        count = sorted.count
    }

    // MARK: Reading

    package var first: Listing? { chunks.first?.listings.first }
    package var last: Listing? { chunks.last?.listings.last }

    /// The last orders, in their order; at most so many.
    package func last(_ maximum: Int) -> [Listing] {
        var parts: [ArraySlice<Listing>] = []
        var missing = maximum
        for chunk in chunks.reversed() where missing > 0 {
            let part = chunk.listings.suffix(missing)
            parts.append(part)
            missing -= part.count
        }
        return parts.reversed().flatMap { $0 }
    }

    /// All orders, in their order.
    package var all: some Sequence<Listing> {
        chunks.lazy.flatMap(\.listings)
    }

    package var entries: [OrderEntry] {
        all.map(\.entry)
    }

    /// The earliest expiry, in seconds since 1970; 2^64 - 1 if there are no orders.
    package var earliestExpiry: UInt64 {
        chunks.lazy.map(\.earliestExpiry).min() ?? .max
    }

    /// A page of the visible orders; it costs what it shows, and little for each chunk.
    ///
    /// - Parameter range: the part of so many visible orders.
    package func page(
        _ visibility: Visibility,
        _ range: (_ total: Int) -> Range<Int>
    ) -> Page {
        page(visibility, in: ((0, 0), (chunks.count, 0)), range)
    }

    /// A page of the visible orders with a value of the term that sorts the list.
    func page(
        _ visibility: Visibility,
        having value: UInt256,
        _ range: (_ total: Int) -> Range<Int>
    ) -> Page {
        page(visibility, in: places(having: value), range)
    }

    private func page(
        _ visibility: Visibility,
        in places: Places,
        _ range: (_ total: Int) -> Range<Int>
    ) -> Page {
        var parts: [(chunk: Int, indices: Range<Int>, visible: Int)] = []
        var total = 0
        var validUntil = UInt64.max
        for (chunk, indices) in self.parts(places) {
            var visible = indices.count
            if indices.count == chunks[chunk].count, chunks[chunk].isVisible(visibility) {
                validUntil = min(validUntil, chunks[chunk].earliestExpiry)
            } else {
                visible = 0
                for listing in chunks[chunk].listings[indices] where visibility.allows(listing) {
                    visible += 1
                    validUntil = min(validUntil, listing.entry.expiry)
                }
            }
            parts.append((chunk, indices, visible))
            total += visible
        }
        let wanted = range(total).clamped(to: 0..<total)
        var listings: [Listing] = []
        listings.reserveCapacity(wanted.count)
        var start = 0
        for (chunk, indices, visible) in parts {
            defer { start += visible }
            let part = wanted.clamped(to: start..<start + visible)
            guard !part.isEmpty else {
                if start >= wanted.upperBound { break }
                continue
            }
            let shown = part.lowerBound - start..<part.upperBound - start
            let all = chunks[chunk].listings[indices]
            listings += (visible == all.count ? Array(all) : all.filter(visibility.allows))[shown]
        }
        return Page(listings: listings, total: total, validUntil: validUntil)
    }

    /// How many orders have a value of the term that sorts the list.
    func count(having value: UInt256) -> Int {
        parts(places(having: value)).reduce(0) { $0 + $1.indices.count }
    }

    /// The orders with a value of the term that sorts the list.
    func listings(having value: UInt256) -> [Listing] {
        parts(places(having: value)).flatMap { chunks[$0.chunk].listings[$0.indices] }
    }

    private typealias Place = (chunk: Int, index: Int)
    private typealias Places = (lower: Place, upper: Place)

    /// The places of the orders with a value of the term that sorts the list.
    private func places(having value: UInt256) -> Places {
        guard case .value(let term) = order else { return ((0, 0), (0, 0)) }
        return (
            place(key: value.w0) { Self.value(term.value(of: $0), precedes: value) },
            place(key: value.w0) { !Self.value(value, precedes: term.value(of: $0)) }
        )
    }

    /// What lies between two places, chunk by chunk.
    private func parts(_ places: Places) -> some Sequence<(chunk: Int, indices: Range<Int>)> {
        let last = min(places.upper.chunk, chunks.count - 1)
        return (places.lower.chunk..<max(places.lower.chunk, last + 1)).lazy.map { chunk in
            let start = chunk == places.lower.chunk ? places.lower.index : 0
            let end = chunk == places.upper.chunk ? places.upper.index : chunks[chunk].count
            return (chunk, start..<max(start, end))
        }
    }

    /// The orders behind an order's place, at most so many.
    package func after(_ entry: OrderEntry, limit: Int) -> [Listing] {
        var (chunk, index) = place(of: Self.probe(entry))
        var listings: [Listing] = []
        while chunk < chunks.count, listings.count < limit {
            let rest = chunks[chunk].listings[index...]
                .drop { $0.entry.hash == entry.hash }
            listings += rest.prefix(limit - listings.count)
            chunk += 1
            index = 0
        }
        return listings
    }

    /// The listing of an order; nil if it is not in the list.
    package func listing(of entry: OrderEntry) -> Listing? {
        known(Self.probe(entry)).map { chunks[$0.chunk].listings[$0.index] }
    }

    // MARK: Changing

    /// Adds an order that is not in the list.
    mutating func insert(_ listing: Listing) {
        count += 1
        guard !chunks.isEmpty else {
            chunks = [Chunk([listing], by: order)]
            return
        }
        var (chunk, index) = place(of: listing)
        if chunk == chunks.count {
            chunk -= 1
            index = chunks[chunk].count
        }
        chunks[chunk].insert(listing, key: order.key(of: listing), at: index)
        if chunks[chunk].count > Self.maximumOfChunk { split(chunk) }
    }

    /// Replaces an order by the same order with another standing.
    mutating func update(_ listing: Listing) {
        guard let (chunk, index) = known(listing) else { return }
        chunks[chunk].update(listing, at: index)
    }

    /// Adds an order, or replaces the same order.
    mutating func put(_ listing: Listing) {
        if known(listing) == nil { insert(listing) } else { update(listing) }
    }

    /// Takes an order out, in the state that the list knows.
    mutating func remove(_ listing: Listing) {
        guard let (chunk, index) = known(listing) else { return }
        count -= 1
        chunks[chunk].remove(at: index)
        join(chunk)
    }

    private mutating func split(_ chunk: Int) {
        let listings = chunks[chunk].listings
        let middle = listings.count / 2
        chunks[chunk] = Chunk(Array(listings[..<middle]), by: order)
        chunks.insert(Chunk(Array(listings[middle...]), by: order), at: chunk + 1)
    }

    /// Joins a short chunk to the one behind it, so that many removals leave few chunks.
    private mutating func join(_ chunk: Int) {
        let count = chunks[chunk].count
        if count == 0 {
            chunks.remove(at: chunk)
        } else if count < Self.minimumOfChunk, chunk + 1 < chunks.count,
            count + chunks[chunk + 1].count <= Self.maximumOfChunk / 2
        {
            let next = chunks.remove(at: chunk + 1)
            chunks[chunk].append(next)
        }
    }

    // MARK: Finding

    /// An order to be found in a list whose sort order does not depend on its state.
    private static func probe(_ entry: OrderEntry) -> Listing {
        Listing(entry: entry, state: .shown, standing: .unread)
    }

    /// The first place whose order does not come before this one.
    private func place(of listing: Listing) -> Place {
        place(key: order.key(of: listing)) { Self.precedes($0, listing, by: order) }
    }

    /// The first place whose order is not before a key, and at the same key not before by more.
    private func place(key: UInt64, isBefore: (Listing) -> Bool) -> Place {
        func isEarlier(_ index: Int, _ chunk: borrowing Chunk) -> Bool {
            let other = chunk.keys[index]
            guard other == key else { return other < key }
            return isBefore(chunk.listings[index])
        }
        let chunk = Self.firstPlace(chunks.count) { index in
            let count = chunks[index].count
            return count == 0 || isEarlier(count - 1, chunks[index])
        }
        guard chunk < chunks.count else { return (chunk, 0) }
        let index = Self.firstPlace(chunks[chunk].count) { isEarlier($0, chunks[chunk]) }
        return (chunk, index)
    }

    /// The first index that is not before a place; `count` if all are.
    private static func firstPlace(_ count: Int, isBefore: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func known(_ listing: Listing) -> Place? {
        let (chunk, index) = place(of: listing)
        guard chunk < chunks.count, index < chunks[chunk].count,
            chunks[chunk].listings[index].entry.hash == listing.entry.hash
        else { return nil }
        return (chunk, index)
    }

    private static func precedes(_ left: Listing, _ right: Listing, by order: Order) -> Bool {
        switch order {
        case .book: left.entry.precedes(right.entry)
        case .hash: left.entry.hash < right.entry.hash
        case .value(let term): precedes(left, right, by: term)
        }
    }

    private static func precedes(_ left: Listing, _ right: Listing, by term: OrderTerm) -> Bool {
        let (one, other) = (term.value(of: left), term.value(of: right))
        if one != other { return value(one, precedes: other) }
        return left.entry.hash < right.entry.hash
    }

    /// As the sort keys: by the last 64 bits first, which differ most between orders.
    private static func value(_ left: UInt256, precedes right: UInt256) -> Bool {
        left.w0 == right.w0 ? left < right : left.w0 < right.w0
    }
}
