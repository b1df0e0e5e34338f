import Ethereum
import ZeroEx

/// The amount of a token that an account can spend now: the whole of `max` and of percentages.
struct SpendableFunds {
    let session: Session
    let settings: TradeSettings

    /// Gas for which the fee is kept when all ether is sold: more than a swap needs.
    private static let reservedGas: UInt64 = 1_000_000
    /// Call data for which a rollup's data fee is kept: 4 KiB that no compression makes smaller.
    private static let reservedData: [UInt8] = (0..<128).flatMap { (number: UInt64) in
        Keccak256.hash(Array(UInt256(number).bigEndianBytes)).bytes
    }

    /// Base units of an amount as typed: a number, or a share of what can be spent.
    ///
    /// Reads the balance only for a share, which is rounded down.
    ///
    /// - Throws: `DexError`: exit 2, `bad-amount`; exit 6, `insufficient-balance`, if there is
    ///   nothing to take a part of; the node's failure.
    func raw(
        _ text: String,
        of token: Token,
        account: Address
    ) async throws(DexError) -> UInt256 {
        switch try AmountExpression(text) {
        case .number(let number): return try TokenAmount.positive(number, of: token)
        case .share(let share):
            let funds = try await of(token, account: account).raw
            return try Self.part(share, of: funds, token)
        }
    }

    /// A share of funds, above zero.
    ///
    /// - Throws: `DexError`, exit 6, `insufficient-balance`.
    static func part(
        _ share: UInt64,
        of funds: UInt256,
        _ token: Token
    ) throws(DexError) -> UInt256 {
        let raw = AmountExpression.part(share, of: funds)
        guard raw > .zero else { throw FundsError.nothingToSpend(token) }
        return raw
    }

    /// The balance; of ether without the fee of `reservedGas` at the highest price of a plan.
    func of(
        _ token: Token,
        account: Address
    ) async throws(DexError) -> (raw: UInt256, reserved: Wei?) {
        var batch = ReadBatch()
        guard token.isNativeCoin else {
            let data = ERC20.balanceOf(account)
            let slot = batch.add(.call(CallRequest(to: token.address, data: data), .latest))
            let answers = try await batch.send(to: session.chain)
            guard let balance = try answers.word(slot) else {
                throw TokenError.notAToken(token.address)
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
            price.multiplied(by: UInt256(Self.reservedGas))?.adding(fees.rollup.maximum)
            ?? Wei(.max)
        return (ether.rawValue.subtractingSaturating(fee.rawValue), fee)
    }
}
