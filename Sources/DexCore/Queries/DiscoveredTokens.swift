package import Ethereum

/// Tokens of an account that are in no list, found by their Transfer events.
package struct DiscoveredTokens: Sendable {
    /// The reason why a token may be worthless, or made to deceive.
    package enum Mark: String, CaseIterable, Sendable {
        /// Its contract has no symbol.
        case noSymbol = "no-symbol"
        /// Its contract has no decimals, or more than 36, so its amounts are base units.
        case noDecimals = "no-decimals"
        /// Its symbol is that of a known token, or looks like one.
        case lookAlike = "look-alike"
        /// Its symbol or name has an address of the web.
        case link
        /// It is known to imitate another token.
        case knownSpoof = "known-spoof"
        /// The account never sent any of it: it may have come unasked.
        case neverSent = "never-sent"
        /// Its contract does not return the balance, which is unknown.
        case unreadable

        /// It says more than that the token came unasked.
        var isSpam: Bool { ![.neverSent, .noDecimals, .unreadable].contains(self) }
    }

    package struct Row: Sendable {
        /// Its symbol is what its contract says, cleaned; external text.
        package let token: Token
        /// Base units; nil if its contract does not return them.
        package let balance: UInt256?
        /// In a fixed order.
        package let marks: [Mark]
        /// The known token that it looks like; nil for none.
        package let imitates: Token?

        /// nil if the balance is unknown.
        package var amount: TokenAmount? { balance.map { TokenAmount(raw: $0, token: token) } }

        /// One of the marks says that it is made to deceive.
        package var isSpam: Bool { marks.contains(where: \.isSpam) }
    }

    /// The blocks whose logs were read.
    package let blocks: ClosedRange<UInt64>
    /// What is not taken for spam first, then by symbol.
    package let rows: [Row]
    /// The contracts that reported a transfer to the account, in the map or not.
    package let contracts: Int
    /// More contracts reported transfers than are looked at.
    package let isCut: Bool

    /// What could not be read; sentences.
    package var warnings: [String] {
        let unread = rows.count { $0.balance == nil }
        guard unread > 0 else { return [] }
        return [
            "The balance\(unread == 1 ? " of one token that is" : "s of \(unread) tokens that are") "
                + "in no list could not be read: unknown, not zero."
        ]
    }
}
