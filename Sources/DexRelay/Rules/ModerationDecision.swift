/// One of the operator's decisions about orders, as it stands in the log.
package struct ModerationDecision: Hashable, Sendable {
    /// Seconds since 1970.
    package let time: UInt64
    package let action: Moderation.Action
    package let subject: Moderation.Subject
    package let reason: String?

    package init(
        time: UInt64,
        action: Moderation.Action,
        subject: Moderation.Subject,
        reason: String?
    ) {
        self.time = time
        self.action = action
        self.subject = subject
        self.reason = reason
    }
}
