import Foundation

/// Runs what blocks on a thread of its own.
///
/// Swift's tasks share as many threads as there are cores. Two of them that wait for a process stop
/// everything else in a test process on two cores, a relay in it too.
package func onOwnThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try work() })
        }
    }
}
