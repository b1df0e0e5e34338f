import Ethereum
import Logging
import Synchronization
import ZeroEx

/// The way of posted orders from the cheap checks into the book: the signatures, the chain, the
/// policy, the commit.
///
/// Posts of many clients are joined: their signatures are checked on all cores, one read of the
/// chain is for all that wait, and one commit for all that passed. A post that waits for the policy
/// or for the next block holds up no other.
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
        /// The most orders that wait for each step.
        var mostWaiting = PostQueue.mostWaiting
    }

    private let signatures: BatchQueue<PendingPost>
    private let audits: BatchQueue<PendingPost>
    private let commits: BatchQueue<PendingPost>
    private let lastID = Atomic<UInt64>(0)

    /// The most orders of a batch.
    static let mostTogether = 500
    /// The usual bound of `Parts.mostWaiting`.
    static let mostWaiting = 4_000
    /// The longest time for a read of the chain.
    static let chainPatience = Duration.seconds(10)

    /// - Parameter signatures: why each of some orders is refused; nil if its maker signed it.
    init(
        _ parts: Parts,
        signatures check: @escaping @Sendable ([any SignedOrder]) -> [OrderRefusals?]
    ) {
        func queue(
            _ work: @escaping @Sendable ([PendingPost], BatchQueue<PendingPost>) async -> Void
        ) -> BatchQueue<PendingPost> {
            BatchQueue(
                mostTogether: Self.mostTogether,
                mostWaiting: parts.mostWaiting,
                weight: \.weight,
                work: work
            )
        }
        let commit = PostCommit(parts)
        let commits = queue { posts, _ in
            let outcomes = await commit.results(of: posts.map(\.audited))
            for (post, outcome) in zip(posts, outcomes) { post.answer(outcome) }
        }
        let audit = AuditRound(parts, commits)
        let audits = queue { posts, queue in await audit.settle(posts, in: queue) }
        let round = SignatureRound(check: check)
        self.commits = commits
        self.audits = audits
        signatures = queue { posts, _ in
            var signed: [PendingPost] = []
            signed.reserveCapacity(posts.count)
            for (post, refusal) in zip(posts, await round.refusals(of: posts)) {
                if let refusal {
                    post.answer(.failure(refusal))
                } else if post.fresh.isEmpty {
                    post.answer(.success(0))
                } else {
                    signed.append(post)
                }
            }
            for post in audits.enter(signed) { post.refuse(.busy) }
        }
    }

    /// The orders that wait for a step.
    var waiting: Int {
        signatures.waiting + waitingSigned
    }

    /// Those of them whose signatures are checked.
    var waitingSigned: Int {
        audits.waiting + commits.waiting
    }

    /// A name for a post, different from all others.
    func nextID() -> UInt64 {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Takes posts; each is answered once it is settled.
    func enter(_ posts: [PendingPost]) {
        for post in signatures.enter(posts) { post.refuse(.busy) }
    }

    /// Refuses a post whose client has left, if it waits.
    ///
    /// While a batch with it is under way, it is done all the same.
    func leave(_ id: UInt64) {
        for queue in [signatures, audits, commits] {
            queue.withdraw { $0.id == id }?.refuse(.busy)
        }
    }
}
