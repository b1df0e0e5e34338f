import Ethereum
import ZeroEx

/// What a maker's open orders draw on together with a new one, and what is missing for it.
struct MakerFunding {
    let exchangeProtocol: any ExchangeProtocol
    let contracts: ExchangeContracts
    /// Seconds since 1970.
    let timestamp: UInt64

    /// One token's needs, in base units.
    struct Requirement {
        let token: Token
        /// Of the new order.
        let own: UInt256
        /// Of all others that are open.
        let others: UInt256

        var total: UInt256 { own.addingSaturating(others) }
    }

    /// What the new order needs of its tokens, beside what the others need of the same ones.
    func requirements(
        _ draft: OrderDraft,
        makerToken: Token,
        feeToken: Token?,
        others: [(order: any SignedOrder, state: OrderState)]
    ) -> [Requirement] {
        var own = [draft.makerToken: draft.makerAmount]
        var tokens = [makerToken]
        if let feeToken, draft.fees.makerFee > .zero {
            add(draft.fees.makerFee, of: feeToken.address, to: &own)
            if feeToken.address != makerToken.address { tokens.append(feeToken) }
        }
        let commitments = commitments(others)
        return tokens.map {
            Requirement(
                token: $0,
                own: own[$0.address] ?? .zero,
                others: commitments[$0.address] ?? .zero
            )
        }
    }

    /// What orders may still draw by what is left of them, in base units by token.
    func commitments(
        _ others: [(order: any SignedOrder, state: OrderState)]
    ) -> [Address: UInt256] {
        var sums: [Address: UInt256] = [:]
        for (order, state) in others
        where state.remaining > .zero && order.expiry > UInt256(timestamp) {
            let left = state.remaining
            let gives = exchangeProtocol.makerAmount(of: order, filling: left) ?? order.makerAmount
            add(gives, of: order.makerToken, to: &sums)
            let fee = exchangeProtocol.makerFee(of: order, filling: left)
            guard fee > .zero else { continue }
            let feeToken = exchangeProtocol.feeToken(of: order, contracts: contracts)
            add(fee, of: feeToken, to: &sums)
        }
        return sums
    }

    private func add(_ amount: UInt256, of token: Address, to sums: inout [Address: UInt256]) {
        sums[token] = (sums[token] ?? .zero).addingSaturating(amount)
    }
}
