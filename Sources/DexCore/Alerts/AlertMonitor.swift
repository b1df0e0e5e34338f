package import DexStore
package import Ethereum

/// The alerts of a screen: which of them fire now, each once until its condition is false again.
///
/// It keeps what fired in memory, and leaves the alerts of the journal as they are: those are for
/// `dex watch`, which reports to the sinks.
package struct AlertMonitor: Sendable {
    package private(set) var alerts: [JournalAlert]
    /// The alerts that fired and are not armed again.
    private var fired: Set<Int64>

    /// - Parameter alerts: those of the network, and of the account if one is shown.
    package init(_ alerts: [JournalAlert]) {
        self.alerts = alerts
        fired = Set(alerts.filter { !$0.isArmed }.map(\.id))
    }

    /// Takes over added and removed alerts; what fired stays so.
    package mutating func replace(_ alerts: [JournalAlert]) {
        let known = Set(self.alerts.map(\.id))
        fired.formUnion(alerts.filter { !$0.isArmed && !known.contains($0.id) }.map(\.id))
        fired.formIntersection(alerts.map(\.id))
        self.alerts = alerts
    }

    /// The alerts that a newly read book fires.
    package mutating func fire(in book: some BookPrices) -> [FiredAlert] {
        fire { AlertCheck.verdict($0.condition, in: book) }
    }

    /// The alerts that newly read pools fire: as for a watch, by two blocks in a row and the mean.
    package mutating func fire(in pools: PoolReading) -> [FiredAlert] {
        fire { AlertCheck.verdict($0.condition, in: .pools(pools)) }
    }

    /// The alerts that a balance in base units fires.
    package mutating func fire(balance: UInt256, of currency: Currency) -> [FiredAlert] {
        fire { AlertCheck.verdict($0.condition, balance: balance, of: currency) }
    }

    /// The alerts that a change of an own order fires: each time.
    ///
    /// - Parameter value: what happened, in words.
    package func fire(
        _ change: AlertCondition.OrderChange,
        of pair: PairAddresses,
        value: String
    ) -> [FiredAlert] {
        alerts.filter { AlertCheck.matches($0.condition, change, of: [pair.base, pair.quote]) }
            .map { FiredAlert(id: $0.id, text: $0.text, value: value) }
    }

    private mutating func fire(_ verdict: (JournalAlert) -> AlertVerdict?) -> [FiredAlert] {
        var now: [FiredAlert] = []
        for alert in alerts {
            switch verdict(alert) {
            case .holds(let value):
                if fired.insert(alert.id).inserted {
                    now.append(FiredAlert(id: alert.id, text: alert.text, value: value))
                }
            case .fails: fired.remove(alert.id)
            case .waits, .unknown, nil: break
            }
        }
        return now
    }
}
