import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Everything that is read for the full screen, of one pair at a time.
struct LiveFeeds: Sendable {
    let desk: LiveDesk
    let interest: VisibleOrders

    /// Follows a pair until the task is cancelled.
    func run(
        _ pairText: String,
        generation: Int,
        send: @escaping @Sendable (LiveEvent) -> Void
    ) async {
        let news: @Sendable (LiveNews) -> Void = { send(.feed($0, generation: generation)) }
        guard let pair = await pair(pairText, news) else { return }
        let (settings, account) = (desk.readSettings, desk.account?.address)
        let pulse = RefreshTrigger()
        let book = LiveBookFollower(
            session: desk.session,
            settings: settings,
            account: account,
            interest: interest,
            pulse: pulse,
            send: news
        )
        let others = LiveAccountFollower(
            session: desk.session,
            journal: desk.journal,
            settings: settings,
            account: account,
            pulse: pulse,
            send: news
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await book.run(pair) }
            group.addTask { await others.run(pair) }
        }
    }

    /// The tokens of a pair; asked again while the node does not answer.
    private func pair(
        _ text: String,
        _ news: @Sendable (LiveNews) -> Void
    ) async -> Pair? {
        while !Task.isCancelled {
            do throws(DexError) {
                return try await TokenResolver(session: desk.session).pair(text)
            } catch {
                news(.trouble(.book, error))
                guard error.retryable || error.kind == .unreachable else { return nil }
            }
            let interval = desk.session.network.watchInterval
            guard await desk.session.environment.hasSlept(interval) else { return nil }
        }
        return nil
    }
}
