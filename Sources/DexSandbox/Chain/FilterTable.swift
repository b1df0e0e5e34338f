import Ethereum

/// The clients' installed filters: what they watch and what they have reported.
struct FilterTable {
    /// The maximum number of filters; a new one replaces the oldest.
    static let capacity = 1_000

    enum Kind {
        case blocks
        case logs(LogFilter)
        case pendingTransactions
    }

    struct Filter {
        let kind: Kind
        /// The first block that is not yet reported.
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

    /// Moves every later filter back, so that it reports blocks from a number on.
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
