package import Ethereum
import Uniswap

/// What others did to a trade at pools within its block, as one node tells it.
package struct FrontRunning: Hashable, Sendable {
    /// The transactions of others before it in its block, at its pools and in its direction, in the
    /// block's order.
    package let ahead: [TransactionHash]
    package let sandwich: Sandwich?
    /// What those ahead cost; nil without any, or if it is unknown.
    ///
    /// Base units of what the quote left open: how much more the trade would have brought at the
    /// beginning of its block, or how much less cost.
    package let lost: UInt256?

    /// One of those ahead that was turned back behind it.
    package struct Sandwich: Hashable, Sendable {
        package let front: TransactionHash
        package let back: TransactionHash
        /// Who sent both; nil if two accounts did, the second as much as the first had bought.
        package let account: Address?
    }
}

extension FrontRunning {
    /// More transactions of others are not looked at.
    private static let maximumOthers = 64

    /// Reads the block of a mined trade in two round trips at most.
    ///
    /// - Parameter call: what was mined.
    /// - Returns: nil for a call that is none of a router of Uniswap's.
    /// - Throws: `DexError`, the node's failure; `reorganized`, if the block has no such trade.
    static func read(
        _ call: CallRequest,
        in receipt: TransactionReceipt,
        session: Session
    ) async throws(DexError) -> FrontRunning? {
        guard let deployment = session.network.pools,
            let trade = PoolCall(
                to: call.to,
                data: call.data,
                value: call.value,
                deployment
            )
        else { return nil }
        var pools: [Address: PoolID] = [:]
        for pool in trade.paths.flatMap(\.pools) { pools[deployment.address(of: pool)] = pool }
        var batch = ReadBatch()
        let logs = batch.add(
            .logs(
                LogFilter(
                    block: receipt.blockHash,
                    addresses: pools.keys.sorted(),
                    topics: [[PoolEvent.Topic.swapV3, PoolEvent.Topic.swapV2]]
                )
            )
        )
        let start = batch.add(.call(call, .number(max(receipt.blockNumber, 1) - 1)))
        let answers = try await batch.send(to: session.chain)
        let events = try answers.value(logs).filter { $0.blockHash == receipt.blockHash }
            .sorted { ($0.logIndex ?? 0) < ($1.logIndex ?? 0) }
        guard
            let rivals = PoolRivals(
                of: receipt.transactionHash,
                in: PoolTrade.trades(in: events, of: pools)
            )
        else { throw ReadError.reorganized }
        let senders = try await senders(
            of: rivals.ahead + rivals.behind,
            in: receipt,
            session
        )
        let others = rivals.without(receipt.from, senders)
        let atStart = answers.optional(start).flatMap { trade.result($0) }
        return FrontRunning(
            others,
            senders,
            lost: atStart.map { trade.loss(of: others.own, against: $0) }
        )
    }

    private init(
        _ rivals: PoolRivals,
        _ senders: [TransactionHash: Address],
        lost: UInt256?
    ) {
        var ahead: [TransactionHash] = []
        for hash in rivals.ahead.compactMap(\.log.transactionHash) where !ahead.contains(hash) {
            ahead.append(hash)
        }
        let sandwich = rivals.sandwich(senders: senders).flatMap { found -> Sandwich? in
            guard let front = found.front.log.transactionHash,
                let back = found.back.log.transactionHash
            else { return nil }
            return Sandwich(front: front, back: back, account: found.account)
        }
        self.init(ahead: ahead, sandwich: sandwich, lost: ahead.isEmpty ? nil : lost)
    }

    /// Who sent the transactions of some trades; of none that the node does not know.
    private static func senders(
        of trades: [PoolTrade],
        in receipt: TransactionReceipt,
        _ session: Session
    ) async throws(DexError) -> [TransactionHash: Address] {
        let hashes = Set(trades.compactMap(\.log.transactionHash)).sorted().prefix(maximumOthers)
        guard !hashes.isEmpty else { return [:] }
        var batch = ReadBatch()
        let slots = hashes.map { ($0, batch.add(.transaction($0))) }
        let answers = try await batch.send(to: session.chain)
        var senders: [TransactionHash: Address] = [:]
        for (hash, slot) in slots {
            guard let info = try answers.value(slot), info.hash == hash,
                info.blockHash == receipt.blockHash
            else { continue }
            senders[hash] = info.from
        }
        return senders
    }
}

extension TradeOutcome {
    /// What a trader should know of others in its block, in sentences.
    var frontRunningWarnings: [String] {
        switch frontRunning {
        case nil: []
        case .success(let found): found.ahead.isEmpty ? [] : [words(of: found)]
        case .failure(let error):
            ["Whether it was front-run is unknown: " + PlainText.sentence(error.message)]
        }
    }

    private func words(of found: FrontRunning) -> String {
        let token = plan.openToken
        let cost =
            found.lost.map { raw in
                TokenAmount(raw: raw, token: token).value + " \(PlainText.name(token.symbol)) "
                    + (plan.isExactIn ? "less arrived" : "more was paid")
            } ?? "what that cost is unknown"
        guard let sandwich = found.sandwich else {
            let count = found.ahead.count
            let others =
                count == 1
                ? "A trade of somebody else was" : "\(count) trades of others were"
            return "\(others) before it in its block, in its direction: \(cost)."
        }
        // Two accounts that trade the same amount may be strangers.
        let who =
            sandwich.account.map { "FRONT-RUN: \($0.checksummed)" }
            ?? "PERHAPS FRONT-RUN: somebody"
        let back =
            sandwich.account == nil
            ? "somebody as much of it back behind it" : "back behind it"
        let advice =
            plan.gas.privateNode == nil
            ? " A node of `private_rpc` keeps a trade out of others' sight until it is mined." : ""
        return
            "\(who) traded before it in its block, transaction \(sandwich.front.hex), and \(back), "
            + "transaction \(sandwich.back.hex): \(cost).\(advice)"
    }
}

extension PoolRivals {
    /// Without other trades of an account.
    fileprivate func without(
        _ account: Address,
        _ senders: [TransactionHash: Address]
    ) -> PoolRivals {
        var others = self
        func isOther(_ trade: PoolTrade) -> Bool {
            trade.log.transactionHash.flatMap { senders[$0] } != account
        }
        others.ahead.removeAll { !isOther($0) }
        others.behind.removeAll { !isOther($0) }
        return others
    }
}

extension PoolCall {
    /// How much worse its trades were than another result of it; 0 if they were not.
    fileprivate func loss(of trades: [PoolTrade], against other: UInt256) -> UInt256 {
        func sum(_ amounts: [UInt256]) -> UInt256 {
            amounts.reduce(.zero) { $0.addingSaturating($1) }
        }
        guard let path = paths.first else { return .zero }
        guard isExactIn else {
            let paid = sum(trades.filter { $0.sold == path.sold }.map(\.soldAmount))
            return paid.subtractingSaturating(other)
        }
        let received = sum(trades.filter { $0.bought == path.bought }.map(\.boughtAmount))
        return other.subtractingSaturating(received)
    }
}
