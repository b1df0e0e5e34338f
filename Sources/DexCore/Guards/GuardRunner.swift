package import DexSigning
package import DexStore
package import Ethereum

/// Decides which guards of an account fire, and fires them.
///
/// The caller reads the books, at each new block, and has the key. `dex guard run` is such a caller.
package struct GuardRunner: Sendable {
    private let model: GuardOrderModel
    package let account: Address
    /// The block in which a guard's price was first reached, as long as it stays reached.
    private var reached: [Int64: UInt64] = [:]
    /// The last reason that was reported for a guard.
    private var told: [Int64: String] = [:]

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        account: Address
    ) {
        model = GuardOrderModel(session: session, journal: journal, settings: settings)
        self.account = account
    }

    /// The account's guards that wait; other processes see from now on that they are watched.
    package func watch() throws(DexError) -> [JournalGuard] {
        let waiting = try self.waiting()
        try journaled(try model.journal.watch(Set(waiting.map(\.id))))
        return waiting
    }

    private func waiting() throws(DexError) -> [JournalGuard] {
        try GuardsModel(session: model.session, journal: model.journal).waiting(account)
    }

    /// Says that nothing is watched any more.
    package func unwatch() throws(DexError) {
        try journaled(try model.journal.watch([]))
    }

    /// The guards that fire by a book of their pair.
    ///
    /// A guard fires in the second block in a row in which its price is reached and the whole
    /// amount can be traded within its limit. A book of one block alone, such as one large order
    /// that is cancelled in the next block, fires nothing.
    ///
    /// - Parameters:
    ///   - guards: waiting ones; those of other pairs are ignored.
    ///   - book: read with the account, so that its own orders do not count.
    ///   - head: the latest block's number.
    package mutating func check(
        _ guards: [JournalGuard],
        in book: BookSnapshot,
        head: UInt64,
        report: (GuardReport) -> Void
    ) -> [JournalGuard] {
        let problem = BookAge.problem(
            of: book.block,
            head: head,
            network: model.session.network,
            now: model.session.environment.now()
        )
        var firing: [JournalGuard] = []
        for made in guards where made.pair == PairAddresses(book.pair) {
            if let problem {
                hold(made, problem, report)
                continue
            }
            switch GuardCheck.verdict(made, in: book) {
            case .waits:
                reached[made.id] = nil
                told[made.id] = nil
            case .held(let reason):
                reached[made.id] = nil
                hold(made, reason, report)
            case .fires:
                guard let first = reached[made.id] else {
                    reached[made.id] = book.block.number
                    report(.reached(made, block: book.block.number))
                    continue
                }
                if book.block.number > first { firing.append(made) }
            }
        }
        return firing
    }

    /// Fires a guard: plans its order, takes it in the journal, signs, sends and waits.
    ///
    /// Whatever ends this, the guard never fires again by itself once something may have been
    /// signed.
    ///
    /// - Parameter signer: a key that signs without a question; nil if it is locked.
    /// - Returns: why it did not do all of it, if it fired and does not wait again.
    @discardableResult
    package mutating func fire(
        _ made: JournalGuard,
        signer: AuthorizedSigner?,
        report: (GuardReport) -> Void
    ) async -> DexError? {
        guard let signer else {
            hold(made, "The key of \(account.checksummed) is locked.", report)
            return nil
        }
        let planned: PlannedGuard
        do throws(DexError) {
            planned = try await model.plan(made, account: account)
            if let stop = planned.plan.stop { throw stop }
            try model.check(planned, signer: signer)
        } catch {
            if !Task.isCancelled { hold(made, error.message, report) }
            return nil
        }
        if Task.isCancelled { return nil }
        report(.firing(made, planned.plan))
        do throws(DexError) {
            let outcome = try await model.execute(planned, signer: signer)
            report(.fired(made, outcome))
            return outcome.error
        } catch {
            // Another process was first.
            if error.cause as? JournalError == .guardNotWaiting(made.id) { return nil }
            let waits = (try? waitsAgain(made)) ?? false  // unknown: it stays as it is
            if waits, told[made.id] == error.message { return nil }
            told[made.id] = error.message
            report(.failed(made, error, waitsAgain: waits))
            return waits ? nil : error
        }
    }

    /// Lets the guard wait again if nothing was signed.
    private func waitsAgain(_ made: JournalGuard) throws(DexError) -> Bool {
        if try journaled(try model.journal.rearmGuard(made.id)) { return true }
        return try waiting().contains { $0.id == made.id }
    }

    private mutating func hold(
        _ made: JournalGuard,
        _ reason: String,
        _ report: (GuardReport) -> Void
    ) {
        guard told[made.id] != reason else { return }
        told[made.id] = reason
        report(.held(made, reason))
    }
}
