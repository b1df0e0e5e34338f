package import DexSigning
package import DexStore
package import Ethereum

/// Decides which guards of an account fire, and fires them.
///
/// The caller reads the books, at each new block, and has the key. `dex guard run` is such a caller.
package struct GuardRunner: Sendable {
    private let context: OperationContext
    package let account: Address
    private var streak = GuardStreak()
    /// Why a guard that waits was left out, since it never fires; nil if none was.
    package private(set) var leftOut: DexError?
    /// The last reason that was reported for a guard.
    private var reported: [Int64: String] = [:]

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        account: Address
    ) {
        context = OperationContext(session: session, journal: journal, settings: settings)
        self.account = account
    }

    /// The account's guards that wait; other processes see from now on that they are watched.
    ///
    /// One whose terms its key did not confirm, or whose time is over, is reported, and left out: it
    /// never fires.
    package mutating func watch(
        report: (GuardReport) -> Void = { _ in }
    ) throws(DexError) -> [JournalGuard] {
        let waiting = try self.waiting()
        leftOut = nil
        var able: [JournalGuard] = []
        for guardOrder in waiting {
            guard let reason = guardOrder.neverFires else {
                able.append(guardOrder)
                continue
            }
            if leftOut == nil || !guardOrder.isConfirmed {
                leftOut =
                    guardOrder.isConfirmed
                    ? GuardError.expired(guardOrder.id) : GuardError.unconfirmed
            }
            streak.end(guardOrder.id)
            hold(guardOrder, reason, report)
        }
        try journaled(try context.journal.watch(Set(able.map(\.id))))
        return able
    }

    /// A reading failed: what was reached before it counts no more.
    package mutating func forget() { streak.endAll() }

    /// Reports why the guards of a pair do not fire, and that their prices are unknown.
    package mutating func hold(
        _ guards: [JournalGuard],
        of pair: PairAddresses,
        _ reason: String,
        report: (GuardReport) -> Void
    ) {
        for guardOrder in guards where guardOrder.pair == pair {
            streak.end(guardOrder.id)
            hold(guardOrder, reason, report)
        }
    }

    private func waiting() throws(DexError) -> [JournalGuard] {
        try GuardsModel(session: context.session, journal: context.journal).waiting(account)
    }

    /// Says that nothing is watched any more.
    package func unwatch() throws(DexError) {
        try journaled(try context.journal.watch([]))
    }

    /// The guards that fire by a market of their pair.
    ///
    /// A guard fires in the second block in a row in which its price is reached and the whole
    /// amount can be traded within its limit. A market of one block alone, such as one large order
    /// that is cancelled in the next block, fires nothing. A block counts only after the reading of
    /// the one before. At pools without a mean price the readings go on for a minute.
    ///
    /// - Parameters:
    ///   - guards: waiting ones of that market; those of other pairs are ignored.
    ///   - market: read with the account, so that its own orders do not count.
    ///   - head: the latest block's number.
    package mutating func check(
        _ guards: [JournalGuard],
        in market: TriggerMarket,
        head: UInt64,
        report: (GuardReport) -> Void
    ) -> [JournalGuard] {
        let problem = BookAge.problem(
            of: market.block,
            head: head,
            network: context.session.network,
            now: context.session.environment.now()
        )
        var firing: [JournalGuard] = []
        for guardOrder in guards where guardOrder.pair == PairAddresses(market.pair) {
            if let problem {
                streak.end(guardOrder.id)
                hold(guardOrder, problem, report)
                continue
            }
            switch GuardCheck.verdict(guardOrder, in: market) {
            case .waits:
                streak.end(guardOrder.id)
                reported[guardOrder.id] = nil
            case .blocked(let reason):
                streak.end(guardOrder.id)
                hold(guardOrder, reason, report)
            case .fires:
                let blocks = context.session.network.blocksBetweenReadings
                switch streak.add(guardOrder.id, at: market.block, within: blocks) {
                case .begins:
                    report(
                        .reached(guardOrder, block: market.block.number, patience: market.patience)
                    )
                case .stays: break
                case .follows(let seconds):
                    if seconds >= market.patience { firing.append(guardOrder) }
                }
            }
        }
        return firing
    }

    /// What became of a guard that was to fire.
    package enum Firing: Sendable {
        /// Nothing was signed, and the reason is reported.
        case held
        /// It fired, or failed at it; the error is why it did not do all of it, if it does not wait
        /// again.
        case fired(DexError?)
    }

    /// The key that signs without a question as of now; nil while it is locked.
    package typealias Key = @Sendable () throws(DexError) -> AuthorizedSigner?

    /// Fires a guard: plans its order, takes it in the journal, signs, sends and waits.
    ///
    /// Whatever ends this, the guard never fires again by itself once its order may have been
    /// signed.
    ///
    /// - Parameter key: asked for each guard.
    @discardableResult
    package mutating func fire(
        _ guardOrder: JournalGuard,
        key: Key,
        report: (GuardReport) -> Void
    ) async -> Firing {
        let runner = PlanRunner(context)
        let signer: AuthorizedSigner
        let planned: Plan<TradePlan>
        do throws(DexError) {
            guard let unlocked = try key() else {
                hold(guardOrder, "The key of \(account.checksummed) is locked.", report)
                return .held
            }
            signer = unlocked
            // The holder of the key checks that it confirmed exactly these terms.
            guard
                GuardMessage.isConfirmed(guardOrder, by: signer.address, context.session.recoverer)
            else { throw GuardError.changed(guardOrder.id) }
            guard guardOrder.expires >= context.session.environment.now() else {
                throw GuardError.expired(guardOrder.id)
            }
            try checkNotFired(guardOrder, signer)
            planned = try await MarketOrderModel(context).plan(firing: guardOrder, account: account)
            if let stop = planned.content.stop { throw stop }
            try runner.check(planned, signer: signer)
        } catch {
            if !Task.isCancelled { hold(guardOrder, error.message, report) }
            return .held
        }
        if Task.isCancelled { return .held }
        report(.firing(guardOrder, planned.content))
        do throws(DexError) {
            let outcome = try await runner.run(planned, signer: signer)
            report(.fired(guardOrder, outcome))
            return .fired(outcome.error)
        } catch {
            // Another process was first.
            if error.concerns(.takenGuard) { return .fired(nil) }
            let waits = (try? waitsAgain(guardOrder)) ?? false  // unknown: it stays as it is
            if waits, reported[guardOrder.id] == error.message { return .fired(nil) }
            reported[guardOrder.id] = error.message
            report(.failed(guardOrder, error, waitsAgain: waits))
            return .fired(waits ? nil : error)
        }
    }

    /// Whatever the journal says: the audit log has what was signed.
    private func checkNotFired(
        _ guardOrder: JournalGuard,
        _ signer: AuthorizedSigner
    ) throws(DexError) {
        guard let number = guardOrder.terms?.nonce else { throw GuardError.changed(guardOrder.id) }
        let hasFired: Bool
        do throws(SigningError) {
            hasFired = try signer.hasSigned(firingOf: number)
        } catch {
            throw DexError(error)
        }
        guard !hasFired else { throw GuardError.alreadyFired(guardOrder.id) }
    }

    /// Lets the guard wait again if nothing was signed.
    private func waitsAgain(_ guardOrder: JournalGuard) throws(DexError) -> Bool {
        if try journaled(try context.journal.rearmGuard(guardOrder.id)) { return true }
        return try waiting().contains { $0.id == guardOrder.id }
    }

    private mutating func hold(
        _ guardOrder: JournalGuard,
        _ reason: String,
        _ report: (GuardReport) -> Void
    ) {
        guard reported[guardOrder.id] != reason else { return }
        reported[guardOrder.id] = reason
        report(.held(guardOrder, reason))
    }
}
