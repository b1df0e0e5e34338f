import DexCore
import DexRelay
import Logging
import ZeroEx

/// Applies what the operator decides about orders while the relay runs.
struct ModerationWatch: Sendable {
    /// The file is looked at this often.
    static let milliseconds: UInt64 = 2_000

    let file: ModerationFile
    let live: [ProtocolVersion: LiveConfiguration]
    let log: RelayLog
    let sleep: @Sendable (UInt64) async throws -> Void

    /// Runs until cancelled.
    ///
    /// - Parameter apply: called when the decisions have changed.
    func run(_ apply: @Sendable () async -> Void) async {
        // What was decided since the settings were read is applied too.
        var known: [UInt8]?
        var isFaulty = false
        while !Task.isCancelled {
            do {
                try await sleep(Self.milliseconds)
            } catch {
                return
            }
            do throws(DexError) {
                let content = try file.content()
                guard content != known else { continue }
                let entries = try file.entries(in: content)
                let moderation = Moderation(entries)
                known = content
                isFaulty = false
                for configuration in live.values {
                    configuration.replace(moderation: moderation)
                }
                if !entries.isEmpty {
                    log.logger.notice(
                        "The operator's decisions about orders were read: \(entries.count)."
                    )
                }
                await apply()
            } catch {
                if !isFaulty {
                    log.logger.error(
                        "The operator's decisions are unchanged, since the file is faulty: \(error.message)"
                    )
                }
                isFaulty = true
            }
        }
    }
}
