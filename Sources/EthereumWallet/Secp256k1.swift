import CSecp256k1
public import Ethereum

/// Signs and recovers through libsecp256k1, over one shared context that was randomised once.
public struct Secp256k1: SignatureRecovering {
    /// The shared one; making more costs nothing.
    public init() {}

    /// The address whose key made this signature over a 32-byte digest; high s is accepted, as
    /// ecrecover does.
    ///
    /// - Throws: `SignatureError`.
    public func recover(
        digest: Bytes32,
        signature: Signature
    ) throws(SignatureError) -> Address {
        fatalError("unimplemented")
    }
}
