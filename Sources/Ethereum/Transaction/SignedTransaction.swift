/// A transaction with its signature and sender, ready to be broadcast.
public struct SignedTransaction: Hashable, Sendable {
    /// The signed transaction.
    public let transaction: Transaction
    /// The signature over `transaction.signingHash`.
    public let signature: Signature
    /// The account that signed.
    public let sender: Address

    /// Joins a transaction with its signature and signer; the signature is NOT checked.
    public init(transaction: Transaction, signature: Signature, sender: Address) {
        self.transaction = transaction
        self.signature = signature
        self.sender = sender
    }

    /// Decodes a raw transaction (legacy RLP, or a type byte and RLP) and recovers its sender.
    ///
    /// - Throws: `TransactionError` for anything that is not exactly one well-formed, canonical
    ///   transaction with a low-s signature that recovers.
    public init(
        raw: [UInt8],
        recoverer: some SignatureRecovering
    ) throws(TransactionError) {
        let (transaction, signature) = try TransactionDecoder.decode(raw)
        guard signature.hasLowS else { throw .highS }
        do throws(SignatureError) {
            sender = try recoverer.recover(
                digest: transaction.signingHash,
                signature: signature
            )
        } catch {
            throw .badSignature(error)
        }
        self.transaction = transaction
        self.signature = signature
    }

    /// Decodes trusted raw bytes, such as our own; the signature is not checked.
    ///
    /// - Throws: `TransactionError.malformed`, `.unsupportedType`.
    public static func transaction(
        inRaw raw: [UInt8]
    ) throws(TransactionError) -> Transaction {
        try TransactionDecoder.decode(raw).0
    }

    /// The bytes for eth_sendRawTransaction.
    public var raw: [UInt8] {
        let fields: [RLP] =
            transaction.unsignedFields + [
                .integer(v), .integer(UInt256(signature.r)), .integer(UInt256(signature.s)),
            ]
        return transaction.typePrefix + RLP.list(fields).encoded
    }

    /// The parity of the signature; in a legacy transaction with the chain.
    var v: UInt256 {
        let parity = UInt256(UInt64(signature.yParity))
        return switch (transaction.fee, transaction.chainID) {
        case (.legacy, let chainID?): UInt256(chainID) &* 2 &+ 35 &+ parity
        case (.legacy, nil): parity &+ 27
        default: parity
        }
    }

    /// The Keccak-256 hash of `raw`.
    public var hash: TransactionHash {
        TransactionHash(Keccak256.hash(raw))
    }
}

/// The reason why bytes are not a signed transaction.
public enum TransactionError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String)
    case unsupportedType(UInt8)
    case badSignature(SignatureError)
    case highS

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformed(let reason): "This is not a signed transaction: \(reason)."
        case .unsupportedType(let type):
            "Transactions of type \(type) are not supported; types 0, 1, 2 and 4 are."
        case .badSignature(let error): "The transaction's signature is not valid: \(error)"
        case .highS: "The transaction's signature has a high s value, which EIP-2 refuses."
        }
    }
}
