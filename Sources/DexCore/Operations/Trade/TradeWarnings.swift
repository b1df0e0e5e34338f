import Ethereum
import ZeroEx

/// The warnings that a user should see before a trade is confirmed.
struct TradeWarnings {
    let fill: FillSimulation.Result
    let feeToken: Token?
    let context: TradeContext

    /// Fees, impact, approvals, gas and unknown decimals.
    func ofPlan(approvals: Int, gas: GasPlan) -> [String] {
        var warnings = [feeWarning].compactMap { $0 }
        warnings += [Self.impact(fill.route.impactBasisPoints ?? 0)].compactMap { $0 }
        if approvals > 0 {
            warnings.append(
                "Step \(approvals + 1) is checked again after the approval. It never exceeds "
                    + "these limits."
            )
        }
        warnings += gas.warnings
        for token in [context.pair.base, context.pair.quote] where token.decimals == nil {
            warnings.append(
                "The decimals of \(PlainText.name(token.symbol)) are unknown: its "
                    + "amounts are raw base units."
            )
        }
        return warnings
    }

    /// From here on a warning is loud: 5 %, in hundredths of a percent.
    static let loudImpact: UInt64 = 500

    /// An average far from the best price, from 1 % on; in hundredths of a percent.
    static func impact(_ points: UInt64) -> String? {
        let impact = DecimalText.format(UInt256(points), decimals: 2)
        return switch points {
        case loudImpact...:
            "PRICE IMPACT \(impact) %: the average is that much worse than the best price. A "
                + "smaller amount, or other orders, trade much better."
        case 100...:
            "The price impact is \(impact) %: the average is that much worse than the best price."
        default: nil
        }
    }

    /// A fee on top of the price whose value is unknown.
    private var feeWarning: String? {
        let route = fill.route
        guard let feeToken, route.maximumFee > .zero,
            ![context.payToken.address, context.receiveToken.address].contains(feeToken.address),
            context.feeValue(of: route.maximumFee, in: feeToken) == nil
        else { return nil }
        let maximum = TokenAmount(raw: route.maximumFee, token: feeToken).value
        let symbol = PlainText.name(feeToken.symbol)
        return "The taker fees, up to \(maximum) \(symbol), come on top of the price: no book read "
            + "here has a value for them. --max-taker-fee caps them."
    }

    /// Which call is used, and what that means where orders are gone by then.
    func ofCall(_ refusal: AccessListing.Refusal?) -> [String] {
        let route = fill.route
        let list = fill.attempt.accessList
        var warnings: [String] = []
        if !list.isEmpty {
            let slots = list.reduce(0) { $0 + $1.storageKeys.count }
            warnings.append(
                "A token of this pair costs too much gas to query in a plain transaction. This one "
                    + "announces what it reads (an access list of \(list.count) contracts and "
                    + "\(slots) slots), so that orders that are gone are skipped."
            )
        }
        if fill.attempt.mode == .throwing {
            let reason =
                switch refusal {
                case nil: "The taker fee is paid from what is bought"
                case .noBaseFee: "A token of this pair costs too much gas to query"
                case .useless:
                    "A token of this pair costs too much gas to query, with an access list as well"
                case .unsupported:
                    "A token of this pair costs too much gas to query, and the node makes no "
                        + "access list that might help (another one, --rpc, may)"
                }
            warnings.append(
                "\(reason): so orders that are gone cannot be skipped. One order without funds "
                    + "fails the whole transaction, and there are no backup orders."
            )
        } else if route.style == .batch {
            warnings.append(Self.batchWarning(route))
        } else if route.minimumReceive < route.receive {
            let token = context.receiveToken
            let minimum = TokenAmount(raw: route.minimumReceive, token: token).value
            warnings.append(
                "If an order is taken first, backup orders fill the rest; you get at least "
                    + "\(minimum) \(PlainText.name(token.symbol))."
            )
        }
        return warnings
    }

    /// The effect of a gone order if each has its own amount; a single one is a plain fill, which
    /// reverts.
    private static func batchWarning(_ route: TradeRoute) -> String {
        switch (route.legs.count == 1, route.backupsMayFill) {
        case (true, false):
            "All of it comes from one order. If that is gone by then, the transaction reverts and "
                + "only gas is spent."
        case (true, true):
            "All of it comes from one order. If that is found gone right before the fill is "
                + "signed, others step in within the amounts above. If it goes after that, the "
                + "transaction reverts and only gas is spent."
        case (false, false):
            "Each order is filled by its own amount and there are no backup orders: an order that "
                + "is gone leaves its part unfilled."
        case (false, true):
            "Each order is filled by its own amount. If one is found gone right before the fill is "
                + "signed, others step in within the amounts above. One that goes after that "
                + "leaves its part unfilled."
        }
    }

    /// Own open orders use the same balance and allowance: a trade may use them up.
    ///
    /// - Parameter offered: what they may still draw, in base units by token.
    func ofOwnOrders(
        _ requirements: [(token: Token, amount: UInt256)],
        offered: [Address: UInt256],
        needs: [ApprovalNeed],
        tokens: TokenMap
    ) -> [String] {
        requirements.compactMap { token, amount in
            guard let offered = offered[token.address], offered > .zero,
                let present = context.account.allowances[token.address]
            else { return nil }
            let need = needs.first { $0.token.address == token.address }
            return OpenOrderReads.warning(
                token,
                paying: amount,
                of: context.account.balances[token.address],
                allowance: need?.amount ?? present,
                offered: offered,
                tokens: tokens
            )
        }
    }
}
