import Ethereum
import EthereumWallet
import StrictJSON
import Testing

/// A transaction of eth-account's as `signatures.py make` tells of it.
struct PeerTransaction {
    let raw: [UInt8]
    let hash: String
    /// With EIP-55's letter case, as eth-account writes it.
    let sender: String
    let signer: PrivateKeySigner
    let transaction: Transaction

    init(_ json: JSONValue) throws {
        raw = try Hex.decode(json.peerText("raw"))
        hash = try json.peerText("hash")
        sender = try json.peerText("sender")
        signer = try PrivateKeySigner(key: Bytes32(hex: json.peerText("key")))
        func number(_ name: String) throws -> UInt256 {
            try #require(UInt256(decimal: json.peerText(name)), "\(name)")
        }
        let fee: Transaction.Fee =
            switch try json.peerText("type") {
            case "0": .legacy(gasPrice: Wei(try number("gasPrice")))
            case "1": .accessList(gasPrice: Wei(try number("gasPrice")))
            default:
                .dynamic(
                    maxFeePerGas: Wei(try number("maxFeePerGas")),
                    maxPriorityFeePerGas: Wei(try number("maxPriorityFeePerGas"))
                )
            }
        let to = try json.peerText("to")
        transaction = Transaction(
            chainID: try json["chainId"].map { _ in try #require(number("chainId").uint64) },
            nonce: try #require(number("nonce").uint64),
            fee: fee,
            gasLimit: try #require(number("gas").uint64),
            to: to.isEmpty ? nil : try Address(to),
            value: Wei(try number("value")),
            data: try Hex.decode(json.peerText("data")),
            accessList: try #require(json["accessList"]?.arrayValue).map { entry in
                AccessListEntry(
                    address: try Address(entry.peerText("address")),
                    storageKeys: try #require(entry["storageKeys"]?.arrayValue).map {
                        try Bytes32(hex: #require($0.stringValue))
                    }
                )
            }
        )
    }
}

extension JSONValue {
    /// A text that must be there.
    func peerText(_ name: String) throws -> String {
        try #require(self[name]?.stringValue, "no text in \(name)")
    }
}
