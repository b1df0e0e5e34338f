import DexCore
import DexTerminal
import StrictJSON

/// stdout: text lines, or with `--json` one object per line.
struct TerminalSink: WatchSink {
    let context: CommandContext
    let name = "terminal"
    /// The text of an event in place of the usual lines; nil without one.
    var template: WatchTemplate?

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let report = CommandReport(data: WatchJSON.notice(notice)) { [template] screen in
            template.map { [WatchText.text($0, notice)] } ?? WatchView(notice).lines(screen)
        }
        return context.emit(report) ? .delivered : .closed
    }
}
