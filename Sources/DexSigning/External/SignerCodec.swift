import Ethereum
import StrictJSON
import ZeroEx

/// Encodes requests for an external signer.
enum SignerCodec {
    /// A transaction as `eth_signTransaction` takes it.
    ///
    /// Source: https://ethereum.github.io/execution-apis/ (GenericTransaction)
    static func transaction(_ transaction: Transaction, from account: Address) -> JSONValue {
        var object = JSONObject()
        object["from"] = .string(account.checksummed)
        if let to = transaction.to { object["to"] = .string(to.checksummed) }
        object["gas"] = quantity(UInt256(transaction.gasLimit))
        switch transaction.fee {
        case .legacy(let price), .accessList(let price):
            object["gasPrice"] = quantity(price.rawValue)
        case .dynamic(let maximum, let priority):
            object["maxFeePerGas"] = quantity(maximum.rawValue)
            object["maxPriorityFeePerGas"] = quantity(priority.rawValue)
        }
        object["value"] = quantity(transaction.value.rawValue)
        object["nonce"] = quantity(UInt256(transaction.nonce))
        object["data"] = .string(Hex.encode(transaction.data))
        if let chainID = transaction.chainID { object["chainId"] = quantity(UInt256(chainID)) }
        if case .legacy = transaction.fee { return .object(object) }
        // A legacy transaction with an access list, even an empty one, has another type.
        object["accessList"] = .array(
            transaction.accessList.map { entry in
                [
                    "address": .string(entry.address.checksummed),
                    "storageKeys": .array(entry.storageKeys.map { .string($0.hex) }),
                ]
            }
        )
        return .object(object)
    }

    /// A program's standard input.
    static func question(_ request: SigningRequest) -> JSONValue {
        var object = JSONObject()
        object["version"] = 1
        object["kind"] = .string(request.kind)
        object["account"] = .string(request.account.checksummed)
        object["network"] = .string(request.scope.network)
        object["chainId"] = .number(String(request.scope.chainID))
        object["purpose"] = .string(request.terms.purpose)
        object["digest"] = .string(request.digest.hex)
        switch request.content {
        case .transaction(let transaction):
            object["transaction"] = self.transaction(transaction, from: request.account)
            object["payload"] = .string(Hex.encode(transaction.signingPayload))
        case .order(let draft):
            object["order"] = request.scope.exchangeProtocol.encodeTerms(draft)
            if let message = message(of: request) {
                object["message"] = .string(Hex.encode(message))
            } else if let data = typedData(of: request) {
                object["typedData"] = data
            }
        case .message(let bytes): object["message"] = .string(Hex.encode(bytes))
        case .permit, .typedData:
            if let data = typedData(of: request) { object["typedData"] = data }
        }
        return .object(object)
    }

    /// The bytes signed as an EIP-191 message; nil for other signatures.
    static func message(of request: SigningRequest) -> [UInt8]? {
        switch request.content {
        case .transaction, .permit, .typedData: return nil
        case .order(let draft):
            let exchange = request.scope.exchangeProtocol
            guard exchange.orderSigning == .ethSign else { return nil }
            return exchange.hash(of: draft).word.bytes
        case .message(let bytes): return bytes
        }
    }

    /// Typed data itself, that of a permit, or of an order whose EIP-712 hash itself is signed.
    static func typedData(of request: SigningRequest) -> JSONValue? {
        switch request.content {
        case .order(let draft):
            let exchange = request.scope.exchangeProtocol
            return exchange.orderSigning == .eip712 ? exchange.typedData(of: draft)?.json : nil
        case .permit(let permit): return permit.typedData?.json
        case .typedData(let data): return data.json
        case .transaction, .message: return nil
        }
    }

    private static func quantity(_ value: UInt256) -> JSONValue {
        .string(value.quantity)
    }
}
