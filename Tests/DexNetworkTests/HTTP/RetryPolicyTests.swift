import Testing

@testable import DexNetwork

@Suite("the waits between tries")
struct RetryPolicyTests {
    @Test("200 ms, doubling, never beyond the longest wait")
    func delays() {
        let policy = RetryPolicy()
        #expect(policy.tries == 3)
        #expect(
            (1...8).map { policy.delay(after: $0) } == [
                200, 400, 800, 1600, 3200, 6400, 10_000, 10_000,
            ]
        )
        #expect(policy.delay(after: .max) == 10_000)
        #expect(policy.delay(after: .min) == 200)
    }

    @Test("a request is always sent once")
    func atLeastOnce() {
        #expect(RetryPolicy(tries: 0).tries == 1)
    }
}
