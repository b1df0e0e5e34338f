package import DexCore
package import DexRelay

/// The operator's decisions about orders: in a file beside relay.toml, or in the store that instances
/// share.
package struct ModerationLog: Sendable {
    private let settings: RelaySettings

    package init(_ settings: RelaySettings) {
        self.settings = settings
    }

    private var isShared: Bool { settings.store.isShared }

    /// The file; nil if the decisions stand in the store.
    package var path: String? { isShared ? nil : settings.moderationFile.path }

    /// All decisions, the latest last.
    ///
    /// A file beside a shared store is read too: the relay takes it over when it starts.
    ///
    /// - Throws: `DexError`: exit 3, or 4 for a store that does not answer.
    package func decisions() async throws(DexError) -> [ModerationDecision] {
        guard isShared else { return settings.decisions }
        let stored = try await withStore { moderation throws(OrderStoreError) in
            try await moderation.decisions()
        }
        let known = Set(stored)
        let waiting = settings.decisions.filter { !known.contains($0) }
        // Stable: of one second, those of the store first.
        return (stored + waiting).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// Adds a decision behind the others.
    ///
    /// - Parameter now: seconds since 1970; a shared store has a clock of its own.
    /// - Returns: what stands in the log.
    /// - Throws: `DexError`: exit 3, or 4 for a store that does not answer.
    package func decide(
        _ action: Moderation.Action,
        _ subject: Moderation.Subject,
        reason: String?,
        now: UInt64
    ) async throws(DexError) -> ModerationDecision {
        guard isShared else {
            let decision = ModerationDecision(
                time: now,
                action: action,
                subject: subject,
                reason: reason
            )
            try settings.moderationFile.append(decision)
            return decision
        }
        return try await withStore { moderation throws(OrderStoreError) in
            // Before the new decision, which has the last word.
            _ = try await moderation.takeOver(settings.decisions)
            return try await moderation.decide(action, subject, reason: reason)
        }
    }

    private func withStore<Value>(
        _ work: (any SharedModeration) async throws(OrderStoreError) -> Value
    ) async throws(DexError) -> Value {
        try await StoreOpening.withStore(settings) { store throws(OrderStoreError) in
            guard let moderation = store.moderation else {
                throw .unusable(place: settings.store.words, reason: "it has no decisions")
            }
            return try await work(moderation)
        }
    }
}
