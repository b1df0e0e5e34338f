/// Signs with one account's key.
public protocol Signer: Sendable {
    /// The account that signs.
    var address: Address { get }

    /// Signs 32 bytes unchanged, without hashing, prefix or checks.
    ///
    /// Callers use `sign(message:)` or `sign(_:chainID:)`.
    ///
    /// - Throws: `SignerError`.
    func sign(digest: Bytes32) async throws(SignerError) -> Signature
}

extension Signer {
    /// Signs the EIP-191 hash of a message.
    ///
    /// - Throws: `SignerError`.
    public func sign(message: [UInt8]) async throws(SignerError) -> Signature {
        try await sign(digest: EthereumMessage.hash(message))
    }

    /// Signs a transaction for this chain only.
    ///
    /// - Parameter chainID: the node's answer; the transaction must name the same chain.
    /// - Throws: `SignerError.wrongChain` before anything is signed, `.refused` for a legacy
    ///   transaction with an access list, or the key's own error.
    public func sign(
        _ transaction: Transaction,
        chainID: UInt64
    ) async throws(SignerError) -> SignedTransaction {
        guard transaction.chainID == chainID else {
            throw .wrongChain(transaction: transaction.chainID, node: chainID)
        }
        if case .legacy = transaction.fee, !transaction.accessList.isEmpty {
            throw .refused("a legacy transaction cannot carry an access list.")
        }
        let signature = try await sign(digest: transaction.signingHash)
        return SignedTransaction(transaction: transaction, signature: signature, sender: address)
    }
}

/// The reason why nothing was signed.
public enum SignerError: Error, Hashable, Sendable, CustomStringConvertible {
    case wrongChain(transaction: UInt64?, node: UInt64)
    case refused(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .wrongChain(let transaction, let node):
            "The transaction is for chain \(transaction.map(String.init) ?? "unknown") but the node "
                + "is on chain \(node); nothing was signed. Check --network and --rpc."
        case .refused(let reason): "The key did not sign: \(reason)"
        }
    }
}
