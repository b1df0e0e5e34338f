public import Ethereum
public import GRDB

// What stands in a column of text: `0x` and lower-case digits, or decimal digits for an amount.
// Anything else is damage: reading it throws.

extension Address: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { lowercaseHex.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Address? {
        String.fromDatabaseValue(value).flatMap { Address(ifHex: $0) }
    }
}

extension Bytes32: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { hex.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Bytes32? {
        String.fromDatabaseValue(value).flatMap { Bytes32(ifHex: $0) }
    }
}

extension Hash: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { word.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Hash? {
        Bytes32.fromDatabaseValue(value).map { Hash($0) }
    }
}

extension UInt256: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { description.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> UInt256? {
        String.fromDatabaseValue(value).flatMap { UInt256(decimal: $0) }
    }
}

extension Wei: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { rawValue.databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Wei? {
        UInt256.fromDatabaseValue(value).map { Wei($0) }
    }
}

/// `0x`, then r, s and v in hexadecimal digits.
extension Signature: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue {
        (r.hex + s.hex.dropFirst(2) + String(v, radix: 16)).databaseValue
    }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Signature? {
        guard let text = String.fromDatabaseValue(value), text.utf8.count == 132,
            text.hasPrefix("0x"), let r = Bytes32(ifHex: String(text.prefix(66))),
            let s = Bytes32(ifHex: "0x" + text.dropFirst(66).prefix(64)),
            let v = UInt8(text.suffix(2), radix: 16), v >= 27
        else { return nil }
        return Signature(r: r, s: s, yParity: v - 27)
    }
}

/// A row of `receipts`.
extension TransactionReceipt: PersistableRecord {
    public static var databaseTableName: String { "receipts" }

    public func encode(to row: inout PersistenceContainer) throws {
        row["hash"] = transactionHash
        row["block"] = try integer(blockNumber, "the block number")
        row["block_hash"] = blockHash
        row["succeeded"] = succeeded
        row["gas_used"] = try integer(gasUsed, "the gas")
        row["gas_price"] = effectiveGasPrice
        row["rollup_fee"] = rollupFee
    }
}
