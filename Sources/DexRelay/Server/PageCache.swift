import Ethereum
import HTTPTypes
import NIOCore
import Synchronization

/// Pages of books as they were served, for the next request of the same page.
///
/// A page is served until its book changes or an order of its book expires. The least recently
/// served pages go when there are too many bytes.
final class PageCache: Sendable {
    /// What a page shows of which pair; nothing else of a request makes a page of its own.
    struct Key: Hashable, Sendable {
        let base: Address
        let quote: Address
        /// 1-based.
        let page: Int
        let pageSize: Int
    }

    /// The two sides of a pair at one moment.
    struct Book: Sendable {
        let bids: SortedListings
        let asks: SortedListings
        fileprivate let stamp: Stamp

        init(base: Address, quote: Address, in book: OrderBook) {
            let bidding = PairDirection(makerToken: quote, takerToken: base)
            let asking = PairDirection(makerToken: base, takerToken: quote)
            (bids, asks, stamp) = book.read { index in
                (index.side(bidding), index.side(asking), Stamp(bidding, asking, index))
            }
        }
    }

    /// Names the content of both sides of a pair.
    fileprivate struct Stamp: Equatable, Sendable {
        let bidding: PairDirection
        let asking: PairDirection
        let revisions: [UInt64]

        init(_ bidding: PairDirection, _ asking: PairDirection, _ index: borrowing OrderIndex) {
            self.bidding = bidding
            self.asking = asking
            revisions = [index.revision(of: bidding), index.revision(of: asking)]
        }
    }

    /// A page that was just made.
    struct Content: Sendable {
        let body: ByteBuffer
        /// How many orders the longer side has on all pages.
        let total: Int
        let book: Book
        /// The page changes when the horizon reaches it, in seconds since 1970.
        let validUntil: UInt64
    }

    private struct Entry: Sendable {
        let page: CachedPage
        let stamp: Stamp
        /// The horizons at which the page is the same.
        let horizons: Range<UInt64>
        let bytes: Int
    }

    /// Two generations: what is served moves to the young one, and the old one goes as a whole.
    private struct Generations: Sendable {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0

        mutating func keep(_ entry: Entry, for key: Key, maximumBytes: Int) {
            guard entry.bytes <= maximumBytes else { return }
            if youngBytes + entry.bytes > maximumBytes {
                old = young
                young = [:]
                youngBytes = 0
            }
            youngBytes += entry.bytes - (young.updateValue(entry, forKey: key)?.bytes ?? 0)
            old[key] = nil
        }
    }

    private let book: OrderBook
    private let maximumBytes: Int
    private let generations = Mutex(Generations())

    /// - Parameter maximumBytes: of all pages together, nearly.
    init(book: OrderBook, maximumBytes: Int = 64 * 1_024 * 1_024) {
        self.book = book
        self.maximumBytes = maximumBytes
    }

    /// The page of a key, ready or made now.
    ///
    /// - Parameters:
    ///   - horizon: the latest expiry that is no longer shown, in seconds since 1970.
    ///   - make: makes the page; what it throws is not kept.
    func page<Failure: Error>(
        _ key: Key,
        at horizon: UInt64,
        _ make: (_ horizon: UInt64) throws(Failure) -> Content
    ) throws(Failure) -> CachedPage {
        if let page = ready(key, at: horizon) { return page }
        let content = try make(horizon)
        let page = CachedPage(body: content.body, total: content.total)
        // There is no end of pages beyond the last, and each is made at once.
        let isKept = key.page == 1 || (key.page - 1) * key.pageSize < content.total
        guard isKept else { return page }
        let entry = Entry(
            page: page,
            stamp: content.book.stamp,
            horizons: horizon..<max(horizon, content.validUntil),
            bytes: content.body.readableBytes + Key.bytes
        )
        generations.withLock { $0.keep(entry, for: key, maximumBytes: maximumBytes / 2) }
        return page
    }

    /// The page of a key as it was made; nil if it has to be made now.
    ///
    /// - Parameter horizon: as for `page`.
    func ready(_ key: Key, at horizon: UInt64) -> CachedPage? {
        guard let entry = entry(key), entry.horizons.contains(horizon), isCurrent(entry.stamp)
        else { return nil }
        return entry.page
    }

    private func entry(_ key: Key) -> Entry? {
        generations.withLock { generations -> Entry? in
            if let entry = generations.young[key] { return entry }
            guard let entry = generations.old.removeValue(forKey: key) else { return nil }
            generations.keep(entry, for: key, maximumBytes: maximumBytes / 2)
            return entry
        }
    }

    private func isCurrent(_ stamp: Stamp) -> Bool {
        book.read { Stamp(stamp.bidding, stamp.asking, $0) } == stamp
    }

    /// The bytes of all kept pages, and about those that their entries take.
    var bytes: Int {
        generations.withLock { generations in
            generations.youngBytes + generations.old.values.reduce(0) { $0 + $1.bytes }
        }
    }
}

extension PageCache.Key {
    /// About the bytes that a kept entry takes.
    fileprivate static let bytes = 512
}
