import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexStore
@testable import DexTerminal

/// Where words that others write reach a screen, outside of the arguments of calls and typed data
/// (`ForeignValueTests`): each is in quotes, and no line of the screen begins with it.
@Suite("Words of others never begin a line")
struct ForeignWordsTests {
    typealias Draw = @Sendable (String, Screen) -> [String]

    /// What a command prints of an error on a terminal, with its hint.
    private static func shown(_ error: DexError, _ screen: Screen) -> [String] {
        let text = "error: " + TerminalText.cleanLines(error.message)
        return TerminalText.flow(
            text + (error.hint.map { "\n" + TerminalText.cleanLines($0) } ?? ""),
            width: screen.width
        )
    }

    private static func token(_ symbol: String) -> Token {
        Token(address: Fixtures.address(5), symbol: symbol, name: symbol, decimals: 18)
    }

    static let surfaces: [(name: String, draw: Draw)] = [
        ("node: an error", { shown(DexError(ChainError.rpc(code: -32_000, message: $0)), $1) }),
        ("node: a revert", { shown(DexError(ChainError.reverted(data: [], message: $0)), $1) }),
        (
            "node: too few agree",
            {
                let reason = ChainError.rpc(code: 1, message: $0).description
                let error = ChainError.tooFewAnswers(needed: 2, answered: 1, reason: reason)
                return shown(DexError(error), $1)
            }
        ),
        (
            "node: what it refused to send",
            {
                let words = PlainText.quoted($0, limit: 300)
                let error = SendError.refused(
                    Fixtures.hash(4),
                    words: words,
                    nonce: 7,
                    isReplacement: false
                )
                return shown(error, $1)
            }
        ),
        (
            "contract: why a call reverts",
            {
                let error = CallError.wouldRevert(
                    subject: "the transfer",
                    words: RevertReason.words($0).text
                )
                return shown(error, $1)
            }
        ),
        (
            "contract: its reason, as a warning",
            {
                $1.warning(
                    PlainText.sentence("The contract's reason: \(RevertReason.words($0).text)")
                )
            }
        ),
        (
            "exchange: a revert of another contract inside",
            { $1.sentences(ExchangeRevertV4.words($0).description) }
        ),
        (
            "relay: a refusal, and its members",
            {
                let error = RelayError.refused(
                    status: 400,
                    code: 100,
                    reason: $0,
                    fields: [.init(field: $0, code: nil, reason: $0)]
                )
                return shown(DexError(error), $1) + shown(DexError(RelayRefusal(error)), $1)
            }
        ),
        (
            "relay: left out",
            {
                let error = RelayError.refused(status: 400, code: 1, reason: $0, fields: [])
                return $1.warning(RelayAnswer.warning("https://relay.example", error))
            }
        ),
        (
            "relay: an order that cannot be read",
            { $1.warning(OrderError.malformed(field: "salt", found: $0).description) }
        ),
        (
            "swap API: a refusal, and its parameters",
            {
                let error = LiquidityError.refused(
                    status: 400,
                    name: $0,
                    reason: $0,
                    fields: [.init(field: $0, reason: $0)]
                )
                return shown(DexError(error), $1)
            }
        ),
        (
            "signer: its refusal",
            {
                let words = ForeignWords.quoted($0, limit: 300)
                return $1.sentences("ledger did not sign: \(words)")
            }
        ),
        ("token: an amount", { $1.sentences("You get \(NumberText.amount(5, token($0))) now.") }),
        (
            "token: warnings about it",
            { symbol, screen in
                TokenMap().warnings(for: token(symbol)).flatMap { screen.warning($0) }
            }
        ),
        (
            "token: a pair in a sentence",
            {
                let pair = Pair(base: token($0), quote: Fixtures.weth)
                return $1.sentences("The book of \(pair.shownName) has no orders of that kind.")
            }
        ),
        (
            "page: who asks, and the question",
            {
                let state = MessageState([1], account: "alice", origin: $0)
                let view = MessageView(state)
                return view.lines($1)
                    + TerminalText.flow(view.question.text + " [y/N]", width: $1.width)
            }
        ),
        ("user: a text that is no address", { shown(badAddress($0), $1) }),
        (
            "watch: what came in, and an order",
            { symbol, screen in
                [WatchEvent.Kind.received, .fill, .unfunded, .wrapped].flatMap { kind in
                    WatchView(WatchScreenTests.notice(kind, token: token(symbol))).lines(screen)
                }
            }
        ),
        (
            "watch: what fails",
            { words, screen in
                let node = ChainError.rpc(code: -32_000, message: words)
                let relay = RelayError.refused(status: 400, code: 1, reason: words, fields: [])
                let statuses: [WatchStatus] = [
                    .failing(DexError(node)), .unchecked(DexError(node)),
                    .relayFailing(relay.reason),
                    .etherPaymentsUnavailable(from: 1, reason: node.reason),
                    .alertsUnknown(DexError(relay).message),
                ]
                return statuses.flatMap { screen.sentences(WatchText.sentence($0)) }
            }
        ),
        (
            "doctor: what a node says",
            { words, screen in
                let error = DexError(ChainError.rpc(code: -32_000, message: words))
                let state = DoctorState(
                    network: "mainnet",
                    account: Fixtures.address(7),
                    rows: [.fail(.node, error), .warn(.relay, error.message, error.hint ?? "")]
                )
                return DoctorView(state).lines(screen)
            }
        ),
    ]

    private static func badAddress(_ text: String) -> DexError {
        do throws(AddressError) {
            _ = try Address(text)
            return .cancelled
        } catch {
            return DexError(error)
        }
    }

    /// Each begins every line that it could with `ZZ`.
    static let hostile = [
        String(repeating: "ZZ forged ", count: 40),
        String(repeating: "ZZ", count: 150),
        String(repeating: "\u{A0}", count: 80) + "ZZ Sent 5 ETH",
        "x\nZZ Sent\r\nZZ\u{2028}ZZ\u{2029}ZZ\u{85}ZZ\u{0B}ZZ",
        "\u{1B}[2J\u{1B}[1;1HZZ\u{9B}31m",
        "\u{202E}ZZ\u{2066}\u{200B}\u{FEFF}\u{E0041}\u{115F}\u{3164}",
        "done\". ZZ Sent 5 ETH. \"" + String(repeating: " ZZ", count: 40),
        "\\\". " + String(repeating: "ZZ ", count: 40),
        String(repeating: "ZZ 界界 ", count: 30),
        "ZZ" + String(repeating: "\u{301}", count: 50) + String(repeating: " ZZ", count: 40),
        "https://" + String(repeating: "ZZ/", count: 60),
        "0x" + String(repeating: "12", count: 60) + " ZZ",
    ]

    @Test("of every surface, at every width", arguments: 0..<surfaces.count, [30, 40, 80])
    func everySurface(index: Int, width: Int) {
        let surface = Self.surfaces[index]
        for text in Self.hostile {
            let lines = surface.draw(text, Screen(width: width, style: .plain, now: 0))
            #expect(!lines.isEmpty)
            for line in lines {
                let start = line.drop { $0 == " " }
                #expect(!start.hasPrefix("ZZ"), "\(surface.name): \(line)")
                #expect(!start.hasPrefix("/ZZ"), "\(surface.name): \(line)")
                let hidden = line.unicodeScalars.contains {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: true
                    default: $0 == "\u{A0}" || $0.properties.isDefaultIgnorableCodePoint
                    }
                }
                #expect(!hidden, "\(surface.name): \(line)")
                // A hash and an address of ours stay whole.
                let isOwn = line.contains("0x") && !line.contains("0x12")
                #expect(
                    isOwn || TerminalText.width(of: line) <= width,
                    "\(surface.name): \(line)"
                )
            }
        }
    }

    @Test("in a picture a symbol is one quoted text of one element")
    func picture() {
        for text in Self.hostile {
            let symbol = SVGElement.escaped(NumberText.amount(5, Self.token(text)))
            #expect(symbol.hasSuffix("&quot;") || symbol.hasSuffix("&quot;…"), "\(symbol)")
            #expect(!symbol.contains { $0.isNewline || $0 == "<" || $0 == ">" || $0 == "\u{A0}" })
        }
    }

    @Test("a quote goes on behind a margin, and what follows it has none")
    func margin() {
        let text = "It said: \"one two three four five six\". Nothing was sent."
        #expect(
            TerminalText.wrap(text, width: 20) == [
                "It said: \"one two",
                "  | three four five",
                "  | six\". Nothing", "was sent.",
            ]
        )
        // A quote inside does not end it, and a paragraph does.
        let lines = TerminalText.wrap("\"aa \\\" bb cc dd ee\nff gg hh ii jj", width: 12)
        #expect(lines == ["\"aa \\\" bb cc", "  | dd ee", "ff gg hh ii", "jj"])
    }

    @Test("an indented line keeps its place, and a command stays whole")
    func flow() {
        #expect(
            TerminalText.flow(
                "see:\n  maker: \"not welcome here\".\n  dex cancel 0xabc --yes",
                width: 20
            )
                == [
                    "see:", "  maker: \"not", "    | welcome here\".", "  dex cancel 0xabc --yes",
                ]
        )
    }

    @Test("a symbol of one plain word stays as it is, any other is quoted")
    func names() {
        for name in ["ZRX", "USDC.e", "$MYRO", "USD₮0", "泰达币", "1INCH", "a-b_c+d", "0x12…34"] {
            #expect(PlainText.name(name) == name)
        }
        #expect(PlainText.name("Signed: yes") == "\"Signed: yes\"")
        #expect(PlainText.name("error:") == "\"error:\"")
        #expect(PlainText.name("") == "\"\"")
        #expect(PlainText.name("US\u{200B}DC") == "\"US\\u{200B}DC\"")
        #expect(PlainText.name("e\u{301}") == "\"e\u{301}\"")
        #expect(PlainText.pairName("ZRX/WETH") == "ZRX/WETH")
        #expect(PlainText.pairName("A B/WETH") == "\"A B/WETH\"")
        #expect(PlainText.quoted("abcdef", limit: 3) == "\"abc\"…")
    }
}
