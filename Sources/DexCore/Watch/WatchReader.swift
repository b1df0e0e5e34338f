import DexStore
import Ethereum

/// Shows the messages that another process notes for an account.
///
/// It marks nothing as delivered and moves no position, so any number can read beside a running
/// `dex watch`.
struct WatchReader {
    let session: Session
    let journal: Journal
    let subject: WatchTarget
    let settings: WatchSettings
    let notices: WatchNotices
    let sinks: [any WatchSink]
    let tell: @Sendable (WatchStatus) -> Void
    /// The last message that was shown or left out.
    private var last: Int64 = 0
    /// Since when nobody has read on, in seconds since 1970, though there are new blocks.
    private var behindSince: UInt64?
    private var isUnread = false
    private var isFailing = false

    /// The maximum number of messages between two looks at the chain.
    private static let batch = 50
    /// Seconds behind the chain after which that is said.
    static let patience: UInt64 = 60

    init(
        session: Session,
        journal: Journal,
        subject: WatchTarget,
        settings: WatchSettings,
        notices: WatchNotices,
        sinks: [any WatchSink],
        tell: @escaping @Sendable (WatchStatus) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.subject = subject
        self.settings = settings
        self.notices = notices
        self.sinks = sinks
        self.tell = tell
    }

    /// - Parameters:
    ///   - interval: milliseconds between two looks.
    ///   - begun: is called after the first look.
    /// - Throws: `DexError` if the journal cannot be read.
    mutating func follow(
        every interval: UInt64,
        begun: () -> Void
    ) async throws(DexError) {
        last = try journaled(try journal.lastMessage(subject))
        tell(.attached(next: try journaled(try journal.watchCursor(subject))?.next ?? 0))
        begun()
        while !Task.isCancelled {
            guard try await show() else { return }
            try await checkProgress()
            guard await session.environment.hasSlept(interval) else { return }
        }
    }

    /// - Returns: false if no reader is left.
    private mutating func show() async throws(DexError) -> Bool {
        while !Task.isCancelled {
            let messages = try journaled(
                try journal.messages(subject, after: last, limit: Self.batch)
            )
            guard !messages.isEmpty else { return true }
            let alerts =
                settings.tellsOnlyAlerts
                ? try AlertsModel(session: session, journal: journal).list(for: subject.account)
                : []
            for message in messages {
                if !settings.leavesOut(message.event, waitedForBy: alerts) {
                    let notice = await notices.notice(message)
                    if Task.isCancelled { return true }
                    for sink in sinks where await sink.deliver(notice) == .closed { return false }
                }
                last = message.row
            }
        }
        return true
    }

    /// Says once that nobody reads on, and once that somebody does again.
    private mutating func checkProgress() async throws(DexError) {
        let next = try journaled(try journal.watchCursor(subject))?.next ?? 0
        let head: UInt64
        do throws(DexError) {
            head = try await ChainHead.read(session).number
            if isFailing { tell(.recovered) }
            isFailing = false
        } catch {
            // What is noted is shown all the same.
            if !isFailing { tell(.failing(error)) }
            isFailing = true
            return
        }
        guard next <= head else {
            behindSince = nil
            if isUnread { tell(.attached(next: next)) }
            isUnread = false
            return
        }
        let now = session.environment.now()
        let since = behindSince ?? now
        behindSince = since
        guard !isUnread, now >= since.addingSaturating(Self.patience) else { return }
        isUnread = true
        tell(.unread(from: next))
    }
}
