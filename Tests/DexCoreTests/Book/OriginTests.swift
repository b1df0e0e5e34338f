import DexCore
import Testing

@testable import DexCoreTestSupport

@Suite("What may be shown of a URL")
struct OriginTests {
    @Test(
        "scheme, host and port are shown, and nothing that can be a key",
        arguments: [
            ("https://node.example/v2/KEY", "https://node.example"),
            ("https://user:KEY@node.example:8545/?k=KEY#KEY", "https://node.example:8545"),
            ("HTTP://Node.Example?KEY", "http://Node.Example"),
            ("https://a@b:KEY@node.example", "https://node.example"),
            ("http://[::1]:8545/KEY", "http://[::1]:8545"), ("http://[::1]/KEY", "http://[::1]"),
            ("http://127.0.0.1:1#KEY", "http://127.0.0.1:1"),
            ("https://node.example\\\\KEY", "https://node.example"),
        ]
    )
    func shown(url: String, origin: String) {
        #expect(PlainText.origin(of: url) == origin)
    }

    @Test(
        "of what is no URL nothing is shown",
        arguments: [
            "", "KEY", "https//node.example/KEY", "ftp://node.example/KEY",
            "https://user:KEY/@host",
            "https://KEY\u{1B}[31m.example", "https://", "https://:8545/KEY", "https://a b/KEY",
        ]
    )
    func noURL(text: String) {
        #expect(PlainText.origin(of: text) == "an address that is not a URL")
    }
}
