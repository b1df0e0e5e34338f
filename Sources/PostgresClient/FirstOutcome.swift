import Synchronization

/// The first of several outcomes of one attempt; the others are dropped.
final class FirstOutcome: Sendable {
    typealias Outcome = Result<Void, PostgresFailure>

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case set(Outcome)
    }

    private let state = Mutex(State.open)

    func set(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            switch state {
            case .set: return nil
            case .open:
                state = .set(outcome)
                return nil
            case .awaited(let waiter):
                state = .set(outcome)
                return waiter
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the first outcome; only one task may.
    var value: Outcome {
        get async {
            await withCheckedContinuation { waiter in
                let known = state.withLock { state -> Outcome? in
                    if case .set(let outcome) = state { return outcome }
                    state = .awaited(waiter)
                    return nil
                }
                if let known { waiter.resume(returning: known) }
            }
        }
    }
}

extension Result where Success == Void {
    /// The outcome of asynchronous work.
    init(_ work: () async throws(Failure) -> Void) async {
        do throws(Failure) {
            try await work()
            self = .success(())
        } catch {
            self = .failure(error)
        }
    }
}
