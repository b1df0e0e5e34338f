package import Ethereum
package import StrictJSON

/// A request of a dapp, by EIP-1193, in valid values.
package enum DappRequest: Hashable, Sendable {
    /// `wallet_pair`: without a code it asks for one to be shown in the terminal.
    case pair(code: String?)
    /// `eth_requestAccounts`, `eth_accounts`.
    case accounts
    /// `eth_chainId`.
    case chainID
    /// `net_version`.
    case networkVersion
    /// `personal_sign`: bytes, and the account that has to sign.
    case signMessage([UInt8], Address)
    /// `eth_signTypedData_v4`.
    case signTypedData(TypedData, Address)
    /// `eth_sendTransaction`.
    case send(DappTransaction)
    /// `wallet_switchEthereumChain`.
    case switchChain(UInt64)
    /// What a node may be asked.
    case read(method: String, parameters: [JSONValue])

    /// The methods of a node that are passed through: they read, and keep nothing.
    package static let reads: Set<String> = [
        "eth_blockNumber", "eth_call", "eth_estimateGas", "eth_feeHistory", "eth_gasPrice",
        "eth_getBalance", "eth_getBlockByHash", "eth_getBlockByNumber", "eth_getCode",
        "eth_getLogs", "eth_getStorageAt", "eth_getTransactionByHash", "eth_getTransactionCount",
        "eth_getTransactionReceipt", "eth_maxPriorityFeePerGas", "eth_syncing",
    ]

    /// Reads a method and its parameters.
    ///
    /// - Throws: `DappError`: unsupported for an unknown method, else invalid parameters.
    package init(method: String, parameters: [JSONValue]) throws(DappError) {
        let list = DappParameters(method: method, values: parameters)
        switch method {
        case "wallet_pair":
            self = .pair(code: parameters.isEmpty ? nil : try list.text(0, "the code"))
        case "eth_requestAccounts", "eth_accounts": self = .accounts
        case "eth_chainId": self = .chainID
        case "net_version": self = .networkVersion
        case "personal_sign":
            let text = try list.text(0, "the message")
            // Wallets take digits after 0x for bytes, and anything else for text.
            let bytes = text.hasPrefix("0x") ? Hex.bytes(text) : Array(text.utf8)
            guard let bytes else { throw list.invalid("the message is no hexadecimal") }
            self = .signMessage(bytes, try list.address(1, "the account"))
        case "eth_signTypedData_v4":
            let account = try list.address(0, "the account")
            self = .signTypedData(try list.typedData(1), account)
        case "eth_sendTransaction":
            self = .send(try DappTransaction(try list.object(0, "the transaction"), list))
        case "wallet_switchEthereumChain":
            let chain = try list.object(0, "the chain")
            guard let number = list.quantity(chain["chainId"])?.uint64 else {
                throw list.invalid("chainId is a number in hexadecimal after 0x")
            }
            self = .switchChain(number)
        case let method where Self.reads.contains(method):
            self = .read(method: method, parameters: parameters)
        default:
            throw .unsupported(
                method: String(String.UnicodeScalarView(method.unicodeScalars.prefix(60)))
            )
        }
    }
}

/// The parameters of a method.
struct DappParameters {
    let method: String
    let values: [JSONValue]

    func invalid(_ reason: String) -> DappError {
        .invalidParameters("\(method): \(reason).")
    }

    private func value(_ index: Int, _ name: String) throws(DappError) -> JSONValue {
        guard index < values.count else { throw invalid("\(name) is missing") }
        return values[index]
    }

    func text(_ index: Int, _ name: String) throws(DappError) -> String {
        guard let text = try value(index, name).stringValue else {
            throw invalid("\(name) is no text")
        }
        return text
    }

    func object(_ index: Int, _ name: String) throws(DappError) -> JSONValue {
        let value = try value(index, name)
        guard value.objectValue != nil else { throw invalid("\(name) is no object") }
        return value
    }

    func address(_ index: Int, _ name: String) throws(DappError) -> Address {
        guard let address = Address(ifValid: try text(index, name)) else {
            throw invalid("\(name) is no address")
        }
        return address
    }

    /// A number in hexadecimal after `0x`; nil for anything else.
    func quantity(_ json: JSONValue?) -> UInt256? {
        guard let text = json?.stringValue else { return nil }
        return UInt256(quantity: text)
    }

    /// Typed data as an object or as its text.
    func typedData(_ index: Int) throws(DappError) -> TypedData {
        var json = try value(index, "the typed data")
        if let text = json.stringValue {
            do throws(JSONError) {
                json = try JSONParser.parse(Array(text.utf8))
            } catch {
                throw invalid("the typed data is not JSON")
            }
        }
        do throws(TypedDataError) {
            return try TypedData(json: json)
        } catch {
            throw .invalidParameters(error.description)
        }
    }
}
