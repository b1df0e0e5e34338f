import Ethereum
import ZeroEx

/// Reads the logs of a transaction as events.
struct EventReader {
    let scope: ChainScope

    /// The tokens that the events of some logs name.
    func tokens(in logs: [Log]) -> Set<Address> {
        var found: Set<Address> = []
        for log in logs {
            switch exchangeEvent(log) {
            case .filled(let fill)?:
                found.formUnion([fill.makerToken, fill.takerToken])
                if let fee = feeToken(of: fill, log) { found.insert(fee) }
            case .pairCancelled(let cancel)?:
                found.formUnion([cancel.makerToken, cancel.takerToken])
            case .cancelled?, .cancelSeen?, .skipped?: break
            case nil:
                if tokenEvent(log, .unknown(log.address)) != nil { found.insert(log.address) }
            }
        }
        return found
    }

    /// The event of a log; `.other` if it is none of the known ones.
    func event(_ log: Log, _ tokens: [Address: Token]) -> TransactionEvent {
        func token(_ address: Address) -> Token { tokens[address] ?? .unknown(address) }
        switch exchangeEvent(log) {
        case .filled(let fill)?:
            return .fill(
                TransactionEvent.Fill(
                    orderHash: fill.orderHash,
                    maker: scope.named(fill.maker),
                    taker: scope.named(fill.taker),
                    given: TokenAmount(raw: fill.makerAmount, token: token(fill.makerToken)),
                    paid: TokenAmount(raw: fill.takerAmount, token: token(fill.takerToken)),
                    makerFee: fill.makerFee,
                    takerFee: fill.takerFee,
                    feeToken: feeToken(of: fill, log).map(token)
                )
            )
        case .cancelled(let cancel)?:
            return .cancel(cancel.orderHash, maker: scope.named(cancel.maker))
        case .cancelSeen(let order, let maker)?: return .cancel(order, maker: scope.named(maker))
        case .pairCancelled(let cancel)?:
            return .pairCancel(
                maker: scope.named(cancel.maker),
                makerToken: token(cancel.makerToken),
                takerToken: token(cancel.takerToken),
                below: cancel.minimumSalt
            )
        case .skipped(let order, let reason)?: return .skip(order, reason)
        case nil: break
        }
        return tokenEvent(log, token(log.address))
            ?? .other(contract: scope.named(log.address), topics: log.topics, data: log.data)
    }

    /// An event of an ERC-20 token, or of the network's wrapped ether; nil for any other.
    private func tokenEvent(_ log: Log, _ token: Token) -> TransactionEvent? {
        if let transfer = TokenTransfer(log) {
            return .transfer(
                TokenAmount(raw: transfer.amount, token: token),
                from: scope.named(transfer.from),
                to: scope.named(transfer.to)
            )
        }
        // nil: not an approval, or without a position; it is shown as it is.
        if let approval = try? ApprovalLog(log) {
            return .approval(
                TokenAmount(raw: approval.amount, token: token),
                owner: scope.named(approval.owner),
                spender: scope.named(approval.spender)
            )
        }
        // Any contract may have events of these names.
        guard log.address == scope.session.network.weth,
            // nil: as above
            let wrap = try? WrapLog(log), let account = Address(ifWord: log.topics[1])
        else { return nil }
        let amount = TokenAmount(raw: wrap.amount, token: token)
        return wrap.isWrap
            ? .wrap(amount, by: scope.named(account)) : .unwrap(amount, by: scope.named(account))
    }

    /// The event of an exchange; nil for a log of another contract, and for one that cannot be read.
    private func exchangeEvent(_ log: Log) -> ExchangeEvent? {
        guard let session = scope.session(ofExchange: log.address) else { return nil }
        // Shown as an unknown log, with all of its words.
        return try? session.exchangeProtocol.events(in: [log], exchange: log.address).first
    }

    private func feeToken(of fill: FillEvent, _ log: Log) -> Address? {
        guard let session = scope.session(ofExchange: log.address),
            fill.makerFee != .zero || fill.takerFee != .zero
        else { return nil }
        return session.exchangeProtocol.feeToken(of: fill, contracts: nil)
            ?? session.exchangeProtocol.feeTokenSymbol.flatMap { symbol in
                try? scope.session.tokens.resolve(symbol).address  // nil: no such token is known
            }
    }
}
