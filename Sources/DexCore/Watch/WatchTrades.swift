import DexStore
import Ethereum
import ZeroEx

/// Transactions that took one token, or ether, of the account and brought it another token: each is
/// one trade, whatever parts it moved.
///
/// Who sent the transaction does not matter: a relayer may. What paid must be believed, since
/// anybody can log transfers of a token of their own.
struct WatchTrades {
    private let subject: WatchTarget
    /// What each transaction moved, by token; nil is ether.
    private let moves: [TransactionHash: [Address?: Move]]
    private let trades: [TransactionHash: WatchEvent]

    /// What a transaction moved of one token, in base units.
    private struct Move {
        var went: UInt256 = .zero
        var came: UInt256 = .zero
        /// nil once there are several.
        var counterparty: Address??
        /// Its first log; nil for ether.
        var place: WatchEvent.Place?

        var paid: UInt256? { went > came ? went - came : nil }
        var received: UInt256? { came > went ? came - went : nil }

        /// - Returns: false if the sum is beyond any amount.
        mutating func add(_ event: WatchEvent) -> Bool {
            let isSent = event.kind == .sent
            let (sum, overflow) = (isSent ? went : came).addingReportingOverflow(event.amount)
            if isSent { went = sum } else { came = sum }
            if isSent {
                if let known = counterparty {
                    if known != event.counterparty { counterparty = .some(nil) }
                } else {
                    counterparty = .some(event.counterparty)
                }
            }
            if event.place.logIndex != nil, place.map({ event.place.isBefore($0) == true }) ?? true
            {
                place = event.place
            }
            return !overflow
        }
    }

    /// - Parameters:
    ///   - seen: all events of transactions in whole blocks.
    ///   - isTrusted: a token's events are believed.
    init(
        _ seen: [WatchEvent],
        of subject: WatchTarget,
        isTrusted: (Address) -> Bool
    ) {
        self.subject = subject
        var moves: [TransactionHash: [Address?: Move]] = [:]
        var unreadable: Set<TransactionHash> = []
        for event in seen where Self.isPart(event) && event.counterparty != subject.account {
            guard let transaction = event.transaction else { continue }
            var move = moves[transaction]?[event.token] ?? Move()
            // No honest token has that many.
            if !move.add(event) { unreadable.insert(transaction) }
            moves[transaction, default: [:]][event.token] = move
        }
        for transaction in unreadable { moves[transaction] = nil }
        self.moves = moves
        var trades: [TransactionHash: WatchEvent] = [:]
        for (transaction, moved) in moves {
            trades[transaction] = Self.trade(transaction, moved, subject, isTrusted)
        }
        self.trades = trades
    }

    var keys: Set<Bytes32> { Set(trades.values.map(\.key)) }

    /// The events with each trade in place of its parts.
    ///
    /// What was once noted stays as it was noted, a trade or its parts, whatever is believed since.
    func combined(_ seen: [WatchEvent], _ ledger: EventDiff) -> [WatchEvent] {
        let parts = Dictionary(grouping: seen.filter(Self.isPart)) { $0.transaction }
        var reported: [TransactionHash: WatchEvent] = [:]
        for (transaction, moved) in moves {
            if let noted = ledger.trade(in: transaction), let trade = Self.placed(noted, moved) {
                reported[transaction] = trade
            } else if let trade = trades[transaction],
                parts[transaction]?.contains(where: ledger.knows) != true
            {
                reported[transaction] = trade
            }
        }
        guard !reported.isEmpty else { return seen }
        let rest = seen.filter { event in
            guard Self.isPart(event), let trade = event.transaction.flatMap({ reported[$0] }) else {
                return true
            }
            return event.token != trade.token && event.token != trade.otherToken
        }
        return WatchScan.ordered(rest + reported.values.sorted { $0.key < $1.key })
    }

    private static func isPart(_ event: WatchEvent) -> Bool {
        event.kind == .sent || event.kind == .received
    }

    private static func trade(
        _ transaction: TransactionHash,
        _ moved: [Address?: Move],
        _ subject: WatchTarget,
        _ isTrusted: (Address) -> Bool
    ) -> WatchEvent? {
        let trusted = moved.filter { token, _ in token.map(isTrusted) ?? true }
        let paid = trusted.filter { $0.value.paid != nil }
        guard paid.count == 1, let pay = paid.first, let amount = pay.value.paid else { return nil }
        // A token that nobody knows is only what was bought where nothing else came.
        var brought = trusted.filter { $0.value.received != nil }
        if brought.isEmpty { brought = moved.filter { $0.value.received != nil } }
        guard brought.count == 1, let back = brought.first, let token = back.key,
            let received = back.value.received, let place = place(pay.value, back.value)
        else { return nil }
        return subject.event(
            .trade,
            in: transaction,
            token: pay.key,
            amount: amount,
            other: (token, received),
            counterparty: pay.value.counterparty ?? nil,
            ordinal: 0,
            place: place
        )
    }

    /// A noted trade where the transaction is now; nil if it moved something else there.
    private static func placed(
        _ noted: WatchEvent,
        _ moved: [Address?: Move]
    ) -> WatchEvent? {
        guard let token = noted.otherToken, let back = moved[token],
            back.received == noted.otherAmount
        else { return nil }
        let pay = moved[noted.token]
        // Not every node tells the ether that was paid.
        guard pay?.paid == noted.amount || noted.token == nil && pay == nil,
            let place = place(pay ?? back, back)
        else { return nil }
        var trade = noted
        trade.place = place
        return trade
    }

    /// The place of the first log of two moves.
    private static func place(_ one: Move, _ other: Move) -> WatchEvent.Place? {
        guard let first = one.place, let second = other.place else {
            return one.place ?? other.place
        }
        return second.isBefore(first) == true ? second : first
    }
}
