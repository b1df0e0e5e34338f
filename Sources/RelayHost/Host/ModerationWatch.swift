import DexCore
import DexRelay
import Logging
import PrivateFiles
import ZeroEx

/// Applies what the operator decides about orders while the relay runs.
struct ModerationWatch: Sendable {
    /// The file is looked at this often.
    static let milliseconds: UInt64 = 2_000

    let file: ModerationFile
    let live: [ProtocolVersion: LiveConfiguration]
    let log: RelayLog
    let sleep: @Sendable (UInt64) async throws -> Void

    /// Which looks at the file have to read it.
    struct Reading {
        private var last: PrivateFiles.Identity?
        private var isSettled = false

        /// The file has to be read.
        ///
        /// A new identity counts at its second look, 2 s later: what was written within the step of
        /// the file system's clock has the same one.
        mutating func isDue(_ identity: PrivateFiles.Identity?) -> Bool {
            guard let identity else {
                (last, isSettled) = (nil, false)
                return true
            }
            defer { (isSettled, last) = (identity == last, identity) }
            return identity != last || !isSettled
        }

        /// It could not be read: the next look reads it again.
        mutating func fail() { self = Reading() }
    }

    /// Runs until cancelled.
    ///
    /// - Parameter apply: called when the decisions have changed.
    func run(_ apply: @Sendable () async -> Void) async {
        // What was decided since the settings were read is applied too.
        var known: [UInt8]?
        var isFaulty = false
        var reading = Reading()
        while !Task.isCancelled {
            do {
                try await sleep(Self.milliseconds)
            } catch {
                return
            }
            do throws(DexError) {
                guard reading.isDue(file.identity) else { continue }
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
                reading.fail()
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
