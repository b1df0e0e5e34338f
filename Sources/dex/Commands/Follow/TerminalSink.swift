import DexCore
import DexTerminal
import StrictJSON

/// stdout: text lines, or with `--json` one object per line.
struct TerminalSink: WatchSink {
    let context: CommandContext
    let name = "terminal"

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let report = CommandReport(data: WatchJSON.notice(notice)) { WatchView(notice).lines($0) }
        return context.emit(report) ? .delivered : .closed
    }
}
