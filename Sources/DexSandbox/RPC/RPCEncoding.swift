import Ethereum
import StrictJSON

/// Records in their JSON-RPC form.
enum RPCEncoding {
    static func quantity(_ value: UInt64) -> JSONValue {
        .string("0x" + String(value, radix: 16))
    }

    static func quantity(_ value: UInt256) -> JSONValue {
        .string(value.quantity)
    }

    static func data(_ bytes: [UInt8]) -> JSONValue {
        .string(Hex.encode(bytes))
    }

    /// A log with its position.
    static func log(_ log: Log, transactionIndex: UInt64, timestamp: UInt64) -> JSONValue {
        [
            "address": .string(log.address.lowercaseHex),
            "topics": .array(log.topics.map { .string($0.hex) }),
            "data": data(log.data),
            "blockNumber": quantity(log.blockNumber ?? 0),
            "transactionHash": .string(log.transactionHash?.hex ?? Bytes32.zero.hex),
            "transactionIndex": quantity(transactionIndex),
            "blockHash": .string(log.blockHash?.hex ?? Bytes32.zero.hex),
            "blockTimestamp": quantity(timestamp),
            "logIndex": quantity(log.logIndex ?? 0),
            "removed": false,
        ]
    }

    static func receipt(
        _ record: TransactionRecord,
        blockHash: BlockHash,
        logs: [JSONValue]
    ) -> JSONValue {
        let transaction = record.signed.transaction
        return [
            "transactionHash": .string(record.hash.hex),
            "transactionIndex": quantity(record.index),
            "blockHash": .string(blockHash.hex),
            "blockNumber": quantity(record.block),
            "from": .string(record.signed.sender.lowercaseHex),
            "to": transaction.to.map { .string($0.lowercaseHex) } ?? .null,
            "cumulativeGasUsed": quantity(record.cumulativeGasUsed),
            "gasUsed": quantity(record.outcome.gasUsed),
            "effectiveGasPrice": quantity(record.outcome.gasPrice),
            "contractAddress": record.contract.map { .string($0.lowercaseHex) } ?? .null,
            "logs": .array(logs),
            "logsBloom": data(Bloom(record.outcome.logs).bytes),
            "status": quantity(record.outcome.succeeded ? 1 : 0 as UInt64),
            "type": quantity(UInt64(transaction.type)),
        ]
    }

    static func transaction(
        _ signed: SignedTransaction,
        record: TransactionRecord?,
        blockHash: BlockHash?
    ) -> JSONValue {
        var object = signed.json
        object["blockHash"] = blockHash.map { .string($0.hex) } ?? .null
        object["blockNumber"] = record.map { quantity($0.block) } ?? .null
        object["transactionIndex"] = record.map { quantity($0.index) } ?? .null
        if let record { object["gasPrice"] = quantity(record.outcome.gasPrice) }
        return .object(object)
    }

    /// A block with these transactions.
    static func block(_ record: BlockRecord, transactions: [JSONValue]) -> JSONValue {
        var object = record.header.header.json
        // The block that was forked has another one than these fields give.
        object["hash"] = .string(record.hash.hex)
        object["size"] = quantity(record.size)
        object["withdrawals"] = []
        object["transactions"] = .array(transactions)
        object["uncles"] = []
        return .object(object)
    }

    /// A part of a whole as a decimal fraction of at most six digits, such as `0.5`.
    static func ratio(_ part: UInt64, of whole: UInt64) -> JSONValue {
        guard whole > 0 else { return 0 }
        // Gas counts are below 2^40.
        return .number(DecimalText.format(UInt256(part &* 1_000_000 / whole), decimals: 6))
    }
}
