import DexStore
import Ethereum
import ZeroEx

/// Reads what fills brought an account: by its balances, since the exchange's events name what was
/// sent.
struct ArrivalReader {
    let session: Session
    let account: Address

    /// The trades with what arrived at the account.
    ///
    /// What the node does not answer stays open, and is read with the next history.
    ///
    /// - Parameters:
    ///   - receipts: those of the trades' transactions; trades without one stay as they are.
    ///   - known: trades whose proven arrivals are not read again.
    func read(
        _ mined: [MinedTrades],
        receipts: [TransactionHash: TransactionReceipt],
        known: [MinedTrades] = []
    ) async -> [MinedTrades] {
        let earlier = Dictionary(grouping: known, by: \.transaction)
        var mined = mined.map { $0.takingOver(earlier[$0.transaction] ?? []) }
        var batch = ReadBatch()
        var asked: [(index: Int, arrival: TokenArrival, question: TokenArrival.Question)] = []
        for (index, transaction) in mined.enumerated() {
            guard let receipt = receipts[transaction.transaction] else { continue }
            for token in transaction.openTokens(at: account) {
                let arrival = TokenArrival(session: session, token: token, account: account)
                asked.append((index, arrival, arrival.ask(about: receipt, in: &batch)))
            }
        }
        guard !asked.isEmpty else { return mined }
        // nil: asked again later.
        guard let answers = try? await batch.send(to: session.chain) else { return mined }
        for (index, arrival, question) in asked {
            let finding = arrival.finding(
                question,
                answers,
                maximum: mined[index].sum(of: arrival.token, to: account),
                paidOut: paidOut(arrival.token, in: mined[index])
            )
            guard let found = finding.arrival else { continue }
            mined[index].set(found, of: arrival.token, at: account)
        }
        return mined
    }

    /// What left the account of a token by the exchange's words, fees too.
    private func paidOut(_ token: Address, in mined: MinedTrades) -> UInt256 {
        mined.trades.reduce(.zero) { sum, trade in
            guard case .fill(let fill) = trade.event, fill.maker != fill.taker else { return sum }
            var sum = sum
            let (gives, fee) =
                fill.taker == account
                ? ((fill.takerToken, fill.takerAmount), fill.takerFee)
                : ((fill.makerToken, fill.makerAmount), fill.makerFee)
            guard trade.concerns(account) else { return sum }
            if gives.0 == token { sum = sum.addingSaturating(gives.1) }
            if session.exchangeProtocol.feeToken(of: fill, contracts: nil) == token {
                sum = sum.addingSaturating(fee)
            }
            return sum
        }
    }
}

extension MinedTrades {
    /// Sets what a transaction brought an account of a token: each fill has its share of it, the
    /// last one the remainder.
    ///
    /// Example: fills of 60 and 40, of which 99 arrived, brought 59 and 40.
    mutating func set(_ arrival: TradeArrival, of token: Address, at account: Address) {
        let indices = trades.indices.filter { trades[$0].brought(account)?.token == token }
        guard let arrived = arrival.amount else {
            for index in indices { trades[index].set(.unproven, at: account) }
            return
        }
        let sum = sum(of: token, to: account)
        var left = arrived
        for index in indices {
            let amount = trades[index].brought(account)?.amount ?? .zero
            let share =
                index == indices.last
                ? left : UInt256.mulDiv(arrived, amount, sum)?.quotient ?? .zero
            left = left.subtractingSaturating(share)
            trades[index].set(.proven(share), at: account)
        }
    }

    /// The tokens of which an account got something that was not read yet.
    fileprivate func openTokens(at account: Address) -> [Address] {
        Set(
            trades.compactMap { trade in
                trade.arrival(at: account)?.amount == nil ? trade.brought(account)?.token : nil
            }
        ).sorted()
    }

    /// What the exchange sent an account of a token, in base units.
    fileprivate func sum(of token: Address, to account: Address) -> UInt256 {
        trades.compactMap { $0.brought(account) }.filter { $0.token == token }
            .reduce(.zero) { $0.addingSaturating($1.amount) }
    }

    /// The same with the arrivals that are proven of the same trades in the same block.
    ///
    /// - Parameter known: what is known of the same transaction, in whatever block.
    fileprivate func takingOver(_ known: [MinedTrades]) -> MinedTrades {
        guard let same = known.first(where: { $0.blockHash == blockHash }) else { return self }
        var result = self
        for (index, trade) in trades.enumerated() {
            let before = same.trades.first {
                $0.logIndex == trade.logIndex && $0.orderHash == trade.orderHash
            }
            guard let before, before.event == trade.event else { continue }
            result.trades[index].makerArrival = before.makerArrival
            result.trades[index].takerArrival = before.takerArrival
        }
        return result
    }

    /// A fill of it brought an account something that was never read.
    func isUnread(at account: Address) -> Bool {
        trades.contains { $0.brought(account) != nil && $0.arrival(at: account) == nil }
    }
}

extension MinedTrades.Trade {
    /// The token that the exchange sent an account in a fill with another one; nil for anything else,
    /// and for the coin, of which only what is known is in the journal.
    func brought(_ account: Address) -> (token: Address, amount: UInt256)? {
        guard case .fill(let fill) = event, fill.maker != fill.taker else { return nil }
        let (token, amount) =
            fill.taker == account
            ? (fill.makerToken, fill.makerAmount) : (fill.takerToken, fill.takerAmount)
        return concerns(account) && token != Token.nativeCoinAddress ? (token, amount) : nil
    }

    /// What of it reached an account; nil if it was not read yet.
    func arrival(at account: Address) -> TradeArrival? {
        taker == account ? takerArrival : makerArrival
    }

    fileprivate mutating func set(_ arrival: TradeArrival, at account: Address) {
        if taker == account { takerArrival = arrival } else { makerArrival = arrival }
    }
}
