import Ethereum
import ZeroEx

/// The funds needed by a maker's open orders together with a new one, and the shortage.
struct MakerFunding {
    let exchangeProtocol: any ExchangeProtocol
    let contracts: ExchangeContracts
    /// Seconds since 1970.
    let timestamp: UInt64

    /// One token's needs, in base units.
    struct Requirement {
        let token: Token
        let own: UInt256
        let others: UInt256

        var total: UInt256 { own.addingSaturating(others) }
    }

    /// The needs of the new order, and of the others for the same tokens.
    ///
    /// - Parameter committed: what the others may draw, in base units by token.
    static func requirements(
        _ draft: OrderDraft,
        makerToken: Token,
        feeToken: Token?,
        committed: [Address: UInt256]
    ) -> [Requirement] {
        OrderFunding.needs(of: draft, feeToken: feeToken?.address).map { need in
            Requirement(
                token: need.isFee ? feeToken ?? makerToken : makerToken,
                own: need.amount,
                others: committed[need.token] ?? .zero
            )
        }
    }

    /// The amounts that orders may still draw, in base units by token.
    func commitments(
        _ others: [(order: any SignedOrder, state: OrderState)]
    ) -> [Address: UInt256] {
        var sums: [Address: UInt256] = [:]
        for (order, state) in others
        where state.remaining > .zero && order.expiry > UInt256(timestamp) {
            let funding = OrderFunding(order, by: exchangeProtocol, contracts: contracts)
            for need in funding.needs(filling: state.remaining) {
                sums[need.token] = need.amount.addingSaturating(sums[need.token] ?? .zero)
            }
        }
        return sums
    }
}
