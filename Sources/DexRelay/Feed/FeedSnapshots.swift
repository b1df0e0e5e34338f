import NIOCore
import Synchronization
import ZeroEx

/// Snapshots of streams, made of sides that are encoded once for every limit and view.
///
/// Nothing here waits for the book or for the feed: a snapshot is made of lists that were taken
/// from the book.
final class FeedSnapshots: Sendable {
    /// What a snapshot shows, read from the book at one moment.
    struct Content: Sendable {
        /// A direction's orders; their revision names them.
        struct Side: Sendable {
            let direction: PairDirection
            let listings: SortedListings
            let revision: UInt64

            init(_ direction: PairDirection, in index: borrowing OrderIndex) {
                self.direction = direction
                listings = index.side(direction)
                revision = index.revision(of: direction)
            }
        }

        let view: FeedRequest.View
        /// Bids and asks, or the one side.
        let sides: [Side]
        let limit: Int
        /// The stream's, as of these orders.
        let sequence: UInt64

        init(_ exact: FeedRequest.Exact, sequence: UInt64, in index: borrowing OrderIndex) {
            view = exact.view
            limit = exact.limit
            self.sequence = sequence
            switch exact.view {
            case .book(let base, let quote):
                sides = [
                    Side(PairDirection(makerToken: quote, takerToken: base), in: index),
                    Side(PairDirection(makerToken: base, takerToken: quote), in: index),
                ]
            case .side(let direction): sides = [Side(direction, in: index)]
            }
        }
    }

    /// The first visible orders of a side as they stand in a message, separated by commas.
    private struct Encoded: Sendable {
        let revision: UInt64
        /// The horizons at which the same orders are visible.
        let horizons: Range<UInt64>
        let bytes: ByteBuffer
        /// Where each order ends.
        let ends: [Int]
        /// How many orders are visible.
        let total: Int

        func prefix(_ limit: Int) -> ByteBufferView {
            let end = ends.prefix(limit).last ?? 0
            return bytes.readableBytesView.prefix(end)
        }
    }

    /// The snapshot with the standard limit, as all its subscribers get it.
    private struct Whole: Sendable {
        let sequence: UInt64
        let revisions: [UInt64]
        let horizons: Range<UInt64>
        let message: FeedMessage
    }

    private struct SideKey: Hashable {
        let interface: RelayInterface
        let direction: PairDirection
    }

    private struct WholeKey: Hashable {
        let interface: RelayInterface
        let view: FeedRequest.View
    }

    private struct State {
        var sides: [SideKey: Encoded] = [:]
        var wholes: [WholeKey: Whole] = [:]
        var bytes = 0

        /// Forgets all before it is too much.
        mutating func makeRoom(for count: Int) {
            if bytes + count > FeedSnapshots.maximumBytes { self = State() }
            bytes += count
        }
    }

    /// Of all that is kept together.
    static let maximumBytes = 64 * 1_024 * 1_024

    private let state = Mutex(State())

    /// How many sides and whole snapshots are kept.
    var count: Int { state.withLock { $0.sides.count + $0.wholes.count } }

    /// The snapshot as a message.
    ///
    /// - Parameter horizon: the latest expiry that is no longer shown, in seconds since 1970.
    func message(
        _ content: Content,
        _ interface: RelayInterface,
        at horizon: UInt64
    ) -> FeedMessage {
        let key = WholeKey(interface: interface, view: content.view)
        let isWhole = content.limit == FeedRequest.maximumOrders
        let revisions = content.sides.map(\.revision)
        if isWhole, let kept = state.withLock({ $0.wholes[key] }),
            kept.sequence == content.sequence, kept.revisions == revisions,
            kept.horizons.contains(horizon)
        {
            return kept.message
        }
        let sides = content.sides.map { encoded($0, interface, at: horizon) }
        let message = FeedMessage.snapshot(
            content.view,
            sides.map { $0.prefix(content.limit) },
            isComplete: sides.allSatisfy { $0.total <= content.limit },
            sequence: content.sequence
        )
        // Pairs without orders are any that a client names.
        guard isWhole, sides.contains(where: { !$0.ends.isEmpty }) else { return message }
        let end = sides.map(\.horizons.upperBound).min() ?? horizon
        let whole = Whole(
            sequence: content.sequence,
            revisions: revisions,
            horizons: horizon..<max(horizon, end),
            message: message
        )
        state.withLock { state in
            let old = state.wholes.removeValue(forKey: key)?.message.body.readableBytes ?? 0
            state.bytes -= old
            state.makeRoom(for: message.body.readableBytes)
            state.wholes[key] = whole
        }
        return message
    }

    private func encoded(
        _ side: Content.Side,
        _ interface: RelayInterface,
        at horizon: UInt64
    ) -> Encoded {
        let key = SideKey(interface: interface, direction: side.direction)
        if let kept = state.withLock({ $0.sides[key] }), kept.revision == side.revision,
            kept.horizons.contains(horizon)
        {
            return kept
        }
        let onlyRead = interface == .v4
        let page = side.listings.page(
            SortedListings.Visibility(horizon: horizon, onlyRead: onlyRead)
        ) { total in 0..<min(FeedRequest.maximumOrders, total) }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(
            page.listings.reduce(0) { $0 + $1.entry.bodySize + RecordV4.margin }
        )
        var ends: [Int] = []
        ends.reserveCapacity(page.listings.count)
        for listing in page.listings {
            if !ends.isEmpty { bytes.writeInteger(UInt8(ascii: ",")) }
            interface.write(listing, to: &bytes)
            ends.append(bytes.readableBytes)
        }
        let encoded = Encoded(
            revision: side.revision,
            horizons: horizon..<max(horizon, page.validUntil),
            bytes: bytes,
            ends: ends,
            total: page.total
        )
        guard !ends.isEmpty else { return encoded }
        state.withLock { state in
            let old = state.sides.removeValue(forKey: key)?.bytes.readableBytes ?? 0
            state.bytes -= old
            state.makeRoom(for: bytes.readableBytes)
            state.sides[key] = encoded
        }
        return encoded
    }
}

extension RelayInterface {
    /// Writes an order as a snapshot shows it.
    fileprivate func write(_ listing: Listing, to buffer: inout ByteBuffer) {
        switch self {
        case .v0: buffer.writeBytes(listing.entry.body)
        case .v4:
            RecordV4(
                listing.entry,
                remaining: listing.standing.fillable,
                state: listing.standing.isPartlyFilled ? "FILLED" : "ADDED"
            )
            .write(to: &buffer)
        }
    }
}
