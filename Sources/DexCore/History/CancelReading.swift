import Ethereum
import ZeroEx

/// Determines the amounts of cancels if the exchange's events do not contain them.
///
/// After its cancel an order gets no more fills. So its current filled amount is from before, and
/// the cancel took the rest. Events with amounts need no read.
struct CancelReading {
    let session: Session

    /// The events with one cancel for each of these orders that an event ended.
    ///
    /// Events that ended none of them are left out, such as a cancel of a filled order.
    ///
    /// - Parameters:
    ///   - events: by block and log, of the orders' maker.
    ///   - orders: possibly cancelled ones; the outcome of others is unknown.
    /// - Throws: `DexError` if the node does not answer.
    func complete(
        _ events: [LoggedEvent],
        orders: [any SignedOrder]
    ) async throws(DexError) -> [LoggedEvent] {
        let ended = events.map { logged in orders.filter { logged.event.mayEnd($0) } }
        let now: States
        let before: [Int: States]
        if ended.allSatisfy(\.isEmpty) {
            (now, before) = ([:], [:])
        } else {
            let contracts = try await ChainSetup.read(session).contracts
            now = try await states(of: ended.flatMap { $0 }, contracts)
            before = try await statesBefore(events, ended, contracts)
        }
        var complete: [LoggedEvent] = []
        var gone: Set<OrderHash> = []
        for (index, logged) in events.enumerated() {
            guard logged.event.isUnreportedCancel else {
                complete.append(logged)
                continue
            }
            for order in ended[index] {
                // If the node no longer has that block's state, the first cancel counts.
                if let state = before[index]?[order.hash], state.status != .open { continue }
                guard let state = now[order.hash], state.status != .filled,
                    gone.insert(order.hash).inserted
                else { continue }
                let taken = order.takerAmount.subtractingSaturating(state.filled)
                complete.append(logged.cancel(of: order, taking: taken, session: session))
            }
        }
        return complete
    }

    private typealias States = [OrderHash: OrderState]

    private func states(
        of orders: [any SignedOrder],
        _ contracts: ExchangeContracts
    ) async throws(DexError) -> States {
        let distinct = Self.distinct(orders)
        var batch = ReadBatch()
        let slots = batch.add(calls(distinct, contracts), at: .latest)
        let answers = try await batch.send(to: session.chain).values(slots)
        return try reported(
            ExchangeError.self,
            Self.byHash(
                distinct,
                try session.exchangeProtocol.states(of: distinct, answers: answers)
            )
        )
    }

    /// The orders' state in the block before each event; nil if the node no longer has it.
    private func statesBefore(
        _ events: [LoggedEvent],
        _ ended: [[any SignedOrder]],
        _ contracts: ExchangeContracts
    ) async throws(DexError) -> [Int: States] {
        let concerned = events.indices.filter { !ended[$0].isEmpty && events[$0].block > 0 }
        var batch = ReadBatch()
        var asked: [(index: Int, orders: [any SignedOrder], slots: [ReadSlot<[UInt8]>])] = []
        for index in concerned {
            let orders = Self.distinct(ended[index])
            let block = BlockTag.number(events[index].block - 1)
            asked.append((index, orders, batch.add(calls(orders, contracts), at: block)))
        }
        let answers = try await batch.send(to: session.chain)
        var before: [Int: States] = [:]
        for event in asked {
            guard let bytes = try bytes(event.slots, in: answers),
                // Unreadable ones count as those of a block that the node no longer has.
                let states = try? session.exchangeProtocol.states(of: event.orders, answers: bytes)
            else { continue }
            before[event.index] = Self.byHash(event.orders, states)
        }
        return before
    }

    /// nil if the node does not have it.
    ///
    /// - Throws: `DexError`, exit 4, if it did not answer, which says nothing about the state.
    private func bytes(
        _ slots: [ReadSlot<[UInt8]>],
        in answers: ReadAnswers
    ) throws(DexError) -> [[UInt8]]? {
        var bytes: [[UInt8]] = []
        for slot in slots {
            guard case .success(let answer) = try answers.valueOrReason(slot) else { return nil }
            bytes.append(answer)
        }
        return bytes
    }

    private func calls(
        _ orders: [any SignedOrder],
        _ contracts: ExchangeContracts
    ) -> [CallRequest] {
        session.exchangeProtocol.stateCalls(of: orders, contracts: contracts)
    }

    private static func distinct(_ orders: [any SignedOrder]) -> [any SignedOrder] {
        var seen: Set<OrderHash> = []
        return orders.filter { seen.insert($0.hash).inserted }
    }

    private static func byHash(_ orders: [any SignedOrder], _ states: [OrderState]) -> States {
        Dictionary(zip(orders.map(\.hash), states)) { first, _ in first }
    }
}

extension ExchangeEvent {
    /// A cancel without its amounts.
    fileprivate var isUnreportedCancel: Bool {
        switch self {
        case .cancelSeen, .pairCancelled: true
        case .filled, .cancelled, .skipped: false
        }
    }

    /// A cancel without its amounts that concerns the order.
    fileprivate func mayEnd(_ order: any SignedOrder) -> Bool {
        switch self {
        case .cancelSeen(let hash, let maker): hash == order.hash && maker == order.maker
        case .pairCancelled(let cancel): cancel.covers(order)
        case .filled, .cancelled, .skipped: false
        }
    }
}

extension LoggedEvent {
    /// The cancel of one order at this position.
    fileprivate func cancel(
        of order: any SignedOrder,
        taking takerAmount: UInt256,
        session: Session
    ) -> LoggedEvent {
        LoggedEvent(
            event: .cancelled(
                CancelEvent(
                    orderHash: order.hash,
                    maker: order.maker,
                    makerToken: order.makerToken,
                    takerToken: order.takerToken,
                    makerAmount: session.exchangeProtocol
                        .makerAmount(of: order, filling: takerAmount) ?? .zero,
                    takerAmount: takerAmount
                )
            ),
            block: block,
            blockHash: blockHash,
            transaction: transaction,
            logIndex: logIndex
        )
    }
}
