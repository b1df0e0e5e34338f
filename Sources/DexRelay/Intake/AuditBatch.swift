import Ethereum
import ZeroEx

/// Reads the orders of many posts on chain together, each order once.
///
/// An order that spoils the answers for all, such as one with a hostile token, is found by halving:
/// it must not refuse the orders of others.
struct AuditBatch: Sendable {
    typealias Audit =
        @Sendable ([any SignedOrder]) async throws(ChainError) -> [OrderAudit]

    let audit: Audit
    let deadline: Deadline
    /// The most orders of one read.
    let maximumTogether: Int
    /// The most reads for one batch.
    static let maximumReads = 24

    /// The audits of each post's orders, or why there are none.
    func results(
        of posts: [[any SignedOrder]]
    ) async -> [Result<[OrderAudit], ChainError>] {
        var places: [OrderHash: Int] = [:]
        var orders: [any SignedOrder] = []
        for order in posts.joined() where places[order.hash] == nil {
            places[order.hash] = orders.count
            orders.append(order)
        }
        var reads = 0
        var audits: [Result<OrderAudit, ChainError>] = []
        for chunk in orders.chunks(of: maximumTogether) {
            audits += await read(chunk[...], &reads)
        }
        return posts.map { post in
            Result { () throws(ChainError) in
                var own: [OrderAudit] = []
                for order in post {
                    guard let place = places[order.hash], audits.indices.contains(place) else {
                        throw .nonsense("there is no answer for an order")
                    }
                    own.append(try audits[place].get())
                }
                return own
            }
        }
    }

    private func read(
        _ orders: ArraySlice<any SignedOrder>,
        _ reads: inout Int
    ) async -> [Result<OrderAudit, ChainError>] {
        guard reads < Self.maximumReads else {
            let error = ChainError.nonsense("too many orders spoil the node's answers")
            return orders.map { _ in .failure(error) }
        }
        reads += 1
        let asked = Array(orders)
        let answer = await deadline.result { [audit] in
            await Result { () async throws(ChainError) in try await audit(asked) }
        }
        let error: ChainError
        switch answer {
        case .success(let audits) where audits.count == orders.count:
            return audits.map(Result.success)
        case .success(let audits):
            error = .nonsense("\(audits.count) audits of \(orders.count) orders")
        case .failure(let failure): error = failure
        case nil:
            error = .unreachable(url: "", reason: "it does not answer in \(deadline.limit)")
        }
        guard orders.count > 1, error.mayConcernOneQuestion else {
            return orders.map { _ in .failure(error) }
        }
        let middle = orders.startIndex + orders.count / 2
        return await read(orders[..<middle], &reads) + read(orders[middle...], &reads)
    }
}

extension ChainError {
    /// Other questions may have answers: it is not the connection, nor the whole node.
    var mayConcernOneQuestion: Bool {
        switch self {
        case .nonsense, .reverted, .unaffordable, .rpc: true
        case .unreachable, .badStatus, .rateLimited, .missingBlock, .nonceUsed, .notTaken,
            .declined, .disagreement, .tooFewAnswers:
            false
        }
    }
}
