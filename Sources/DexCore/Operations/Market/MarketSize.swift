package import Ethereum
import ZeroEx

/// What a market order fixes, in base units.
enum MarketSize: Hashable, Sendable {
    /// BASE to buy or to sell.
    case base(UInt256)
    /// QUOTE that a purchase costs at most, with fees and backup orders.
    case spend(UInt256)
}

/// The origin of a plan's amount that was not typed as a number of BASE.
package struct AmountOrigin: Sendable {
    /// As typed: `50%`.
    package let typed: String
    /// The amount is spent; otherwise it is BASE that is sold.
    package let isSpend: Bool
    /// The number that the plan keeps.
    package let amount: TokenAmount
    /// What can be spent, of which it is a part; nil if a number was typed.
    package let available: TokenAmount?
    /// Ether of the account that is kept for the network fee; nil without any.
    package var reserved: Wei?
}

/// Turns the typed amount of a market order into a number.
struct MarketSizing {
    let session: Session
    let settings: TradeSettings

    /// The number of BASE, or of QUOTE to spend, and its origin if that is worth a line.
    ///
    /// Reads the balance of the paid token only for `max` and percentages. A part is rounded down.
    ///
    /// - Throws: `DexError`: exit 2, `bad-amount`; exit 6, `insufficient-balance`, if there is
    ///   nothing to take a part of; the node's failure.
    func resolve(
        _ request: MarketRequest,
        pair: Pair,
        account: Address
    ) async throws(DexError) -> (size: MarketSize, origin: AmountOrigin?) {
        let expression = try AmountExpression(request.amount)
        let isSpend: Bool
        switch expression {
        case .number: isSpend = request.spends && request.side == .buy
        // A part of what can be spent: of QUOTE for a buyer.
        case .share: isSpend = request.side == .buy
        }
        let token = isSpend ? pair.quote : pair.base
        let raw: UInt256
        var available: TokenAmount?
        var reserved: Wei?
        switch expression {
        case .number(let number): raw = try TokenAmount.positive(number, of: token)
        case .share(let share):
            let funds = try await SpendableFunds(session: session, settings: settings)
                .of(token, account: account)
            available = TokenAmount(raw: funds.raw, token: token)
            reserved = funds.reserved
            raw = try SpendableFunds.part(share, of: funds.raw, token)
        }
        let origin = AmountOrigin(
            typed: request.amount,
            isSpend: isSpend,
            amount: TokenAmount(raw: raw, token: token),
            available: available,
            reserved: reserved
        )
        return (
            isSpend ? .spend(raw) : .base(raw),
            isSpend || available != nil ? origin : nil
        )
    }
}
