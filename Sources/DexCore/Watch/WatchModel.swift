package import DexStore
package import Ethereum
import ZeroEx

/// `dex watch`: follows the chain for an account and reports each event once.
package struct WatchModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: WatchSettings
    private let sinks: [any WatchSink]
    /// Shown with each event; nil if only one account is watched.
    private let accountName: String?
    private let tell: @Sendable (WatchStatus) -> Void

    /// The maximum number of readings by `once` while the chain changes.
    private static let readings = 3

    /// - Parameters:
    ///   - sinks: reported to in this order.
    ///   - accountName: shown with each event; nil if only one account is watched.
    ///   - tell: gets reports about watching itself.
    package init(
        session: Session,
        journal: Journal,
        settings: WatchSettings = WatchSettings(),
        sinks: [any WatchSink],
        accountName: String? = nil,
        tell: @escaping @Sendable (WatchStatus) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
        self.sinks = sinks
        self.accountName = accountName
        self.tell = tell
    }

    /// Reads and reports until it is cancelled or no reader is left.
    ///
    /// - Throws: `DexError`: a permanent obstacle, or any failure of the first reading. Later
    ///   failures of the node are reported and the reading is retried.
    package func follow(_ account: Address, from start: WatchStart) async throws(DexError) {
        var next: WatchStart? = start
        try await follow(account, from: &next) {}
    }

    /// The same, so that it can be taken up again after an error.
    ///
    /// - Parameters:
    ///   - next: where to begin; nil, after the first reading, is where it stopped.
    ///   - begun: is called after the first reading.
    func follow(
        _ account: Address,
        from next: inout WatchStart?,
        begun: () -> Void
    ) async throws(DexError) {
        var (follower, courier) = parts(account)
        var trouble: DexError?
        // Earlier events are reported even if the node does not answer.
        guard try await courier.deliverDue() else { return }
        while !Task.isCancelled {
            var isDone = true
            do throws(DexError) {
                isDone = try await follower.advance(from: next)
                if next != nil { begun() }
                next = nil
                if trouble != nil { tell(.recovered) }
                trouble = nil
            } catch {
                if Task.isCancelled { return }
                // The first reading must succeed, so that a wrong address is reported at once.
                // Later, any failure of the node leads to a retry.
                guard next == nil, error.retryable || error.kind == .unreachable else {
                    throw error
                }
                if trouble?.isLike(error) != true { tell(.failing(error)) }
                trouble = error
            }
            guard try await courier.deliverDue() else { return }
            guard isDone else { continue }
            guard await session.environment.hasSlept(interval) else { return }
        }
    }

    /// Reads once, reports everything, and ends.
    ///
    /// - Returns: the sinks that did not accept everything; the next run tries them again.
    package func once(
        _ account: Address,
        from start: WatchStart
    ) async throws(DexError) -> [String] {
        var (follower, courier) = parts(account)
        var next: WatchStart? = start
        var readings = 0
        while true {
            readings += 1
            do throws(DexError) {
                if try await follower.advance(from: next) { break }
                (next, readings) = (nil, 0)
                if Task.isCancelled { return [] }
                continue
            } catch {
                guard readings < Self.readings, error.retryable, !Task.isCancelled else {
                    throw error
                }
            }
            guard await session.environment.hasSlept(interval) else { return [] }
        }
        return try await courier.deliverAll()
    }

    private var interval: UInt64 {
        settings.interval ?? session.network.watchInterval
    }

    /// Shows what another process that follows the account reports, until it is cancelled or no
    /// reader is left; the journal stays as it is.
    ///
    /// - Parameter begun: is called after the first reading.
    /// - Throws: `DexError` if the journal cannot be read.
    func attach(_ account: Address, begun: () -> Void = {}) async throws(DexError) {
        let subject = subject(account)
        var reader = WatchReader(
            session: session,
            journal: journal,
            subject: subject,
            settings: settings,
            notices: notices(subject),
            sinks: sinks,
            tell: tell
        )
        try await reader.follow(every: interval, begun: begun)
    }

    private func subject(_ account: Address) -> WatchTarget {
        WatchTarget(
            chainID: session.network.chainID,
            exchange: session.network.exchange,
            account: account
        )
    }

    private func notices(_ subject: WatchTarget) -> WatchNotices {
        WatchNotices(session: session, subject: subject, accountName: accountName)
    }

    private func parts(_ account: Address) -> (WatchFollower, NotificationDispatcher) {
        let subject = subject(account)
        let follower = WatchFollower(
            session: session,
            journal: journal,
            subject: subject,
            settings: settings,
            sinks: sinks.map(\.name),
            tell: tell
        )
        let courier = NotificationDispatcher(
            session: session,
            journal: journal,
            subject: subject,
            notices: notices(subject),
            sinks: sinks,
            tell: tell
        )
        return (follower, courier)
    }
}
