import Ethereum
import StrictJSON

extension SandboxChain {
    /// The methods about logs and filters.
    func filterJSON(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) throws(NodeError) -> JSONValue {
        switch method {
        case .eth_getLogs: return .array(try logs(try logFilter(parameters)).map(logJSON))
        case .eth_newFilter:
            let filter = try logFilter(parameters)
            var next = head.header.number + 1
            // A filter over past blocks reports them with its first changes.
            if case .number(let from) = filter.fromBlock { next = min(next, from) }
            return install(FilterTable.Filter(kind: .logs(filter), next: next))
        case .eth_newBlockFilter:
            return install(FilterTable.Filter(kind: .blocks, next: head.header.number + 1))
        case .eth_newPendingTransactionFilter:
            let seen = Set(pool.all.map(\.hash))
            return install(
                FilterTable.Filter(
                    kind: .pendingTransactions,
                    next: head.header.number + 1,
                    seen: seen
                )
            )
        case .eth_getFilterChanges: return try changes(of: try parameters.quantity(0))
        case .eth_getFilterLogs:
            guard case .logs(let filter)? = filters[try parameters.quantity(0)]?.kind else {
                throw .refused("filter not found")
            }
            return .array(try logs(filter).map(logJSON))
        default:
            let id = try parameters.quantity(0)
            let exists = filters[id] != nil
            filters[id] = nil
            return .bool(exists)
        }
    }

    private func install(_ filter: FilterTable.Filter) -> JSONValue {
        RPCEncoding.quantity(filters.install(filter))
    }

    private func changes(of id: UInt64) throws(NodeError) -> JSONValue {
        guard var filter = filters[id] else { throw .refused("filter not found") }
        let newest = head.header.number
        let answer: [JSONValue]
        switch filter.kind {
        case .blocks:
            answer = blocks.suffix(Int(newest + 1 - filter.next)).map { .string($0.hash.hex) }
        case .logs(let conditions):
            var last = newest
            if case .number(let to) = conditions.toBlock { last = min(last, to) }
            answer = try logs(conditions, from: filter.next, to: last).map(logJSON)
        case .pendingTransactions:
            // Transactions mined before this request are reported too.
            let mined = blocks.suffix(Int(newest + 1 - filter.next)).flatMap(\.transactions)
            let waiting = pool.all.map(\.hash)
            let fresh = (mined + waiting).filter { !filter.seen.contains($0) }
            filter.seen = Set(waiting)
            answer = fresh.map { .string($0.hex) }
        }
        filter.next = newest + 1
        filters[id] = filter
        return .array(answer)
    }

    /// A log filter with its block references resolved.
    func logFilter(_ parameters: RPCParameters) throws(NodeError) -> LogFilter {
        var (filter, from, to) = try parameters.filter(0)
        let terms = filter.addresses.count + filter.topics.reduce(0) { $0 + $1.count }
        guard terms <= Self.maximumFilterTerms else {
            throw .invalidParameters("exceed max addresses or topics per search position")
        }
        if case .hash(let hash) = from { try check(hash) }
        filter.fromBlock = try tag(from)
        filter.toBlock = try tag(to)
        return filter
    }
}
