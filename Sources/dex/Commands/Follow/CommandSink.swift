import DexCore
import DexStore
import DexTerminal
import Ethereum
import Glibc
import StrictJSON
import ZeroEx

/// A user's command: one process per message, on its standard input and partly in variables.
///
/// No shell reads any of it.
struct CommandSink: WatchSink {
    let name = "command"
    /// The program and its arguments.
    let command: [String]
    /// The longest time, in seconds.
    let timeout: UInt64
    /// What it is told of an event.
    var form = WatchForm()

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        var program = TimedProgram(
            command: command,
            timeout: timeout * 1_000,
            longestOutput: nil
        )
        program.variables = Self.variables(notice, form)
        program.isDetached = true
        do throws(TimedProgram.Failure) {
            let status = try await program.run(WatchJSON.body(notice, form) + [0x0A]).status
            if status == 0 { return .delivered }
            return .later(
                status < 0 ? "A signal ended it." : "It ended with the exit code \(status)."
            )
        } catch {
            switch error {
            case .notStarted(let what, let code):
                return .later("It cannot be started: \(what): \(String(cString: strerror(code))).")
            case .tooSlow:
                return .later(
                    "It did not end within \(timeout) s, and was ended; a longer time is set by "
                        + "watch.command_timeout."
                )
            case .tooLong, .interrupted: return .later("It was ended.")
            }
        }
    }

    private static func variables(_ notice: WatchNotice, _ form: WatchForm) -> [String] {
        let event = notice.event
        return [
            "DEX_EVENT=\(event.kind.rawValue)",
            "DEX_EVENT_PHASE=\(notice.message.phase.rawValue)",
            "DEX_EVENT_ID=\(notice.message.id)",
            "DEX_EVENT_TEXT=\(WatchText.title(notice, form))",
            "DEX_EVENT_TRANSACTION=\(event.transaction?.hex ?? "")",
            "DEX_EVENT_ORDER=\(event.orderHash?.hex ?? "")",
            "DEX_EVENT_ALERT=\(event.alert.map { String($0.id) } ?? "")",
            "DEX_EVENT_ACCOUNT=\(notice.account.checksummed)",
            "DEX_EVENT_NETWORK=\(notice.network)",
        ]
    }
}
