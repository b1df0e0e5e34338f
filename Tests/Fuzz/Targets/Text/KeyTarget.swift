import DexCore
import DexTerminal

extension FuzzTarget {
    /// What a terminal sends: the same keys however it is cut, harmless and bounded texts, a paste
    /// that types nothing, and a parser that always finds back.
    static let keys = FuzzTarget(
        "keys",
        maximumLength: 400,
        seeds: {
            [
                "qjk[]/bsmrxopy?\t\r\u{7F}\u{3}", "\u{1B}[A\u{1B}[1;5B\u{1B}OC\u{1B}[3~\u{1B}[Z",
                "\u{1B}[200~ZRX/WETH\r\u{1B}[31m\u{1B}[201~yes\r",
                "\u{1B}\u{1B}[[A\u{1B}q\u{1B}é价😀",
                "\u{1B}[?2026;2$y\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\\u{1B}[12;40R\u{1B}[?62;4c",
                "\u{1B}P+q544e\u{1B}\\\u{1B}_x\u{7}\u{1B}]52;c;\u{1B}[200~",
                "\u{1B}[<0;12;5M\u{1B}[<64;1;1M\u{1B}[<0;0;1m\u{1B}[M qyj",
            ].map { [UInt8(5)] + Array($0.utf8) }
        }
    ) { input in
        var reader = InputReader(input)
        let step = max(1, Int(reader.byte()))
        let bytes = reader.rest()
        var whole = KeyParser()
        let found = whole.read(bytes)
        var pieces = KeyParser()
        var again: [KeyParser.Input] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            again += pieces.read(bytes[start..<min(bytes.count, start + step)])
        }
        try requireEqual(found, again, "keys depend on how they are cut")
        for case .key(let key) in found { try KeyTarget.check(key) }
        for case .mouse(let mouse) in found {
            try require(mouse.row >= 0 && mouse.column >= 0, "a cell before the first one")
        }
        try KeyTarget.checkPaste(bytes)
        // Whatever came before: an end mark and a pause, then a key is a key.
        _ = whole.read("\u{1B}[201~".utf8)
        _ = whole.pause()
        try requireEqual(
            whole.read("q".utf8),
            [.key(.character("q"))],
            "the parser does not find back"
        )
        try require(!whole.isWaiting, "nothing is left to wait for")
    }
}

private enum KeyTarget {
    static func check(_ key: Key) throws {
        switch key {
        case .character(let character):
            try requireHarmless(String(character), "a typed character")
            try require(!String(character).isEmpty, "an empty key")
        case .paste(let text):
            try requireHarmless(text, "a paste")
            try require(text.utf8.count <= 3 * KeyParser.longestPaste, "a paste is too long")
        case .control(let letter): try require(("a"..."z").contains(letter), "no control letter")
        default: break
        }
    }

    /// Between the marks, and behind the end without a pause, nothing is a key.
    static func checkPaste(_ bytes: [UInt8]) throws {
        var parser = KeyParser()
        let found =
            parser.read("\u{1B}[200~".utf8) + parser.read(bytes)
            + parser.read("\u{1B}[201~".utf8)
        for case .key(let key) in found {
            guard case .paste = key else { throw Violation("a paste types \(key)") }
        }
        for case .mouse(let mouse) in found { throw Violation("a paste points at \(mouse)") }
    }
}
