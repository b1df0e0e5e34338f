import DexStore
import Ethereum
import ZeroEx

/// Builds a trade's actual result from its receipt's events, and from balances what arrived.
struct OutcomeBuilder {
    let session: Session
    let trade: BookStep
    /// The confirmed plan; a later one may be smaller.
    let confirmed: TradePlan
    /// The required number of blocks.
    let confirmations: UInt64
    /// Reasons for unfilled orders that the receipt does not show.
    var reasons: [OrderHash: String] = [:]

    private struct Facts {
        var received = UInt256.zero
        var paid = UInt256.zero
        var fee = UInt256.zero
        var protocolFee = UInt256.zero
        var skipped: SkipReason?
    }

    /// Orders of a mined call without an event, although each had its own amount.
    func unexplained(_ result: TransactionSender.Result) -> [any SignedOrder] {
        guard trade.route.style != .total, result.sent.stage == .confirmed,
            let events = try? session.exchangeProtocol.events(  // `outcome` throws it
                in: result.receipt?.logs ?? [],
                exchange: trade.contracts.exchange
            )
        else { return [] }
        let facts = facts(events)
        return trade.route.legs.map(\.order).filter { order in
            guard let fact = facts[order.hash] else { return true }
            return fact.paid == .zero && fact.skipped == nil
        }
    }

    /// - Returns: the outcome, and for the journal the trades with what arrived; nil if nothing more
    ///   of them is known than the receipt shows.
    func outcome(
        _ result: TransactionSender.Result,
        before: [SentTransaction]
    ) async throws(DexError) -> (outcome: TradeOutcome, booked: MinedTrades?) {
        let transactions = before + [result.sent]
        guard result.sent.stage == .confirmed else {
            let untraded = TradeOutcome(
                untraded: trade.plan,
                transactions,
                confirmations: confirmations
            )
            return (untraded, nil)
        }
        let events: [ExchangeEvent]
        do {
            events = try session.exchangeProtocol.events(
                in: result.receipt?.logs ?? [],
                exchange: trade.contracts.exchange
            )
        } catch {
            throw ReadError.unreadableReceipt(result.sent.hash, error: error)
        }
        let facts = facts(events)
        let finding = await arrived(Array(facts.values), result.receipt)
        let outcome = filled(
            facts,
            arrived: finding.map(\.amount) ?? .zero,
            transactions: transactions
        )
        guard let arrival = finding?.arrival, let receipt = result.receipt,
            // nil: unreadable, and so not in the journal either
            var booked = try? MinedTrades(receipt, of: session, time: nil)
        else { return (outcome, nil) }
        booked.set(arrival, of: confirmed.receiveToken.address, at: confirmed.account)
        return (outcome, booked)
    }

    /// The amount of the bought token that reached the account; nil if nothing was sent to it.
    private func arrived(
        _ facts: [Facts],
        _ receipt: TransactionReceipt?
    ) async -> TokenArrival.Finding? {
        let token = confirmed.receiveToken.address
        let maximum = facts.reduce(UInt256.zero) { $0.addingSaturating($1.received) }
        guard let receipt, maximum > .zero else { return nil }
        let fees =
            trade.feeToken?.address == token
            ? facts.reduce(UInt256.zero) { $0.addingSaturating($1.fee) } : .zero
        return await TokenArrival(session: session, token: token, account: confirmed.account)
            .finding(in: receipt, maximum: maximum, paidOut: fees)
    }

    /// Only the exchange's events for our orders and for us as the taker count.
    private func facts(_ events: [ExchangeEvent]) -> [OrderHash: Facts] {
        let ours = Set(trade.plan.legs.map(\.orderHash))
        var facts: [OrderHash: Facts] = [:]
        for event in events {
            switch event {
            case .filled(let fill):
                guard ours.contains(fill.orderHash), fill.taker == confirmed.account,
                    fill.makerToken == confirmed.receiveToken.address,
                    fill.takerToken == confirmed.payToken.address
                else { continue }
                var fact = facts[fill.orderHash] ?? Facts()
                fact.received = fact.received.addingSaturating(fill.makerAmount)
                fact.paid = fact.paid.addingSaturating(fill.takerAmount)
                fact.fee = fact.fee.addingSaturating(fill.takerFee)
                fact.protocolFee = fact.protocolFee.addingSaturating(fill.protocolFee)
                facts[fill.orderHash] = fact
            case .skipped(let hash, let reason):
                guard ours.contains(hash) else { continue }
                facts[hash, default: Facts()].skipped = reason
            case .cancelled, .cancelSeen, .pairCancelled: continue
            }
        }
        return facts
    }

    /// - Parameter arrived: the amount of the bought token that reached the account; nil if unknown.
    private func filled(
        _ facts: [OrderHash: Facts],
        arrived: UInt256?,
        transactions: [SentTransaction]
    ) -> TradeOutcome {
        var total = Facts()
        var legs: [TradeOutcome.Leg] = []
        for leg in trade.plan.legs {
            let fact = facts[leg.orderHash] ?? Facts()
            total.received = total.received.addingSaturating(fact.received)
            total.paid = total.paid.addingSaturating(fact.paid)
            total.fee = total.fee.addingSaturating(fact.fee)
            total.protocolFee = total.protocolFee.addingSaturating(fact.protocolFee)
            legs.append(outcome(of: leg, fact))
        }
        var warnings: [String] = []
        // The exchange reports the sent amount; some tokens keep a part of it.
        if let arrived, arrived < total.received {
            let token = confirmed.receiveToken
            let kept = TokenAmount(raw: total.received - arrived, token: token).value
            warnings.append(
                "Of what the orders paid out \(kept) "
                    + "\(PlainText.name(token.symbol)) did not arrive: the token keeps "
                    + "a part of each transfer."
            )
            total.received = arrived
        }
        let bounds = FillBounds(confirmed)
        if arrived == nil {
            warnings.append(
                "The token has no event of it and its balances cannot be read: how much arrived of "
                    + "what the orders paid out is unknown."
            )
        }
        if total.paid == .zero {
            warnings.append(
                "The transaction was mined but filled nothing: every order was skipped."
            )
        } else if let words = bounds.shortfall(total.received, of: confirmed.receiveToken) {
            warnings.append(words)
        }
        return TradeOutcome(
            plan: trade.plan,
            transactions: transactions,
            received: arrived == nil ? nil : total.received,
            paid: total.paid,
            fees: total.fee,
            protocolFee: Wei(total.protocolFee),
            effectivePrice: arrived == nil ? nil : price(total),
            legs: legs,
            warnings: warnings,
            ending: arrived != nil && bounds.areKept(by: total.received) ? .done : .less
        )
    }

    private func outcome(of leg: TradePlan.Leg, _ fact: Facts) -> TradeOutcome.Leg {
        let status: TradeOutcome.Leg.Status
        var reason: String?
        if fact.paid > .zero {
            let isWhole = leg.isBackup || fact.paid >= leg.pay
            status = isWhole ? .filled : .partlyFilled
            reason = isWhole ? nil : "others had filled a part of it before"
        } else if let skipped = fact.skipped {
            status = .skipped
            reason = skipped.sentence
        } else if !leg.isBackup, trade.route.style != .total {
            // Each order had its own amount, and this one filled none.
            status = .skipped
            reason = reasons[leg.orderHash] ?? "it could not be filled any more"
        } else {
            status = .untouched
            reason = leg.isBackup ? nil : "the amount was used up before it"
        }
        return TradeOutcome.Leg(
            orderHash: leg.orderHash,
            status: status,
            received: fact.received,
            paid: fact.paid,
            fee: fact.fee,
            reason: reason
        )
    }

    /// Quote per base, with fees in the pair's tokens.
    private func price(_ total: Facts) -> Price? {
        let feeToken = trade.feeToken?.address
        let cost =
            feeToken == confirmed.payToken.address
            ? total.paid.addingSaturating(total.fee) : total.paid
        let isFromProceeds = feeToken == confirmed.receiveToken.address
        let fee = isFromProceeds ? min(total.fee, total.received) : .zero
        let proceeds = total.received - fee
        guard total.paid > .zero else { return nil }
        return confirmed.side == .buy
            ? Price(quote: cost, base: proceeds) : Price(quote: proceeds, base: cost)
    }
}
