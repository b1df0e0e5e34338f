import Testing

@testable import DexCore
@testable import DexTerminal

/// What is shown of a message before it is signed; `ScreenTests` compares the screens.
@Suite("Messages, shown")
struct MessageScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("message", { MessageView(state("I am alice.\n\nNonce: 7")).lines($0) }),
        (
            "message-of-page",
            {
                let text = "bank.example wants you to sign in with your Ethereum account:\n0x12"
                return MessageView(state(text + "\u{1B}[2J", origin: page)).lines($0)
            }
        ),
        (
            "message-of-bytes",
            {
                let state = MessageState(
                    [UInt8](repeating: 0xFE, count: 1_200),
                    account: "alice",
                    origin: page
                )
                return MessageView(state).lines($0)
            }
        ),
    ]

    private static let page = "https://app.example"

    private static func state(_ text: String, origin: String? = nil) -> MessageState {
        MessageState(
            Array(text.utf8),
            account: "alice (0x2b1858a6a83931237070a1a10b0dF600E528e7d7)",
            origin: origin
        )
    }

    @Test("no part of a message begins a line of the terminal", arguments: [20, 40, 80, 200])
    func margin(width: Int) {
        let fake = String(repeating: " ", count: width - 4) + "  account  0xfake"
        for text in [fake, fake + "\n" + fake, String(repeating: "漢", count: 300)] {
            let screen = Screen(width: width, style: .plain, now: 0)
            let state = MessageState(Array(text.utf8), account: "alice", origin: nil)
            let lines = MessageView(state).lines(screen)
            #expect(lines.count { $0.contains("account") && !$0.hasPrefix("  |") } == 1)
            let message = lines.drop { !$0.hasPrefix("  |") }
            #expect(message.allSatisfy { $0.hasPrefix("  |") })
            #expect(message.allSatisfy { TerminalText.width(of: $0) <= width })
        }
    }

    @Test("the question names who asks")
    func question() {
        #expect(MessageView(Self.state("hi")).question.text == "Sign this message?")
        #expect(
            MessageView(Self.state("hi", origin: Self.page)).question.text
                == "Sign this message for https://app.example?"
        )
    }
}
