import EthereumWallet
import Foundation
import Synchronization
import Testing

@testable import DexSigning

@Suite("Waiting for an unlocked key")
struct AgentWaitTests {
    private final class Count: Sendable {
        private let value = Mutex(0)

        var now: Int { value.withLock { $0 } }

        func add() {
            value.withLock { $0 += 1 }
        }
    }

    @Test("an agent that takes its time holds up nothing else")
    func otherTasks() async throws {
        let bench = try SigningBench()
        let folder = try SigningFolder()
        let socket = AgentSocket(folder: "\(folder.path)/agent", account: bench.key.address)
        // It is never accepted from, so that nobody gets an answer before it is closed.
        let listener = try socket.listen()
        let key = AgentKey(AgentClient(socket))
        let request = AuthorizedRequest(bench.request(.message([1, 2, 3])))
        let ended = Count()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    await #expect(throws: SigningError.self) {
                        try await key.signature(of: request)
                    }
                    ended.add()
                }
            }
            // More wait than there are threads for tasks, and this one has its turn all the same.
            let before = await Task.detached { ended.now }.value
            #expect(before == 0)
            socket.remove()
            close(listener)
        }
    }
}
