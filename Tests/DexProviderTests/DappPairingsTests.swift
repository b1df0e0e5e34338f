import Ethereum
import Synchronization
import Testing

@testable import DexProvider

@Suite("Pairing a dapp by a code")
struct DappPairingsTests {
    private static let page = DappOrigin.page("https://app.example")
    private static let other = DappOrigin.page("https://evil.example")

    /// A clock, and random numbers that count up.
    private final class Source: Sendable {
        let time = Mutex<UInt64>(1_000)
        let number = Mutex<UInt64>(41)

        var pairings: DappPairings {
            DappPairings(
                random: { [self] in
                    number.withLock { number in
                        number += 1
                        return UInt256(number).word
                    }
                },
                now: { [self] in time.withLock { $0 } }
            )
        }

        func advance(_ seconds: UInt64) { time.withLock { $0 += seconds } }
    }

    private let source = Source()

    @Test("the code that was shown gives a token, once, and only to its origin")
    func pair() throws {
        var pairings = source.pairings
        let code = try #require(try pairings.begin(Self.page))
        #expect(code == "000042")
        #expect(throws: DappError.self) { try pairings.enter(code, Self.other) }
        #expect(throws: DappError.self) { try pairings.enter(code, .program) }
        let token = try pairings.enter("000-0 42", Self.page)
        #expect(token.utf8.count == 64)
        #expect(pairings.holds(token, of: Self.page) && pairings.isPaired(Self.page))
        for wrong in [nil, "", String(token.dropLast()), token.uppercased() + "0"] {
            #expect(!pairings.holds(wrong, of: Self.page))
        }
        #expect(!pairings.holds(token, of: Self.other) && !pairings.holds(token, of: .program))
        #expect(!pairings.isPaired(Self.other))
        #expect(throws: DappError.self) { try pairings.enter(code, Self.page) }
    }

    @Test("three wrong codes end an attempt")
    func tries() throws {
        var pairings = source.pairings
        let code = try #require(try pairings.begin(Self.page))
        for text in ["000043", "", "0000420", "42"].prefix(DappPairings.maximumTries) {
            #expect(throws: DappError.self) { try pairings.enter(text, Self.page) }
        }
        #expect(throws: DappError.self) { try pairings.enter(code, Self.page) }
        #expect(try pairings.begin(Self.page) == "000043")
    }

    @Test("a code holds for three minutes, and blocks other origins for as long")
    func time() throws {
        var pairings = source.pairings
        let code = try #require(try pairings.begin(Self.page))
        // The same code stays: no second one is shown.
        #expect(try pairings.begin(Self.page) == nil)
        #expect(throws: DappError.self) { try pairings.begin(Self.other) }
        source.advance(DappPairings.seconds)
        #expect(throws: DappError.self) { try pairings.enter(code, Self.page) }
        #expect(try pairings.begin(Self.other) == "000043")
    }

    @Test("after ten attempts that failed there are no more codes")
    func attempts() throws {
        var pairings = source.pairings
        for _ in 0..<DappPairings.maximumAttempts {
            #expect(try pairings.begin(Self.page) != nil)
            source.advance(DappPairings.seconds)
        }
        let error = #expect(throws: DappError.self) { try pairings.begin(Self.page) }
        #expect(error?.code == -32_005)
        source.advance(1_000_000)
        #expect(throws: DappError.self) { try pairings.begin(Self.other) }
    }

    @Test("as many are paired as may be, and no more")
    func many() throws {
        var pairings = source.pairings
        for _ in 0..<DappPairings.maximumPairings {
            let code = try #require(try pairings.begin(Self.page))
            _ = try pairings.enter(code, Self.page)
        }
        #expect(throws: DappError.self) { try pairings.begin(Self.page) }
    }

    @Test(
        "origins are http and https with a host; anything else is none",
        arguments: [
            ("https://App.Example:8443", "https://app.example:8443"),
            ("http://[::1]:3000", "http://[::1]:3000"), ("null", nil), ("", nil), ("https://", nil),
            ("file://", nil), ("https://a/b", nil), ("https://a b", nil),
            ("https://a\u{1B}[31m", nil),
            ("https://ä.example", nil), ("https://user@host", nil),
            ("https://" + String(repeating: "a", count: 300), nil),
        ]
    )
    func origins(header: String, expected: String?) {
        #expect(DappOrigin(header: header) == expected.map { .page($0) })
    }

    @Test("no origin is a program of this machine")
    func program() {
        #expect(DappOrigin(header: nil) == .program)
    }
}
