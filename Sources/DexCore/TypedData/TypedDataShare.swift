import DexSigning
package import Ethereum

/// What a signature lets others take of one token, summed, beside what the account holds of it.
package struct TypedDataShare: Hashable, Sendable {
    /// What is known of the account's balance.
    package enum Balance: Hashable, Sendable {
        /// Base units.
        case known(UInt256)
        /// It was asked for, and could not be read.
        case unread
        /// There was no node to ask.
        case notAsked
    }

    package let token: Token
    /// Base units; a sum beyond 2^256 - 1 is that.
    package let amount: UInt256
    /// A part stands for everything, now and later.
    package let isUnlimited: Bool
    package let balance: Balance
    /// The entries of the message that were summed.
    package let parts: Int

    /// It is all that the account holds now.
    package var isAllHeld: Bool {
        guard case .known(let held) = balance else { return false }
        return held > .zero && (isUnlimited || amount >= held)
    }

    /// Of the balance in tenths of a percent, rounded down; nil if that is not known or zero.
    package var permille: UInt64? {
        guard case .known(let held) = balance, held > .zero else { return nil }
        return UInt256.mulDiv(amount, 1_000, held)?.quotient.uint64
    }
}

extension TypedDataShare {
    /// The parts of a grant, one a token: the unlimited ones first, then those that take all, then
    /// those of unknown balance, then by the share of the balance; where that says nothing, known
    /// tokens come first.
    static func list(
        _ parts: [TypedGrant.Part],
        token: (Address) -> Token,
        balance: (Address) -> Balance
    ) -> [TypedDataShare] {
        Dictionary(grouping: parts, by: \.token).map { address, parts in
            TypedDataShare(
                token: token(address),
                amount: parts.reduce(.zero) { $0.addingSaturating($1.amount) },
                isUnlimited: parts.contains(where: \.isUnlimited),
                balance: balance(address),
                parts: parts.count
            )
        }
        .sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            // Millionths, so that small shares have an order too.
            let shares = (left.millionths, right.millionths)
            if shares.0 != shares.1 { return shares.0 > shares.1 }
            // Without balances: names of nothing must not come before what is worth something.
            let isKnown = (left.token.decimals != nil, right.token.decimals != nil)
            if isKnown.0 != isKnown.1 { return isKnown.0 }
            return left.token.address < right.token.address
        }
    }

    private var rank: Int {
        if isUnlimited { return 0 }
        if amount == .zero { return 5 }
        switch balance {
        case .known(let held) where held == .zero: return 4
        case .known(let held): return amount >= held ? 1 : 3
        case .unread, .notAsked: return 2
        }
    }

    private var millionths: UInt256 {
        guard case .known(let held) = balance, held > .zero else { return .zero }
        return UInt256.mulDiv(amount, 1_000_000, held)?.quotient ?? .max
    }
}
