package import Ethereum

/// A token that is to be added to a network's own list, as its contract describes it.
package struct TokenAdditionState: Sendable {
    package let network: String
    /// With the symbol that it gets in the list.
    package let token: Token
    /// The symbol that the contract has; nil without one.
    ///
    /// External text.
    package let ownSymbol: String?
    /// Base units.
    package let supply: UInt256
    /// What the account holds, base units; nil without an account.
    package let balance: UInt256?
    /// The block of the reading.
    package let block: UInt64
    /// The listed tokens whose symbols it copies, or looks like.
    package let copied: [Token]
    /// Sentences.
    package let warnings: [String]
}
