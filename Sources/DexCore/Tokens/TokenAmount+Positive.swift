import Ethereum

extension TokenAmount {
    /// The base units of a positive amount in human units: `1.5`, `.5`, `1k`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-amount`, also for `max` and percentages.
    static func positive(_ text: String, of token: Token) throws(DexError) -> UInt256 {
        guard case .number(let number) = try AmountExpression(text) else {
            throw InputError.relativeAmount(text)
        }
        return try positive(number, of: token)
    }

    /// - Throws: as `positive(_:of:)` with a text.
    static func positive(_ number: DecimalNumber, of token: Token) throws(DexError) -> UInt256 {
        let raw = try reported(
            DecimalTextError.self,
            try number.units(decimals: token.decimals ?? 0)
        )
        guard raw > .zero else {
            throw InputError.zeroAmount(hint: "Give an amount above zero, such as 1.5.")
        }
        return raw
    }
}
