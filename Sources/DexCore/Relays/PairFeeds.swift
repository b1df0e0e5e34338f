import Ethereum
import ZeroEx

/// The relays of a network for one pair: those with a feed are followed, the others are asked.
struct PairFeeds: Sendable {
    /// The session whose relays answer from what their feeds told.
    let session: Session
    /// Set whenever a followed book changed.
    let signal = WakeSignal()
    /// In the order of the settings; nil for a relay without a feed.
    private let relays: [FollowedRelay?]
    private let names: [String]

    init(_ pair: Pair, session: Session) {
        let environment = session.environment
        let clock = RelayGroup.Clock(elapsed: environment.elapsed, sleep: environment.sleep)
        let members = session.relayMembers
        let signal = signal
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
        let watched = zip(members, relays).map { member, relay in
            RelayMember(name: member.name, client: relay ?? member.client)
        }
        self.relays = relays
        names = members.map(\.name)
        var session = session
        session.relay = (session.relay as? RelayGroup)?.replacing(watched) ?? watched.first?.client
        self.session = session
    }

    var hasFeeds: Bool { relays.contains { $0 != nil } }

    /// The only relay, if its feed is followed now; nil for several relays.
    var single: FollowedRelay? {
        guard relays.count == 1, let relay = relays[0], relay.isFollowing else { return nil }
        return relay
    }

    /// How changes are learned of now.
    var source: WatchSource {
        let followed = zip(names, relays).filter { $1?.isFollowing ?? false }.map(\.0)
        let undecided = zip(names, relays).filter { $1.map { !$0.isDecided } ?? false }.map(\.0)
        return WatchSource(
            following: followed,
            polling: names.filter { !followed.contains($0) },
            connecting: undecided,
            interval: session.network.watchInterval
        )
    }

    /// Follows all feeds until the task is cancelled.
    ///
    /// - Parameter report: gets a sentence about each feed that ends.
    func run(report: @escaping @Sendable (String) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for relay in relays.compactMap(\.self) {
                group.addTask {
                    await relay.run { end in
                        let reason = PlainText.clean(end.reason)
                        report("The relay \(relay.name) is polled: its feed ended (\(reason)).")
                    }
                }
            }
        }
    }

    /// Waits for half a block, or for a change of a feed, which is collected for a moment.
    ///
    /// - Returns: false when cancelled.
    func wait() async -> Bool {
        let environment = session.environment
        let interval = session.network.watchInterval
        guard hasFeeds else { return await environment.hasSlept(interval) }
        let woken = await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await environment.hasSlept(interval) ? false : nil }
            group.addTask {
                await signal.wait()
                return true
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let woken else { return false }
        return woken ? await environment.hasSlept(Self.collecting) : true
    }

    /// Milliseconds that changes of a feed are collected before the book is shown again.
    static let collecting: UInt64 = 100
}
