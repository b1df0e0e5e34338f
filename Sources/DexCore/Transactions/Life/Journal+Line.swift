import DexStore

/// The transactions of one nonce that replaced each other.
extension Journal {
    /// The transactions that this one replaced, the latest first.
    func predecessors(
        of transaction: JournalTransaction
    ) throws(JournalError) -> [JournalTransaction] {
        var line: [JournalTransaction] = []
        var next = transaction.predecessor
        while let hash = next, line.count < longestLine, let before = try self.transaction(hash) {
            line.append(before)
            next = before.predecessor
        }
        return line
    }

    /// The transactions that replaced this one, the earliest first.
    func successors(
        of transaction: JournalTransaction
    ) throws(JournalError) -> [JournalTransaction] {
        var line: [JournalTransaction] = []
        var next = transaction.successor
        while let hash = next, line.count < longestLine, let behind = try self.transaction(hash) {
            line.append(behind)
            next = behind.successor
        }
        return line
    }
}

/// A limit above any realistic number of replacements; a damaged journal may contain a cycle.
private let longestLine = 1_000
