import DexStore
import Ethereum
import ZeroEx

/// Makes one record of each of an account's movements; their block times are not read yet, and
/// zero.
struct ActivityBuilder {
    let session: Session
    let account: Address

    /// - Parameters:
    ///   - logs: those that concern the account, of whole blocks.
    ///   - own: its transactions in these blocks.
    ///   - ether: the payments in ether; those of its own transactions are in `own`.
    /// - Returns: by block and position.
    /// - Throws: `DexError`, exit 4, if a log is malformed.
    func records(
        _ logs: [Log],
        _ own: [OwnTransaction],
        _ ether: [WatchEvent]
    ) throws(DexError) -> [ActivityRecord] {
        let byHash = Dictionary(own.map { ($0.info.hash, $0) }) { first, _ in first }
        let all = Array(Set(logs + own.flatMap(\.receipt.logs)))
        var records = try reported(ExchangeError.self, try moved(all, byHash))
        let rests = rests(records, byHash)
        // Counted in each block, so that a place does not depend on the range that was read.
        var ordinals: [UInt64: Int64] = [:]
        for event in ether {
            let number = event.place.block.number
            ordinals[number, default: 0] -= 1
            let rest = rests[number] ?? .zero
            if let record = received(event, ordinals[number] ?? -1, byHash, besides: rest) {
                records.append(record)
            }
        }
        let reported = Dictionary(grouping: records, by: \.transaction)
        for transaction in own {
            if let record = record(transaction, besides: reported[transaction.info.hash] ?? []) {
                records.append(record)
            }
        }
        records.sort { ($0.block.number, $0.position) < ($1.block.number, $1.position) }
        return paid(records, byHash)
    }

    /// What trades of the coin gave back of the value sent, or brought, by block: their records have
    /// it.
    private func rests(
        _ records: [ActivityRecord],
        _ own: [TransactionHash: OwnTransaction]
    ) -> [UInt64: UInt256] {
        var rests: [UInt64: UInt256] = [:]
        for record in records where record.kind == .trade {
            guard let value = record.transaction.flatMap({ own[$0]?.info.value.rawValue })
            else { continue }
            var came: UInt256 = .zero
            if record.token == nil, let paid = record.amount {
                came = value.subtractingSaturating(paid)
            } else if record.otherToken == Token.nativeCoinAddress {
                came = record.otherAmount ?? .zero
            }
            let number = record.block.number
            rests[number] = (rests[number] ?? .zero).addingSaturating(came)
        }
        return rests
    }

    // MARK: Logs

    private func moved(
        _ logs: [Log],
        _ own: [TransactionHash: OwnTransaction]
    ) throws(ExchangeError) -> [ActivityRecord] {
        let network = session.network
        var events: [LoggedEvent] = []
        if network.hasExchange {
            events = try session.loggedEvents(in: logs.filter { $0.address == network.exchange })
                .filter { $0.event.concerns(account) }
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        }
        var movements = try AccountLogs(
            logs,
            of: account,
            fills: events,
            exchange: network.exchange,
            weth: network.weth
        )
        var records = events.compactMap { trade($0, own) }
        for transaction in own.values {
            guard let swap = swap(transaction, movements.transfers) else { continue }
            records.append(swap)
            movements.drop(
                Set([swap.token, swap.otherToken].compactMap(\.self)),
                in: transaction.info.hash
            )
        }
        records += movements.transfers.map { transfer(of: $0, own) }
        records += movements.wraps.map { wrap(of: $0, own) }
        return try records + approvals(logs, own)
    }

    private func trade(
        _ logged: LoggedEvent,
        _ own: [TransactionHash: OwnTransaction]
    ) -> ActivityRecord? {
        let place = LogPlace(logged)
        switch logged.event {
        case .filled(let fill):
            guard fill.makerAmount != .zero || fill.takerAmount != .zero else { return nil }
            let isMaker = fill.maker == account
            return record(
                isMaker
                    ? Movement(
                        kind: .trade,
                        token: fill.makerToken,
                        amount: fill.makerAmount,
                        other: (fill.takerToken, fill.takerAmount),
                        party: fill.taker
                    )
                    : Movement(
                        kind: .trade,
                        token: fill.takerToken,
                        amount: fill.takerAmount,
                        other: (fill.makerToken, fill.makerAmount),
                        party: fill.maker
                    ),
                place,
                own,
                order: fill.orderHash
            )
        case .cancelled(let cancel):
            return record(
                Movement(
                    kind: .cancel,
                    token: cancel.makerToken,
                    amount: cancel.makerAmount,
                    other: (cancel.takerToken, cancel.takerAmount)
                ),
                place,
                own,
                order: cancel.orderHash
            )
        case .cancelSeen(let hash, _):
            return record(Movement(kind: .cancel), place, own, order: hash)
        case .pairCancelled(let cancel):
            return record(
                Movement(
                    kind: .cancel,
                    token: cancel.makerToken,
                    other: (cancel.takerToken, nil)
                ),
                place,
                own
            )
        case .skipped: return nil
        }
    }

    /// A trade at a venue beside the book, by the transfers of its receipt; of the chain's coin by what
    /// the router of the pools wrapped or unwrapped.
    private func swap(_ own: OwnTransaction, _ transfers: [TransferLog]) -> ActivityRecord? {
        guard let to = own.info.to, session.network.swapContracts.contains(to),
            let mined = MinedTrades(swapIn: own.receipt, network: session.network)
                ?? PoolHistory(session: session, account: account).trade(own.info, own.receipt),
            case .fill(let fill)? = mined.trades.first?.event,
            let place = transfers.first(where: {
                $0.place.transaction == own.info.hash
                    && [fill.takerToken, fill.makerToken].contains($0.token)
            })?.place
        else { return nil }
        let isCoin = fill.takerToken == Token.nativeCoinAddress
        return record(
            Movement(
                kind: .trade,
                token: isCoin ? nil : fill.takerToken,
                amount: fill.takerAmount,
                other: (fill.makerToken, fill.makerAmount),
                party: to
            ),
            place,
            [own.info.hash: own]
        )
    }

    private func transfer(
        of log: TransferLog,
        _ own: [TransactionHash: OwnTransaction]
    ) -> ActivityRecord {
        let isSent = log.from == account
        return record(
            Movement(
                kind: isSent ? .sent : .received,
                token: log.token,
                amount: log.amount,
                party: isSent ? log.to : log.from
            ),
            log.place,
            own
        )
    }

    private func wrap(
        of log: WrapLog,
        _ own: [TransactionHash: OwnTransaction]
    ) -> ActivityRecord {
        record(
            Movement(
                kind: log.isWrap ? .wrapped : .unwrapped,
                token: session.network.weth,
                amount: log.amount,
                party: session.network.weth
            ),
            log.place,
            own
        )
    }

    /// Some tokens also log what is left of an allowance that was used: no new allowance.
    private func approvals(
        _ logs: [Log],
        _ own: [TransactionHash: OwnTransaction]
    ) throws(ExchangeError) -> [ActivityRecord] {
        struct Use: Hashable {
            let transaction: TransactionHash?
            let token: Address
        }
        let used = Set(
            logs.filter { TokenTransfer($0)?.from == account }
                .map { Use(transaction: $0.transactionHash, token: $0.address) }
        )
        var records: [ActivityRecord] = []
        for log in logs {
            guard let approval = try ApprovalLog(log), approval.owner == account,
                !used.contains(Use(transaction: log.transactionHash, token: log.address))
            else { continue }
            records.append(
                record(
                    Movement(
                        kind: .approved,
                        token: approval.token,
                        amount: approval.amount,
                        party: approval.spender
                    ),
                    approval.place,
                    own
                )
            )
        }
        return records
    }

    // MARK: Ether and transactions

    /// nil for what the account's own transactions paid, and for what trades brought alone.
    ///
    /// - Parameter rest: from `rests`; it came in no transaction that is known.
    private func received(
        _ event: WatchEvent,
        _ position: Int64,
        _ own: [TransactionHash: OwnTransaction],
        besides rest: UInt256
    ) -> ActivityRecord? {
        if let hash = event.transaction, own[hash] != nil { return nil }
        var amount = event.amount
        if event.transaction == nil, event.kind == .received, rest > .zero {
            amount = amount.subtractingSaturating(rest)
            if amount == .zero { return nil }
        }
        return ActivityRecord(
            kind: event.kind == .sent ? .sent : .received,
            block: event.place.block,
            position: position,
            time: 0,
            transaction: event.transaction,
            isOwn: false,
            succeeded: true,
            token: nil,
            amount: amount,
            counterparty: event.counterparty
        )
    }

    /// The ether that a transaction sent along, or its call if nothing else is known of it.
    ///
    /// What a contract wraps on its way left the account as ether.
    ///
    /// - Parameter reported: what its logs tell.
    /// - Returns: nil if they have the ether too, as what the account itself wrapped or traded.
    private func record(
        _ own: OwnTransaction,
        besides reported: [ActivityRecord]
    ) -> ActivityRecord? {
        let (info, receipt) = (own.info, own.receipt)
        var movement = Movement(info, session: session)
        if !reported.isEmpty {
            let isTold = reported.contains { record in
                record.kind == .trade && record.token == nil
                    || record.kind == .wrapped && info.to == session.network.weth
            }
            guard receipt.succeeded, info.value != .zero, !isTold else { return nil }
            movement = Movement(kind: .sent, amount: info.value.rawValue, party: info.to)
        }
        return ActivityRecord(
            kind: movement.kind,
            block: WatchedBlock(number: receipt.blockNumber, hash: receipt.blockHash),
            // Before the ether that others paid, of which a block has less than 2^32.
            position: Int64(clamping: min(info.nonce, 1 << 38)) - (1 << 40),
            time: 0,
            transaction: info.hash,
            isOwn: true,
            succeeded: receipt.succeeded,
            token: movement.token,
            amount: movement.amount,
            otherToken: movement.other?.token,
            otherAmount: movement.other?.amount,
            counterparty: movement.party,
            function: movement.function
        )
    }

    /// The first record of each of the account's transactions has the cost of its gas.
    private func paid(
        _ records: [ActivityRecord],
        _ own: [TransactionHash: OwnTransaction]
    ) -> [ActivityRecord] {
        var seen: Set<TransactionHash> = []
        return records.map { record in
            guard let hash = record.transaction, let receipt = own[hash]?.receipt,
                seen.insert(hash).inserted
            else { return record }
            var paying = record
            paying.gas = receipt.networkFee(
                hasRollupFee: session.network.fees.hasRollupFee
            )
            return paying
        }
    }

    private func record(
        _ movement: Movement,
        _ place: LogPlace,
        _ own: [TransactionHash: OwnTransaction],
        order: OrderHash? = nil
    ) -> ActivityRecord {
        ActivityRecord(
            kind: movement.kind,
            block: place.block,
            position: Int64(clamping: place.index),
            time: 0,
            transaction: place.transaction,
            isOwn: own[place.transaction] != nil,
            succeeded: true,
            token: movement.token,
            amount: movement.amount,
            otherToken: movement.other?.token,
            otherAmount: movement.other?.amount,
            counterparty: movement.party,
            orderHash: order
        )
    }
}
