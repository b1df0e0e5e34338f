import Ethereum
import Logging
import ZeroEx

/// Asks the chain, then the policy, about posts, and hands those that pass to the commit.
struct AuditRound: Sendable {
    private let parts: PostQueue.Parts
    private let reader: AuditBatch
    private let nextBlock: NextBlock
    private let commits: BatchQueue<PendingPost>

    init(_ parts: PostQueue.Parts, _ commits: BatchQueue<PendingPost>) {
        self.parts = parts
        self.commits = commits
        reader = AuditBatch(
            audit: { orders throws(ChainError) in try await parts.auditor.audit(orders) },
            deadline: Deadline(limit: PostQueue.chainPatience, sleep: parts.sleep),
            mostTogether: parts.live.read { $0.auditChunk }
        )
        nextBlock = NextBlock(
            latest: { () async throws(ChainError) in try await parts.auditor.latestBlock() },
            sleep: parts.sleep
        )
    }

    /// - Parameter queue: where a post that waited for the next block enters again.
    func settle(_ posts: [PendingPost], in queue: BatchQueue<PendingPost>) async {
        let results = await reader.results(of: posts.map { $0.fresh.map(\.order) })
        let patience = parts.live.read { $0.limits.fundsPatience }
        var passed: [PendingPost] = []
        passed.reserveCapacity(posts.count)
        for (post, result) in zip(posts, results) {
            switch result {
            case .failure(let error):
                parts.logger.warning("The chain cannot be read: \(error)")
                post.refuse(.chainUnavailable)
            case .success(let audits):
                // The node may be behind the maker's.
                if patience > 0, !post.hasWaited, audits.contains(where: { $0.shortage != nil }) {
                    Task { await wait(patience, post, audits, queue) }
                } else if let post = audited(post, audits) {
                    passed.append(post)
                }
            }
        }
        commit(passed)
    }

    /// Asks again at the next block, unless too many wait for it already.
    private func wait(
        _ milliseconds: Int,
        _ post: PendingPost,
        _ audits: [OrderAudit],
        _ queue: BatchQueue<PendingPost>
    ) async {
        guard await nextBlock.wait(milliseconds: milliseconds) else {
            if let post = audited(post, audits) { commit([post]) }
            return
        }
        var post = post
        post.hasWaited = true
        for post in queue.enter([post]) { post.refuse(.busy) }
    }

    /// The post with its audited orders; nil once it is answered, or the policy is asked.
    private func audited(_ post: PendingPost, _ audits: [OrderAudit]) -> PendingPost? {
        var post = post
        post.audited.reserveCapacity(audits.count)
        for (part, audit) in zip(post.fresh, audits) {
            do throws(OrderRefusals) {
                post.audited.append(try AuditedOrder(part, audit, parts))
            } catch {
                let refusal = OrderIntake.RefusedPost(index: part.index, refusals: error)
                post.answer(.failure(refusal))
                return nil
            }
        }
        guard let policy = parts.policy else { return post }
        Task { [post] in await ask(policy, about: post) }
        return nil
    }

    private func ask(_ policy: any OrderPolicy, about post: PendingPost) async {
        var post = post
        let round = PolicyRound(
            policy: policy,
            version: parts.exchangeProtocol.version,
            logger: parts.logger
        )
        let states = await round.states(of: post.audited, from: post.client)
        for (place, state) in states.enumerated() {
            switch state {
            case .success(let state): post.audited[place].state = state
            case .failure(let refusal):
                let index = post.audited[place].index
                return post.answer(.failure(OrderIntake.RefusedPost(index, refusal)))
            }
        }
        commit([post])
    }

    private func commit(_ posts: [PendingPost]) {
        for post in commits.enter(posts) { post.refuse(.busy) }
    }
}
