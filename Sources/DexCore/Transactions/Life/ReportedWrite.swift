import DexStore

/// A journal entry that waits until the user has seen how a command ended.
package struct ReportedWrite: Sendable {
    let journal: Journal
    let step: ReportedStep
    /// The time of the step, in seconds since 1970.
    let time: UInt64

    /// Writes it.
    ///
    /// A failing journal hides nothing: the next command asks the chain for what is missing.
    package func write() {
        try? journal.record(step, now: time)
    }
}

extension Session {
    /// Records a step after the user has seen how the command ended.
    ///
    /// If the process is killed before, it is not recorded, so that the next command reports it.
    func onceReported(_ step: ReportedStep, in journal: Journal) {
        environment.onReported(
            ReportedWrite(journal: journal, step: step, time: environment.now())
        )
    }

    /// Records how a confirmed command ended; without an error it did what was asked.
    func onceReported(closed intent: Int64, by error: DexError?, in journal: Journal) {
        let exit = (error?.exit ?? .done).rawValue
        onceReported(.closed(intent: intent, exit: exit), in: journal)
    }
}
