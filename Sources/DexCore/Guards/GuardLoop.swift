package import DexSigning
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
    package mutating func run(signer: AuthorizedSigner?) async throws(DexError) -> DexError? {
        let result = await Result { () async throws(DexError) in try await watch(signer) }
        try runner.unwatch()
        return try result.get()
    }

    private mutating func watch(
        _ signer: AuthorizedSigner?
    ) async throws(DexError) -> DexError? {
        let first = try runner.watch()
        guard !first.isEmpty else { throw DexError(GuardError.noGuards(account: runner.account)) }
        report(.begun(count: first.count))
        var isFirst = true
        while !Task.isCancelled {
            let guards = try runner.watch()
            if guards.isEmpty { return ended }
            do throws(DexError) {
                try await check(guards, signer: signer)
                isFirst = false
                if trouble != nil { report(.recovered) }
                trouble = nil
            } catch {
                if Task.isCancelled { return ended }
                checked = nil
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

    /// Checks the guards if there is a new block or a new guard, and fires those that fire.
    private mutating func check(
        _ guards: [JournalGuard],
        signer: AuthorizedSigner?
    ) async throws(DexError) {
        let head = try await ChainHead.read(session)
        let ids = Set(guards.map(\.id))
        if let checked, checked.block == head.hash, ids.isSubset(of: checked.guards) { return }
        for pair in Set(guards.map(\.pair)) {
            let tokens = try await TokenResolver(session: session)
                .tokens(at: [pair.base, pair.quote])
            let book = try await BookReader(session: session, settings: settings.reading)
                .snapshot(
                    of: Pair(
                        base: tokens[pair.base] ?? .unknown(pair.base),
                        quote: tokens[pair.quote] ?? .unknown(pair.quote)
                    ),
                    account: runner.account
                )
            for made in runner.check(guards, in: book, head: head.number, report: report) {
                if Task.isCancelled { return }
                let error = await runner.fire(made, signer: signer, report: report)
                ended = error ?? ended
            }
        }
        checked = (head.hash, ids)
    }
}
