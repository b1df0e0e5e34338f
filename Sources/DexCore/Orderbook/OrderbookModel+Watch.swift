package import Ethereum
import ZeroEx

/// `dex orderbook --watch`: the book whenever it changed.
///
/// Relays with a feed are followed; the others are read at half the block time. The chain is read
/// at half the block time in any case, since fills and balances change there.
extension OrderbookModel {
    /// Milliseconds that changes of a feed are collected before the book is shown again.
    static let collecting: UInt64 = 100

    /// The current book, and then every changed one.
    ///
    /// A transient failure is reported as progress and retried; any other ends the watch. The
    /// watch ends without an error when its task is cancelled.
    ///
    /// - Parameter show: shows a book; false ends the watch.
    package func watch(
        pairText: String,
        depth: Int? = nil,
        raw: Bool = false,
        account: Address? = nil,
        show: (OrderbookState) async -> Bool
    ) async throws(DexError) {
        let pair = try await TokenResolver(session: session).pair(pairText)
        let signal = WakeSignal()
        let environment = session.environment
        let clock = RelayGroup.Clock(elapsed: environment.elapsed, sleep: environment.sleep)
        let members = session.relayMembers
        let relays = members.map { member in
            member.feed.map { feed in
                FollowedRelay(
                    name: member.name,
                    relay: member.client,
                    feed: feed,
                    base: pair.base.address,
                    quote: pair.quote.address,
                    clock: clock,
                    signal: signal
                )
            }
        }
        let followed = relays.compactMap { $0 }
        let watched = zip(members, relays).map { member, relay in
            RelayMember(name: member.name, client: relay ?? member.client)
        }
        var context = context
        context.session.relay =
            (session.relay as? RelayGroup)?.replacing(watched) ?? watched.first?.client
        let model = OrderbookModel(context)
        let outcome = await withTaskGroup(of: Void.self) { group in
            for relay in followed {
                group.addTask {
                    await relay.run { end in
                        let reason = PlainText.clean(end.reason, limit: 200)
                        environment.progress(
                            "The relay \(relay.name) is polled: its feed ended (\(reason))."
                        )
                    }
                }
            }
            let outcome = await model.repeatedly(
                pair,
                source: {
                    WatchSource(
                        following: followed.filter(\.isFollowing).map(\.name),
                        polling: zip(members, relays)
                            .filter { !($0.1?.isFollowing ?? false) }.map(\.0.name),
                        interval: model.session.network.watchInterval
                    )
                },
                signal: followed.isEmpty ? nil : signal,
                load: { model, pair throws(DexError) in
                    try await model.load(pair, depth: depth, raw: raw, account: account)
                },
                show: show
            )
            group.cancelAll()
            return outcome
        }
        try outcome.get()
    }

    /// Loads and shows again and again, until the end.
    private func repeatedly(
        _ pair: Pair,
        source: () -> WatchSource,
        signal: WakeSignal?,
        load: (OrderbookModel, Pair) async throws(DexError) -> OrderbookState,
        show: (OrderbookState) async -> Bool
    ) async -> Result<Void, DexError> {
        var last: OrderbookState?
        while true {
            if last != nil, await !wait(for: signal) { return .success(()) }
            if Task.isCancelled { return .success(()) }
            do throws(DexError) {
                var state = try await load(self, pair)
                state.source = source()
                if let last, last.isSame(as: state) { continue }
                last = state
                if await !show(state) { return .success(()) }
            } catch {
                // The first book must succeed, so that a wrong address is reported at once.
                guard last != nil, error.retryable else { return .failure(error) }
                session.environment.progress(error.message)
            }
        }
    }

    /// Waits for half a block, or for a change of a feed.
    ///
    /// - Returns: false when cancelled.
    private func wait(for signal: WakeSignal?) async -> Bool {
        let sleep = session.environment.sleep
        let interval = session.network.watchInterval
        guard let signal else { return await Self.isDone { try await sleep(interval) } }
        let woken = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await Self.isDone { try await sleep(interval) } ? false : nil }
            group.addTask {
                await signal.wait()
                return true
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let woken else { return false }
        return woken ? await Self.isDone { try await sleep(Self.collecting) } : true
    }

    /// A wait came to its end; if not, the task is cancelled.
    private static func isDone(_ wait: () async throws -> Void) async -> Bool {
        do {
            try await wait()
            return true
        } catch {
            return false
        }
    }
}
