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
    /// The pools of the block before, with which the latest are compared.
    private var pools: PoolBook?

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

    /// The alerts that newly read pools fire: what holds, or fails, in two blocks in a row.
    ///
    /// What one block's last transaction leaves in pools is no price yet.
    package mutating func fire(in pools: PoolBook) -> [FiredAlert] {
        let before = self.pools.flatMap { $0.isRight(before: pools) ? $0 : nil }
        if self.pools?.block.hash != pools.block.hash { self.pools = pools }
        guard let before else { return [] }
        return fire {
            AlertCheck.verdict($0.condition, in: pools)?
                .confirmed(by: AlertCheck.verdict($0.condition, in: before), mean: nil)
        }
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

extension PoolBook {
    /// It is of the same pair, and of a block that the other one follows on.
    ///
    /// Where blocks are made faster than they are read, 4 s may lie between them.
    fileprivate func isRight(before next: PoolBook) -> Bool {
        guard PairAddresses(pair) == PairAddresses(next.pair), next.block.number > block.number
        else { return false }
        return next.block.parentHash == block.hash
            || next.block.number > block.number + 1
                && next.block.timestamp >= block.timestamp
                && next.block.timestamp - block.timestamp <= 4
    }
}
