/// A signature over 32 bytes, and the account that is said to have made it.
public struct SignatureClaim: Hashable, Sendable {
    public let digest: Bytes32
    public let signature: Signature
    public let signer: Address

    public init(digest: Bytes32, signature: Signature, signer: Address) {
        self.digest = digest
        self.signature = signature
        self.signer = signer
    }
}

/// What has become of a claim.
public enum SignatureOutcome: Hashable, Sendable {
    /// The account made the signature.
    case signed
    /// Another account made it.
    case otherSigner(Address)
    /// No account made it.
    case invalid(SignatureError)
}
