import DexTerminal
import StrictJSON

/// The end of a sandbox: whether its chain is there the next time.
struct SandboxEnd {
    /// nil where that is not known.
    private let isKept: Bool?

    /// - Parameter isInMemory: it was started with `--memory`; nil where that is not known.
    init(_ isInMemory: Bool?) {
        isKept = isInMemory.map { !$0 }
    }

    /// A sentence of what stops it, such as `Ctrl-C`.
    func hint(_ stop: String) -> String {
        switch isKept {
        case true?: "\(stop) stops it; everything is kept."
        case false?: "\(stop) stops it; nothing is kept."
        case nil: "\(stop) stops it."
        }
    }

    /// The report of one that has stopped.
    var report: CommandReport {
        let isKept = isKept == true
        return CommandReport(
            data: ["running": false, "kept": .bool(isKept)],
            lines: { _ in
                [isKept ? "Stopped; everything is kept for the next time." : "Stopped."]
            }
        )
    }
}
