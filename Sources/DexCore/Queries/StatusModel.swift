import DexStore
package import Ethereum
import ZeroEx

/// `dex status`: a transaction by its receipt, or an order by its filled and cancelled amounts.
package struct StatusModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The meaning of a hash and its current state.
    ///
    /// Hashes of transactions and orders look alike, so node, relay and journal are asked at once.
    ///
    /// - Parameters:
    ///   - hash: of a transaction or an order.
    ///   - confirmations: the required number of blocks, including the transaction's own.
    /// - Throws: `DexError`: `unknown-hash` (exit 2), or the error of a read.
    package func load(
        _ hash: Bytes32,
        confirmations: UInt64 = 1
    ) async throws(DexError) -> StatusState {
        try await look(hash, confirmations: confirmations, expected: nil).state
    }

    /// Checks repeatedly until a transaction is confirmed, reverted or replaced, or an order
    /// closed.
    ///
    /// After the time-out it returns the last state. A failing node or relay is asked again, and so
    /// is one that does not know the hash yet. Meanwhile the environment shows the transaction.
    ///
    /// - Parameter timeout: seconds.
    /// - Throws: `DexError`, after the time-out also the last failure.
    package func wait(
        _ hash: Bytes32,
        confirmations: UInt64 = 1,
        timeout: UInt64 = 180
    ) async throws(DexError) -> StatusState {
        let start = session.environment.now()
        var expected: Kind?
        defer { session.environment.waiting(nil) }
        while true {
            let result = await Result { () async throws(DexError) in
                try await look(hash, confirmations: confirmations, expected: expected)
            }
            switch result {
            case .success((let state, let baseFee)):
                if state.isSettled { return state }
                expected = state.kind
                if case .transaction(let status) = state {
                    session.environment.waiting(
                        try shown(status, baseFee: baseFee, since: start)
                    )
                }
            case .failure(let error):
                guard error.retryable else { throw error }
                session.environment.waiting(nil)
                session.environment.progress(error.message)
            }
            let now = session.environment.now()
            // A clock that is set back must not extend the wait forever.
            guard now >= start, now - start < timeout else { return try result.get().state }
            try await Broadcast.sleep(session.network.receiptInterval, session)
        }
    }

    /// What the user sees while a transaction is waited for.
    ///
    /// - Parameter since: for a transaction that is not ours.
    private func shown(
        _ status: TransactionStatus,
        baseFee: Wei?,
        since: UInt64
    ) throws(DexError) -> TransactionWait {
        let own = try journaledTransaction(status.hash)
        return TransactionWait(
            purpose: own?.noun ?? "transaction",
            hash: status.hash,
            step: 1,
            steps: 1,
            price: status.stage.isInBlock
                ? nil : own?.signed(session)?.transaction.maximumGasPrice,
            baseFee: own == nil ? nil : baseFee,
            since: own?.created ?? since
        )
    }

    // MARK: One check

    enum Kind {
        case transaction
        case order
    }

    /// The state, and the base fee of the node's latest block.
    private func look(
        _ word: Bytes32,
        confirmations: UInt64,
        expected: Kind?
    ) async throws(DexError) -> (state: StatusState, baseFee: Wei?) {
        let hash = TransactionHash(word)
        let journaled = try journaledTransaction(hash)
        let isTransaction = expected == .transaction || journaled != nil
        // The relay is not asked about a known transaction.
        async let finding: Result<OrderFinder.Found?, DexError> =
            isTransaction ? .success(nil) : find(OrderHash(word))
        let (resolver, observation) = try await resolver(
            hash,
            journaled: journaled,
            confirmations: confirmations
        )
        let baseFee = resolver.setup.block.baseFeePerGas
        if isTransaction || !observation.isEmpty {
            guard let status = try await resolver.status(observation) else {
                throw ReadError.unknownHash(word, network: session.network.name)
            }
            let followed = try await followed(status, journaled, confirmations: confirmations)
            return (.transaction(followed), baseFee)
        }
        guard let found = try await finding.get() else {
            throw ReadError.unknownHash(word, network: session.network.name)
        }
        return (try await order(found, setup: resolver.setup), baseFee)
    }

    /// A node's view of a transaction, and its resolver.
    private func resolver(
        _ hash: TransactionHash,
        journaled: JournalTransaction?,
        confirmations: UInt64
    ) async throws(DexError) -> (TransactionStatusResolver, TransactionObservation) {
        let reading = TransactionReading(
            hash: hash,
            sender: journaled?.sender,
            nonce: journaled?.nonce,
            raw: journaled?.raw,
            rules: session.network.fees
        )
        var batch = ReadBatch()
        let asked = ChainSetup.ask(session, needsExchange: false, in: &batch)
        let slots = reading.ask(in: &batch)
        let answers = try await batch.send(to: session.chain)
        let setup = try answers.value(asked)
        let observation = try reading.observation(
            slots,
            in: answers,
            head: setup.block.number
        )
        let resolver = TransactionStatusResolver(
            session: session,
            hash: hash,
            setup: setup,
            journaled: journaled,
            journal: journal,
            confirmations: max(1, confirmations)
        )
        return (resolver, observation)
    }

    /// The state including the replacements of a transaction, if one of them is mined or waits.
    ///
    /// If another transaction with its nonce was mined, so that it is never executed, the first one
    /// itself is reported as replaced.
    private func followed(
        _ first: TransactionStatus,
        _ journaled: JournalTransaction?,
        confirmations: UInt64
    ) async throws(DexError) -> TransactionStatus {
        guard let journal, let journaled, !first.stage.isInBlock else { return first }
        var last: TransactionStatus?
        let line = try reported(JournalError.self, try journal.successors(of: journaled))
        for successor in line.reversed() {
            let (resolver, observation) = try await resolver(
                successor.hash,
                journaled: successor,
                confirmations: confirmations
            )
            guard var status = try await resolver.status(observation) else { continue }
            let isMined = status.stage.isInBlock
            status.successor = successor.hash
            if isMined, status.ending != .notMinedYet, !repeats(successor, journaled) {
                var replaced = TransactionStatus(
                    first.hash,
                    coin: first.coin,
                    without: .replaced,
                    from: first.from,
                    to: first.to
                )
                replaced.successor = successor.hash
                replaced.details = first.details
                replaced.notes.append(
                    "The \(successor.noun) \(successor.hash) took its nonce, so that it never "
                        + "will be mined."
                )
                return replaced
            }
            status.replaces = journaled.hash
            if status.stage == .pooled {
                status.notes.insert(
                    "It was signed to take the place of \(journaled.hash): one of the two is mined, "
                        + "and never both.",
                    at: 0
                )
            }
            if isMined {
                status.notes.insert(
                    "\(journaled.hash) was replaced by this \(successor.noun), which was mined "
                        + "with the same nonce; the first one never will be.",
                    at: 0
                )
            }
            if isMined || status.stage == .pooled { return status }
            last = last ?? status
        }
        // A node that has the first one is better informed than one that lost its replacements.
        guard let last, first.stage != .pooled, last.stage != .replaced else {
            return naming(line.last, in: first)
        }
        return last
    }

    /// The status with the successor that the node does not know.
    private func naming(
        _ successor: JournalTransaction?,
        in first: TransactionStatus
    ) -> TransactionStatus {
        guard let successor else { return first }
        var first = first
        first.successor = successor.hash
        if first.stage == .pooled {
            first.notes.append(
                "\(successor.hash) was signed to take its place, and the node does not know it: "
                    + "one of the two is mined, and never both."
            )
        }
        return first
    }

    /// Both have the same effect: the successor does not only use up the nonce.
    private func repeats(_ successor: JournalTransaction, _ first: JournalTransaction) -> Bool {
        guard successor.purpose == first.purpose,
            let new = successor.signed(session), let old = first.signed(session)
        else { return false }
        return new.transaction.to == old.transaction.to
            && new.transaction.data == old.transaction.data
    }

    private func order(
        _ found: OrderFinder.Found,
        setup: ChainSetup
    ) async throws(DexError) -> StatusState {
        let order = found.order
        let checked = await OrderVerifier(session: session).verify([order])
        if let dropped = checked.dropped.first { throw DexError(dropped) }
        let logs = OrderFills(session: session, head: setup.block, journal: journal)
        async let recent = Result { () async throws(DexError) in
            try await logs.recent(of: order)
        }
        let inspection = try await OrderInspector(session: session, settings: settings).inspect(
            checked.verified,
            dropped: [],
            setup: setup,
            account: nil,
            own: found.isOwn ? [order.hash] : [],
            served: found.isOnRelay ? [order.hash] : [],
            relays: [order.copyID: found.relays]
        )
        guard let row = inspection.rows.first else {
            throw inspection.dropped.first.map(DexError.init)
                ?? BookError.unknownOrder(order.hash, network: session.network.name)
        }
        let fills = await logs.all(
            of: order,
            beside: try await recent.get(),
            filled: row.state.filled
        )
        return .order(
            StatusState.Order(
                row: row,
                block: inspection.block.number,
                fills: fills,
                warnings: [logs.warning(of: fills, of: row)].compactMap(\.self)
            )
        )
    }

    private func find(_ hash: OrderHash) async -> Result<OrderFinder.Found?, DexError> {
        await Result { () async throws(DexError) in
            try await OrderFinder(session: session, journal: journal).find(hash)
        }
    }

    private func journaledTransaction(
        _ hash: TransactionHash
    ) throws(DexError) -> JournalTransaction? {
        guard let journal else { return nil }
        let record = try journaled(try journal.transaction(hash))
        return record?.chainID == session.network.chainID ? record : nil
    }
}

extension StatusState: EndedWork {
    package var error: DexError? {
        if case .transaction(let status) = self { status.error } else { nil }
    }

    /// Waiting longer would change nothing.
    var isSettled: Bool {
        switch self {
        case .transaction(let status):
            switch status.stage {
            case .confirmed, .reverted, .replaced, .refused, .forgotten: true
            // A node that lost a transaction may get it again.
            case .planned, .signed, .held, .broadcast, .pooled, .mined, .dropped, .reorganized:
                false
            }
        case .order(let status): !status.row.standing.isOpen
        }
    }

    fileprivate var kind: StatusModel.Kind {
        switch self {
        case .transaction: .transaction
        case .order: .order
        }
    }
}
