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

    /// Gas for which the fee is kept when all ether is sold: more than a swap needs.
    static let reservedGas: UInt64 = 1_000_000
    /// Call data for which a rollup's data fee is kept: 4 KiB that no compression makes smaller.
    private static let reservedData: [UInt8] = (0..<128).flatMap { (number: UInt64) in
        Keccak256.hash(Array(UInt256(number).bigEndianBytes)).bytes
    }

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
            let funds = try await spendable(token, of: account)
            available = TokenAmount(raw: funds.raw, token: token)
            reserved = funds.reserved
            raw = AmountExpression.part(share, of: funds.raw)
            guard raw > .zero else { throw DexError(FundsError.nothingToSpend(token)) }
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

    /// The balance; of ether without the fee of `reservedGas` at the highest price of a plan.
    private func spendable(
        _ token: Token,
        of account: Address
    ) async throws(DexError) -> (raw: UInt256, reserved: Wei?) {
        var batch = ReadBatch()
        guard token.isNativeCoin else {
            let data = ERC20.balanceOf(account)
            let slot = batch.add(.call(CallRequest(to: token.address, data: data), .latest))
            let answers = try await batch.send(to: session.chain)
            guard let balance = try answers.word(slot) else {
                throw DexError(TokenError.notAToken(token.address))
            }
            return (balance, nil)
        }
        let asked = AccountHead.ask(session, account, in: &batch)
        let slot = batch.add(.balance(account, .latest))
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        let ether = try answers.value(slot)
        // The call is not known yet: one of a size that few exceed.
        let call = GasLimit(
            units: Self.reservedGas,
            needed: Self.reservedGas,
            request: CallRequest(from: account, to: account, data: Self.reservedData)
        )
        let fees = try await CallPricing(session: session).priced(head.fees, for: [call])
        let price = try GasPricing.fee(fees, settings.fees).maximum
        let fee =
            price.multiplied(by: UInt256(Self.reservedGas))?.adding(fees.rollup.most) ?? Wei(.max)
        return (ether.rawValue.subtractingSaturating(fee.rawValue), fee)
    }
}
