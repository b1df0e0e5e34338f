import Ethereum
import FoundationEssentials
import GRDB

/// A row of `events`, in few bytes.
struct EventRow: FetchableRecord, TableRecord {
    static var databaseTableName: String { "events" }

    let log: Log

    static func of(_ subject: Int64) -> QueryInterfaceRequest<Self> {
        filter(Column("subject") == subject)
    }

    init(row: Row) throws {
        let topics = try Self.unpacked(try row.value("topics"))
        log = Log(
            address: try Self.address(try row.value("contract")),
            topics: try stride(from: 0, to: topics.count, by: 32).map { start in
                try Self.word(topics[start..<min(start + 32, topics.count)])
            },
            data: try Self.unpacked(try row.value("data")),
            blockNumber: try row.value("block"),
            blockHash: BlockHash(try Self.word(try row.value("block_hash") as Data)),
            transactionHash: TransactionHash(
                try Self.word(try row.value("transaction_hash") as Data)
            ),
            logIndex: try row.value("log_index"),
            blockTimestamp: try row.value("time")
        )
    }

    private static func unpacked(_ data: Data) throws -> [UInt8] {
        guard let bytes = data.unpacked else { throw damage("a log whose words cannot be read") }
        return bytes
    }

    private static func word(_ bytes: some Collection<UInt8>) throws -> Bytes32 {
        guard let word = Bytes32(bytes: bytes) else {
            throw damage("a log with a word of \(bytes.count) bytes")
        }
        return word
    }

    private static func address(_ bytes: Data) throws -> Address {
        guard let address = Address(bytes: bytes) else {
            throw damage("a log of a contract whose address has \(bytes.count) bytes")
        }
        return address
    }

    private static func damage(_ what: String) -> JournalError {
        .damagedRow(what, isOfChain: true)
    }
}

extension Data {
    /// Marks a word that begins with bytes of ones, as a negative number does.
    private static let negative: UInt8 = 0x40
    /// Marks what is left of a length that is no multiple of 32.
    private static let rest: UInt8 = 0x80

    /// Words without what they begin with: most are small numbers or addresses.
    ///
    /// Each word is the number of the bytes that follow, with a mark, and these bytes.
    ///
    /// Example: 32 bytes of the number 258 are `02 01 02`.
    init(packing bytes: [UInt8]) {
        self.init(capacity: bytes.count / 2)
        for start in stride(from: 0, to: bytes.count, by: 32) {
            let word = bytes[start..<Swift.min(start + 32, bytes.count)]
            guard word.count == 32 else {
                append(Self.rest | UInt8(word.count))
                append(contentsOf: word)
                continue
            }
            let fill: UInt8 = word.first == 0xff ? 0xff : 0
            let short = word.drop { $0 == fill }
            append((fill == 0 ? 0 : Self.negative) | UInt8(short.count))
            append(contentsOf: short)
        }
    }

    /// The words that were packed; nil if they are none.
    var unpacked: [UInt8]? {
        var bytes: [UInt8] = []
        var open = self[...]
        while let head = open.popFirst() {
            let count = Int(head & 0x3f)
            guard count <= open.count, count <= 32 else { return nil }
            switch head & 0xc0 {
            case 0: bytes.append(contentsOf: repeatElement(0, count: 32 - count))
            case Self.negative: bytes.append(contentsOf: repeatElement(0xff, count: 32 - count))
            case Self.rest: break
            default: return nil
            }
            bytes.append(contentsOf: open.prefix(count))
            open = open.dropFirst(count)
        }
        return bytes
    }
}
