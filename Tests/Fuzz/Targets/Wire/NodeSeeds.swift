import Ethereum
import StrictJSON

@testable import DexNetwork

/// What nodes answer, as seeds.
extension NodeTarget {
    @Sendable
    static func replies() -> [[UInt8]] {
        let texts: [(UInt8, String)] = [
            (0, #"{"jsonrpc":"2.0","id":0,"result":"0x1"}"#),
            (
                0,
                #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"header not found"}}"#
            ),
            (
                2,
                #"[{"id":0,"result":"0x1"},{"id":1,"result":null},{"id":2,"error":{"code":3,"#
                    + #""message":"execution reverted","data":"0x08c379a0"}}]"#
            ),
            (2, #"[{"id":2,"result":[]},{"id":"1","result":{}},{"id":0,"result":"0x"}]"#),
            (0x42, #"[{"id":0,"result":1},{"id":3,"result":2},{"id":6,"result":3}]"#),
            (2, #"{"id":null,"error":{"code":-32600,"message":"batch too large"}}"#),
            (2, #"[{"id":0,"error":{"code":-32005,"message":"limit exceeded"}}]"#),
            (1, #"[{"id":0,"result":1},{"id":0,"result":1},{"id":1,"error":"text"}]"#),
            (1, #"[{"error":{"code":429,"message":"Too Many Requests"}}]"#),
            (
                0,
                #"{"id":0,"error":{"code":-32015,"message":"VM execution error.","data":"#
                    + #""Reverted 0x0102"}}"#
            ),
            (0, #"{"id":0,"error":{"message":"VM Exception","data":{"0x1":{"return":"0x01"}}}}"#),
            (1, "<html>"), (0, ""),
        ]
        return texts.map { [$0.0] + Array($0.1.utf8) }
    }

    @Sendable
    static func answers() -> [[UInt8]] {
        let block: JSONValue = [
            "number": "0x5", "hash": .string(topic.hex), "parentHash": .string(topic.hex),
            "timestamp": "0x65", "baseFeePerGas": "0x3b9aca00", "gasLimit": "0x1c9c380",
            "gasUsed": "0x0",
        ]
        let log: JSONValue = [
            "address": .string(account.lowercaseHex),
            "topics": [.string(Bytes32.zero.hex), .string(topic.hex)], "data": "0x01",
            "blockNumber": "0x5", "blockHash": .string(topic.hex),
            "transactionHash": .string(hash.hex), "logIndex": "0x0", "removed": false,
        ]
        let receipt: JSONValue = [
            "transactionHash": .string(hash.hex), "blockNumber": "0x5",
            "blockHash": .string(topic.hex), "from": .string(account.lowercaseHex), "to": .null,
            "status": "0x1", "gasUsed": "0x5208", "effectiveGasPrice": "0x1", "logs": [log],
        ]
        let transaction: JSONValue = [
            "hash": .string(hash.hex), "from": .string(account.lowercaseHex),
            "to": .string(account.lowercaseHex), "nonce": "0x0", "value": "0x0", "gas": "0x5208",
            "input": "0x", "blockNumber": .null, "blockHash": .null,
        ]
        let fullBlock: JSONValue = [
            "number": "0x5", "hash": .string(topic.hex), "parentHash": .string(topic.hex),
            "timestamp": "0x65", "gasLimit": "0x1c9c380", "gasUsed": "0x0",
            "transactions": [transaction],
        ]
        let history: JSONValue = [
            "oldestBlock": "0x4", "baseFeePerGas": ["0x1", "0x2", "0x3"],
            "reward": [["0x1", "0x2"], ["0x0", "0x0"]], "gasUsedRatio": [0, .number("0.5")],
        ]
        let list: JSONValue = [
            "accessList": [
                ["address": .string(account.lowercaseHex), "storageKeys": [.string(topic.hex)]],
                ["address": .string(account.lowercaseHex), "storageKeys": .null],
            ],
            "gasUsed": "0x5208", "error": "execution reverted",
        ]
        let proof: JSONValue = [
            "accountProof": ["0xc22080", "0x80"],
            "storageProof": [["proof": []], ["proof": ["0xc2"]]],
        ]
        return reads.enumerated().flatMap { index, read -> [[UInt8]] in
            let values: [JSONValue] =
                switch read {
                case .block: [block, .null]
                case .fullBlock: [fullBlock, block, .null]
                case .logs: [[log, log], []]
                case .transaction: [transaction, .null]
                case .receipt: [receipt, .null]
                case .feeHistory(_, let percentiles):
                    percentiles.isEmpty
                        ? [["oldestBlock": "0x0", "baseFeePerGas": ["0x1"], "reward": .null]]
                        : [history]
                case .accessList: [list]
                case .header: BlockHeaderTarget.headers.map(BlockHeaderTarget.json) + [.null]
                case .proof: [proof]
                case .call, .code: ["0x", "0x0102"]
                case .storage: ["0x", "0x0", .string(topic.hex)]
                case .syncing: [false, ["currentBlock": "0x1", "highestBlock": "0x5"], [:]]
                default: ["0x0", "0x01", "0xffffffffffffffff", .string(UInt256.max.quantity)]
                }
            return values.map { [UInt8(index)] + $0.utf8 }
        }
    }

    @Sendable
    static func conversations() -> [[UInt8]] {
        let scripts: [(count: UInt8, first: UInt8, maximum: UInt8, answers: [String])] = [
            (1, 0, 1, ["200\n\n{\"id\":0,\"result\":\"0x1\"}"]),
            (2, 0, 1, ["200\n\n[{\"id\":1,\"result\":\"0x2\"},{\"id\":0,\"result\":\"0x1\"}]"]),
            (
                3, 4, 5,
                [
                    "429\nRetry-After: 1\n\nslow down",
                    "200\n\n[{\"id\":0,\"result\":\"0x1\"},{\"id\":2,\"error\":{\"code\":-32005,"
                        + "\"message\":\"rate limit\"}}]",
                    "200\n\n[{\"id\":1,\"result\":\"0x1\"},{\"id\":2,\"result\":\"0x\"}]",
                ]
            ),
            (
                4, 0, 5,
                ["413\n\n", "200\n\n{\"error\":{\"code\":-32600,\"message\":\"too large\"}}"]
            ),
            (2, 8, 1, ["0", "503\nRetry-After: Fri, 31 Dec 2100 23:59:59 GMT\n\n<html>"]),
            (1, 6, 0, ["200\n\n{\"id\":0,\"error\":{\"code\":3,\"message\":\"revert\"}}"]),
            (
                5, 2, 3,
                [
                    "200\n\n[{\"id\":0,\"error\":{\"code\":-32003,\"message\":\"response "
                        + "too large\"}}]"
                ]
            ),
        ]
        return scripts.map { script in
            [script.count, script.first, script.maximum]
                + script.answers.map { Array($0.utf8) }.joined(separator: [0])
        }
    }
}
