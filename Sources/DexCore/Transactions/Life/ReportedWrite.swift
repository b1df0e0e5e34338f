import DexStore

/// A journal entry that waits until the user has seen how a command ended.
package struct ReportedWrite: Sendable {
    let journal: Journal
    let step: ReportedStep
    /// The time of the step, in seconds since 1970.
    let time: UInt64

    /// Why the journal would not take it now; nil if it would.
    ///
    /// Nothing is written.
    package func obstacle() -> DexError? {
        do throws(JournalError) {
            try journal.rehearse(step, now: time)
            return nil
        } catch {
            return DexError(error)
        }
    }

    /// Writes it.
    ///
    /// - Returns: why the journal did not take it; the next command then asks the chain again.
    @discardableResult
    package func write() -> DexError? {
        do throws(JournalError) {
            try journal.record(step, now: time)
            return nil
        } catch {
            return DexError(error)
        }
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
