import DexTestSupport
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// The waits of tests: each has a bound of its own.
@Suite struct UntilTests {
    @Test("a wait ends with its condition, and throws nothing")
    func holds() async throws {
        var looks = 0
        try await until("three looks") {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test("a wait in vain ends after so many looks, and says what it waited for and where")
    func inVain() async {
        var looks = 0
        await #expect {
            try await until("a thing that never comes", looks: 5) {
                looks += 1
                return false
            }
        } throws: { error in
            "\(error)".contains("UntilTests.swift")
                && "\(error)".contains("waited for a thing that never comes, in vain: 5 looks")
        }
        #expect(looks == 5)
    }

    @Test("work that hangs is left to itself, and what it gives or throws is handed on")
    func work() async throws {
        struct Own: Error {}
        #expect(try await ended("a number") { 7 } == 7)
        await #expect(throws: Own.self) { try await ended("a failure") { throw Own() } }
        let isCancelled = Mutex(false)
        await #expect(throws: StillWaiting.self) {
            try await ended("a sleeper", looks: 5) {
                do {
                    try await Task.sleep(for: .seconds(86_400))
                } catch {
                    isCancelled.withLock { $0 = true }
                }
            }
        }
        try await until("the sleeper to be cancelled") { isCancelled.withLock { $0 } }
        let (stream, sender) = AsyncStream.makeStream(of: Int.self)
        sender.yield(1)
        sender.yield(2)
        #expect(try await stream.next("the first") == 1)
        #expect(try await stream.next("the second") == 2)
        sender.finish()
        #expect(try await stream.next("the end") == nil)
    }
}
