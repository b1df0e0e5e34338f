import DexStore
import Ethereum
import ZeroEx

/// Reads from the chain's logs what happened to an account: fills and cancels of its orders, and
/// transfers.
struct WatchScan {
    let session: Session
    let subject: WatchSubject

    /// By block and log; the times of their blocks are not read yet, and zero.
    ///
    /// Transfers that a fill of an own order made are part of that fill, and not told by
    /// themselves. Neither are those of nothing, by which people are led to copy a wrong address.
    ///
    /// - Throws: `DexError` as `LogScan`.
    func events(blocks: ClosedRange<UInt64>) async throws(DexError) -> [WatchEvent] {
        let account = subject.account
        let logs = try await LogScan(session: session).logs(blocks: blocks) { from, to in
            [
                session.exchangeProtocol.eventFilter(
                    maker: account,
                    from: from,
                    to: to,
                    exchange: subject.exchange
                )
            ] + TransferLog.filters(of: account, from: from, to: to)
        } keep: { logs in
            logs
        }
        do throws(ExchangeError) {
            return try events(in: logs)
        } catch {
            throw DexError(error)
        }
    }

    private func events(in logs: [Log]) throws(ExchangeError) -> [WatchEvent] {
        let trades = try session.exchangeProtocol.loggedEvents(
            in: logs.filter { $0.address == subject.exchange },
            exchange: subject.exchange
        )
        // What the account sends to itself is in the answers to two filters.
        var transfers: Set<TransferLog> = []
        for log in logs where log.address != subject.exchange {
            if let transfer = try TransferLog(log), transfer.amount != .zero {
                transfers.insert(transfer)
            }
        }
        var rest = transfers.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        for trade in trades {
            guard case .filled(let fill) = trade.event, fill.maker == subject.account else {
                continue
            }
            Self.drop(fill, in: trade.transaction, from: &rest)
        }
        let found =
            trades.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
            .compactMap { maker(of: $0) } + rest.map { maker(of: $0) }
        // Of what is alike in all else the logs' order tells which is which.
        var counts: [Bytes32: Int] = [:]
        return found.map { make in
            let event = make(0)
            let ordinal = counts[event.key, default: 0]
            counts[event.key] = ordinal + 1
            return ordinal == 0 ? event : make(ordinal)
        }.sorted {
            ($0.place.block.number, $0.place.logIndex ?? 0)
                < ($1.place.block.number, $1.place.logIndex ?? 0)
        }
    }

    /// Makes an event with the ordinal that it is given.
    private typealias Maker = (_ ordinal: Int) -> WatchEvent

    private func maker(of logged: LoggedEvent) -> Maker? {
        let place = Self.place(logged.block, logged.blockHash, logged.logIndex)
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
                in: transfer.transaction,
                token: transfer.token,
                amount: transfer.amount,
                counterparty: isSent ? transfer.to : transfer.from,
                ordinal: ordinal,
                place: Self.place(transfer.block, transfer.blockHash, transfer.logIndex)
            )
        }
    }

    private static func place(
        _ block: UInt64,
        _ hash: BlockHash,
        _ logIndex: UInt64
    ) -> WatchEvent.Place {
        WatchEvent.Place(
            block: WatchedBlock(number: block, hash: hash),
            logIndex: logIndex,
            time: 0
        )
    }

    /// The transfers that a fill consists of, each once.
    private static func drop(
        _ fill: FillEvent,
        in transaction: TransactionHash,
        from transfers: inout [TransferLog]
    ) {
        func drop(_ matches: (TransferLog) -> Bool) {
            let index = transfers.firstIndex { $0.transaction == transaction && matches($0) }
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
