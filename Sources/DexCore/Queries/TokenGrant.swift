import DexSigning
package import Ethereum

/// An allowance: how much of a token a spender may move.
package struct TokenGrant: Hashable, Sendable {
    package let token: Token
    package let spender: Address
    /// By which the user or this program knows the spender; nil for a stranger.
    package let name: String?
    /// Base units; nil if it could not be read.
    package let allowance: UInt256?
    /// Of an allowance inside Permit2; nil for one inside the token.
    package let permit2: Permit2Terms?

    package init(
        token: Token,
        spender: Address,
        name: String?,
        allowance: UInt256?,
        permit2: Permit2Terms? = nil
    ) {
        self.token = token
        self.spender = spender
        self.name = name
        self.allowance = allowance
        self.permit2 = permit2
    }

    var pair: TokenSpender { TokenSpender(token: token.address, spender: spender) }

    /// By the spender's name, those without one last; then by spender and token.
    static func precedes(_ first: TokenGrant, _ second: TokenGrant) -> Bool {
        (first.name ?? "~", first.spender, first.token.symbol, first.token.address)
            < (second.name ?? "~", second.spender, second.token.symbol, second.token.address)
    }

    /// Asks for the allowance at a block.
    func ask(_ owner: Address, _ block: BlockTag, in batch: inout ReadBatch) -> ReadSlot<[UInt8]> {
        permit2 == nil
            ? batch.add(.allowance(of: token.address, by: owner, to: spender, block))
            : batch.add(.call(Permit2Allowance.request(pair, of: owner), block))
    }

    /// The base units in the answer; nil for less than a contract answers.
    func amount(in answer: [UInt8]) -> UInt256? {
        permit2 == nil ? TokenAnswers.word(answer) : Permit2Allowance(answer)?.amount
    }
}

/// What is known of an allowance inside Permit2 besides its amount.
package struct Permit2Terms: Hashable, Sendable {
    /// The last second since 1970 at which it can be used; nil if it could not be read.
    package let expiration: UInt64?
    /// Base units that the token lets Permit2 move; nil if it could not be read.
    package let tokenAllowance: UInt256?

    /// The amount that is never reduced: the most in 160 bits.
    package static let unlimited = Permit2Allowance.unlimited

    package init(expiration: UInt64?, tokenAllowance: UInt256?) {
        self.expiration = expiration
        self.tokenAllowance = tokenAllowance
    }

    /// The spender can move tokens by it now; nil if that is unknown.
    ///
    /// It cannot while the token lets Permit2 move nothing. The next approval of Permit2 changes
    /// that.
    package var isUsable: Bool? { tokenAllowance.map { $0 != .zero } }
}
