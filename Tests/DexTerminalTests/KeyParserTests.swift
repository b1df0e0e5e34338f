import DexCore
import DexTerminal
import Testing

@Suite("Keys from a terminal")
struct KeyParserTests {
    private func keys(_ text: String) -> [KeyParser.Input] {
        var parser = KeyParser()
        return parser.read(text.utf8)
    }

    @Test(
        "bytes are keys",
        arguments: [
            ("q", [Key.character("q")]), ("é价", [.character("é"), .character("价")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
            ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]), ("\u{1A}", [.control("z")]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
            ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
            ("\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.delete, .pageUp, .pageDown]),
            ("\u{1B}[Z", [.backTab]), ("\u{1B}OM", [.enter]), ("\u{1B}[1;5A", [.up]),
            ("\u{1B}\u{1B}[A", [.escape, .up]),
            // Esc, and a key at once: no key has Alt.
            ("\u{1B}q", [.escape, .character("q")]), ("\u{1B}\r", [.escape, .enter]),
            ("\u{1B}é", [.escape, .character("é")]), ("\u{1B}\u{7F}", [.escape, .backspace]),
        ]
    )
    func known(text: String, expected: [Key]) {
        #expect(keys(text) == expected.map { .key($0) })
    }

    @Test(
        "unknown sequences and broken characters are no keys",
        arguments: [
            "\u{1B}[15~", "\u{1B}[2~", "\u{1B}[?25h",
            "\u{1B}[[A", "\u{1B}OP", "\u{1B}[I", "\u{1B}[O", "\u{1B}P1$r0m\u{1B}\\",
            "\u{1B}]52;c;cQ==\u{7}", "\u{1B}[201~", "\u{202E}", "\u{85}", "\u{0}", "\u{1C}",
            "\u{1B}[99999999999999999999~", "\u{1B}[1;1;1q",
        ]
    )
    func ignored(text: String) {
        #expect(keys(text) == [])
        #expect(keys(text + "j") == [.key(.character("j"))])
    }

    @Test("bytes that are no UTF-8 are no keys, and the next key is one")
    func broken() {
        var parser = KeyParser()
        let bytes: [UInt8] = [
            0xFF, 0xC3, 0x6A, 0xE4, 0xBB, 0x1B, 0x5B, 0x41, 0x9B, 0x41, 0xC0, 0x80,
        ]
        #expect(
            parser.read(bytes) == [
                .key(.character("j")), .key(.up), .key(.character("A")),
            ]
        )
    }

    @Test("an ESC alone is a key once nothing follows")
    func escape() {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}".utf8) == [])
        #expect(parser.isWaiting)
        #expect(parser.pause() == [.key(.escape)])
        #expect(!parser.isWaiting)
        #expect(parser.pause() == [])
        #expect(parser.read("q".utf8) == [.key(.character("q"))])
    }

    @Test("a paste is one text without control characters, however it is cut")
    func paste() {
        let bytes = Array("\u{1B}[200~q\u{1B}[Ax\ry\u{3}\u{1B}[201~".utf8)
        for cut in 0...bytes.count {
            var parser = KeyParser()
            let found = parser.read(bytes[..<cut]) + parser.read(bytes[cut...])
            #expect(found == [.key(.paste("qx y"))], "cut at \(cut)")
        }
    }

    @Test("keys right behind a paste come from the clipboard, and are not taken")
    func behindPaste() {
        var parser = KeyParser()
        let hostile = "\u{1B}[200~1\u{1B}[201~yes\r\u{1B}[A\u{1B}[201~"
        #expect(parser.read(hostile.utf8) == [.key(.paste("1"))])
        #expect(parser.isWaiting)
        #expect(parser.read("y\r".utf8) == [])
        #expect(parser.pause() == [])
        #expect(!parser.isWaiting)
        #expect(parser.read("y".utf8) == [.key(.character("y"))])
    }

    @Test("a paste is bounded; the rest of it is not typed")
    func longPaste() {
        var parser = KeyParser()
        let long = String(repeating: "b", count: KeyParser.longestPaste + 5_000)
        #expect(parser.read("\u{1B}[200~\(long)".utf8) == [])
        #expect(parser.pause() == [])
        let end = parser.read("sss\u{1B}[201~".utf8)
        #expect(end == [.key(.paste(String(long.prefix(KeyParser.longestPaste))))])
        _ = parser.pause()
        #expect(parser.read("q".utf8) == [.key(.character("q"))])
    }

    @Test(
        "clicks and the wheel, by mode 1006",
        arguments: [
            ("\u{1B}[<0;12;5M", MouseInput(.click, row: 4, column: 11)),
            ("\u{1B}[<64;1;1M", MouseInput(.wheelUp, row: 0, column: 0)),
            ("\u{1B}[<65;300;100M", MouseInput(.wheelDown, row: 99, column: 299)),
        ]
    )
    func mouse(text: String, expected: MouseInput) {
        #expect(keys(text + "q") == [.mouse(expected), .key(.character("q"))])
    }

    @Test(
        "releases, other buttons, broken reports and those of old terminals are nothing",
        arguments: [
            "\u{1B}[<0;12;5m", "\u{1B}[<1;12;5M", "\u{1B}[<2;1;1M", "\u{1B}[<4;1;1M",
            "\u{1B}[<66;1;1M", "\u{1B}[<0;0;1M", "\u{1B}[<0;1M", "\u{1B}[<0;1;1;1M",
            "\u{1B}[<;;M", "\u{1B}[<0;999999;1M", "\u{1B}[<M",
            // Three bytes follow, any of which would be a key.
            "\u{1B}[M qy", "\u{1B}[M`qy",
        ]
    )
    func noMouse(text: String) {
        #expect(keys(text) == [])
        #expect(keys(text + "j") == [.key(.character("j"))])
    }

    @Test("an old report that is cut ends with a pause; behind a paste nothing is pointed at")
    func cutMouse() {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}[M ".utf8) == [])
        #expect(parser.isWaiting)
        #expect(parser.pause() == [])
        #expect(parser.read("q".utf8) == [.key(.character("q"))])
        let pasted = parser.read("\u{1B}[200~1\u{1B}[201~\u{1B}[<0;1;1M".utf8)
        #expect(pasted == [.key(.paste("1"))])
    }

    @Test(
        "a terminal's answers are no keys",
        arguments: [
            ("\u{1B}[?2026;2$y", TerminalReply.mode(2026, state: 2)),
            ("\u{1B}[?2026;0$y", .mode(2026, state: 0)),
            (
                "\u{1B}]11;rgb:ffff/ffff/dddd\u{7}",
                .color(slot: 11, red: 65_535, green: 65_535, blue: 0xDDDD)
            ),
            (
                "\u{1B}]11;rgb:1e/1e/1e\u{1B}\\",
                .color(slot: 11, red: 0x1E1E, green: 0x1E1E, blue: 0x1E1E)
            ),
            ("\u{1B}]10;rgba:f/0/8/f\u{7}", .color(slot: 10, red: 65_535, green: 0, blue: 34_952)),
            ("\u{1B}[12;80R", .cursor(row: 12, column: 80)),
            ("\u{1B}[?62;1;4c", .attributes),
        ]
    )
    func replies(text: String, reply: TerminalReply) {
        #expect(keys(text + "q") == [.reply(reply), .key(.character("q"))])
    }

    @Test("a light background is told from a dark one; a broken answer is none")
    func background() {
        #expect(
            TerminalReply.color(slot: 11, red: 65_000, green: 65_000, blue: 60_000)
                .isLightBackground == true
        )
        #expect(
            TerminalReply.color(slot: 11, red: 0, green: 10_000, blue: 65_535).isLightBackground
                == false
        )
        #expect(TerminalReply.color(slot: 10, red: 0, green: 0, blue: 0).isLightBackground == nil)
        for text in [
            "11;rgb:1/2", "11;rgb:/1/1", "11;rgb:12345/1/1", "11;rgb:-1/1/1", "12;rgb:1/1/1",
        ] {
            #expect(keys("\u{1B}]\(text)\u{7}") == [], "\(text)")
        }
    }
}
