import Ethereum
import StrictJSON

/// Records of the live chain in their JSON-RPC form.
///
/// A member that the client of the live node does not read, such as a signature, is left out or null:
/// nothing is made up.
extension RPCEncoding {
    static func block(_ full: FullBlock) -> JSONValue {
        let block = full.block
        return Self.block(
            BlockRecord(block),
            transactions: full.transactions.enumerated().map { index, transaction in
                var object = JSONObject()
                object["hash"] = .string(transaction.hash.hex)
                object["from"] = .string(transaction.from.lowercaseHex)
                object["to"] = transaction.to.map { .string($0.lowercaseHex) } ?? .null
                object["value"] = quantity(transaction.value.rawValue)
                if let data = transaction.data { object["input"] = Self.data(data) }
                object["blockHash"] = .string(block.hash.hex)
                object["blockNumber"] = quantity(block.number)
                object["transactionIndex"] = quantity(UInt64(index))
                return .object(object)
            }
        )
    }

    static func transaction(_ info: TransactionInfo) -> JSONValue {
        [
            "hash": .string(info.hash.hex),
            "nonce": quantity(info.nonce),
            "from": .string(info.from.lowercaseHex),
            "to": info.to.map { .string($0.lowercaseHex) } ?? .null,
            "value": quantity(info.value.rawValue),
            "gas": quantity(info.gasLimit),
            "input": data(info.data),
            "blockHash": info.blockHash.map { .string($0.hex) } ?? .null,
            "blockNumber": info.blockNumber.map { quantity($0) } ?? .null,
            "transactionIndex": .null,
        ]
    }

    static func receipt(_ receipt: TransactionReceipt) -> JSONValue {
        var object = JSONObject()
        object["transactionHash"] = .string(receipt.transactionHash.hex)
        object["transactionIndex"] = .null
        object["blockHash"] = .string(receipt.blockHash.hex)
        object["blockNumber"] = quantity(receipt.blockNumber)
        object["from"] = .string(receipt.from.lowercaseHex)
        object["to"] = receipt.to.map { .string($0.lowercaseHex) } ?? .null
        object["gasUsed"] = quantity(receipt.gasUsed)
        if let price = receipt.effectiveGasPrice {
            object["effectiveGasPrice"] = quantity(price.rawValue)
        }
        if let fee = receipt.rollupFee { object["l1Fee"] = quantity(fee.rawValue) }
        object["logs"] = .array(receipt.logs.map(log))
        object["logsBloom"] = data(Bloom(receipt.logs).bytes)
        object["status"] = quantity(receipt.succeeded ? 1 : 0 as UInt64)
        return .object(object)
    }
}
