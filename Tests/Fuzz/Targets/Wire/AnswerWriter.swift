import Ethereum
import StrictJSON

/// Writes answers as a node does, apart from the code that reads them.
enum AnswerWriter {
    /// The answer to a question; how far a node has to sync is a number only once it is read.
    static func json(_ answer: ChainAnswer, to read: ChainRead) -> JSONValue {
        guard case .syncing = read, case .number(let missing) = answer else { return json(answer) }
        guard missing > 0 else { return .bool(false) }
        return ["currentBlock": quantity(.zero), "highestBlock": quantity(UInt256(missing))]
    }

    private static func json(_ answer: ChainAnswer) -> JSONValue {
        switch answer {
        case .number(let number): quantity(UInt256(number))
        case .wei(let wei): quantity(wei.rawValue)
        case .bytes(let bytes): .string(Hex.encode(bytes))
        case .block(let block): block.map(json) ?? .null
        case .fullBlock(let block): block.map(json) ?? .null
        case .feeHistory(let history):
            [
                "oldestBlock": quantity(UInt256(history.oldestBlock)),
                "baseFeePerGas": .array(history.baseFeePerGas.map { quantity($0.rawValue) }),
                "reward": .array(
                    history.rewards.map { .array($0.map { quantity($0.rawValue) }) }
                ),
            ]
        case .logs(let logs): .array(logs.map(json))
        case .transaction(let transaction): transaction.map(json) ?? .null
        case .receipt(let receipt): receipt.map(json) ?? .null
        case .word(let word): .string(word.word.hex)
        case .verbatim(let json, _): json
        case .header(let header): header.map(BlockHeaderTarget.json) ?? .null
        case .proof(let proof):
            [
                "accountProof": nodes(proof.account),
                "storageProof": .array(proof.storage.map { ["proof": nodes($0.nodes)] }),
            ]
        case .accessList(let trace):
            [
                "accessList": .array(
                    trace.entries.map { entry in
                        [
                            "address": .string(entry.address.checksummed),
                            "storageKeys": .array(entry.storageKeys.map { .string($0.hex) }),
                        ]
                    }
                ),
                "gasUsed": quantity(UInt256(trace.gasUsed)),
                "error": trace.failure.map { .string($0) } ?? .null,
            ]
        }
    }

    private static func nodes(_ proof: TrieProof) -> JSONValue {
        .array(proof.nodes.map { .string(Hex.encode($0)) })
    }

    private static func quantity(_ value: UInt256) -> JSONValue {
        .string("0x" + String(value, radix: 16))
    }

    private static func optional(_ value: UInt64?) -> JSONValue {
        value.map { quantity(UInt256($0)) } ?? .null
    }

    private static func json(_ block: Block) -> JSONValue {
        [
            "number": quantity(UInt256(block.number)), "hash": .string(block.hash.hex),
            "parentHash": .string(block.parentHash.hex),
            "timestamp": quantity(UInt256(block.timestamp)),
            "baseFeePerGas": block.baseFeePerGas.map { quantity($0.rawValue) } ?? .null,
            "gasLimit": quantity(UInt256(block.gasLimit)),
            "gasUsed": quantity(UInt256(block.gasUsed)),
        ]
    }

    private static func json(_ full: FullBlock) -> JSONValue {
        guard case .object(var object) = json(full.block) else { return .null }
        object["transactions"] = .array(
            full.transactions.map { transaction in
                [
                    "hash": .string(transaction.hash.hex),
                    "from": .string(transaction.from.lowercaseHex),
                    "to": transaction.to.map { .string($0.lowercaseHex) } ?? .null,
                    "value": quantity(transaction.value.rawValue),
                    "input": transaction.data.map { .string(Hex.encode($0)) } ?? .null,
                ]
            }
        )
        return .object(object)
    }

    private static func json(_ log: Log) -> JSONValue {
        [
            "address": .string(log.address.lowercaseHex),
            "topics": .array(log.topics.map { .string($0.hex) }),
            "data": .string(Hex.encode(log.data)), "blockNumber": optional(log.blockNumber),
            "blockHash": log.blockHash.map { .string($0.hex) } ?? .null,
            "transactionHash": log.transactionHash.map { .string($0.hex) } ?? .null,
            "logIndex": optional(log.logIndex),
        ]
    }

    private static func json(_ receipt: TransactionReceipt) -> JSONValue {
        [
            "transactionHash": .string(receipt.transactionHash.hex),
            "blockNumber": quantity(UInt256(receipt.blockNumber)),
            "blockHash": .string(receipt.blockHash.hex),
            "from": .string(receipt.from.lowercaseHex),
            "to": receipt.to.map { .string($0.lowercaseHex) } ?? .null,
            "status": receipt.succeeded ? "0x1" : "0x0",
            "gasUsed": quantity(UInt256(receipt.gasUsed)),
            "effectiveGasPrice": receipt.effectiveGasPrice.map { quantity($0.rawValue) } ?? .null,
            "logs": .array(receipt.logs.map(json)),
        ]
    }

    private static func json(_ transaction: TransactionInfo) -> JSONValue {
        [
            "hash": .string(transaction.hash.hex), "from": .string(transaction.from.lowercaseHex),
            "to": transaction.to.map { .string($0.lowercaseHex) } ?? .null,
            "nonce": quantity(UInt256(transaction.nonce)),
            "value": quantity(transaction.value.rawValue),
            "gas": quantity(UInt256(transaction.gasLimit)),
            "input": .string(Hex.encode(transaction.data)),
            "blockNumber": optional(transaction.blockNumber),
            "blockHash": transaction.blockHash.map { .string($0.hex) } ?? .null,
        ]
    }
}
