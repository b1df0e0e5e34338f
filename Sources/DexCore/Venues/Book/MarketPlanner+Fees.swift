import Ethereum
import ZeroEx

/// Taker fees in a third token: capped over the whole trade, and counted by their value if they
/// have a price.
extension MarketPlanner {
    /// A trade's fees in a third token are within the cap.
    func keepsFeeCap(_ fee: UInt256, of order: any SignedOrder) -> Bool {
        guard fee != .zero else { return true }
        return !takerFees.isExceeded(by: fee, of: order, in: feeToken(of: order))
    }

    /// The same for the whole total, whichever orders are gone.
    func keepsFeeCap(_ orders: [TradeRoute.Leg], total: UInt256) -> Bool {
        guard let order = orders.first(where: { $0.order.takerFee != .zero })?.order else {
            return true
        }
        return highestFee(orders, total: total).map { keepsFeeCap($0, of: order) } ?? false
    }

    /// Orders that only their fee excludes.
    func hasOrdersAboveFeeCap(_ entries: [BookEntry]) -> Bool {
        entries.contains { entry in
            entry.flags.contains(.takerFee)
                && !entry.flags.contains {
                    $0 != .takerFee && OrderFlag.notForTaking.contains($0)
                }
        }
    }

    /// The error of too little within the cap.
    func feeCapReached(_ walk: Walk, instead error: DexError) -> DexError {
        let symbol = exchangeProtocol.feeTokenSymbol ?? "the fee token"
        let cap = DecimalText.format(takerFees.amount, decimals: 18)
        let found = TokenAmount(raw: amount - walk.left, token: pair.base).value
        let base = PlainText.name(pair.base.symbol)
        let needed =
            walk.charges.map {
                " The next order would bring the fees to "
                    + "\(DecimalText.format($0, decimals: 18)) \(symbol)."
            } ?? ""
        return TradeError.takerFeeCap(
            cap: cap,
            symbol: symbol,
            found: found,
            base: base,
            needed: needed,
            pair: pair,
            instead: error.hint
        )
    }

    func feeToken(of order: any SignedOrder) -> Address {
        exchangeProtocol.feeToken(of: order, contracts: contracts)
    }

    /// The price of the payment and the proceeds.
    func price(pay: UInt256, receive: UInt256, fee: UInt256, in feeToken: Address) -> Price? {
        guard let cost = valuedCost(pay: pay, fee: fee, in: feeToken) else { return nil }
        let proceeds = valuedProceeds(receive: receive, fee: fee, in: feeToken)
        return side == .buy
            ? Price(quote: cost, base: proceeds) : Price(quote: proceeds, base: cost)
    }

    /// The payment, with a fee in that token, or valued in QUOTE if QUOTE is paid.
    func valuedCost(pay: UInt256, fee: UInt256, in feeToken: Address) -> UInt256? {
        guard let cost = cost(pay: pay, fee: fee, in: feeToken) else { return nil }
        guard side == .buy, let value = value(of: fee, in: feeToken) else { return cost }
        let (sum, overflow) = cost.addingReportingOverflow(value)
        return overflow ? nil : sum
    }

    /// The proceeds, less a fee in that token, or valued in QUOTE if QUOTE is received.
    func valuedProceeds(receive: UInt256, fee: UInt256, in feeToken: Address) -> UInt256 {
        let proceeds = proceeds(receive: receive, fee: fee, in: feeToken)
        guard side == .sell, let value = value(of: fee, in: feeToken) else { return proceeds }
        return proceeds > value ? proceeds - value : .zero
    }

    private func value(of fee: UInt256, in feeToken: Address) -> UInt256? {
        guard fee != .zero, let feeRate, feeRate.token == feeToken else { return nil }
        return feeRate.value(of: fee) ?? .max
    }

    /// The required balance of the paid token.
    func cost(pay: UInt256, fee: UInt256, in feeToken: Address) -> UInt256? {
        guard feeToken == payToken.address else { return pay }
        let (sum, overflow) = pay.addingReportingOverflow(fee)
        return overflow ? nil : sum
    }

    private func proceeds(receive: UInt256, fee: UInt256, in feeToken: Address) -> UInt256 {
        guard feeToken == receiveToken.address else { return receive }
        return receive > fee ? receive - fee : .zero
    }
}
