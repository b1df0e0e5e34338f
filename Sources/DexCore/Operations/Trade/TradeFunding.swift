import Ethereum
import ZeroEx

/// The balances and allowances that a trade draws on.
///
/// Balances must be there; allowances can be given. Where the fee token is the one that is paid,
/// both come out of one pool.
struct TradeFunding {
    private(set) var requirements: [(token: Token, amount: UInt256)]
    private(set) var paysFeeFromProceeds = false

    /// - Throws: `DexError`, exit 6, for a balance that is too low.
    init(
        of route: TradeRoute,
        feeToken: Token?,
        in context: TradeContext,
        network: Network
    ) throws(DexError) {
        let fee = feeToken == nil ? .zero : route.maximumFee
        let isOnePool = feeToken?.address == context.payToken.address
        let pay = isOnePool ? route.maximumCost : route.maximumPay
        let owned = try context.account.balance(of: context.payToken)
        guard owned >= pay else {
            throw FundsError.tooLittle(
                context.payToken,
                needed: pay,
                owned: owned,
                reason: isOnePool && fee > .zero ? "with the taker fee" : "to pay",
                network: network
            )
        }
        requirements = [(context.payToken, pay)]
        guard let feeToken, fee > .zero, !isOnePool else { return }
        let forFees = try context.account.balance(of: feeToken)
        if forFees < fee {
            // What is bought arrives before the fee is due, but only a call that does not look
            // at balances first lets it pay.
            guard feeToken.address == context.receiveToken.address,
                route.minimumReceive >= fee
            else {
                throw FundsError.tooLittle(
                    feeToken,
                    needed: fee,
                    owned: forFees,
                    reason: "for taker fees",
                    network: network
                )
            }
            paysFeeFromProceeds = true
        }
        requirements.append((feeToken, fee))
    }
}
