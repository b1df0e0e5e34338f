import Dispatch
import Foundation
import Synchronization

/// Kills what runs in a home where it takes far too long: a command that waits for ever shall fail
/// its own test, not hold up all others.
final class RunLimit: Sendable {
    private enum State {
        case running, ended, exceeded
    }

    private let state = Mutex(State.running)

    /// Far more than any run needs, on a busy machine too.
    private static let seconds = 240

    init(_ processes: HomeProcesses) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.seconds)) { [self] in
            state.withLock { state in
                guard state == .running else { return }
                state = .exceeded
                _ = try? processes.send(SIGKILL)
            }
        }
    }

    /// The run has ended.
    ///
    /// - Throws: `DexBinary.Failure` where it was killed.
    func end(_ arguments: [String]) throws(DexBinary.Failure) {
        let isExceeded = state.withLock { state in
            defer { state = .ended }
            return state == .exceeded
        }
        guard isExceeded else { return }
        throw DexBinary.Failure(
            description: "dex \(arguments.joined(separator: " ")) still ran after "
                + "\(Self.seconds) s, and was killed"
        )
    }
}
