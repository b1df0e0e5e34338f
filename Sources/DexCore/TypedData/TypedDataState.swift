package import DexSigning
package import Ethereum

/// Typed data as it is shown before it is signed.
package struct TypedDataState: Sendable {
    package let data: TypedData
    package let kind: TypedDataKind
    /// The signer.
    package let account: Address
    /// nil if it has no name.
    package let accountName: String?
    package let network: String
    package let chainID: UInt64
    package let coin: CoinSymbol
    /// The web page that asks for it; nil for the user.
    package let origin: String?
    /// What it allows; nil if that is not known.
    package let grant: TypedGrant?
    /// What a grant allows, one a token, the most dangerous first.
    package let shares: [TypedDataShare]
    /// Of Seaport; nil for anything else.
    package let order: SeaportOrder?
    /// The call that it is about, or calls found in its bytes; nil without.
    package let calls: CallEffects?
    /// The spender's name, if it has one.
    package let spenderName: String?
    /// The known tokens of the grant and of the order.
    package let tokens: [Address: Token]
    package let domain: [TypedDataNode]
    package let message: [TypedDataNode]
    package let warnings: [String]

    /// It moves tokens, and it is not known how: a `y` is not enough.
    package var isBlind: Bool {
        switch kind {
        case .unknown: false
        case .metaTransaction, .relayedCall: calls?.isUnread ?? true
        default: !kind.isRead
        }
    }

    /// What must be typed; nil if `y` is enough.
    package var blindWord: String? { isBlind ? "blind" : nil }
}
