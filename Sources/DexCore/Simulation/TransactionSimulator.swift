import EVM
import Ethereum

/// Runs transactions on this machine, on a node's state, before they are signed.
///
/// A node that simulates says what it wants; this says what the contracts' own code does.
struct TransactionSimulator {
    let session: Session

    /// The most round trips beside those of a plan.
    static let mostTrips = 3

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
    func report(
        _ transaction: SimulatedTransaction,
        _ reads: StateReads?,
        in answers: ReadAnswers,
        within bounds: ChangeBounds?,
        head: Block,
        baseFee: Wei?
    ) async -> SimulationReport {
        let state = FetchedState(producer: head.coinbase ?? .zero)
        let run = run(
            transaction,
            state,
            head,
            baseFee,
            watched: bounds?.tokens ?? [],
            asksAll: false
        )
        if let reads {
            do throws(ChainError) {
                try reads.put(into: state, answers)
            } catch {
                return .notRun(Self.words(error))
            }
        } else if let keys = session.accesses.keys(of: transaction.call) {
            // It could not be simulated before its approval, so its last check was the first to ask.
            if let failure = await run.fetch(keys) { return .notRun(failure) }
        } else {
            return .notRun("the node does not say what the call reads (eth_createAccessList)")
        }
        let report = await run.report(trips: Self.mostTrips)
        guard let changes = report.changes, let bounds, !bounds.differences(changes).isEmpty else {
            return report
        }
        // Its parts may be of two blocks, between which something moved.
        var settled = run
        settled.state = FetchedState(producer: head.coinbase ?? .zero)
        if let failure = await settled.fetch(state.known) { return .notRun(failure) }
        return await settled.report(trips: Self.mostTrips)
    }

    // MARK: Calls of others

    /// What a transaction would do of which only its data are known.
    ///
    /// What it reads is known if a node said it before.
    func explore(
        _ transaction: SimulatedTransaction,
        head: Block,
        baseFee: Wei?
    ) async -> SimulationReport {
        let keys =
            session.accesses.keys(of: transaction.call)
            ?? [.account(transaction.account), .account(transaction.call.to)]
        let state = FetchedState(producer: head.coinbase ?? .zero)
        let run = run(transaction, state, head, baseFee, watched: [], asksAll: true)
        if let failure = await run.fetch(keys) { return .notRun(failure) }
        return await run.report(trips: Self.mostTrips - 1)
    }

    fileprivate static func words(_ error: ChainError) -> String {
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
            block: BlockContext(
                chainID: session.network.chainID,
                number: head.number.addingSaturating(1),
                timestamp: max(head.timestamp.addingSaturating(1), session.environment.now()),
                gasLimit: head.gasLimit,
                baseFee: baseFee ?? .zero,
                coinbase: head.coinbase ?? .zero,
                random: head.random.map { UInt256($0) } ?? .zero,
                hashes: [head.number: head.hash]
            ),
            base: head.number,
            watched: watched,
            asksAll: asksAll
        )
    }
}

extension SimulationRun {
    /// The result, with what the state lacks fetched on the way.
    fileprivate func report(trips: Int) async -> SimulationReport {
        for trip in 0...trips {
            switch result() {
            case .ran(let changes): return .ran(changes)
            case .notRun(let reason): return .notRun(reason)
            case .needs(let keys):
                guard trip < trips else { break }
                let wanted = keys.union(guessedNeeds())
                guard wanted.count <= StateReads.most else { break }
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
