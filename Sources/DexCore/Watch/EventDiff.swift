import DexStore
import Ethereum
import ZeroEx

/// The changes of a reading against the noted events.
struct EventDiff {
    /// Noted events, by key.
    private let noted: [Bytes32: NotedEvent]

    init(_ noted: [NotedEvent]) {
        self.noted = Dictionary(noted.map { ($0.event.key, $0) }) { first, _ in first }
    }

    func knows(_ event: WatchEvent) -> Bool {
        noted[event.key] != nil
    }

    /// The trade that a transaction was noted as; nil if it was none.
    func trade(in transaction: TransactionHash) -> WatchEvent? {
        noted.values.first {
            $0.event.kind == .trade && $0.event.transaction == transaction
        }?.event
    }

    /// Noted events of these blocks that are no longer there.
    ///
    /// - Parameter seen: all events of transactions in these blocks.
    func missing(_ seen: [WatchEvent], in blocks: ClosedRange<UInt64>) -> [WatchEvent] {
        let keys = Set(seen.map(\.key))
        return noted.values.filter { known in
            known.isStanding && known.event.kind.isInBlock
                && blocks.contains(known.event.place.block.number)
                && !keys.contains(known.event.key)
        }.map(\.event).sorted { $0.place.isBefore($1.place) ?? ($0.key < $1.key) }
    }

    /// New, moved and restored events.
    func changes(_ seen: [WatchEvent]) -> [WatchStep.Change] {
        seen.compactMap { event in
            guard let known = noted[event.key] else { return .new(event) }
            // An order's state is not part of a block, and is reported once.
            guard event.kind.isInBlock else { return nil }
            guard known.isStanding else { return .restored(event) }
            return known.event.place == event.place ? nil : .moved(event)
        }
    }

    /// The number of reported changes of an order's funds, and the last one.
    func funding(of order: OrderHash) -> (count: Int, last: WatchEvent.Kind?) {
        let reported = noted.values.map(\.event)
            .filter { $0.orderHash == order && ($0.kind == .unfunded || $0.kind == .funded) }
        // They alternate; the first one is a shortage.
        return (
            reported.count,
            reported.isEmpty ? nil : reported.count.isMultiple(of: 2) ? .funded : .unfunded
        )
    }
}
