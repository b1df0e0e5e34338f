import HTTPServing
import NIOCore
import Testing

@Suite("Headers of requests, as a client may send them")
struct HeaderTests {
    @Test(
        "gzip is used only for a client that names it with a weight above zero, not below identity's",
        arguments: [
            ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5, br", true), ("x-gzip", true),
            ("*", true), ("br;q=1, *;q=0.1", true), ("gzip ; q=0.001", true),
            ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip;Q=0.0", false),
            ("gzip;q=0, *", false), ("*;q=0", false), ("identity", false), ("", false),
            ("gzipped", false), (",,,;;;", false), ("gzip;q=0;q=1", false),
            ("identity, gzip;q=0.5", false), ("gzip;q=0.5, identity;q=0.49", true),
            ("identity;q=0.5, gzip;q=0.50", true), ("identity, *;q=0.999", false),
            ("identity;q=0, gzip;q=0.001", true), ("gzip;q=1.0, identity;q=1", true),
            ("gzip;q=2", true), ("gzip;q=-1", true), ("gzip;q=0.0001", true),
            ("gzip;q=0.0000", false), ("gzip;q=0.00000, *", false), ("gzip;q=0.", false),
            ("gzip;q=", true),
            ("gzip;q=.5, identity;q=0.6", true),
        ]
    )
    func acceptEncoding(header: String, isPreferred: Bool) {
        #expect(AcceptEncoding.prefersGzip(header) == isPreferred)
    }

    @Test("without the header, or with one that is too long, nothing is compressed")
    func noAcceptEncoding() {
        #expect(!AcceptEncoding.prefersGzip(nil))
        #expect(!AcceptEncoding.prefersGzip("gzip" + String(repeating: ",gzip", count: 1_000)))
    }

    @Test("a tag is known in each of its forms, alone and in a list")
    func tags() throws {
        let tag = try #require(EntityTag("abc"))
        for header in ["\"abc\"", "W/\"abc\"", "\"abc-gzip\"", "\"x\", \"abc\"", "*", " \"abc\" "] {
            #expect(tag.isKnown(to: header), "\(header)")
        }
        for header in [nil, "", "abc", "\"ab\"", "\"abc", "W/abc", "\"ABC\"", "\"abc-gzip-gzip\""] {
            #expect(!tag.isKnown(to: header), "\(header ?? "none")")
        }
        #expect(!tag.isKnown(to: String(repeating: "\"x\", ", count: 2_000) + "\"abc\""))
    }

    @Test("a tag cannot break out of its header")
    func tagCharacters() {
        for text in ["", "a\"b", "a b", "a\r\nX: y", "ä"] {
            #expect(EntityTag(text) == nil)
            #expect(EntityTag(header: "\"\(text)\"") == nil)
        }
        #expect(EntityTag(header: "\"") == nil)
        #expect(EntityTag(header: "W/\"a\"") == nil)
        #expect(EntityTag(header: "\"a\"")?.value == "a")
    }

    @Test("the tag of bytes is half of their SHA-256 hash")
    func tagOfBytes() {
        // The first 16 bytes of the hash of "abc" in FIPS 180-4.
        #expect(
            EntityTag(of: ByteBuffer(string: "abc")).header
                == "\"ba7816bf8f01cfea414140de5dae2223\""
        )
    }

    @Test("the numbers of requests are those of SplitMix64, and differ")
    func requestNumbers() {
        // The first outputs for the seed 1234567, as other implementations give them.
        let numbers = RequestNumbers(start: 1_234_567)
        #expect(numbers.next() == 6_457_827_717_110_365_317)
        #expect(numbers.next() == 3_203_168_211_198_807_973)
        #expect(Set((0..<1_000).map { _ in numbers.next() }).count == 1_000)
    }

    @Test("a client's name for its request is kept if it is harmless in a log")
    func requestIdentifiers() {
        for name in ["a", "A-1_b.9", String(repeating: "x", count: 64)] {
            #expect(RequestIdentifier.accepted(name) == name)
        }
        for name in [
            nil, "", " ", "a b", "a\n", "a\"", "ä", "a;b", "../x",
            String(repeating: "x", count: 65),
        ] {
            #expect(RequestIdentifier.accepted(name) == nil)
        }
        #expect(RequestIdentifier.make(0) == "0000000000000000")
        #expect(RequestIdentifier.make(.max) == "ffffffffffffffff")
        #expect(RequestIdentifier.make(0xABC) == "0000000000000abc")
    }
}
