import Synchronization
import Testing

@testable import DexNetwork

@Suite("The time that a command's requests may take together")
struct RequestBudgetTests {
    /// A clock that a test moves.
    private final class Time: Sendable {
        let value = Mutex<UInt64>(1_000)
        func pass(_ milliseconds: UInt64) { value.withLock { $0 += milliseconds } }
    }

    private let time = Time()
    private let budget: RequestBudget

    init() {
        let time = time
        budget = RequestBudget { time.value.withLock { $0 } }
    }

    /// A server that takes so long for each answer.
    private func transport(taking milliseconds: UInt64) -> CommandTransport {
        let time = time
        let fake = FakeTransport { _, _ in
            time.pass(milliseconds)
            return .success(HTTPResponse(200, "x"))
        }
        return CommandTransport(fake, budget, milliseconds: 10_000)
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
            time.pass(100_000)
        }
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
