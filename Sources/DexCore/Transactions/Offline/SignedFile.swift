package import Ethereum
package import StrictJSON

/// A signed transaction that is not sent, as a file of the schema `dex-signed/1` has it.
///
/// The file is for people and programs; only its raw bytes are sent, and nothing else in it is
/// believed by `dex broadcast`.
package struct SignedFile: Sendable {
    package static let schema = "dex-signed/1"
    /// The most bytes of a file that is read: nodes take transactions of 128 KiB.
    package static let limit = 1 << 20

    /// The network's name in the settings of the machine that signed.
    package let network: String
    package let chainID: UInt64
    package let from: Address
    /// The nonce that it holds until a transaction with it is mined.
    package let nonce: UInt64
    package let hash: TransactionHash
    /// The bytes for eth_sendRawTransaction.
    package let raw: [UInt8]
    /// What it was signed for, such as `fill`.
    package let purpose: String
    package let to: Address
    /// The ether that goes along.
    package let value: Wei
    package let gasLimit: UInt64
    /// Wei per unit of gas.
    package let maxFeePerGas: Wei
    /// Wei per unit of gas; nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// When it was signed, in seconds since 1970.
    package let madeAt: UInt64
    /// When what it does expires by itself, in seconds since 1970; nil if it does not.
    package let validUntil: UInt64?
    /// What its user confirmed, as `data.plan` of the command.
    package let plan: JSONValue

    /// The text of the file: one JSON object and a line end.
    package var text: String {
        let object: JSONValue = [
            "schema": .string(Self.schema),
            "network": .string(network),
            "chainId": Self.number(chainID),
            "from": .string(from.checksummed),
            "nonce": Self.number(nonce),
            "hash": .string(hash.hex),
            "raw": .string(Hex.encode(raw)),
            "purpose": .string(purpose),
            "to": .string(to.checksummed),
            "value": .string(value.description),
            "gasLimit": Self.number(gasLimit),
            "maxFeePerGas": .string(maxFeePerGas.description),
            "maxPriorityFeePerGas": maxPriorityFeePerGas.map { .string($0.description) } ?? .null,
            "madeAt": Self.number(madeAt),
            "validUntil": validUntil.map { Self.number($0) } ?? .null,
            "plan": plan,
        ]
        return object.text + "\n"
    }

    /// Above 2^53 as a string, as everywhere in JSON.
    private static func number(_ value: UInt64) -> JSONValue {
        value <= 1 << 53 ? .integer(value) : .string(String(value))
    }
}

extension SignedFile {
    /// The file of a transaction that was just signed.
    ///
    /// - Throws: `DexError` for one that creates a contract, which no command makes.
    init(
        _ signed: SignedTransaction,
        purpose: String,
        network: Network,
        madeAt: UInt64,
        validUntil: UInt64?,
        plan: JSONValue
    ) throws(DexError) {
        let transaction = signed.transaction
        guard let to = transaction.to else { throw SignedFileError.createsContract }
        self.init(
            network: network.name,
            chainID: network.chainID,
            from: signed.sender,
            nonce: transaction.nonce,
            hash: signed.hash,
            raw: signed.raw,
            purpose: purpose,
            to: to,
            value: transaction.value,
            gasLimit: transaction.gasLimit,
            maxFeePerGas: transaction.maximumGasPrice,
            maxPriorityFeePerGas: transaction.fee.tip,
            madeAt: madeAt,
            validUntil: validUntil,
            plan: plan
        )
    }
}
