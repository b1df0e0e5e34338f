import DexStore
import Ethereum
import ZeroEx

/// The alerts of books and balances, checked at each new block.
struct WatchedAlerts {
    let session: Session
    let journal: Journal
    let subject: WatchTarget
    let tell: @Sendable (WatchStatus) -> Void

    /// The alerts of the last check; nil if it has to be made again.
    private var checked: Set<Int64>?
    /// What cannot be told at present, each reported once.
    private var unknown: Set<String> = []
    /// The pairs whose pools have no mean price, each reported once.
    private var withoutMean: Set<PairAddresses> = []

    init(
        session: Session,
        journal: Journal,
        subject: WatchTarget,
        tell: @escaping @Sendable (WatchStatus) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.subject = subject
        self.tell = tell
    }

    /// The alerts that concern the account.
    func all() throws(DexError) -> [JournalAlert] {
        try AlertsModel(session: session, journal: journal).list(for: subject.account)
    }

    /// The alerts that fire at the latest block, and those that are armed again.
    ///
    /// What cannot be read fires nothing, is reported once, and is read again at the next check.
    mutating func changes(
        _ alerts: [JournalAlert],
        head: Block,
        isNewBlock: Bool
    ) async -> [AlertChange] {
        let alerts = alerts.filter { alert in
            if case .order = alert.condition { false } else { true }
        }
        let ids = Set(alerts.map(\.id))
        guard isNewBlock || checked != ids else { return [] }
        var verdicts: [Int64: AlertVerdict] = [:]
        checked = ids
        for pair in Set(alerts.compactMap(\.condition.pair)) {
            let ofPair = alerts.filter { $0.condition.pair == pair }
            do throws(DexError) {
                let market = try await market(of: pair, head: head)
                for alert in ofPair {
                    verdicts[alert.id] = AlertCheck.verdict(alert.condition, in: market)
                }
            } catch {
                checked = nil
                for alert in ofPair { verdicts[alert.id] = .unknown(error.message) }
            }
        }
        verdicts.merge(await balances(alerts)) { $1 }
        if Task.isCancelled { return [] }
        report(verdicts, of: alerts)
        return alerts.compactMap { change($0, verdicts[$0.id], head: head) }
    }

    /// Forgets the last check: its changes were not recorded.
    mutating func reset() {
        checked = nil
    }

    /// Orders of alerts that an event ends: those that are to fire once.
    static func ended(_ alerts: [JournalAlert], by changes: [WatchStep.Change]) -> [AlertChange] {
        alerts.filter { alert in
            alert.isOnce
                && changes.contains { change in
                    guard case .new(let event) = change else { return false }
                    return AlertCheck.matches(alert.condition, event)
                }
        }.map { .ended($0) }
    }

    // MARK: Reading

    private mutating func market(
        of pair: PairAddresses,
        head: Block
    ) async throws(DexError) -> TriggerMarket {
        let tokens = try await TokenResolver(session: session).tokens(at: [pair.base, pair.quote])
        let market = try await TriggerMarket.read(
            Pair(
                base: tokens[pair.base] ?? .unknown(pair.base),
                quote: tokens[pair.quote] ?? .unknown(pair.quote)
            ),
            atPools: session.isOfPools,
            session: session
        )
        let problem = BookAge.problem(
            of: market.block,
            head: head.number,
            network: session.network,
            now: session.environment.now()
        )
        if let problem { throw ReadError.oldBook(problem) }
        if case .pools(let pools) = market {
            if case .missing(let reason) = pools.mean {
                if withoutMean.insert(pair).inserted { tell(.alertsWithoutMean(reason)) }
            } else {
                withoutMean.remove(pair)
            }
        }
        return market
    }

    private mutating func balances(_ alerts: [JournalAlert]) async -> [Int64: AlertVerdict] {
        var verdicts: [Int64: AlertVerdict] = [:]
        let ofBalance = alerts.compactMap { alert in
            if case .balance(let token, _, _) = alert.condition { (alert, token) } else { nil }
        }
        guard !ofBalance.isEmpty else { return [:] }
        do throws(DexError) {
            let tokens = Set(ofBalance.compactMap(\.1)).sorted()
            let holdings = try await AccountHoldings.read(
                session,
                of: subject.account,
                tokens: tokens.map(\.checksummed) + [TokenMap.coinAddress.checksummed]
            )
            for (alert, _) in ofBalance {
                let inEther = AlertCheck.verdict(
                    alert.condition,
                    balance: holdings.ether.rawValue,
                    of: .coin(session.network.coin)
                )
                verdicts[alert.id] =
                    inEther
                    ?? holdings.rows.lazy.compactMap { row in
                        AlertCheck.verdict(alert.condition, of: row)
                    }.first
            }
        } catch {
            checked = nil
            for (alert, _) in ofBalance { verdicts[alert.id] = .unknown(error.message) }
        }
        return verdicts
    }

    // MARK: Changes

    private func change(
        _ alert: JournalAlert,
        _ verdict: AlertVerdict?,
        head: Block
    ) -> AlertChange? {
        switch verdict {
        case .holds(let value):
            guard alert.isArmed else { return nil }
            let place = WatchEvent.Place(
                block: WatchedBlock(number: head.number, hash: head.hash),
                logIndex: nil,
                time: head.timestamp
            )
            return .fired(alert, subject.event(alert, value: value, place: place))
        case .fails: return alert.isArmed ? nil : .rearmed(alert)
        case .waits, .unknown, nil: return nil
        }
    }

    /// Reports what cannot be told, and what can again, each once.
    private mutating func report(_ verdicts: [Int64: AlertVerdict], of alerts: [JournalAlert]) {
        var now: [String] = []
        for alert in alerts {
            guard case .unknown(let reason) = verdicts[alert.id], !now.contains(reason) else {
                continue
            }
            now.append(reason)
        }
        for reason in now where !unknown.contains(reason) { tell(.alertsUnknown(reason)) }
        if now.isEmpty, !unknown.isEmpty { tell(.alertsKnown) }
        unknown = Set(now)
    }
}
