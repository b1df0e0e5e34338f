import Ethereum
import FoundationEssentials
import GRDB

extension ChainStore {
    private typealias Mined = (signed: SignedTransaction, outcome: TransactionOutcome)

    /// Reads the whole chain; nil if the file has none yet.
    ///
    /// - Parameter first: the block that was forked; nil for a chain of its own.
    /// - Throws: `SandboxError` if it has another genesis, or its parts do not match.
    func load(
        digest: Bytes32,
        onto first: BlockRecord? = nil
    ) throws(SandboxError) -> StoredChain? {
        let found: [UInt8]? = try read { try Self.meta($0, "genesis") }
        guard let genesis = found else { return nil }
        guard genesis == digest.bytes else { throw .otherGenesis(file) }
        return try read { database in
            var chain = StoredChain(blocks: first.map { [$0] } ?? [])
            chain.slots = try self.slots(database, "slots")
            chain.codes = try self.codes(database)
            if first != nil {
                chain.fetched.slots = try self.slots(database, "fetched")
                chain.fetched.hashes = try self.hashes(database)
            }
            let transactions = try self.transactions(database)
            try self.blocks(database, transactions: transactions, into: &chain)
            chain.pool = try self.pool(database)
            if let offset = try Self.meta(database, "timeOffset"),
                let seconds = UInt256(bigEndian: offset)?.uint64
            {
                chain.timeOffset = seconds
            }
            let head = try Self.meta(database, "head")
            guard let newest = chain.blocks.last, newest.hash.word.bytes == head else {
                throw self.damaged("its newest block is missing")
            }
            return chain
        }
    }

    private static func meta(_ database: Database, _ key: String) throws -> [UInt8]? {
        try Data.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
            .map { Array($0) }
    }

    /// Rows of a key and a value.
    ///
    /// - Parameters:
    ///   - read: nil for a row that cannot be read.
    ///   - what: what a row is, for an error.
    private func rows<Key: Hashable, Value>(
        _ database: Database,
        _ sql: String,
        _ what: String,
        _ read: (Row) -> (Key, Value)?
    ) throws -> [Key: Value] {
        var found: [Key: Value] = [:]
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            guard let (key, value) = read(row) else { throw damaged("\(what) cannot be read") }
            found[key] = value
        }
        return found
    }

    private func hashes(_ database: Database) throws -> [UInt64: BlockHash] {
        try rows(database, "SELECT number, hash FROM hashes", "the hash of a block") { row in
            let (number, hash): (Int64, Data) = (row[0], row[1])
            guard let number = UInt64(exactly: number), let hash = Bytes32(bytes: hash) else {
                return nil
            }
            return (number, BlockHash(hash))
        }
    }

    private func slots(_ database: Database, _ table: String) throws -> [StorageKey: UInt256] {
        try rows(database, "SELECT key, value FROM \(table)", "a slot") { row in
            let (key, value): (Data, Data) = (row[0], row[1])
            guard let key = StorageKey(encoded: Array(key)), let value = UInt256(bigEndian: value)
            else { return nil }
            return (key, value)
        }
    }

    private func codes(_ database: Database) throws -> [Bytes32: [UInt8]] {
        try rows(database, "SELECT hash, code FROM codes", "a contract's code") { row in
            let (hash, code): (Data, Data) = (row[0], row[1])
            guard let hash = Bytes32(bytes: hash), Keccak256.hash(code) == hash else { return nil }
            return (hash, Array(code))
        }
    }

    private func transactions(_ database: Database) throws -> [Int64: [Mined]] {
        var transactions: [Int64: [Mined]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT block, sender, raw, outcome FROM transactions ORDER BY block, position"
        )
        while let row = try rows.next() {
            let block: Int64 = row[0]
            let outcome: Data = row[3]
            guard let signed = Self.signed(sender: row[1], raw: row[2]),
                let rlp = try? RLP.decode(Array(outcome)),  // nil: damaged
                let outcome = RecordCodec.outcome(rlp)
            else { throw damaged("a transaction of block \(block) cannot be read") }
            transactions[block, default: []].append((signed, outcome))
        }
        return transactions
    }

    private func blocks(
        _ database: Database,
        transactions: [Int64: [Mined]],
        into chain: inout StoredChain
    ) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT number, header, undo FROM blocks ORDER BY number"
        )
        while let row = try rows.next() {
            let number: Int64 = row[0]
            let encoded: Data = row[1]
            let undo: Data? = row[2]
            guard let rlp = try? RLP.decode(Array(encoded)),  // nil: damaged
                let header = SandboxHeader(rlp: rlp),
                chain.append(header: header, transactions: transactions[number] ?? [])
            else { throw damaged("block \(number) does not fit to the one before it") }
            if let undo {
                guard let rlp = try? RLP.decode(Array(undo)),  // nil: damaged
                    let values = RecordCodec.values(rlp)
                else { throw damaged("what block \(number) changed cannot be read") }
                chain.undo[header.number] = values
            }
        }
    }

    private func pool(_ database: Database) throws -> [SignedTransaction] {
        let sql = "SELECT sender, raw FROM pool ORDER BY arrival"
        return try Row.fetchAll(database, sql: sql).map { row in
            guard let signed = Self.signed(sender: row[0], raw: row[1]) else {
                throw damaged("a waiting transaction cannot be read")
            }
            return signed
        }
    }

    private static func signed(sender: Data, raw: Data) -> SignedTransaction? {
        guard let sender = Address(bytes: sender) else { return nil }
        // nil: damaged
        return try? SignedTransaction(raw: Array(raw), recoverer: KnownSender(sender: sender))
    }
}
