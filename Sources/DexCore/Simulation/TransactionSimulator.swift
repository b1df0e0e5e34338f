import EVM
import Ethereum

/// Runs transactions on this machine, on a node's state, before they are signed.
///
/// A node that simulates says what it wants; this says what the contracts' own code does.
struct TransactionSimulator {
    let session: Session

    /// The most round trips beside those of a plan.
    static let maximumTrips = 3

    // MARK: Our own plans

    /// Asks for the state that a call reads, as far as it is known what that is.
    ///
    /// - Returns: nil if no node told it.
    func ask(_ call: CallRequest, in batch: inout ReadBatch) -> StateReads? {
        session.accesses.keys(of: call).map { StateReads.ask($0, at: .latest, in: &batch) }
    }

    /// What a transaction of a plan of ours would do.
    ///
    /// - Parameters:
    ///   - reads: of the state; nil if no node told what is read.
    ///   - bounds: what the plan allows.
    ///   - baseFee: of the next block.
    /// - Throws: `DexError`, as `StateProver`.
    func report(
        _ transaction: SimulatedTransaction,
        _ reads: StateReads?,
        in answers: ReadAnswers,
        within bounds: ChangeBounds?,
        head: Block,
        baseFee: Wei?
    ) async throws(DexError) -> SimulationReport {
        let state = FetchedState(producer: head.coinbase ?? .zero)
        func run(_ state: FetchedState, _ head: Block) -> SimulationRun {
            self.run(
                transaction,
                state,
                head,
                baseFee,
                watched: bounds?.tokens ?? [],
                asksAll: false
            )
        }
        if let reads {
            do throws(ChainError) {
                try reads.put(into: state, answers)
            } catch {
                return unread(Self.words(error))
            }
        } else if let keys = session.accesses.keys(of: transaction.call) {
            // It could not be simulated before its approval, so its last check was the first to ask.
            if let failure = await run(state, head).fetch(keys) { return unread(failure) }
        } else {
            return unread("the node does not say what the call reads (eth_createAccessList)")
        }
        let first = await run(state, head).report(trips: Self.maximumTrips)
        let (report, isSettled) = try await proven(first, state, head, run) { report in
            guard let changes = report.changes, changes.failure == nil else { return false }
            return bounds?.differences(changes).isEmpty ?? true
        }
        guard !isSettled, let changes = report.changes, let bounds,
            !bounds.differences(changes).isEmpty
        else { return report }
        // Its parts may be of two blocks, between which something moved.
        let settled = run(FetchedState(producer: head.coinbase ?? .zero), head)
        if let failure = await settled.fetch(state.known) { return unread(failure) }
        var last = await settled.report(trips: Self.maximumTrips)
        last.proof = report.proof
        return last
    }

    /// No run, and so no state to prove.
    private func unread(_ reason: String) -> SimulationReport {
        var report = SimulationReport.notRun(reason)
        if session.network.provesState { report.proof = .none("its state was not read") }
        return report
    }

    // MARK: Proofs

    /// A result with what is proven of its state; on the proven state, where that is another one.
    ///
    /// - Parameter fits: whether a result is as planned.
    /// - Returns: also whether it is a result at one block.
    /// - Throws: `DexError`, as `StateProver`; exit 4, `node-ahead`; exit 6, `state-moved`.
    private func proven(
        _ first: SimulationReport,
        _ state: FetchedState,
        _ head: Block,
        _ run: (FetchedState, Block) -> SimulationRun,
        fits: (SimulationReport) -> Bool
    ) async throws(DexError) -> (SimulationReport, isSettled: Bool) {
        guard session.network.provesState else { return (first, false) }
        let prover = StateProver(session: session, head: head, claimed: state)
        let outcome = try await prover.prove { run($0, $1).needs }
        guard let settled = outcome.settled else {
            var report = first
            report.proof = outcome.proof
            return (report, outcome.proof.isComplete)
        }
        let known = settled.state.known
        var report = await run(settled.state, settled.block).report(trips: Self.maximumTrips)
        if let lone = outcome.lone, !fits(report), fits(first) || report.changes == nil {
            throw DexError(lone)
        }
        if first.changes != nil, let reason = report.reason {
            throw SimulationError.moved(reason: reason)
        }
        let late = settled.state.used.subtracting(known)
        report.proof =
            late.isEmpty ? outcome.proof : try await prover.late(late, settled)
        return (report, true)
    }

    // MARK: Calls of others

    /// What a transaction would do of which only its data are known.
    ///
    /// What it reads is known if a node said it before.
    ///
    /// - Throws: `DexError`, as `StateProver`.
    func explore(
        _ transaction: SimulatedTransaction,
        head: Block,
        baseFee: Wei?
    ) async throws(DexError) -> SimulationReport {
        let keys =
            session.accesses.keys(of: transaction.call)
            ?? [.account(transaction.account), .account(transaction.call.to)]
        let state = FetchedState(producer: head.coinbase ?? .zero)
        func run(_ state: FetchedState, _ head: Block) -> SimulationRun {
            self.run(transaction, state, head, baseFee, watched: [], asksAll: true)
        }
        let first = run(state, head)
        if let failure = await first.fetch(keys) { return unread(failure) }
        let report = await first.report(trips: Self.maximumTrips - 1)
        return try await proven(report, state, head, run) { report in
            report.changes.map { $0.failure == nil } ?? false
        }.0
    }

    static func words(_ error: ChainError) -> String {
        "the node does not give the state (\(PlainText.clean(error.reason, limit: 200)))"
    }

    private func run(
        _ transaction: SimulatedTransaction,
        _ state: FetchedState,
        _ head: Block,
        _ baseFee: Wei?,
        watched: Set<Address>,
        asksAll: Bool
    ) -> SimulationRun {
        SimulationRun(
            session: session,
            transaction: transaction,
            state: state,
            block: BlockContext(after: head, session, baseFee: baseFee),
            base: head.number,
            watched: watched,
            asksAll: asksAll
        )
    }
}

extension BlockContext {
    /// The block after one.
    init(after head: Block, _ session: Session, baseFee: Wei?) {
        self.init(
            chainID: session.network.chainID,
            number: head.number.addingSaturating(1),
            timestamp: max(head.timestamp.addingSaturating(1), session.environment.now()),
            gasLimit: head.gasLimit,
            baseFee: baseFee ?? .zero,
            coinbase: head.coinbase ?? .zero,
            random: head.random.map { UInt256($0) } ?? .zero,
            hashes: [head.number: head.hash]
        )
    }

    /// The same with the hashes of earlier blocks that were fetched with a state.
    func knowing(_ state: FetchedState) -> BlockContext {
        var block = self
        block.hashes.merge(state.hashes) { own, _ in own }
        return block
    }
}

extension SimulationRun {
    /// What the state lacks, as far as a run shows it.
    fileprivate var needs: Set<StateKey> {
        guard case .needs(let keys) = result() else { return [] }
        return keys.union(guessedNeeds())
    }

    /// The result, with what the state lacks fetched on the way.
    fileprivate func report(trips: Int) async -> SimulationReport {
        for trip in 0...trips {
            switch result() {
            case .ran(let changes): return .ran(changes)
            case .notRun(let reason): return .notRun(reason)
            case .needs(let keys):
                guard trip < trips else { break }
                let wanted = keys.union(guessedNeeds())
                guard wanted.count <= StateReads.maximum else { break }
                if let failure = await fetch(wanted) { return .notRun(failure) }
            }
        }
        return .notRun("it reads more of the chain's state than is asked for")
    }

    /// Fetches parts of the state at the block of the run.
    ///
    /// - Returns: why that was not possible, as a clause; nil if it was.
    fileprivate func fetch(_ keys: Set<StateKey>) async -> String? {
        var batch = ReadBatch()
        let reads = StateReads.ask(keys, at: .number(base), in: &batch)
        do throws(ChainError) {
            try reads.put(into: state, try await session.chain.read(batch))
            return nil
        } catch {
            return TransactionSimulator.words(error)
        }
    }
}
