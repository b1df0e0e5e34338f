import DexCore
import DexTerminal

/// Desktop notifications, by notify-send; a failed one is soon outdated, so it is not retried.
struct DesktopSink: WatchSink {
    let name = "desktop"
    private let program: String
    private let form: WatchForm

    /// The longest time, in milliseconds.
    private static let timeout: UInt64 = 5_000

    /// nil without notify-send.
    init?(_ environment: ProcessEnvironment, form: WatchForm = WatchForm()) {
        guard let program = ChildProgram(named: "notify-send", environment) else { return nil }
        self.program = program.path
        self.form = form
    }

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let title = WatchText.title(notice, form)
        let isWhole = form == WatchForm()
        let details = isWhole ? WatchText.details(notice).joined(separator: "\n") : ""
        var program = TimedProgram(
            command: [program, "--app-name=dex", "--", title, Self.escaped(details)],
            timeout: Self.timeout,
            longestOutput: nil
        )
        program.isDetached = true
        do throws(TimedProgram.Failure) {
            let status = try await program.run([]).status
            return status == 0
                ? .delivered : .refused("notify-send ended with the exit code \(status).")
        } catch {
            return .refused("notify-send could not show it.")
        }
    }

    /// The body of a notification is markup.
    /// Source: https://specifications.freedesktop.org/notification-spec/latest/markup.html
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
