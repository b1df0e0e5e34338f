import DexTestSupport
import Synchronization
import Testing

@testable import DexRelay

/// The keys of clients and their limits, in one process.
@Suite struct RelayKeysTests {
    /// The text of a key, and a key of it.
    static func key(
        _ name: String,
        _ change: (inout RelayKey.Limits) -> Void = { _ in }
    ) throws -> (text: String, key: RelayKey) {
        var generator = SystemRandomNumberGenerator()
        let text = RelayKey.text(using: &generator)
        var limits = RelayKey.Limits()
        change(&limits)
        let digest = try #require(RelayKey.digest(of: text))
        return (text, RelayKey(name: name, digest: digest, addedAt: 1_000, limits: limits))
    }

    private static func limits(posts: Int?, burst: Int = 10) -> RelayLimits {
        var limits = RelayLimits()
        limits.postsPerSecond = posts
        limits.postBurst = burst
        return limits
    }

    /// How many posts of one order are taken before the first that is not.
    private static func posts(_ keys: RelayKeys, _ standard: RelayLimits, maximum: Int = 1_000)
        -> Int
    {
        (0..<maximum).first { _ in keys.takePosts(1, of: "maker", standard: standard) != nil }
            ?? maximum
    }

    @Test("a key is 256 random bits behind a prefix, and only its exact text has its digest")
    func text() throws {
        let (text, key) = try Self.key("maker")
        #expect(text.hasPrefix("dexrelay_") && text.utf8.count == 9 + 64)
        #expect(try Self.key("maker").text != text)
        #expect(key.digest.count == 32)
        // Equal, word for word, to what sha256sum prints of 0.
        let zero = "dexrelay_" + String(repeating: "0", count: 64)
        var generator = Zeros()
        #expect(RelayKey.text(using: &generator) == zero)
        for other in ["", "dexrelay_", String(text.dropLast()), text + "0", "x" + text.dropFirst()]
        {
            #expect(RelayKey.digest(of: other) == nil, "\(other)")
        }
        #expect(RelayKey.digest(of: text.uppercased()) != key.digest)
    }

    private struct Zeros: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }

    @Test("a name is short, and safe as a label, in a shell and in a file")
    func names() {
        for name in ["a", "0", "market-maker-1", String(repeating: "a", count: 40)] {
            #expect(RelayKey.isName(name), "\(name)")
        }
        for name in [
            "", "-a", "A", "ä", "a b", "a\"", "a\n", "../a", String(repeating: "a", count: 41),
        ] {
            #expect(!RelayKey.isName(name), "\(name)")
        }
    }

    @Test("one known key is its holder's; any other key is refused, and never taken for none")
    func callers() throws {
        let keys = RelayKeys(now: { 1_000 })
        let (text, key) = try Self.key("maker")
        let other = try Self.key("other").text
        keys.replace(with: [key])
        func caller(_ authorization: [String] = [], _ own: [String] = []) -> RelayKeys.Caller {
            keys.caller(authorization: authorization, keys: own)
        }
        #expect(caller() == .anonymous)
        // Not for the relay.
        #expect(caller(["Basic dXNlcjpwYXNz"]) == .anonymous)
        for held in [
            caller(["Bearer \(text)"]), caller(["bearer \(text)"]), caller([], [text]),
            caller(["Basic dXNlcjpwYXNz"], [text]),
        ] {
            #expect(held == .holder(key))
        }
        let refused = [
            caller([], [other]), caller(["Bearer \(other)"]), caller([], [""]), caller(["Bearer"]),
            caller(["Bearer "]), caller([], [text.uppercased()]), caller([], [" \(text)"]),
            caller([], ["dexrelay_" + text.dropFirst(9).uppercased()]),
            caller([], [text, text]), caller(["Bearer \(text)"], [text]),
            caller(["Bearer \(text)", "Bearer \(other)"]), caller([], ["\(text), \(text)"]),
            caller([], [String(repeating: "a", count: 1 << 16)]),
        ]
        for answer in refused {
            guard case .refused(let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(!reason.contains("dexrelay_"))
        }
        #expect(keys.statistics.refused == UInt64(refused.count))
        keys.replace(with: [])
        guard case .refused = caller([], [text]) else {
            Issue.record("a removed key counts")
            return
        }
    }

    @Test("wrong keys by the thousands leave nothing behind")
    func flood() throws {
        let keys = RelayKeys(now: { 1_000 })
        keys.replace(with: [try Self.key("maker").key])
        for _ in 0..<5_000 {
            let text = try Self.key("x").text
            guard case .refused = keys.caller(authorization: [], keys: [text]) else {
                Issue.record("a wrong key is taken")
                return
            }
        }
        #expect(keys.statistics.clients.isEmpty)
        #expect(keys.statistics.refused == 5_000)
    }

    @Test("a client's own limit comes before that of an address; 0 is none")
    func limits() throws {
        let second = Mutex<UInt64>(10_000)
        let keys = RelayKeys(now: { second.withLock { $0 } })
        let (_, own) = try Self.key("maker") { ($0.postsPerSecond, $0.postBurst) = (2, 5) }
        keys.replace(with: [own])
        let standard = Self.limits(posts: 1, burst: 3)
        #expect(Self.posts(keys, standard) == 5)
        second.withLock { $0 += 2 }
        #expect(Self.posts(keys, standard) == 4)
        keys.replace(with: [try Self.key("maker") { $0.postsPerSecond = 0 }.key])
        #expect(Self.posts(keys, standard) == 1_000)
        keys.replace(with: [try Self.key("maker").key])
        second.withLock { $0 += 100 }
        #expect(Self.posts(keys, standard) == 3)
        #expect(Self.posts(keys, Self.limits(posts: nil)) == 1_000)
        // Whoever is no client any more is not let in by the way.
        keys.replace(with: [])
        #expect(Self.posts(keys, Self.limits(posts: nil)) == 0)
        #expect(keys.statistics.clients.isEmpty)
    }

    @Test("requests are counted in hours, and subscriptions in bursts of 32 seconds")
    func requests() throws {
        let second = Mutex<UInt64>(3_600)
        let keys = RelayKeys(now: { second.withLock { $0 } })
        let (_, own) = try Self.key("maker") {
            ($0.requestsPerHour, $0.subscriptionsPerSecond) = (2, 1)
        }
        keys.replace(with: [own])
        let standings = (0..<3).map { _ in keys.countRequest(of: "maker", standard: 100) }
        #expect(standings.map { $0?.remaining } == [1, 0, 0])
        #expect(standings.map { $0?.isExceeded } == [false, false, true])
        #expect(standings.map { $0?.limit } == [2, 2, 2])
        second.withLock { $0 += 3_600 }
        #expect(keys.countRequest(of: "maker", standard: nil)?.isExceeded == false)
        let taken = (0..<40).filter { _ in
            keys.takeSubscription(of: "maker", standard: RelayLimits()) == nil
        }
        #expect(taken.count == 32)
        keys.replace(with: [try Self.key("maker") { $0.requestsPerHour = 0 }.key])
        #expect(keys.countRequest(of: "maker", standard: 1) == nil)
        #expect(keys.statistics.clients["maker"]?.requests == 5)
    }

    @Test("instances together give a client its limit once, also a limit below their number")
    func shares() throws {
        let second = Mutex<UInt64>(10_000)
        for (rate, burst, count) in [(30, 90, 3), (1, 1, 3), (2, 2, 4), (7, 10, 3)] {
            second.withLock { $0 += 1_000 }
            let (_, own) = try Self.key("maker") {
                ($0.postsPerSecond, $0.postBurst, $0.requestsPerHour) = (rate, burst, 100)
            }
            let instances = (0..<count).map { _ in RelayKeys(now: { second.withLock { $0 } }) }
            for keys in instances {
                keys.replace(with: [own])
                keys.share(among: count)
            }
            func all() -> Int {
                instances.map { Self.posts($0, Self.limits(posts: nil)) }.reduce(0, +)
            }
            #expect(all() <= max(burst, count), "\(rate) \(burst) \(count)")
            #expect(all() == 0)
            // Over a long time no more than the rate, and not much less.
            var taken = 0
            for _ in 0..<60 {
                second.withLock { $0 += 1 }
                taken += all()
            }
            #expect(taken <= 60 * rate && taken >= 60 * rate - count * rate, "\(rate) \(taken)")
            let requests = instances.map { keys in
                (0..<200).count { _ in
                    keys.countRequest(of: "maker", standard: nil)?.isExceeded == false
                }
            }
            #expect(requests.reduce(0, +) <= 100)
        }
    }

    @Test("a connection is closed when its key goes, also if it went before, and another's stays")
    func connections() throws {
        let keys = RelayKeys(now: { 1_000 })
        let (one, other) = (try Self.key("one").key, try Self.key("other").key)
        keys.replace(with: [one, other])
        let closed = Mutex<[String]>([])
        func open(_ key: RelayKey, _ name: String) -> UInt64 {
            keys.opened(key) { closed.withLock { $0.append(name) } }
        }
        _ = open(one, "one")
        let ended = open(one, "ended")
        _ = open(other, "other")
        keys.ended(ended)
        keys.replace(with: [one, other])
        #expect(closed.withLock { $0.isEmpty })
        // The same name with a new key is another key.
        keys.replace(with: [try Self.key("one").key, other])
        #expect(closed.withLock { $0 } == ["one"])
        _ = open(one, "late")
        #expect(closed.withLock { $0 } == ["one", "late"])
    }
}
