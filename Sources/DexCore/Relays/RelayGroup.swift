package import Ethereum
import Synchronization
package import ZeroEx

/// Several relays as one: their books merged, each order knowing who showed it.
///
/// All are asked at the same time, each with a deadline. A relay without a usable answer is left
/// out and named; a request fails only if every relay fails.
package struct RelayGroup: RelayClient {
    /// Time for deadlines, so that tests control it.
    package struct Clock: Sendable {
        /// Milliseconds since a fixed moment, never decreasing.
        package var elapsed: @Sendable () -> UInt64
        /// Suspends for milliseconds; throws when cancelled.
        package var sleep: @Sendable (_ milliseconds: UInt64) async throws -> Void

        package init(
            elapsed: @escaping @Sendable () -> UInt64,
            sleep: @escaping @Sendable (UInt64) async throws -> Void
        ) {
            self.elapsed = elapsed
            self.sleep = sleep
        }
    }

    package let members: [RelayMember]
    /// Milliseconds until a relay's whole answer.
    let deadline: UInt64
    private let clock: Clock
    /// An order has its maker's signature.
    private let isGenuine: @Sendable (any SignedOrder) -> Bool
    private let absences: RelayBackoff

    /// How long a relay that missed its deadline is not asked again, in milliseconds.
    static let pause: UInt64 = 30_000

    /// - Parameters:
    ///   - members: at most `RelaySet.maximum`; further ones are ignored.
    ///   - deadline: milliseconds until a relay's whole answer.
    ///   - isGenuine: an order has its maker's signature.
    package init(
        _ members: [RelayMember],
        deadline: UInt64,
        clock: Clock,
        isGenuine: @escaping @Sendable (any SignedOrder) -> Bool
    ) {
        self.members = Array(members.prefix(RelaySet.maximum))
        self.deadline = deadline
        self.clock = clock
        self.isGenuine = isGenuine
        absences = RelayBackoff()
    }

    /// The same relays by other clients, in the same order.
    func replacing(_ members: [RelayMember]) -> RelayGroup {
        RelayGroup(members, deadline: deadline, clock: clock, isGenuine: isGenuine)
    }

    /// The relays that gave no usable answer to their last request, as sentences.
    var leftOut: [String] {
        let failures = absences.failures
        return members.indices.compactMap { index in
            failures[index].map { RelayAnswer.warning(members[index].name, $0) }
        }
    }

    // MARK: Reading

    /// The pairs of all relays; a pair's bounds are those of the first relay that has it.
    package func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        let replies = await ask { relay async throws(RelayError) in
            try await relay.tokenPairs(tokenA, tokenB)
        }
        var seen: Set<Set<Address>> = []
        return try Self.usable(replies).flatMap(\.value).filter { pair in
            seen.insert([pair.tokenA.token, pair.tokenB.token]).inserted
        }
    }

    /// The matching orders of all relays, each copy once.
    package func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        let replies = await ask { relay async throws(RelayError) in try await relay.orders(query) }
        let usable = try Self.usable(replies)
        var provenance = provenance(of: replies)
        var merged = RelayOrders(orders: [])
        for (index, answer) in usable {
            provenance.answers[index].count(answer)
            merged.add(answer, from: index, &provenance)
        }
        merged.relays = provenance
        return merged
    }

    /// The order with its maker's signature, from any relay; else the first copy.
    ///
    /// nil if no relay that answered knows it.
    package func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        let copies = try Self.usable(await copies(of: hash)).compactMap(\.value)
        return copies.first { $0.hash == hash && isGenuine($0) } ?? copies.first
    }

    /// The order, with its maker's signature if any relay has it so, and the relays that show it.
    ///
    /// A relay that shows a forged copy of a genuine order, or another order, is left out.
    func find(
        _ hash: OrderHash
    ) async throws(RelayError) -> (order: (any SignedOrder)?, relays: [String]) {
        let replies = await ask { relay async throws(RelayError) in
            let order = try await relay.order(hash)
            if let order, order.hash != hash {
                throw .nonsense("it is the order \(order.hash) where \(hash) was asked for")
            }
            return order
        }
        let copies = try Self.usable(replies).compactMap { index, order in
            order.map { (index: index, order: $0) }
        }
        let genuine = copies.filter { isGenuine($0.order) }
        guard let first = genuine.first else {
            return (copies.first?.order, copies.map { members[$0.index].name })
        }
        for copy in copies where !isGenuine(copy.order) {
            absences.note(
                copy.index,
                .nonsense("its copy of the order \(hash) is not signed by its maker"),
                until: nil
            )
        }
        return (first.order, genuine.map { members[$0.index].name })
    }

    /// Both sides of a pair from all relays, each copy of an order once.
    package func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        // A copy that another relay has sent is not verified again.
        let passed = PassedCopies()
        let replies = await ask { relay async throws(RelayError) in
            try await relay.orderbook(base: base, quote: quote) { orders in
                let fresh = passed.fresh(orders)
                if !fresh.isEmpty { arrived(fresh) }
            }
        }
        return try book(replies)
    }

    /// The first page of both sides from all relays.
    package func bestOrders(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        try book(
            await ask { relay async throws(RelayError) in
                try await relay.bestOrders(base: base, quote: quote)
            }
        )
    }

    private func book(_ replies: [Reply<RelayOrderbook>]) throws(RelayError) -> RelayOrderbook {
        let usable = try Self.usable(replies)
        var provenance = provenance(of: replies)
        provenance.reserveCapacity(
            usable.map { $0.value.bids.orders.count + $0.value.asks.orders.count }.max() ?? 0
        )
        var book = RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
        for (index, answer) in usable {
            provenance.answers[index].count(answer.bids)
            provenance.answers[index].count(answer.asks)
            book.bids.add(answer.bids, from: index, &provenance)
            book.asks.add(answer.asks, from: index, &provenance)
        }
        book.relays = provenance
        return book
    }

    // MARK: Posting

    /// The fees of the first relay that answers; relays may want different ones, so who posts to
    /// several asks each of `members`.
    package func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        let replies = await ask { relay async throws(RelayError) in try await relay.fees(for: draft)
        }
        guard let first = try Self.usable(replies).first else { throw Self.failure(replies) }
        return first.value
    }

    /// Posts to all relays; succeeds if at least one takes the order.
    package func post(_ order: any SignedOrder) async throws(RelayError) {
        let replies = await ask { relay async throws(RelayError) in try await relay.post(order) }
        _ = try Self.usable(replies)
    }

    // MARK: Asking all

    /// One relay's answer to a request.
    struct Reply<Value: Sendable>: Sendable {
        let index: Int
        let name: String
        let result: Result<Value, RelayError>
        let milliseconds: UInt64
    }

    /// Each relay's own copy of an order.
    func copies(of hash: OrderHash) async -> [Reply<(any SignedOrder)?>] {
        await ask { relay async throws(RelayError) in try await relay.order(hash) }
    }

    /// Sends a request to all relays at the same time; replies in their order.
    @concurrent
    func ask<Value: Sendable>(
        _ request: @escaping @Sendable (any RelayClient) async throws(RelayError) -> Value
    ) async -> [Reply<Value>] {
        await members.indices.concurrentMap { await reply(of: members[$0], $0, to: request) }
    }

    private func reply<Value: Sendable>(
        of member: RelayMember,
        _ index: Int,
        to request: @escaping @Sendable (any RelayClient) async throws(RelayError) -> Value
    ) async -> Reply<Value> {
        let start = clock.elapsed()
        if let error = absences.pausing(index, now: start) {
            return Reply(index: index, name: member.name, result: .failure(error), milliseconds: 0)
        }
        let answer = await withTaskGroup(of: Result<Value, RelayError>?.self) { group in
            group.addTask {
                await Result { () async throws(RelayError) in try await request(member.client) }
            }
            group.addTask { [clock, deadline] in
                do { try await clock.sleep(deadline) } catch {
                    // The other task has answered, or the whole request is cancelled.
                }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if first == nil, Task.isCancelled { return await group.next() ?? nil }
            return first
        }
        let now = clock.elapsed()
        let result =
            answer
            ?? .failure(
                .unreachable(
                    url: member.name,
                    reason: "no whole answer came within \(Self.seconds(deadline)) s"
                )
            )
        absences.note(
            index,
            result.failure,
            until: answer == nil ? now.addingSaturating(Self.pause) : nil
        )
        return Reply(
            index: index,
            name: member.name,
            result: result,
            milliseconds: now - min(now, start)
        )
    }

    /// The answers of the relays that gave one, with their indices.
    ///
    /// - Throws: `RelayError` if none did.
    static func usable<Value>(
        _ replies: [Reply<Value>]
    ) throws(RelayError) -> [(index: Int, value: Value)] {
        let usable = replies.compactMap { reply -> (index: Int, value: Value)? in
            guard case .success(let value) = reply.result else { return nil }
            return (reply.index, value)
        }
        guard !usable.isEmpty else { throw failure(replies) }
        return usable
    }

    /// The failure of all relays.
    private static func failure<Value>(_ replies: [Reply<Value>]) -> RelayError {
        let failures = replies.compactMap { reply in
            reply.result.failure.map { RelayError.Failure(relay: reply.name, error: $0) }
        }
        return .noneAnswered(failures)
    }

    private func provenance<Value>(of replies: [Reply<Value>]) -> RelayProvenance {
        RelayProvenance(
            answers: replies.map { reply in
                var answer = RelayAnswer(relay: reply.name)
                answer.milliseconds = reply.milliseconds
                answer.failure = reply.result.failure
                return answer
            }
        )
    }

    private static func seconds(_ milliseconds: UInt64) -> String {
        let tenths = milliseconds / 100
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

/// The relays that gave no usable answer lately.
private final class RelayBackoff: Sendable {
    private struct Absence {
        let error: RelayError
        /// It is not asked again before; nil if the next request asks it.
        let until: UInt64?
    }

    private let state = Mutex<[Int: Absence]>([:])

    var failures: [Int: RelayError] { state.withLock { $0.mapValues(\.error) } }

    /// Why a relay is not asked now; nil if it is.
    func pausing(_ index: Int, now: UInt64) -> RelayError? {
        state.withLock { state in
            guard let absence = state[index], let until = absence.until, now < until else {
                return nil
            }
            return absence.error
        }
    }

    func note(_ index: Int, _ error: RelayError?, until: UInt64?) {
        state.withLock { $0[index] = error.map { Absence(error: $0, until: until) } }
    }
}

/// The copies of orders that were handed on while others are on their way.
private final class PassedCopies: Sendable {
    private let seen = Mutex<Set<OrderCopyID>>([])

    func fresh(_ orders: [any SignedOrder]) -> [any SignedOrder] {
        seen.withLock { seen in orders.filter { seen.insert($0.copyID).inserted } }
    }
}

extension RelayOrders {
    /// Adds the copies that no earlier relay showed.
    fileprivate mutating func add(
        _ other: RelayOrders,
        from index: Int,
        _ provenance: inout RelayProvenance
    ) {
        unreadable.add(other.unreadable)
        shortfall = shortfall ?? other.shortfall
        for order in other.orders where provenance.insert(order.copyID, from: index) {
            orders.append(order)
        }
    }
}

extension RelayAnswer {
    fileprivate mutating func count(_ orders: RelayOrders) {
        received += orders.orders.count + orders.unreadable.count
        unreadable += orders.unreadable.count
    }
}
