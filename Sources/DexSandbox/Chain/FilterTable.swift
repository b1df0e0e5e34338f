import Ethereum

/// The filters that clients have installed: what they watch and what they have seen.
struct FilterTable {
    /// The most filters at one time; the oldest is dropped for a new one.
    static let capacity = 1_000

    /// What a filter watches.
    enum Kind {
        case blocks
        case logs(LogFilter)
        case pendingTransactions
    }

    struct Filter {
        let kind: Kind
        /// The first block that was not reported yet.
        var next: UInt64
        /// The pending transactions that were reported.
        var seen: Set<TransactionHash> = []
    }

    private var filters: [UInt64: Filter] = [:]
    private var lastID: UInt64 = 0

    /// Installs a filter.
    ///
    /// - Returns: its id, counted from 1.
    mutating func install(_ filter: Filter) -> UInt64 {
        if filters.count >= Self.capacity, let oldest = filters.keys.min() {
            filters[oldest] = nil
        }
        lastID += 1
        filters[lastID] = filter
        return lastID
    }

    /// Lets every filter report blocks from a number on, where it is past that.
    mutating func rewind(to number: UInt64) {
        filters = filters.mapValues { filter in
            var filter = filter
            filter.next = min(filter.next, number)
            return filter
        }
    }

    /// A filter by its id; set nil to remove it.
    subscript(id: UInt64) -> Filter? {
        get { filters[id] }
        set { filters[id] = newValue }
    }
}
