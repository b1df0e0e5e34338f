import Ethereum
import Logging
import ZeroEx

/// Asks the chain, then the policy, about posts.
struct AuditRound: Sendable {
    /// Hands a post in again, after a wait that held up no other.
    typealias Again = @Sendable (PendingPost) -> Void

    private let parts: PostQueue.Parts
    private let reader: AuditBatch
    private let nextBlock: NextBlock

    init(_ parts: PostQueue.Parts) {
        self.parts = parts
        reader = AuditBatch(
            audit: { orders throws(ChainError) in try await parts.auditor.audit(orders) },
            deadline: Deadline(limit: PostQueue.chainPatience, sleep: parts.sleep),
            maximumTogether: parts.live.read { $0.auditChunk }
        )
        nextBlock = NextBlock(
            latest: { () async throws(ChainError) in try await parts.auditor.latestBlock() },
            sleep: parts.sleep
        )
    }

    /// The posts that go on now; the others are answered, or come again.
    func passed(
        of posts: [PendingPost],
        again: @escaping Again
    ) async -> [PendingPost] {
        let asked = posts.filter { $0.step != .decided }
        var passed = posts.filter { $0.step == .decided }
        passed.reserveCapacity(posts.count)
        guard !asked.isEmpty else { return passed }
        let results = await reader.results(of: asked.map { $0.fresh.map(\.order) })
        let patience = parts.live.read { $0.limits.fundsPatience }
        for (post, result) in zip(asked, results) {
            switch result {
            case .failure(let error):
                parts.logger.warning("The chain cannot be read: \(error)")
                post.refuse(.chainUnavailable, cause: error)
            case .success(let audits):
                // The node may be behind the maker's.
                if patience > 0, post.step == .entered, !post.isImport,
                    audits.contains(where: { $0.shortage != nil })
                {
                    Task { await wait(patience, post, audits, again) }
                } else if let post = audited(post, audits, again) {
                    passed.append(post)
                }
            }
        }
        return passed
    }

    /// Asks again at the next block, unless too many wait for it already.
    private func wait(
        _ milliseconds: Int,
        _ post: PendingPost,
        _ audits: [OrderAudit],
        _ again: @escaping Again
    ) async {
        var post = post
        if await nextBlock.wait(milliseconds: milliseconds) {
            post.step = .waited
            again(post)
        } else if let post = audited(post, audits, again) {
            again(post)
        }
    }

    /// The post with its audited orders; nil once it is answered, or the policy is asked.
    private func audited(
        _ post: PendingPost,
        _ audits: [OrderAudit],
        _ again: @escaping Again
    ) -> PendingPost? {
        var post = post
        post.audited.reserveCapacity(audits.count)
        let moderation = parts.live.read { $0.moderation }
        for (part, audit) in zip(post.fresh, audits) {
            do throws(OrderRefusals) {
                var order = try AuditedOrder(part, audit, parts.rules.ranking)
                order.isImport = post.isImport
                order.moderation = moderation.action(for: order.entry.order)
                if order.moderation == .hide { order.state = .hidden }
                post.audited.append(order)
            } catch {
                let refusal = OrderIntake.RefusedPost(index: part.index, refusals: error)
                post.answer(.failure(refusal))
                return nil
            }
        }
        post.step = .decided
        guard let policy = parts.policy else { return post }
        Task { [post] in await ask(policy, about: post, again) }
        return nil
    }

    private func ask(
        _ policy: any OrderPolicy,
        about post: PendingPost,
        _ again: Again
    ) async {
        var post = post
        let round = PolicyRound(
            policy: policy,
            version: parts.exchangeProtocol.version,
            logger: parts.logger
        )
        let states = await round.states(of: post.audited, from: post.client)
        for (place, state) in states.enumerated() {
            switch state {
            case .success(let state):
                // The operator has the last word.
                if post.audited[place].moderation == nil { post.audited[place].state = state }
            case .failure(let refusal):
                let index = post.audited[place].index
                return post.answer(.failure(OrderIntake.RefusedPost(index, refusal)))
            }
        }
        again(post)
    }
}
