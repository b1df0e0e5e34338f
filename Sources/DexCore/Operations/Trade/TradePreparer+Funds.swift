import Ethereum
import ZeroEx

extension TradePreparer {
    /// The funds of a trade.
    struct Funding {
        var requirements: [(token: Token, amount: UInt256)]
        var paysFeeFromProceeds: Bool
    }

    /// Without backups if the balance covers only the trade.
    func affordable(
        _ route: TradeRoute,
        in context: TradeContext
    ) throws(DexError) -> TradeRoute {
        let owned = try context.account.balance(of: context.payToken)
        return owned < max(route.maximumCost, route.maximumPay) ? route.withoutBackups : route
    }

    /// Balances must suffice; allowances can be given.
    ///
    /// A fee in the paid token comes out of the same pool.
    func funding(
        of route: TradeRoute,
        feeToken: Token?,
        in context: TradeContext
    ) throws(DexError) -> Funding {
        let fee = feeToken == nil ? .zero : route.maximumFee
        let isOnePool = feeToken?.address == context.payToken.address
        let pay = isOnePool ? route.maximumCost : route.maximumPay
        let owned = try context.account.balance(of: context.payToken)
        guard owned >= pay else {
            throw insufficient(
                context.payToken,
                needed: pay,
                owned: owned,
                reason: isOnePool && fee > .zero ? "with the taker fee" : "to pay",
                network: session.network
            )
        }
        var funding = Funding(
            requirements: [(context.payToken, pay)],
            paysFeeFromProceeds: false
        )
        guard let feeToken, fee > .zero, !isOnePool else { return funding }
        let forFees = try context.account.balance(of: feeToken)
        if forFees < fee {
            // The bought token arrives before the fee is due, but only a call without balance
            // checks lets it pay.
            guard feeToken.address == context.receiveToken.address,
                route.minimumReceive >= fee
            else {
                throw insufficient(
                    feeToken,
                    needed: fee,
                    owned: forFees,
                    reason: "for taker fees",
                    network: session.network
                )
            }
            funding.paysFeeFromProceeds = true
        }
        funding.requirements.append((feeToken, fee))
        return funding
    }

    private func insufficient(
        _ token: Token,
        needed: UInt256,
        owned: UInt256,
        reason: String,
        network: Network
    ) -> DexError {
        DexError(
            FundsError.tooLittle(
                token,
                needed: needed,
                owned: owned,
                reason: reason,
                network: network
            )
        )
    }

    func feeToken(
        of route: TradeRoute,
        in context: TradeContext
    ) async throws(DexError) -> Token? {
        guard route.maximumFee > .zero, let order = route.legs.first?.order else { return nil }
        let address = session.exchangeProtocol.feeToken(of: order, contracts: context.contracts)
        for token in [context.payToken, context.receiveToken] where token.address == address {
            return token
        }
        return try await TokenResolver(session: session).tokens(at: [address])[address]
            ?? Token(address: address, symbol: address.shortened, name: "", decimals: nil)
    }
}
