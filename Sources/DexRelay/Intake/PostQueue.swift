import Ethereum
import Logging
import NIOCore
import Synchronization
import ZeroEx

/// The way of posted orders from the cheap checks into the book: the signatures, the chain, the
/// policy, the commit.
///
/// Posts of many clients are joined: their signatures are checked on all cores, one read of the
/// chain is for all that wait, and one commit for all that passed. What comes meanwhile makes the
/// next batch. A post that waits for the policy or for the next block holds up no other.
final class PostQueue: Sendable {
    /// What a relay has that its queue works with.
    struct Parts: Sendable {
        let exchangeProtocol: any ExchangeProtocol
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
        /// The most orders that wait.
        var maximumWaiting = PostQueue.maximumWaiting

        var rules: RelayRules { RelayInterface(exchangeProtocol.version).rules }
    }

    private let posts: BatchQueue<PendingPost>
    /// What was read in a turn of an event loop that has not ended.
    private let turn = Mutex<[PendingPost]>([])
    private let lastID = Atomic<UInt64>(0)

    /// The most orders of a batch.
    static let maximumTogether = 500
    /// The usual bound of `Parts.maximumWaiting`.
    static let maximumWaiting = 4_000
    /// The longest time for a read of the chain.
    static let chainPatience = Duration.seconds(10)

    /// - Parameter signatures: why each of some orders is refused; nil if its maker signed it.
    init(
        _ parts: Parts,
        signatures check: @escaping @Sendable ([any SignedOrder]) -> [OrderRefusals?]
    ) {
        let signatures = SignatureRound(check: check)
        let audits = AuditRound(parts)
        let commits = PostCommit(parts)
        posts = BatchQueue(
            maximumTogether: Self.maximumTogether,
            maximumWaiting: parts.maximumWaiting,
            weight: \.weight
        ) { batch, queue in
            let signed = await signatures.passed(of: batch)
            // Those that wait for the policy or a block have bounds of their own.
            let audited = await audits.passed(of: signed) { post in
                for post in queue.enter([post], again: true) { post.refuse(.busy) }
            }
            await commits.settle(audited)
        }
    }

    /// The orders that wait for the next batches.
    var waiting: Int { posts.waiting }

    /// A name for a post, different from all others.
    func nextID() -> UInt64 {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Takes posts; each is answered once it is settled.
    ///
    /// - Parameter findRoom: however much waits, as an import does, which has a bound of its own.
    func enter(_ posts: [PendingPost], findRoom: Bool = false) {
        for post in self.posts.enter(posts, again: findRoom) { post.refuse(.busy) }
    }

    /// Takes a post behind all that an event loop reads in its turn, together with the others of
    /// that turn.
    func enter(_ post: PendingPost, behindTurnOf eventLoop: any EventLoop) {
        let isFirst = turn.withLock { turn in
            turn.append(post)
            return turn.count == 1
        }
        guard isFirst else { return }
        eventLoop.execute { [self] in
            enter(
                turn.withLock { turn in
                    defer { turn = [] }
                    return turn
                }
            )
        }
    }

    /// Refuses a post whose client has left, if it waits.
    ///
    /// While a batch with it is under way, it is done all the same.
    func leave(_ id: UInt64) {
        posts.withdraw { $0.id == id }?.refuse(.busy)
    }
}
