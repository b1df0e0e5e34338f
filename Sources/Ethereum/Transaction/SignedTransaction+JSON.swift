public import StrictJSON

extension SignedTransaction {
    /// What nodes say of the transaction itself, mined or not.
    ///
    /// `gasPrice` is the most that a unit of gas may cost; of one in a block a node writes what it
    /// did cost.
    ///
    /// Source: https://ethereum.github.io/execution-apis/
    public var json: JSONObject {
        func quantity(_ value: UInt256) -> JSONValue { .string(value.quantity) }
        var object = JSONObject()
        object["hash"] = .string(hash.hex)
        object["type"] = quantity(UInt256(UInt64(transaction.type)))
        object["nonce"] = quantity(UInt256(transaction.nonce))
        object["from"] = .string(sender.lowercaseHex)
        object["to"] = transaction.to.map { .string($0.lowercaseHex) } ?? .null
        object["value"] = quantity(transaction.value.rawValue)
        object["gas"] = quantity(UInt256(transaction.gasLimit))
        object["input"] = .string(Hex.encode(transaction.data))
        object["chainId"] = transaction.chainID.map { quantity(UInt256($0)) } ?? .null
        object["gasPrice"] = quantity(transaction.maximumGasPrice.rawValue)
        if let tip = transaction.fee.tip {
            object["maxFeePerGas"] = quantity(transaction.maximumGasPrice.rawValue)
            object["maxPriorityFeePerGas"] = quantity(tip.rawValue)
        }
        if transaction.type > 0 {
            object["accessList"] = .array(transaction.accessList.map(\.json))
            object["yParity"] = quantity(UInt256(UInt64(signature.yParity)))
        }
        if transaction.type == 4 {
            object["authorizationList"] = .array(transaction.authorizations.map(\.json))
        }
        object["v"] = quantity(v)
        object["r"] = quantity(UInt256(signature.r))
        object["s"] = quantity(UInt256(signature.s))
        return object
    }
}

extension AccessListEntry {
    /// The entry as nodes write it.
    public var json: JSONValue {
        [
            "address": .string(address.lowercaseHex),
            "storageKeys": .array(storageKeys.map { .string($0.hex) }),
        ]
    }
}
