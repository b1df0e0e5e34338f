import Ethereum
import HTTPTypes
import OpenSSL
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

@Suite("The relay's page and what it reads")
struct PageTests {
    @Test("the page may run its own scripts and style alone, and load nothing")
    func policy() async throws {
        let answer = try await RelayFixture().server.answer("/")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["referrer-policy"] == "no-referrer")
        #expect(answer.headers["x-frame-options"] == "DENY")
        let policy = try #require(answer.headers["content-security-policy"])
        for rule in [
            "default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ] {
            #expect(policy.contains(rule))
        }
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("http"))
        // Every script and style of the page is named by its hash, and nothing else is.
        for tag in ["script", "style"] {
            let rule = try #require(
                policy.split(separator: "; ").first { $0.hasPrefix("\(tag)-src ") }
            )
            let found = texts(of: tag, in: answer.text).map {
                "'sha256-\(base64(HashFunction.sha256.hash(Array($0.utf8))))'"
            }
            #expect(rule == "\(tag)-src \(found.joined(separator: " "))")
            #expect(found.count == (tag == "script" ? 2 : 1))
        }
    }

    @Test("the page has no inline handler, no inline style and no resource of elsewhere")
    func markup() async throws {
        let text = try await RelayFixture().server.answer("/").text
        var markup = text
        for tag in ["script", "style"] {
            for content in texts(of: tag, in: text) {
                markup = markup.replacing(content, with: "")
            }
        }
        #expect(markup.firstMatch(of: /\son[a-z]+\s*=/.ignoresCase()) == nil)
        #expect(markup.firstMatch(of: /\sstyle\s*=/.ignoresCase()) == nil)
        #expect(markup.firstMatch(of: /(src|href)\s*=\s*"(?!#|\/[a-z]|data:)/.ignoresCase()) == nil)
        for risk in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
            "new Function",
        ] {
            #expect(!text.contains(risk), "\(risk)")
        }
    }

    @Test("the relay describes itself, its APIs and its tokens")
    func description() async throws {
        var server = try RelayFixtureV4().server
        server.operations.name = "Relay <b>\"one\"</b>"
        server.operations.publicURL = "https://relay.example"
        server.operations.network = "polygon"
        server.operations.chainID = 137
        server.operations.tokens = {
            [RelayFixture.zrx: .init(symbol: "<img src=x>\u{202E}", decimals: 18)]
        }
        let json = try await server.answer("/relay.json").json
        #expect(json["name"]?.stringValue == "Relay <b>\"one\"</b>")
        #expect(json["url"]?.stringValue == "https://relay.example")
        #expect(json["chainId"]?.numberText == "137")
        let apis = try #require(json["apis"]?.arrayValue)
        #expect(apis.map { $0["api"]?.stringValue } == ["v0", "v4"])
        #expect(apis.map { $0["webSocket"]?.stringValue } == ["/v0/ws", "/orderbook/v1"])
        #expect(
            apis.map { $0["exchange"]?.stringValue }
                == [
                    RelayFixture.exchange.lowercaseHex, RelayFixtureV4.domain.exchange.lowercaseHex,
                ]
        )
        #expect(json["tokens"]?.arrayValue?.first?["decimals"]?.numberText == "18")
    }

    @Test("every pair is listed with its best prices as a taker pays them, fees included")
    func markets() async throws {
        let fixture = try RelayFixtureV4()
        let fee = RelayFixture.feeRecipient
        try await fixture.add([
            fixture.order { $0.salt = 1 },
            fixture.order {
                $0.salt = 2
                $0.takerAmount = 1_900
                $0.takerTokenFeeAmount = 500
                $0.feeRecipient = fee
            },
            fixture.order {
                $0.salt = 3
                ($0.makerToken, $0.takerToken) = ($0.takerToken, $0.makerToken)
                ($0.makerAmount, $0.takerAmount) = (1_500, 1_000)
            },
        ])
        let list = try await fixture.server.answer("/markets.json").json["markets"]?.arrayValue
        let markets = try #require(list)
        #expect(markets.count == 4)
        let market = try #require(
            markets.first {
                $0["api"]?.stringValue == "v4" && $0["base"]?.stringValue == RelayFixtureV4.base
            }
        )
        #expect(market["asks"]?.numberText == "2")
        #expect(market["bids"]?.numberText == "1")
        #expect(market["bestAsk"] == ["baseAmount": "1000", "quoteAmount": "2000"])
        #expect(market["bestBid"] == ["baseAmount": "1000", "quoteAmount": "1500"])
        let empty = try #require(markets.first { $0["api"]?.stringValue == "v0" })
        #expect(empty["asks"]?.numberText == "0")
        #expect(empty["bestAsk"] == nil)
    }

    @Test("a book has a tag, and a reader that has it gets 304 until the book changes")
    func bookTags() async throws {
        let fixture = try RelayFixtureV4()
        try await fixture.add([fixture.order()])
        let path =
            "/sra/v4/orderbook?baseToken=\(RelayFixtureV4.base)&quoteToken=\(RelayFixtureV4.quote)"
        let first = try await fixture.server.answer(path)
        let tag = try #require(first.headers["etag"])
        #expect(first.headers["cache-control"] == "no-cache")
        let same = try await fixture.server.answer(path, [.ifNoneMatch: tag])
        #expect(same.status == 304)
        #expect(same.body.isEmpty)
        try await fixture.add([fixture.order { $0.salt = 9 }])
        let changed = try await fixture.server.answer(path, [.ifNoneMatch: tag])
        #expect(changed.status == 200)
        #expect(changed.headers["etag"] != tag)
        let packed = try await fixture.server.answer(path, [.acceptEncoding: "gzip"])
        #expect(packed.headers["content-encoding"] == "gzip")
        #expect(packed.headers["vary"] == "Accept-Encoding")
        #expect(packed.body.count < changed.body.count)
    }

    private func texts(of tag: String, in html: String) -> [String] {
        html.split(separator: "<\(tag)>").dropFirst().compactMap { part in
            part.firstRange(of: "</\(tag)>").map { String(part[..<$0.lowerBound]) }
        }
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        while bits.count % 6 != 0 { bits.append(0) }
        var text = ""
        for start in stride(from: 0, to: bits.count, by: 6) {
            text.append(digits[bits[start..<start + 6].reduce(0) { $0 * 2 + Int($1) }])
        }
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
