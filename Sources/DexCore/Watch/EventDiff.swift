import DexStore
import Ethereum
import ZeroEx

/// What a reading of the chain changes in what was noted before.
struct EventDiff {
    /// What was noted, by key.
    private let noted: [Bytes32: NotedEvent]

    init(_ noted: [NotedEvent]) {
        self.noted = Dictionary(noted.map { ($0.event.key, $0) }) { first, _ in first }
    }

    func knows(_ event: WatchEvent) -> Bool {
        noted[event.key] != nil
    }

    /// What stood in the blocks that were read and is not told there any more.
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

    /// What is new, in another place or there again.
    func changes(_ seen: [WatchEvent]) -> [WatchStep.Change] {
        seen.compactMap { event in
            guard let known = noted[event.key] else { return .new(event) }
            // An order's state is no part of a block, and is told once.
            guard event.kind.isInBlock else { return nil }
            guard known.isStanding else { return .restored(event) }
            return known.event.place == event.place ? nil : .moved(event)
        }
    }

    /// How often an order's funds were told to change, and what was told last.
    func funding(of order: OrderHash) -> (count: Int, last: WatchEvent.Kind?) {
        let told = noted.values.map(\.event)
            .filter { $0.orderHash == order && ($0.kind == .unfunded || $0.kind == .funded) }
        // They take turns, the first of them being short of funds.
        return (told.count, told.isEmpty ? nil : told.count.isMultiple(of: 2) ? .funded : .unfunded)
    }
}
