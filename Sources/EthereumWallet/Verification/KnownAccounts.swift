import Ethereum
import Secp256k1Points

/// The accounts whose signatures were confirmed lately, some of them with tables of their keys.
///
/// It is bounded, and decides who gets a table and whose is given up for it: the one that was not
/// asked for longest.
package struct KnownAccounts: Sendable {
    package struct Limits: Sendable {
        /// The most tables at a time.
        package var tables = 32
        /// How often an account's signatures are confirmed before it gets a table.
        package var confirmations = 32
        /// How many accounts without tables are counted at a time.
        package var counted = 256
        /// The recoveries from one replacement of a table to the next.
        package var recoveriesPerReplacement = 256
    }

    /// How claims were decided until now.
    var counts = SignatureCounts()

    private struct Entry {
        let table: PointTable
        /// The time of the last use.
        var used: Int
    }

    private let limits: Limits
    private var tables: [Address: Entry] = [:]
    /// The accounts whose tables are being made; each has its place already.
    private var unfinished: Set<Address> = []
    private var confirmations: [Address: Int] = [:]
    private var recoveriesSinceReplacement = 0
    /// Counts the uses of tables.
    private var time = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// The table of an account, which is in use from now on.
    mutating func table(of account: Address) -> PointTable? {
        guard let index = tables.index(forKey: account) else { return nil }
        time += 1
        tables.values[index].used = time
        return tables.values[index].table
    }

    /// Counts recoveries and the claims that they confirmed.
    ///
    /// - Returns: a claim of each account whose table is to be made now, and then to be given to
    ///   `finish`.
    mutating func note(recovered: Int, confirmed: [SignatureClaim]) -> [SignatureClaim] {
        counts.recovered += recovered
        recoveriesSinceReplacement += recovered
        return confirmed.filter { count($0.signer) }
    }

    /// Counts a confirmed signature; true if the account's table is to be made now.
    private mutating func count(_ account: Address) -> Bool {
        guard tables[account] == nil, !unfinished.contains(account) else { return false }
        let count = confirmations[account, default: 0] + 1
        guard count > 1 || confirmations.count < limits.counted else {
            // Who signs often stays in the count, whatever number of others sign once (J. Misra and
            // D. Gries, Finding repeated elements, 1982).
            confirmations = confirmations.compactMapValues { $0 > 1 ? $0 - 1 : nil }
            return false
        }
        confirmations[account] = count
        guard count >= limits.confirmations, takePlace() else { return false }
        confirmations[account] = nil
        unfinished.insert(account)
        return true
    }

    /// Makes place for a table; false if this must wait.
    private mutating func takePlace() -> Bool {
        guard tables.count + unfinished.count >= limits.tables else { return true }
        guard recoveriesSinceReplacement >= limits.recoveriesPerReplacement,
            let oldest = tables.min(by: { $0.value.used < $1.value.used })
        else { return false }
        recoveriesSinceReplacement = 0
        tables[oldest.key] = nil
        return true
    }

    /// Ends the making of a table; nil if there is none after all.
    mutating func finish(_ account: Address, _ table: PointTable?) {
        unfinished.remove(account)
        guard let table else { return }
        time += 1
        tables[account] = Entry(table: table, used: time)
        counts.tables += 1
    }
}
