import DexStore
import Ethereum
import ZeroEx

/// Reads an account's events from the chain's logs: fills and cancels of its orders, and
/// transfers.
struct WatchScan {
    let session: Session
    let subject: WatchTarget

    /// The logs of blocks, to be read in parts.
    ///
    /// - Parameter size: the initial number of blocks per request.
    func pieces(blocks: ClosedRange<UInt64>, size: UInt64) -> LogPager {
        LogPager(session: session, blocks: blocks, size: size) { [session, subject] from, to in
            [
                session.exchangeProtocol.eventFilter(
                    maker: subject.account,
                    from: from,
                    to: to,
                    exchange: subject.exchange
                )
            ] + TransferLog.filters(of: subject.account, from: from, to: to)
                + (session.network.weth.map { contract in
                    [WrapLog.filter(of: subject.account, contract: contract, from: from, to: to)]
                } ?? [])
        }
    }

    /// The account's wraps and unwraps, by block and log.
    ///
    /// - Throws: `DexError` if a log is malformed.
    func wraps(in logs: [Log]) throws(DexError) -> [WrapLog] {
        try reported(ExchangeError.self, try wrapLogs(logs).sorted { $0.place < $1.place })
    }

    /// Sorts by block and log; ether, which has no logs, comes first in its block.
    static func ordered(_ events: [WatchEvent]) -> [WatchEvent] {
        events.indices
            .sorted { events[$0].place.isBefore(events[$1].place) ?? ($0 < $1) }
            .map { events[$0] }
    }

    /// The events in no order; their block times are not read yet, and zero.
    ///
    /// Transfers within a fill of our order are part of that fill and not reported separately.
    /// Neither are transfers of zero, which are used to make users copy a wrong address.
    ///
    /// - Parameters:
    ///   - logs: complete blocks from `pieces`.
    ///   - orders: our orders that a cancel without amounts may have ended; the same ones each
    ///     time the blocks are read.
    /// - Throws: `DexError` if a log is malformed, or the node does not report the amounts of a
    ///   cancel.
    func events(
        in logs: [Log],
        orders: [any SignedOrder]
    ) async throws(DexError) -> [WatchEvent] {
        let told = try reported(
            ExchangeError.self,
            try session.exchangeProtocol.loggedEvents(
                in: logs.filter { $0.address == subject.exchange },
                exchange: subject.exchange
            )
        )
        let trades = try await CancelReading(session: session).complete(
            told.filter { $0.event.maker == subject.account }
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) },
            orders: orders
        )
        return try reported(ExchangeError.self, try read(logs, trades))
    }

    /// - Parameter trades: by block and log.
    private func read(
        _ logs: [Log],
        _ trades: [LoggedEvent]
    ) throws(ExchangeError) -> [WatchEvent] {
        // A transfer of the account to itself is in the answers to two filters.
        var transfers: Set<TransferLog> = []
        for log in logs where log.address != subject.exchange {
            if let transfer = try TransferLog(log), transfer.amount != .zero {
                transfers.insert(transfer)
            }
        }
        var rest = transfers.sorted { $0.place < $1.place }
        for trade in trades {
            guard case .filled(let fill) = trade.event, fill.maker == subject.account else {
                continue
            }
            Self.drop(fill, in: trade.transaction, from: &rest)
        }
        let wraps = try wrapLogs(logs)
        for wrap in wraps { drop(wrap, from: &rest) }
        let found =
            trades.compactMap { maker(of: $0) } + rest.map { maker(of: $0) }
            + wraps.sorted { $0.place < $1.place }.compactMap { maker(of: $0) }
        // Otherwise equal events are distinguished by the order of their logs.
        var counts: [Bytes32: Int] = [:]
        return found.map { make in
            let event = make(0)
            let ordinal = counts[event.key, default: 0]
            counts[event.key] = ordinal + 1
            return ordinal == 0 ? event : make(ordinal)
        }
    }

    private func wrapLogs(_ logs: [Log]) throws(ExchangeError) -> Set<WrapLog> {
        var wraps: Set<WrapLog> = []
        for log in logs where log.address == session.network.weth {
            if let wrap = try WrapLog(log), wrap.amount != .zero { wraps.insert(wrap) }
        }
        return wraps
    }

    private typealias Maker = (_ ordinal: Int) -> WatchEvent

    private func maker(of logged: LoggedEvent) -> Maker? {
        let place = LogPlace(logged).event
        switch logged.event {
        case .filled(let fill) where fill.maker == subject.account:
            return { ordinal in
                subject.event(
                    .fill,
                    in: logged.transaction,
                    order: fill.orderHash,
                    token: fill.makerToken,
                    amount: fill.makerAmount,
                    other: (fill.takerToken, fill.takerAmount),
                    counterparty: fill.taker,
                    ordinal: ordinal,
                    place: place
                )
            }
        case .cancelled(let cancel) where cancel.maker == subject.account:
            return { ordinal in
                subject.event(
                    .cancel,
                    in: logged.transaction,
                    order: cancel.orderHash,
                    token: cancel.makerToken,
                    amount: cancel.makerAmount,
                    other: (cancel.takerToken, cancel.takerAmount),
                    counterparty: nil,
                    ordinal: ordinal,
                    place: place
                )
            }
        case .filled, .cancelled, .cancelSeen, .pairCancelled, .skipped: return nil
        }
    }

    private func maker(of transfer: TransferLog) -> Maker {
        let isSent = transfer.from == subject.account
        return { ordinal in
            subject.event(
                isSent ? .sent : .received,
                in: transfer.place.transaction,
                token: transfer.token,
                amount: transfer.amount,
                counterparty: isSent ? transfer.to : transfer.from,
                ordinal: ordinal,
                place: transfer.place.event
            )
        }
    }

    private func maker(of wrap: WrapLog) -> Maker? {
        guard let weth = session.network.weth else { return nil }
        return { ordinal in
            subject.event(
                wrap.isWrap ? .wrapped : .unwrapped,
                in: wrap.place.transaction,
                token: weth,
                amount: wrap.amount,
                counterparty: nil,
                ordinal: ordinal,
                place: wrap.place.event
            )
        }
    }

    /// Drops the transfer from or to the zero address that some wrapped ether contracts also log.
    private func drop(_ wrap: WrapLog, from transfers: inout [TransferLog]) {
        let index = transfers.firstIndex { transfer in
            transfer.token == session.network.weth
                && transfer.place.transaction == wrap.place.transaction
                && transfer.amount == wrap.amount
                && (wrap.isWrap ? transfer.from : transfer.to) == .zero
        }
        if let index { transfers.remove(at: index) }
    }

    /// The transfers that make up a fill, each once.
    private static func drop(
        _ fill: FillEvent,
        in transaction: TransactionHash,
        from transfers: inout [TransferLog]
    ) {
        func drop(_ matches: (TransferLog) -> Bool) {
            let index = transfers.firstIndex {
                $0.place.transaction == transaction && matches($0)
            }
            if let index { transfers.remove(at: index) }
        }
        drop {
            $0.token == fill.makerToken && $0.from == fill.maker && $0.to == fill.taker
                && $0.amount == fill.makerAmount
        }
        drop {
            $0.token == fill.takerToken && $0.from == fill.taker && $0.to == fill.maker
                && $0.amount == fill.takerAmount
        }
        if fill.makerFee != .zero {
            drop {
                $0.from == fill.maker && $0.to == fill.feeRecipient && $0.amount == fill.makerFee
            }
        }
    }
}
