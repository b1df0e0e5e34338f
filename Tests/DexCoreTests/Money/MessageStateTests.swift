import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A message, before it is signed")
struct MessageStateTests {
    private static let page = "https://app.example"

    private func state(_ text: String, origin: String? = nil) -> MessageState {
        MessageState(Array(text.utf8), account: "alice", origin: origin)
    }

    @Test(
        "a text that is shown as it is has no warning",
        arguments: ["", "hi", "two\nlines\n", "two\r\nlines", "\ta\t\tb", "ä 漢 €", "a\n\n\nb"]
    )
    func plain(text: String) {
        #expect(state(text).warnings == [])
        #expect(state(text).size == text.utf8.count)
    }

    @Test("lines stay lines, also empty ones")
    func lines() {
        #expect(state("a\n\nb\r\nc").lines == ["a", "", "b", "c"])
        #expect(state("").lines == [""])
    }

    @Test(
        "what a terminal acts on, and what is not seen, is taken away and warned of",
        arguments: [
            ("\u{1B}[2Jcleared", "cleared"), ("a\u{1B}]0;title\u{07}b", "ab"),
            ("pay\u{8}\u{8}\u{8}", "pay"), ("a\rb", "a b"), ("to\u{202E}moc.live", "tomoc.live"),
            ("a\u{200B}b", "ab"), ("a\u{0}b", "ab"), ("a\u{2028}b", "ab"), ("\u{9B}31mred", "red"),
        ]
    )
    func hidden(text: String, shown: String) {
        let state = state(text)
        #expect(state.lines == [shown])
        #expect(state.warnings.count == 1)
        #expect(state.warnings.first?.contains("control characters") == true)
    }

    @Test("what is not shown at the end is warned of too")
    func hiddenBehindTheCut() {
        let maximum = MessageState.maximumScalars
        let state = state(String(repeating: "a", count: maximum) + "\u{1B}[2J")
        #expect(state.lines == [String(repeating: "a", count: maximum)])
        #expect(state.warnings.count == 2)
    }

    @Test("bytes that are no text are hexadecimal")
    func bytes() {
        let state = MessageState([0xFF, 0xFE], account: "alice", origin: nil)
        #expect(state.lines == ["0xfffe"])
        #expect(state.warnings.count == 1)
        let long = MessageState(
            [UInt8](repeating: 0xFF, count: MessageState.maximumBytes + 1),
            account: "alice",
            origin: nil
        )
        #expect(long.lines.map(\.utf8.count) == [2 + 2 * MessageState.maximumBytes])
        #expect(long.warnings.last == "Only its start is shown: 1 more byte is signed.")
    }

    @Test("the start of a long text, and how much is not shown")
    func long() {
        let maximum = MessageState.maximumScalars
        let scalars = state(String(repeating: "é", count: maximum + 10))
        #expect(scalars.lines == [String(repeating: "é", count: maximum)])
        #expect(scalars.warnings == ["Only its start is shown: 20 more bytes are signed."])
        let lines = state(String(repeating: "\n", count: MessageState.maximumLines + 20))
        #expect(lines.lines.count == MessageState.maximumLines)
        #expect(lines.warnings == ["Only its start is shown: 21 more bytes are signed."])
        // One cluster of a letter and any number of marks.
        let marks = state("a" + String(repeating: "\u{301}", count: maximum + 1))
        #expect(marks.lines.map(\.unicodeScalars.count) == [maximum])
        #expect(marks.warnings == ["Only its start is shown: 4 more bytes are signed."])
    }

    @Test("an application's message is shown whole, or not signed")
    func whole() throws {
        let long = String(repeating: "a", count: MessageState.maximumScalars + 1)
        #expect(throws: DexError.self) { try state(long, origin: Self.page).checkShown() }
        try state(long).checkShown()
        try state(String(long.dropLast()), origin: Self.page).checkShown()
    }

    private static func login(_ place: String) -> String {
        "\(place) wants you to sign in with your Ethereum account:\n0x…\n\nURI: https://\(place)"
    }

    @Test(
        "a login (EIP-4361) is for the page that asks",
        arguments: ["app.example", "https://app.example", "App.Example"]
    )
    func login(place: String) {
        #expect(state(Self.login(place), origin: Self.page).warnings == [])
    }

    @Test(
        "a login at another place is warned of",
        arguments: [
            "bank.example", "app.example.evil.example", "app.example:8443", "http://bank.example",
            "",
        ]
    )
    func foreignLogin(place: String) {
        let warnings = state(Self.login(place), origin: Self.page).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("IT IS A LOGIN AT ") == true)
    }

    @Test(
        "no line end, space, case or invisible character hides a login",
        arguments: [
            "bank.example wants you to sign in with your Ethereum account:\r\n0x12\r\n\r\nURI: x",
            "bank.example wants you to sign in with your Ethereum account:\r0x12",
            "bank.example wants you to sign in with your Ethereum account: \n0x12",
            "\u{FEFF}bank.example wants you to sign in with your Ethereum account:\n0x12",
            "\r\nbank.example wants you to sign in with your Ethereum account:\n0x12",
            "bank.example\u{A0}wants you to  sign in with your Ethereum account:\n0x12",
            "bank.example Wants You To Sign In With Your Ethereum Account:\n0x12",
            "bank.example wants you to sign in with your Ethereum acc\u{200B}ount:\u{2028}0x12",
            "bank.example wants you to sign in with your ERC-4337 account:\n0x12",
        ]
    )
    func disguisedLogin(text: String) {
        let warnings = state(text, origin: Self.page).warnings
        #expect(warnings.first?.hasPrefix("IT IS A LOGIN AT bank.example, AND ") == true)
        let bytes = Array(text.utf8) + [0xFF]
        let broken = MessageState(bytes, account: "alice", origin: Self.page)
        #expect(broken.warnings.first?.hasPrefix("IT IS A LOGIN AT bank.example, AND ") == true)
    }

    @Test("of a login for a program or the user nothing is known")
    func otherLogin() {
        let text = Self.login("bank.example")
        #expect(state(text).warnings == [])
        #expect(state(text, origin: "a program on this machine").warnings == [])
    }
}
