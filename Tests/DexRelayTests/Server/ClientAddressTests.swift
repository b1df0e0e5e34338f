import HTTPServing
import HTTPTypes
import Testing

@testable import DexRelay

@Suite("The address of a client, behind proxies or not")
struct ClientAddressTests {
    private let behind = ClientAddress(
        trustedProxies: ["10.0.0.0/8", "127.0.0.1", "fd00::/8"].compactMap { AddressRange($0) }
    )

    private func client(_ peer: String, _ forwarded: String...) -> String {
        behind.client(peer: peer, forwarded: forwarded)
    }

    @Test("without proxies the peer is the client, whatever it claims")
    func direct() {
        let open = ClientAddress(trustedProxies: [])
        #expect(open.client(peer: "203.0.113.9", forwarded: ["1.2.3.4"]) == "203.0.113.9")
        #expect(client("203.0.113.9", "1.2.3.4") == "203.0.113.9")
        #expect(client("10.0.0.1") == "10.0.0.1")
    }

    @Test("behind a proxy the client is the last address that is no proxy's")
    func proxied() {
        #expect(client("10.0.0.1", "203.0.113.9") == "203.0.113.9")
        #expect(client("10.0.0.1", "1.2.3.4, 203.0.113.9") == "203.0.113.9")
        #expect(client("10.0.0.1", "1.2.3.4, 203.0.113.9, 10.9.9.9") == "203.0.113.9")
        #expect(client("10.0.0.1", "1.2.3.4", "203.0.113.9,\t10.9.9.9") == "203.0.113.9")
        #expect(client("fd00::7", "2001:db8::1") == "2001:db8::1")
        #expect(client("::ffff:10.0.0.1", "203.0.113.9") == "203.0.113.9")
        #expect(client("10.0.0.1", "10.0.0.2, 10.0.0.3") == "10.0.0.2")
    }

    @Test("ports and brackets are left out of the address")
    func ports() {
        #expect(client("10.0.0.1", "203.0.113.9:4711") == "203.0.113.9")
        #expect(client("10.0.0.1", "[2001:db8::1]:4711") == "2001:db8::1")
        #expect(client("10.0.0.1", "[2001:db8::1]") == "2001:db8::1")
    }

    @Test(
        "after nonsense nothing is believed: the limit is that of the last believed hop",
        arguments: [
            "", " ", ",", "unknown", "_hidden", "203.0.113", "203.0.113.9:", "203.0.113.9:x",
            "203.0.113.9:99999", "[203.0.113.9]", "[2001:db8::1", "2001:db8::1]:1", "10.0.0.0/8",
            "203.0.113.9 1.2.3.4", "999.1.1.1", "\u{661}.1.1.1", "0x7f.1", "<script>",
            String(repeating: "1", count: 4_000),
        ]
    )
    func nonsense(hop: String) {
        #expect(client("10.0.0.1", hop) == "10.0.0.1")
        #expect(client("10.0.0.1", "203.0.113.9, " + hop) == "10.0.0.1")
        #expect(client("10.0.0.1", "203.0.113.9, \(hop), 10.0.0.2") == "10.0.0.2")
    }

    @Test("a header with very many hops is read from its end and no further than sixteen")
    func manyHops() {
        let flood = String(repeating: "1.2.3.4, ", count: 100_000)
        #expect(client("10.0.0.1", flood + "203.0.113.9") == "203.0.113.9")
        let proxies = String(repeating: "10.0.0.5, ", count: 100_000)
        #expect(client("10.0.0.1", "203.0.113.9, " + proxies + "10.0.0.6") == "10.0.0.5")
    }

    @Test("an address is certain if it came directly or only through trusted proxies")
    func certainty() throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let standard = try #require(HTTPField.Name("Forwarded"))
        #expect(behind.isCertain(peer: "203.0.113.9", headers: [:]))
        #expect(behind.isCertain(peer: "10.0.0.1", headers: [forwarded: "203.0.113.9"]))
        let open = ClientAddress(trustedProxies: [])
        #expect(!open.isCertain(peer: "127.0.0.1", headers: [forwarded: "203.0.113.9"]))
        #expect(!open.isCertain(peer: "127.0.0.1", headers: [standard: "for=203.0.113.9"]))
        #expect(!behind.isCertain(peer: "203.0.113.9", headers: [forwarded: "127.0.0.1"]))
        // The operator on the proxy's machine, beside the proxy and through it.
        #expect(behind.isCertain(peer: "127.0.0.1", headers: [:]))
        #expect(behind.isCertain(peer: "127.0.0.1", headers: [forwarded: "127.0.0.1"]))
    }

    @Test(
        "behind a trusted proxy that names no client, the proxy is not taken for one",
        arguments: [
            ["Forwarded": "for=203.0.113.9"], ["Forwarded": "for=\"_x\""], ["Forwarded": ""],
            ["Forwarded": "for=127.0.0.1", "X-Forwarded-For": "127.0.0.1"],
            ["X-Forwarded-For": "unknown"], ["X-Forwarded-For": ""],
            ["X-Forwarded-For": "203.0.113.9, nonsense"],
            ["X-Forwarded-For": "203.0.113.9, , 127.0.0.1"],
            ["X-Forwarded-For": String(repeating: "127.0.0.1, ", count: 20) + "127.0.0.1"],
        ]
    )
    func unnamed(headers: [String: String]) throws {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        #expect(!behind.isCertain(peer: "127.0.0.1", headers: RequestHeaders(fields)))
    }
}
