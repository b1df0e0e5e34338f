import Ethereum
import Glibc
import ZeroEx

/// Checks the signatures of many posts on all cores.
struct SignatureRound: Sendable {
    /// Why each of some orders is refused; nil if its maker signed it.
    let check: @Sendable ([any SignedOrder]) -> [OrderRefusals?]

    /// A core gets at least so many: fewer are not worth waking it, and cost more each.
    private static let minimumOfCore = 32
    private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private struct Question {
        let post: Int
        let part: PendingPost.Order
    }

    /// The posts that go on; the others are answered.
    func passed(of posts: [PendingPost]) async -> [PendingPost] {
        var questions: [Question] = []
        questions.reserveCapacity(posts.count)
        for (index, post) in posts.enumerated() where post.step == .entered {
            for part in post.unsigned { questions.append(Question(post: index, part: part)) }
        }
        // Of several forged orders of a post the first is told.
        var refusals: [Int: OrderIntake.RefusedPost] = [:]
        for (post, refusal) in await forged(among: questions)
        where refusal.index < refusals[post]?.index ?? .max {
            refusals[post] = refusal
        }
        var passed: [PendingPost] = []
        passed.reserveCapacity(posts.count)
        for (index, post) in posts.enumerated() {
            if let refusal = refusals[index] {
                post.answer(.failure(refusal))
            } else if post.fresh.isEmpty {
                post.answer(.success(0))
            } else {
                passed.append(post)
            }
        }
        return passed
    }

    private func forged(
        among questions: [Question]
    ) async -> [(post: Int, refusal: OrderIntake.RefusedPost)] {
        let share = (questions.count + Self.cores - 1) / Self.cores
        let chunks = questions.chunks(of: max(Self.minimumOfCore, share))
        guard let own = chunks.first else { return [] }
        guard chunks.count > 1 else { return forged(in: own) }
        return await withTaskGroup(of: [(post: Int, refusal: OrderIntake.RefusedPost)].self) {
            group in
            for chunk in chunks.dropFirst() { group.addTask { forged(in: chunk) } }
            var found = forged(in: own)
            for await others in group { found += others }
            return found
        }
    }

    private func forged(
        in questions: [Question]
    ) -> [(post: Int, refusal: OrderIntake.RefusedPost)] {
        zip(questions, check(questions.map(\.part.order))).compactMap { question, refusals in
            refusals.map { refusals in
                (
                    question.post,
                    OrderIntake.RefusedPost(index: question.part.index, refusals: refusals)
                )
            }
        }
    }
}
