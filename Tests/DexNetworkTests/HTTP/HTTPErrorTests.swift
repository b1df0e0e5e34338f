import Testing

@testable import DexNetwork

@Suite("what is said of failed requests")
struct HTTPErrorTests {
    @Test(
        "every failure has its words",
        arguments: [
            (HTTPError.malformedURL, "its address is not an http or https URL"),
            (
                .noLibrary("gone"),
                "libcurl cannot be loaded (gone); install it, on Debian and Ubuntu with "
                    + "`apt install libcurl4-openssl-dev`"
            ),
            (.unknownHost("a.b"), "there is no host named a.b"),
            (.noConnection(host: "a.b:1"), "nothing accepts connections at a.b:1"),
            (
                .refusedByProxy(status: 407),
                "the proxy refused to connect to it (HTTP status 407)"
            ),
            (
                .connectTimedOut(host: "a.b:1", milliseconds: 10_000),
                "a.b:1 did not take a connection within 10 s"
            ),
            (.untrusted("expired"), "no trusted connection could be made (expired)"),
            (.timedOut(milliseconds: 1500), "no whole answer came within 1.5 s"),
            (.timedOut(milliseconds: 50), "no whole answer came within 0.05 s"),
            (.stalled(seconds: 20), "almost nothing came for 20 s"),
            (.cutOff, "the connection was cut before the whole answer came"),
            (.tooLarge(bytes: 1000), "the answer is larger than 1000 bytes"),
            (.garbled("bad"), "what came is not a proper HTTP answer (bad)"),
            (.cancelled, "the request was cancelled"),
            (.other("odd"), "the request failed (odd)"),
        ]
    )
    func words(error: HTTPError, reason: String) {
        #expect(error.reason == reason)
        #expect(error.description == "The server gave no usable answer: \(reason).")
    }

    @Test("only failures before a connection are sure not to have reached the server")
    func mayHaveArrived() {
        let safe: [HTTPError] = [
            .malformedURL, .noLibrary("a"), .unknownHost("a"), .noConnection(host: "a"),
            .connectTimedOut(host: "a", milliseconds: 1), .untrusted("a"),
            .refusedByProxy(status: 407),
        ]
        let unsure: [HTTPError] = [
            .timedOut(milliseconds: 1), .stalled(seconds: 1), .cutOff, .tooLarge(bytes: 1),
            .garbled("a"), .cancelled, .other("a"),
        ]
        #expect(safe.allSatisfy { !$0.mayHaveArrived })
        #expect(unsure.allSatisfy { $0.mayHaveArrived })
    }

    @Test(
        "of a URL only scheme, host and a written port are shown",
        arguments: [
            ("https://mainnet.example.io/v3/0123456789abcdef", "https://mainnet.example.io"),
            ("https://user:password@Example.com:8545/key?k=1#f", "https://example.com:8545"),
            ("http://127.0.0.1:8545", "http://127.0.0.1:8545"),
            ("http://[::1]:8545/x", "http://[::1]:8545"),
            ("my-secret-key", "an address that is not a URL"),
            ("ftp://key@example.com/", "an address that is not a URL"),
        ]
    )
    func shown(url: String, expected: String) {
        #expect(WebAddress.shown(url) == expected)
    }

    @Test("this machine is known by its names and numbers")
    func loopback() {
        for host in ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "LOCALHOST"] {
            #expect(WebAddress("http://\(host):1/")?.isLoopback == true, "\(host)")
        }
        for host in ["127.evil.com", "localhost.evil.com", "10.0.0.1", "[::2]"] {
            #expect(WebAddress("http://\(host):1/")?.isLoopback == false, "\(host)")
        }
    }

    @Test("servers are the same by scheme, host and port")
    func sameServer() throws {
        let address = try #require(WebAddress("https://example.com/a"))
        #expect(WebAddress("https://EXAMPLE.com:443/b").map(address.isSameServer) == true)
        #expect(WebAddress("http://example.com/b").map(address.isSameServer) == false)
        #expect(WebAddress("https://example.com:444/b").map(address.isSameServer) == false)
        #expect(WebAddress("https://evil.com/b").map(address.isSameServer) == false)
    }
}
