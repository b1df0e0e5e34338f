import Testing

@testable import DexRelay

/// What counts as one client, in every limit alike.
@Suite struct ClientNetworkTests {
    @Test(
        "addresses count alone, IPv6 by networks of 64 bits",
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:ffff::", true),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("local", "test", false),
            ("fe80::1%eth0", "fe80::1%eth1", false), ("0.0.0.0", "::", false),
        ]
    )
    func networks(one: String, other: String, isSame: Bool) throws {
        #expect((ClientNetwork(one) == ClientNetwork(other)) == isSame)
        #expect((ClientNetwork(one).bytes == ClientNetwork(other).bytes) == isSame)

        let limiter = RateLimiter(limit: { 1 }, now: { 0 })
        #expect(limiter.count(one)?.isExceeded == false)
        #expect(limiter.count(other)?.isExceeded == isSame)

        var limits = RelayLimits()
        limits.maximumConnectionsOfAddress = 1
        let feed = FeedAdmission()
        try feed.enter(one, limits)
        if isSame {
            #expect(throws: FeedAdmission.Refusal.tooManyOfAddress) {
                try feed.enter(other, limits)
            }
            feed.leave(other)
            try feed.enter(one, limits)
        } else {
            try feed.enter(other, limits)
        }
    }

    @Test("without a limit nothing is counted")
    func withoutLimit() {
        let limiter = RateLimiter(limit: { nil }, now: { 0 })
        for _ in 0..<3 { #expect(limiter.count("192.0.2.1") == nil) }
    }
}
