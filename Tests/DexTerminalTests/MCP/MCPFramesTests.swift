import Testing

@testable import DexTerminal

/// The lines of a client.
@Suite("Messages of a model's client, by their lines")
struct MCPFramesTests {
    /// The frames of some pieces, as they would be read.
    private static func frames(_ pieces: String...) -> [MCPFrames.Frame] {
        var frames = MCPFrames()
        return pieces.flatMap { frames.take(Array($0.utf8)) }
    }

    private static func message(_ text: String) -> MCPFrames.Frame { .message(Array(text.utf8)) }

    @Test("a message ends with its line, however the bytes come")
    func lines() {
        #expect(Self.frames("{}\n") == [Self.message("{}")])
        #expect(Self.frames("{}\n[]\n") == [Self.message("{}"), Self.message("[]")])
        #expect(Self.frames("{", "}", "\n{") == [Self.message("{}")])
        #expect(Self.frames("{}\r\n") == [Self.message("{}\r")])
        #expect(Self.frames("{}") == [])
    }

    @Test("an empty line, or one of white space, is none")
    func blanks() {
        #expect(Self.frames("\n\r\n  \t\n\n{}\n\n") == [Self.message("{}")])
    }

    @Test(
        "a line of 1 MiB is a message; a longer one is said once and left out, and the next is read"
    )
    func bound() {
        let maximum = String(repeating: "a", count: MCPFrames.maximumBytes)
        #expect(Self.frames(maximum + "\n{}\n") == [Self.message(maximum), Self.message("{}")])
        #expect(Self.frames(maximum + "a\n{}\n") == [.tooLong, Self.message("{}")])
        #expect(
            Self.frames(maximum, "a", maximum, "b\n", "{}\n") == [.tooLong, Self.message("{}")]
        )
        // It is said as soon as it is known, not at the end.
        #expect(Self.frames(maximum, "a") == [.tooLong])
    }

    @Test("any split of the bytes gives the same messages")
    func splits() {
        let text = Array("{\"a\":1}\n\n  \r\n[2]\n\"é\"\nrest".utf8)
        var whole = MCPFrames()
        let wanted = whole.take(text)
        #expect(wanted.count == 3)
        for size in 1...text.count {
            var frames = MCPFrames()
            var found: [MCPFrames.Frame] = []
            for start in stride(from: 0, to: text.count, by: size) {
                found += frames.take(text[start..<min(text.count, start + size)])
            }
            #expect(found == wanted, "in pieces of \(size)")
        }
    }
}
