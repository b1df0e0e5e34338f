package import DexSigning
package import Ethereum

/// Typed data as it is shown before it is signed.
package struct TypedDataState: Sendable {
    package let data: TypedData
    /// The signer.
    package let account: Address
    /// nil if it has no name.
    package let accountName: String?
    package let network: String
    package let chainID: UInt64
    /// The web page that asks for it; nil for the user.
    package let origin: String?
    /// What it allows; nil if that is not known.
    package let grant: TypedGrant?
    /// The spender's name, if it has one.
    package let spenderName: String?
    /// The known tokens of the grant.
    package let tokens: [Address: Token]
    package let domain: [TypedDataNode]
    package let message: [TypedDataNode]
    package let warnings: [String]
}
