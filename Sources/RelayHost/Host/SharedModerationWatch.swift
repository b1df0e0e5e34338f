import DexCore
import DexRelay
import Logging
import ZeroEx

/// Applies what the operator decides about orders at any instance, while the relay runs.
struct SharedModerationWatch: Sendable {
    /// Between two attempts to read the decisions.
    static let milliseconds: UInt64 = 1_000

    let moderation: any SharedModeration
    let live: [ProtocolVersion: LiveConfiguration]
    let log: RelayLog
    let sleep: @Sendable (UInt64) async throws -> Void

    /// Runs until cancelled, or until the store is closed.
    ///
    /// - Parameter apply: called when the decisions have changed.
    func run(_ apply: @Sendable () async -> Void) async {
        var known: [ModerationDecision]?
        for await _ in moderation.operatorWakeUps() {
            guard let decisions = await read() else { return }
            guard decisions != known else { continue }
            known = decisions
            let moderation = Moderation(decisions)
            for configuration in live.values { configuration.replace(moderation: moderation) }
            if !decisions.isEmpty {
                log.logger.notice(
                    "The operator's decisions about orders were read: \(decisions.count)."
                )
            }
            await apply()
        }
    }

    /// - Returns: nil once it is cancelled.
    private func read() async -> [ModerationDecision]? {
        var isSilent = false
        while !Task.isCancelled {
            do throws(OrderStoreError) {
                return try await moderation.decisions()
            } catch {
                if !isSilent {
                    log.logger.warning("The operator's decisions stay as they are: \(error)")
                }
                isSilent = true
            }
            do { try await sleep(Self.milliseconds) } catch { return nil }
        }
        return nil
    }
}
