import Synchronization
import Testing

@testable import DexRelay

@Suite struct ClientBucketsTests {
    private let seconds: RelayFixture.Clock
    private let buckets: ClientBuckets

    init() {
        let clock = RelayFixture.Clock()
        seconds = clock
        buckets = ClientBuckets(now: { clock.now })
    }

    private func take(_ count: Int = 1, _ client: String = "192.0.2.1") -> Int? {
        buckets.take(count, client: client, perSecond: 10, burst: 30)
    }

    @Test("a burst passes, then so many a second, and what is refused costs nothing")
    func rate() {
        for _ in 0..<30 { #expect(take() == nil) }
        for _ in 0..<5 { #expect(take() == 1) }
        seconds.advance(by: 1)
        for _ in 0..<10 { #expect(take() == nil) }
        #expect(take() == 1)
        #expect(take(15) == 2)
        seconds.advance(by: 2)
        #expect(take(15) == nil)
        #expect(take(5) == nil)
        #expect(take() == 1)
        seconds.advance(by: 1_000_000)
        #expect(take(30) == nil)
        #expect(take() == 1)
    }

    @Test("more than a burst in one post passes when the bucket is full, and is paid for later")
    func largePost() {
        #expect(take(100) == nil)
        #expect(take() == 8)
        seconds.advance(by: 7)
        #expect(take() == 1)
        seconds.advance(by: 1)
        #expect(take() == nil)
    }

    @Test(
        "addresses count alone, IPv6 by networks of 64 bits",
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:ffff::", true),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("local", "test", false),
            ("fe80::1%eth0", "fe80::1%eth1", false),
        ]
    )
    func keys(one: String, other: String, isSame: Bool) {
        #expect(take(30, one) == nil)
        #expect((take(1, other) != nil) == isSame)
    }

    @Test("a clock that is set back gives nothing and traps on nothing")
    func backwards() {
        let time = Mutex<UInt64>(1_000)
        let buckets = ClientBuckets(now: { time.withLock { $0 } })
        #expect(buckets.take(30, client: "a", perSecond: 10, burst: 30) == nil)
        time.withLock { $0 = 0 }
        #expect(buckets.take(1, client: "a", perSecond: 10, burst: 30) == 1)
        time.withLock { $0 = .max }
        #expect(buckets.take(30, client: "a", perSecond: .max, burst: 30) == nil)
        #expect(buckets.take(1, client: "a", perSecond: 0, burst: 30) == 1)
    }

    @Test("addresses beyond the bound share one bucket until full ones make room")
    func bounded() {
        for number in 0..<ClientBuckets.maximum {
            #expect(take(1, "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)") == nil)
        }
        #expect(take(30, "198.51.100.1") == nil)
        #expect(take(1, "198.51.100.2") == 1)
        // Those that have a bucket keep it.
        #expect(take(1, "10.0.0.0") == nil)
        seconds.advance(by: 5)
        #expect(take(30, "198.51.100.3") == nil)
        #expect(take(30, "198.51.100.4") == nil)
    }
}
