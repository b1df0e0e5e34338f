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
            "type": quantity(transaction.type),
        ]
    }

    static func transaction(
        _ signed: SignedTransaction,
        hash: TransactionHash,
        record: TransactionRecord?,
        blockHash: BlockHash?
    ) -> JSONValue {
        let transaction = signed.transaction
        var object: JSONObject = JSONObject()
        object["hash"] = .string(hash.hex)
        object["type"] = quantity(transaction.type)
        object["nonce"] = quantity(transaction.nonce)
        object["from"] = .string(signed.sender.lowercaseHex)
        object["to"] = transaction.to.map { .string($0.lowercaseHex) } ?? .null
        object["value"] = quantity(transaction.value.rawValue)
        object["gas"] = quantity(transaction.gasLimit)
        object["input"] = data(transaction.data)
        object["chainId"] = transaction.chainID.map { quantity($0) } ?? .null
        object["blockHash"] = blockHash.map { .string($0.hex) } ?? .null
        object["blockNumber"] = record.map { quantity($0.block) } ?? .null
        object["transactionIndex"] = record.map { quantity($0.index) } ?? .null
        switch transaction.fee {
        case .legacy(let price), .accessList(let price):
            object["gasPrice"] = quantity(price.rawValue)
        case .dynamic(let maxFee, let maxTip):
            object["maxFeePerGas"] = quantity(maxFee.rawValue)
            object["maxPriorityFeePerGas"] = quantity(maxTip.rawValue)
            object["gasPrice"] =
                record.map { quantity($0.outcome.gasPrice) }
                ?? quantity(maxFee.rawValue)
        }
        let parity = UInt64(signed.signature.yParity)
        if case .legacy = transaction.fee {
            object["v"] = quantity(transaction.chainID.map { parity + 35 + 2 * $0 } ?? parity + 27)
        } else {
            object["accessList"] = accessList(transaction.accessList)
            object["yParity"] = quantity(parity)
            object["v"] = quantity(parity)
        }
        object["r"] = quantity(UInt256(signed.signature.r))
        object["s"] = quantity(UInt256(signed.signature.s))
        return .object(object)
    }

    static func accessList(_ list: [AccessListEntry]) -> JSONValue {
        .array(
            list.map { entry in
                [
                    "address": .string(entry.address.lowercaseHex),
                    "storageKeys": .array(entry.storageKeys.map { .string($0.hex) }),
                ]
            }
        )
    }

    /// A block with these transactions.
    static func block(_ record: BlockRecord, transactions: [JSONValue]) -> JSONValue {
        let header = record.header
        return [
            "number": quantity(header.number),
            "hash": .string(record.hash.hex),
            "parentHash": .string(header.parentHash.hex),
            "nonce": "0x0000000000000000",
            "sha3Uncles": .string(BlockHeader.noOmmers.hex),
            "logsBloom": data(header.bloom.bytes),
            "transactionsRoot": .string(header.transactionsRoot.hex),
            "stateRoot": .string(header.stateRoot.hex),
            "receiptsRoot": .string(header.receiptsRoot.hex),
            "miner": .string(header.coinbase.lowercaseHex),
            "difficulty": "0x0",
            "extraData": data(SandboxHeader.extraData),
            "mixHash": .string(Bytes32.zero.hex),
            "size": quantity(record.size),
            "gasLimit": quantity(header.gasLimit),
            "gasUsed": quantity(header.gasUsed),
            "timestamp": quantity(header.timestamp),
            "baseFeePerGas": quantity(header.baseFee),
            "withdrawalsRoot": .string(MerkleTrie.emptyRoot.hex),
            "withdrawals": [],
            "blobGasUsed": "0x0",
            "excessBlobGas": "0x0",
            "parentBeaconBlockRoot": .string(Bytes32.zero.hex),
            "requestsHash": .string(BlockHeader.noRequests.hex),
            "transactions": .array(transactions),
            "uncles": [],
        ]
    }

    /// A part of a whole as a decimal fraction of six digits, such as `0.500000`.
    static func ratio(_ part: UInt64, of whole: UInt64) -> JSONValue {
        guard whole > 0 else { return 0 }
        // Gas counts are below 2^40.
        let millionths = part &* 1_000_000 / whole
        let digits = String(millionths % 1_000_000)
        let padding = String(repeating: "0", count: 6 - digits.count)
        return .number("\(millionths / 1_000_000).\(padding)\(digits)")
    }
}

extension Transaction {
    /// The EIP-2718 type: 0, 1 or 2.
    var type: UInt64 {
        switch fee {
        case .legacy: 0
        case .accessList: 1
        case .dynamic: 2
        }
    }
}
