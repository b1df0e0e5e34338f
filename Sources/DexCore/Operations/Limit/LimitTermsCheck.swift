import Ethereum
import ZeroEx

/// Checks the terms of an order before it is signed: the protocol's, the relay's fees, and the
/// balances behind it.
struct LimitTermsCheck {
    let session: Session
    let settings: TradeSettings

    /// Refuses terms that an order of this protocol cannot have.
    func check(_ draft: OrderDraft) throws(DexError) {
        do throws(OrderError) {
            try session.exchangeProtocol.check(draft)
        } catch {
            throw LimitError.impossible(error)
        }
    }

    /// Refuses what the relay wants where no order can have it.
    func checkRelay(_ draft: OrderDraft) throws(DexError) {
        do throws(OrderError) {
            try session.exchangeProtocol.check(draft)
        } catch {
            throw LimitError.relayTerms(error)
        }
    }

    /// Only the members of `OrderFees` are taken from the relay, and no fee above the cap.
    ///
    /// The protocol's own fee token has a cap by amount, a token of the order a cap by share.
    ///
    /// - Returns: a warning about a taker fee that makes the order expensive; we do not pay it.
    func checkFees(
        _ draft: OrderDraft,
        feeToken: Token?,
        contracts: ExchangeContracts
    ) throws(DexError) -> [String] {
        guard let feeToken else { return [] }
        let share = feeShare(draft, feeToken: feeToken)
        let fixed = contracts.feeToken == feeToken.address ? settings.relayFeeCap : nil
        let makerCap = min(share ?? .max, fixed ?? .max)
        for (name, fee, cap) in [
            ("maker", draft.fees.makerFee, makerCap),
            ("taker", draft.fees.takerFee, fixed ?? share ?? .zero),
        ] where fee > cap {
            throw LimitError.relayFeeCap(name, fee: fee, cap: cap, token: feeToken)
        }
        guard let share, draft.fees.takerFee > share else { return [] }
        return ["Takers pay a large fee for an order of this size, so it may stay unfilled."]
    }

    /// The highest fee in one of the order's tokens.
    private func feeShare(_ draft: OrderDraft, feeToken: Token) -> UInt256? {
        let amount: UInt256
        switch feeToken.address {
        case draft.makerToken: amount = draft.makerAmount
        case draft.takerToken: amount = draft.takerAmount
        default: return nil
        }
        return UInt256.mulDiv(amount, UInt256(settings.relayFeeShare), PriceBounds.whole)?.quotient
    }

    /// The amounts beyond the balance: an error, or a warning if that was allowed.
    func shortages(
        _ requirements: [MakerFunding.Requirement],
        account: AccountSnapshot
    ) throws(DexError) -> [String] {
        var warnings: [String] = []
        for requirement in requirements {
            let token = requirement.token
            let balance = try account.balance(of: token)
            guard balance < requirement.total else { continue }
            let text = { (raw: UInt256) in TokenAmount(raw: raw, token: token).value }
            let symbol = PlainText.name(token.symbol)
            var message =
                "The account has \(text(balance)) \(symbol) and the order needs "
                + "\(text(requirement.own))"
            if requirement.others > .zero {
                message += ", while its other open orders need \(text(requirement.others))"
            }
            guard settings.allowsUnfundedOrders else {
                throw FundsError.unfundedOrder(
                    message,
                    lacking: requirement.total - balance,
                    token: token,
                    network: session.network
                )
            }
            warnings.append(message + ": takers may find it unfunded.")
        }
        return warnings
    }
}
