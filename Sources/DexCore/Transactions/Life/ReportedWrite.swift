import DexStore

/// A step of the journal that waits until the user has seen how a command ended.
package struct ReportedWrite: Sendable {
    let journal: Journal
    let step: ReportedStep
    /// When it was taken, in seconds since 1970.
    let time: UInt64

    /// Writes it.
    ///
    /// A journal that fails hides nothing: what it does not know the next command asks the chain.
    package func write() {
        try? journal.record(step, now: time)
    }
}

extension Session {
    /// Has the journal take a step in once the user has seen how the command ended; never where the
    /// process is killed before, so that the next command reports it.
    func onceReported(_ step: ReportedStep, in journal: Journal) {
        environment.onReported(
            ReportedWrite(journal: journal, step: step, time: environment.now())
        )
    }
}
