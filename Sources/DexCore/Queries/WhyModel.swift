package import Ethereum
package import ZeroEx

/// `dex why`: the one reason why an order cannot be filled, or that it can, and how to fix it.
///
/// Reasons are checked in an order in which each makes the later ones irrelevant.
package struct WhyModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// - Parameter account: the user's account; nil if no wallet is chosen.
    /// - Throws: `DexError`: `unknown-order` (exit 2), the reason why it cannot be trusted
    ///   (exit 6), or the error of a read.
    package func load(
        _ hash: OrderHash,
        account: Address?
    ) async throws(DexError) -> WhyState {
        let (row, inspection, warnings) = try await OrdersModel(context)
            .order(hash: hash, account: account)
        let look = OrderDiagnosis(
            session: session,
            settings: settings,
            row: row,
            inspection: inspection,
            account: account,
            isOurs: row.order.maker == account || row.isOwn
        )
        let finding = look.finding()
        return WhyState(
            row: row,
            block: inspection.block.number,
            reason: finding.reason,
            sentence: finding.sentence,
            remedy: finding.remedy,
            warnings: warnings
        )
    }
}

/// One order with all data that decides.
private struct OrderDiagnosis {
    let session: Session
    let settings: ReadSettings
    let row: OrdersState.Row
    let inspection: OrderInspection
    let account: Address?
    /// We made it.
    let isOurs: Bool

    struct Finding {
        let reason: WhyState.Reason
        let sentence: String
        var remedy: String?
    }

    func finding() -> Finding {
        switch row.standing {
        case .filled: return gone(.filled, "All of it is filled.")
        case .cancelled: return gone(.cancelled, "Its maker cancelled it.")
        case .expired: return gone(.expired, "It has expired.")
        case .open, .partlyFilled, .unfunded, .halfFunded, .unknown: break
        }
        let order = row.order
        if let only = order.reservation(against: account), !isOurs {
            return Finding(
                reason: .otherTaker,
                sentence: "Only \(only.checksummed) may fill it.",
                remedy: "dex fill \(order.hash) --wallet \(only.checksummed)"
            )
        }
        guard
            session.exchangeProtocol.makerAmount(of: order, filling: row.state.remaining) != nil
        else { return tooLarge() }
        let limit = limit()
        if row.fillable == .zero { return limit ?? rounding() }
        if let limit, row.fillable < row.state.remaining {
            let part = row.base(ofTaker: row.fillable)
            let left = row.base(ofTaker: row.state.remaining)
            return Finding(
                reason: .partlyFunded,
                sentence: "A part of it can be filled: \(text(part.raw, part.token)) of "
                    + "the \(text(left.raw, left.token)) that are left. "
                    + limit.sentence,
                remedy: isOurs ? limit.remedy : fill
            )
        }
        if !isOurs, row.flags.contains(.takerFee) { return takerFee() }
        if row.flags.contains(.expiring) { return expiring() }
        if isOurs, !row.isOnRelay {
            return Finding(
                reason: .notOnRelay,
                sentence: "It can be filled, but the relay does not serve it: only who has the "
                    + "signed order can take it.",
                remedy: "dex order \(order.hash) --json"
            )
        }
        if !isOurs, let poor = takerFinding() { return poor }
        return Finding(
            reason: .fillable,
            sentence: isOurs
                ? "It can be filled, and waits for a taker." : "It can be filled.",
            remedy: isOurs ? nil : fill
        )
    }

    // MARK: Parts

    private var fill: String { "dex fill \(row.order.hash)" }

    /// The command that places the same order again.
    private var again: String {
        let base = row.side == .sell ? row.maker : row.taker
        return "dex place-limit \(row.side.rawValue) \(row.pair.word) \(base.value) --price P"
    }

    private func gone(_ reason: WhyState.Reason, _ sentence: String) -> Finding {
        Finding(
            reason: reason,
            sentence: sentence,
            remedy: isOurs
                ? again : "dex orderbook \(row.pair.word)"
        )
    }

    private func expiring() -> Finding {
        let margin = ExpiryMargin(of: row.order, at: inspection.block, session, settings)
        return Finding(
            reason: .expiring,
            sentence: isOurs
                ? "It \(margin.expiry): takers who keep a margin, as `dex` does, no longer take it."
                : "It \(margin.words): neither market orders nor `dex fill` take it.",
            remedy: isOurs ? again : margin.remedy
        )
    }

    private func takerFee() -> Finding {
        let address = session.exchangeProtocol.feeToken(
            of: row.order,
            contracts: inspection.contracts
        )
        let token =
            [row.pair.base, row.pair.quote].first { $0.address == address }
            ?? session.tokens.known(address) ?? .unknown(address)
        let fee = session.exchangeProtocol.takerFee(of: row.order, filling: row.fillable)
        return Finding(
            reason: .takerFee,
            sentence: "It can be filled, but charges its taker \(text(fee, token)), which is above "
                + "your cap (trade.max_taker_fee): neither market orders nor `dex fill` take it.",
            remedy: "\(fill) --max-taker-fee "
                + (row.order.makerToken == address || row.order.takerToken == address
                    ? "100%" : amount(fee, token))
        )
    }

    private func tooLarge() -> Finding {
        Finding(
            reason: .tooLarge,
            sentence: "Its amounts are so large that the exchange's arithmetic overflows: a fill "
                + "of what is left reverts.",
            remedy: isOurs ? "dex cancel \(row.order.hash)" : nil
        )
    }

    private func rounding() -> Finding {
        Finding(
            reason: .rounding,
            sentence: "What is left (\(text(row.state.remaining, row.taker.token))) is so little "
                + "that the exchange refuses it for its rounding error.",
            remedy: isOurs ? "dex cancel \(row.order.hash)" : nil
        )
    }

    /// The shortage of the maker that limits the order most; nil if there is none.
    private func limit() -> Finding? {
        let (order, contracts) = (row.order, inspection.contracts)
        return OrderFunding(order, by: session.exchangeProtocol, contracts: contracts)
            .needs(filling: row.state.remaining)
            .compactMap { need in
                let token =
                    need.token == order.makerToken
                    ? row.maker.token : session.tokens.known(need.token) ?? .unknown(need.token)
                return shortage(of: token, needs: need.amount, isFee: need.isFee)
            }
            .min { $0.isWorse(than: $1) }?
            .finding
    }

    private struct Shortage {
        let has: UInt256
        let needs: UInt256
        let finding: Finding

        /// It leaves a smaller share of the order.
        func isWorse(than other: Shortage) -> Bool {
            let mine = has.multipliedFullWidth(by: other.needs)
            let its = other.has.multipliedFullWidth(by: needs)
            return (mine.high, mine.low) < (its.high, its.low)
        }
    }

    private func shortage(of token: Token, needs: UInt256, isFee: Bool) -> Shortage? {
        let maker = row.order.maker
        let holding = inspection.holdings[HoldingKey(owner: maker, token: token.address)]
        guard let balance = holding?.balance, let allowance = holding?.allowance else {
            return Shortage(
                has: 0,
                needs: needs,
                finding: Finding(
                    reason: .unreadableToken,
                    sentence: "The contract of \(name(token)) does not return its maker's balance."
                )
            )
        }
        guard min(balance, allowance) < needs else { return nil }
        let whose = isOurs ? "Your" : "Its maker's"
        let what = isFee ? " for its fee" : ""
        if balance <= allowance || balance < needs {
            return Shortage(
                has: balance,
                needs: needs,
                finding: Finding(
                    reason: isFee ? .makerFeeBalance : .makerBalance,
                    sentence: "\(whose) balance is short\(what): \(text(balance, token)) of the "
                        + "\(text(needs, token)) that are needed.",
                    remedy: !isOurs
                        ? nil
                        : session.network.wrapping(needs - balance, of: token)
                            ?? "dex market-buy "
                            + ShellWord.quoted("\(token.word)/\(other(token))") + " "
                            + "\(amount(needs - balance, token))"
                )
            )
        }
        return Shortage(
            has: allowance,
            needs: needs,
            finding: Finding(
                reason: isFee ? .makerFeeAllowance : .makerAllowance,
                sentence: "\(whose) allowance to the transfer contract is short\(what): "
                    + "\(text(allowance, token)) of the \(text(needs, token)) that are needed.",
                remedy: isOurs
                    ? "dex allowance set \(ShellWord.quoted(token.word)) \(amount(needs, token))"
                    : nil
            )
        )
    }

    /// nil if the user's account can pay, or there is no account.
    private func takerFinding() -> Finding? {
        guard account != nil, let snapshot = inspection.account else { return nil }
        let token = row.taker.token
        guard let balance = snapshot.balances[token.address] else {
            return Finding(
                reason: .unreadableToken,
                sentence: "It can be filled, but your balance of \(name(token)) could not be read."
            )
        }
        guard balance == .zero else { return nil }
        return Finding(
            reason: .takerBalance,
            sentence: "It can be filled, but your account has no \(name(token)) to pay with.",
            remedy: session.network.wrapping(row.fillable, of: token)
        )
    }

    // MARK: Words

    private func name(_ token: Token) -> String { PlainText.name(token.symbol) }

    /// The token to buy another one with: wrapped ether, unless that is the token.
    private func other(_ token: Token) -> String {
        session.network.weth.flatMap { session.tokens.known($0) }.map(\.word) ?? "WETH"
    }

    private func amount(_ raw: UInt256, _ token: Token) -> String {
        TokenAmount(raw: raw, token: token).value
    }

    private func text(_ raw: UInt256, _ token: Token) -> String {
        "\(amount(raw, token)) \(name(token))"
    }
}
