import Ethereum

extension TokenAmount {
    /// The base units of a positive amount in human units.
    ///
    /// - Throws: `DexError`, exit 2, `bad-amount`.
    static func positive(_ text: String, of token: Token) throws(DexError) -> UInt256 {
        let amount = try reported(DecimalTextError.self, try TokenAmount(text, of: token))
        guard amount.raw > .zero else {
            throw DexError(InputError.zeroAmount(hint: "Give an amount above zero, such as 1.5."))
        }
        return amount.raw
    }
}
