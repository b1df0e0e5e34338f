import DexStore

/// The transactions of one nonce that took each other's place.
extension Journal {
    /// What a transaction was signed to take the place of, the latest first.
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

    /// What was signed to take the place of a transaction, the first one first.
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

/// More replacements than anybody makes of one nonce; a damaged journal may lead in a circle.
private let longestLine = 1_000
