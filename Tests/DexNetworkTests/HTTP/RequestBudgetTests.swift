import Synchronization
import Testing

@testable import DexNetwork

@Suite("What a command's requests may take together")
struct RequestBudgetTests {
    /// A clock that a test moves, and memory that it fills.
    private final class Process: Sendable {
        let time = Mutex<UInt64>(1_000)
        let memory = Mutex<UInt64>(50 << 20)
        func pass(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }
        func take(_ bytes: UInt64) { memory.withLock { $0 += bytes } }
    }

    private let process = Process()
    private let budget: RequestBudget

    init() {
        let process = process
        budget = RequestBudget(
            clock: { process.time.withLock { $0 } },
            memory: { process.memory.withLock { $0 } }
        )
    }

    /// A server that takes so long for each answer, and makes us hold so much more.
    private func transport(taking milliseconds: UInt64, _ bytes: UInt64 = 0) -> CommandTransport {
        let process = process
        let fake = FakeTransport { _, _ in
            process.pass(milliseconds)
            process.take(bytes)
            return .success(HTTPResponse(200, "x"))
        }
        return CommandTransport(
            fake,
            budget,
            RequestLimits(milliseconds: 10_000, bytes: 1_024 << 20)
        )
    }

    private func failure(_ transport: CommandTransport) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await transport.send(HTTPRequest(.get, url: "http://localhost/"))
            return nil
        } catch {
            return error
        }
    }

    @Test("a server that drips its answers is asked until the time is used up")
    func dripping() async {
        let slow = transport(taking: 2_500)
        for _ in 0..<4 { #expect(await failure(slow) == nil) }
        let refused = await failure(slow)
        #expect(refused?.reason.contains("took 10 s") == true)
        #expect(refused?.reason.contains("--timeout") == true)
        // All servers of a command share it.
        #expect(await failure(transport(taking: 1)) != nil)
    }

    @Test("time between requests, as at a prompt, does not count")
    func prompts() async {
        let quick = transport(taking: 1)
        for _ in 0..<20 {
            #expect(await failure(quick) == nil)
            process.pass(100_000)
        }
    }

    @Test("a server whose answers are kept is asked until the memory is used up")
    func keeping() async {
        let heavy = transport(taking: 1, 400 << 20)
        for _ in 0..<3 { #expect(await failure(heavy) == nil) }
        let refused = await failure(heavy)
        #expect(refused?.reason.contains("holds 1250 MiB of memory") == true)
        #expect(refused?.reason.contains("beyond 1024 MiB") == true)
        // What is given back may be used again.
        process.memory.withLock { $0 = 100 << 20 }
        #expect(await failure(heavy) == nil)
    }

    @Test("once something is to be signed, nothing is bounded: it has to be followed to its end")
    func lifted() async {
        let slow = transport(taking: 20_000)
        #expect(await failure(slow) == nil)
        #expect(await failure(slow) != nil)
        budget.lift()
        for _ in 0..<3 { #expect(await failure(slow) == nil) }
    }
}
