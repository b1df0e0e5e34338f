import EVM
import Ethereum

extension SandboxChain {
    /// Where it was forked; nil for a chain of its own.
    package var forkPoint: ForkPoint? { fork?.point }

    /// What a fork has fetched: accounts and words, bytes of code, and round trips since the start.
    package var fetched: (values: Int, code: Int, trips: UInt64) {
        guard let fork else { return (0, 0, 0) }
        return (fork.state.size.values, fork.state.size.code, fork.trips)
    }

    /// Runs something on the state, on a fork again once what it lacks is fetched; so it must change
    /// nothing before `checkKnown`.
    ///
    /// On a chain of its own nothing suspends.
    ///
    /// - Parameter call: what runs, if it is one call: the node is asked what that reads.
    /// - Throws: what the body throws, or why a fork cannot fetch what it needs.
    func onState<Value, Failure: ForkFailure>(
        for call: CallRequest? = nil,
        _ body: () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let fork else { return try body() }
        var hints: Set<StateKey> = []
        for trip in 0..<ForkSource.maximumTrips {
            var result: Result<Value, Failure>?
            let missing = fork.state.guessing {
                do throws(Failure) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
            }
            if missing.isEmpty, let result { return try result.get() }
            do throws(ForkError) {
                hints = try await fetch(missing, hints, for: trip == 0 ? call : nil)
            } catch {
                throw .fork(error)
            }
        }
        throw .fork(.endless)
    }

    /// Ends a run on guesses before it changes anything.
    ///
    /// - Throws: an error that `onState` replaces.
    func checkKnown<Failure: ForkFailure>(as type: Failure.Type) throws(Failure) {
        if fork?.state.isGuess == true { throw .fork(.endless) }
    }

    /// Fetches what any call may read, so that it is there offline.
    ///
    /// - Throws: `SandboxError`.
    package func prepare() async throws(SandboxError) {
        try await onState { () throws(SandboxError) in
            for address in [Address.zero, genesis.coinbase] {
                _ = world.value(StorageKey(address, .ether))
            }
        }
    }

    /// Fetches values of the live chain and keeps them.
    ///
    /// - Parameter hints: what may be needed beside the keys.
    /// - Returns: what the call reads, as the node says it.
    private func fetch(
        _ keys: Set<StateKey>,
        _ hints: Set<StateKey>,
        for call: CallRequest?
    ) async throws(ForkError) -> Set<StateKey> {
        guard let fork else { return [] }
        let some = fork.wanted(keys, hints)
        do throws(ForkError) {
            let answer = try await fork.source(of: some).ask(some, for: call)
            let values = try fork.take(answer, for: some)
            do throws(SandboxError) {
                try store?.keep(values)
            } catch {
                throw .silent(reason: "what it answered cannot be kept: \(error)")
            }
            return answer.hints
        } catch {
            fork.stop(error)
            throw error
        }
    }
}
