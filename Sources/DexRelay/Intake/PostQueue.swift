import Ethereum
import Logging
import StrictJSON
import ZeroEx

/// The way of posted orders from the cheap checks into the book: the chain, the policy, the commit.
///
/// Posts of many clients are joined: one read of the chain for all that wait, then one commit for
/// all that passed. A post that waits for the policy or for the next block holds up no other.
final class PostQueue: Sendable {
    /// What a relay has that its queue works with.
    struct Parts: Sendable {
        let exchangeProtocol: any ExchangeProtocol
        let ranking: OrderRanking
        let live: LiveConfiguration
        let auditor: OrderAuditor
        let book: OrderBook
        let holdings: MakerHoldings
        let ledger: OrderLedger
        let policy: (any OrderPolicy)?
        /// Seconds since 1970.
        let now: @Sendable () -> UInt64
        /// Waits, or throws as soon as it is cancelled.
        let sleep: @Sendable (Duration) async throws -> Void
        let logger: Logger
        /// The most orders that wait for the chain, and for a commit.
        var mostWaiting = PostQueue.mostWaiting
    }

    /// A posted order that the book does not have.
    struct Fresh: Sendable {
        /// Its index among those posted together.
        let index: Int
        let order: any SignedOrder
    }

    private let parts: Parts
    private let audits: BatchQueue<[any SignedOrder], Result<[OrderAudit], ChainError>>
    private let commits: BatchQueue<[AuditedOrder], Result<Int, OrderIntake.RefusedPost>>
    private let nextBlock: NextBlock

    /// The most orders of a batch.
    static let mostTogether = 500
    /// The usual bound of `Parts.mostWaiting`.
    static let mostWaiting = 4_000
    /// The longest time for a read of the chain.
    static let chainPatience = Duration.seconds(10)

    init(_ parts: Parts) {
        self.parts = parts
        let reader = AuditBatch(
            audit: { orders throws(ChainError) in try await parts.auditor.audit(orders) },
            deadline: Deadline(limit: Self.chainPatience, sleep: parts.sleep),
            mostTogether: parts.live.current.auditChunk
        )
        audits = BatchQueue(mostTogether: Self.mostTogether, mostWaiting: parts.mostWaiting) {
            await reader.results(of: $0)
        }
        commits = BatchQueue(mostTogether: Self.mostTogether, mostWaiting: parts.mostWaiting) {
            await PostCommit(parts).results(of: $0)
        }
        nextBlock = NextBlock(
            latest: { () async throws(ChainError) in try await parts.auditor.latestBlock() },
            sleep: parts.sleep
        )
    }

    /// The orders that wait for a batch.
    var waiting: Int {
        audits.waiting + commits.waiting
    }

    /// Accepts all orders of a post, or none of them, once they are on disk.
    ///
    /// - Returns: the number of those that came into the book.
    /// - Throws: `RefusedPost`: for the first order that is refused.
    func take(
        _ fresh: [Fresh],
        client: String
    ) async throws(OrderIntake.RefusedPost) -> Int {
        guard let first = fresh.first else { return 0 }
        var audited = try await audit(fresh)
        let patience = parts.live.current.limits.fundsPatience
        // The node may be behind the maker's.
        if patience > 0, audited.contains(where: { $0.shortage != nil }),
            await nextBlock.wait(milliseconds: patience)
        {
            audited = try await audit(fresh)
        }
        var orders: [AuditedOrder] = []
        for (part, audit) in zip(fresh, audited) {
            do throws(OrderRefusals) {
                orders.append(try AuditedOrder(part, audit, parts))
            } catch {
                throw OrderIntake.RefusedPost(index: part.index, refusals: error)
            }
        }
        if let policy = parts.policy { try await ask(policy, &orders, client) }
        let committed: Result<Int, OrderIntake.RefusedPost>
        do throws(BatchQueue<[AuditedOrder], Result<Int, OrderIntake.RefusedPost>>.Failure) {
            committed = try await commits.submit(orders, weight: orders.count)
        } catch {
            throw OrderIntake.RefusedPost(first.index, .busy)
        }
        return try committed.get()
    }

    private func audit(
        _ fresh: [Fresh]
    ) async throws(OrderIntake.RefusedPost) -> [OrderAudit] {
        let answer: Result<[OrderAudit], ChainError>
        let index = fresh.first?.index ?? 0
        do throws(BatchQueue<[any SignedOrder], Result<[OrderAudit], ChainError>>.Failure) {
            answer = try await audits.submit(fresh.map(\.order), weight: fresh.count)
        } catch {
            throw OrderIntake.RefusedPost(index, .busy)
        }
        do throws(ChainError) {
            return try answer.get()
        } catch {
            parts.logger.warning("The chain cannot be read: \(error)")
            throw OrderIntake.RefusedPost(index, .chainUnavailable)
        }
    }

    // MARK: The policy

    private func ask(
        _ policy: any OrderPolicy,
        _ orders: inout [AuditedOrder],
        _ client: String
    ) async throws(OrderIntake.RefusedPost) {
        let round = PolicyRound(
            policy: policy,
            version: parts.exchangeProtocol.version,
            logger: parts.logger
        )
        for (place, state) in await round.states(of: orders, from: client).enumerated() {
            switch state {
            case .success(let state): orders[place].state = state
            case .failure(let refusal):
                throw OrderIntake.RefusedPost(orders[place].index, refusal)
            }
        }
    }
}

/// A posted order that the chain and the policy let pass.
struct AuditedOrder: Sendable {
    /// Its index among those posted together.
    let index: Int
    let entry: OrderEntry
    let standing: OrderStanding
    /// The maker's balance of the maker token, in base units.
    let owned: UInt256
    /// What it still gives, in base units of its maker token.
    let gives: UInt256
    /// Shown, or hidden by the policy.
    var state = ListingState.shown

    /// - Throws: `OrderRefusals`: the order cannot be filled.
    init(
        _ part: PostQueue.Fresh,
        _ audit: OrderAudit,
        _ parts: PostQueue.Parts
    ) throws(OrderRefusals) {
        try OrderIntake.check(audit)
        guard let entry = OrderEntry(part.order, ranking: parts.ranking) else {
            throw OrderRefusals([.zeroMakerAmount])
        }
        index = part.index
        self.entry = entry
        standing = OrderStanding(audit)
        owned = audit.owned
        gives =
            parts.exchangeProtocol.makerAmount(of: part.order, filling: audit.state.remaining)
            ?? part.order.makerAmount
    }
}
