import DexSigning
package import DexStore
package import Ethereum
import ZeroEx

/// `dex guard run`: checks the guards of an account at each block until none waits.
package struct GuardLoop: Sendable {
    private let session: Session
    private let settings: TradeSettings
    private let report: @Sendable (GuardReport) -> Void
    private var runner: GuardRunner
    /// The block and the guards of the last check.
    private var checked: (block: BlockHash, guards: Set<Int64>)?
    private var trouble: DexError?
    /// The error of the last guard that fired.
    private var ended: DexError?

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        account: Address,
        report: @escaping @Sendable (GuardReport) -> Void
    ) {
        self.session = session
        self.settings = settings
        self.report = report
        runner = GuardRunner(
            session: session,
            journal: journal,
            settings: settings,
            account: account
        )
    }

    /// Runs until no guard waits, or until it is cancelled.
    ///
    /// - Throws: `DexError`: exit 6, `no-guards`, if none waits at the start; any failure of the
    ///   first reading; the journal's failure. Later failures of node and relay are reported, and
    ///   the reading is repeated.
    /// - Returns: why the last guard that fired did not do all of it; nil if it did.
    ///
    /// - Parameter key: asked each time that a guard fires: a wallet may be locked or unlocked
    ///   meanwhile.
    package mutating func run(key: @escaping GuardRunner.Key) async throws(DexError) -> DexError? {
        let result = await Result { () async throws(DexError) in try await watch(key) }
        try runner.unwatch()
        return try result.get()
    }

    private mutating func watch(
        _ key: @escaping GuardRunner.Key
    ) async throws(DexError) -> DexError? {
        let first = try runner.watch(report: report)
        guard !first.isEmpty else {
            throw runner.leftOut ?? GuardError.noGuards(account: runner.account)
        }
        report(.begun(count: first.count))
        var isFirst = true
        while !Task.isCancelled {
            let guards = try runner.watch(report: report)
            if guards.isEmpty { return ended ?? runner.leftOut }
            do throws(DexError) {
                try await check(guards, key: key)
                isFirst = false
                if trouble != nil { report(.recovered) }
                trouble = nil
            } catch {
                if Task.isCancelled { return ended }
                checked = nil
                runner.forget()
                guard !isFirst, error.retryable || error.kind == .unreachable else { throw error }
                if trouble?.isLike(error) != true { report(.failing(error)) }
                trouble = error
            }
            guard await session.environment.hasSlept(session.network.watchInterval) else {
                return ended
            }
        }
        return ended
    }

    /// Checks the guards if there is a new block or a new guard, and fires at most one: what it
    /// trades changes the book that the others were compared with.
    private mutating func check(
        _ guards: [JournalGuard],
        key: @escaping GuardRunner.Key
    ) async throws(DexError) {
        let head = try await ChainHead.read(session)
        let ids = Set(guards.map(\.id))
        if let checked, checked.block == head.hash, ids.isSubset(of: checked.guards) { return }
        var firing: [JournalGuard] = []
        var pairs: [PairAddresses] = []
        // The oldest guard first, whatever its pair.
        let guards = guards.sorted { $0.id < $1.id }
        for guardOrder in guards where !pairs.contains(guardOrder.pair) {
            pairs.append(guardOrder.pair)
        }
        for (pair, atPools) in pairs.flatMap({ [($0, false), ($0, true)] }) {
            let guards = guards.filter { $0.pair == pair && $0.isAtPools == atPools }
            guard !guards.isEmpty else { continue }
            if let reason = GuardCheck.lack(atPools: atPools, session) {
                runner.hold(guards, of: pair, reason, report: report)
                continue
            }
            let tokens = try await TokenResolver(session: session)
                .tokens(at: [pair.base, pair.quote])
            do throws(DexError) {
                let market = try await TriggerMarket.read(
                    Pair(
                        base: tokens[pair.base] ?? .unknown(pair.base),
                        quote: tokens[pair.quote] ?? .unknown(pair.quote)
                    ),
                    account: runner.account,
                    atPools: atPools,
                    settings: settings.reading,
                    session: session
                )
                firing += runner.check(guards, in: market, head: head.number, report: report)
            } catch {
                // A token whose contract contradicts its list, or a pair whose pools are empty, says
                // nothing about other pairs.
                guard error.concerns(.pair) else { throw error }
                runner.hold(guards, of: pair, error.message, report: report)
            }
        }
        for guardOrder in firing.sorted(by: { $0.id < $1.id }) {
            if Task.isCancelled { return }
            if case .fired(let error) = await runner.fire(guardOrder, key: key, report: report) {
                ended = error ?? ended
                break
            }
        }
        checked = (head.hash, ids)
    }
}
