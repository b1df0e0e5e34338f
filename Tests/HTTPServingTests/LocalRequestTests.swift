import HTTPServing
import HTTPTypes
import Testing

@Suite("Which requests a local server takes")
struct LocalRequestTests {
    private func status(
        _ host: String?,
        origin: String? = nil,
        type: String? = "application/json",
        isPost: Bool = true
    ) -> Int? {
        LocalRequest.refusal(host: host, origin: origin, contentType: type, isPost: isPost)?
            .status.code
    }

    @Test(
        "only names of this machine are taken as the host, with any port or none",
        arguments: [
            "127.0.0.1", "127.0.0.1:8545", "localhost", "LocalHost:1", "[::1]", "[::1]:65535",
        ]
    )
    func hosts(host: String) {
        #expect(status(host) == nil)
    }

    @Test(
        "a name that somebody else lets point here is refused, and so is none at all",
        arguments: [
            nil, "", "evil.example", "evil.example:8545", "127.0.0.1.evil.example",
            "localhost.evil.example:8545", "127.0.0.1:8545:1", "127.0.0.1:", "127.0.0.1:x",
            "127.0.0.1:65536", "user@127.0.0.1", "0.0.0.0", "[::1", "::1", "localhost.",
            "127.0.0.1, evil.example",
        ]
    )
    func foreignHosts(host: String?) {
        #expect(status(host) == 403)
    }

    @Test(
        "a web page's origin is refused, also one of this machine at another port",
        arguments: [
            "http://evil.example", "https://127.0.0.1:8545", "null", "http://127.0.0.1:3000",
            "http://127.0.0.1", "http://localhost:8545", "", "file://",
        ]
    )
    func origins(origin: String) {
        #expect(status("127.0.0.1:8545", origin: origin) == 403)
        #expect(status("127.0.0.1:8545", origin: origin, isPost: false) == 403)
    }

    @Test(
        "a server that listens at an address is called by it or on loopback",
        arguments: [
            ("192.168.1.5", "192.168.1.5:8545", true), ("192.168.1.5", "localhost", true),
            ("192.168.1.5", "192.168.1.6:8545", false), ("192.168.1.5", "evil.example", false),
            ("192.168.1.5", "192.168.1.5.evil.example", false), ("192.168.1.5", "[::1]:1", true),
            ("fd00::5", "[fd00::5]:8545", true), ("fd00::5", "[FD00:0::5]", true),
            ("fd00::5", "fd00::5", false), ("fd00::5", "[fd00::6]:8545", false),
            ("0.0.0.0", "192.168.1.5:8545", true), ("0.0.0.0", "10.0.0.1", true),
            ("::", "[fd00::5]:8545", true), ("0.0.0.0", "evil.example:8545", false),
            ("0.0.0.0", "my-machine:8545", false), ("0.0.0.0", "", false),
            ("0.0.0.0", "192.168.1.5:x", false), ("0.0.0.0", "[192.168.1.5]", false),
            ("0.0.0.0", "192.168.1", false), ("127.0.0.1", "192.168.1.5", false),
        ] as [(String, String, Bool)]
    )
    func listening(address: String, host: String, isTaken: Bool) throws {
        let hosts = try #require(AcceptedHosts(listening: address))
        #expect(hosts.contain(host) == isTaken)
        let refusal = LocalRequest.refusal(
            host: host,
            origin: nil,
            contentType: nil,
            isPost: false,
            hosts: hosts
        )
        #expect((refusal == nil) == isTaken)
        // The origin rule is the same wherever it listens.
        let page = LocalRequest.refusal(
            host: host,
            origin: "http://evil.example",
            contentType: nil,
            isPost: false,
            hosts: hosts
        )
        #expect(page?.status == .forbidden)
    }

    @Test(
        "only an IP address can be listened at",
        arguments: [
            "", "localhost", "evil.example", "[::1]", "192.168.1.5:80", "1", "fe80::1%eth0x",
        ]
    )
    func notAnAddress(text: String) {
        #expect(AcceptedHosts(listening: text) == nil)
    }

    @Test("the server's own origin is taken")
    func ownOrigin() {
        #expect(status("127.0.0.1:8545", origin: "http://127.0.0.1:8545") == nil)
    }

    @Test(
        "what a page may post without asking first is refused",
        arguments: [
            nil, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
            "text/plain; application/json", "application/jsonp", "text/plain;charset=utf-8",
        ]
    )
    func types(type: String?) {
        #expect(status("localhost", type: type) == 415)
        #expect(status("localhost", type: type, isPost: false) == nil)
    }

    @Test(
        "JSON is taken as it is written",
        arguments: ["application/json", "Application/JSON; charset=utf-8", "application/json "]
    )
    func json(type: String) {
        #expect(status("localhost", type: type) == nil)
    }
}
