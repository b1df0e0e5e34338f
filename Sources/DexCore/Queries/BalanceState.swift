package import Ethereum

/// What `dex balance` shows.
package struct BalanceState: Sendable {
    package struct Row: Sendable {
        package let amount: TokenAmount
        /// To the transfer contract; nil for ether.
        package let allowance: UInt256?
    }

    /// What it is all worth by the middle of the relay's books, in base units of one thing.
    package struct Worth: Sendable {
        /// What is counted in.
        package let unit: Currency
        /// Of the ether; nil where no book tells it.
        package let ether: UInt256?
        /// By token; none where no book tells it.
        package let tokens: [Address: UInt256]
        /// Of what is known.
        package let total: UInt256
        /// Why a book could not be read; a sentence.
        package let failure: String?
    }

    package let owner: Address
    package let block: UInt64
    package let ether: Wei
    package let rows: [Row]
    /// nil where nobody asked, or no relay tells.
    package var worth: Worth?
}
