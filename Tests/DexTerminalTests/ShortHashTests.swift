import Testing

@testable import DexTerminal

@Suite("Hashes of lists")
struct ShortHashTests {
    private func screen(verbose: Bool = false) -> Screen {
        Screen(width: 80, style: .plain, now: 0, isVerbose: verbose)
    }

    private static let first = "0x" + String(repeating: "ab", count: 32)
    /// The first ten digits are those of `first`.
    private static let second = "0xababababab" + String(repeating: "c", count: 54)

    @Test("eight digits stand in a column, more where two orders share them")
    func digits() {
        let alone = ShortHashes([Self.first, Self.first], screen())
        #expect(alone.cells(Self.first).map(\.text) == ["0xabababab"])
        let both = ShortHashes([Self.first, Self.second], screen())
        #expect(both.cells(Self.first).map(\.text) == ["0xabababababa"])
        #expect(both.cells(Self.second).map(\.text) == ["0xabababababc"])
        #expect(both.cells(nil).map(\.text) == [""])
        #expect(both.lines(Self.first, screen()).isEmpty)
    }

    @Test("with --verbose the whole hash stands below its row, and the column is gone")
    func verbose() {
        let hashes = ShortHashes([Self.first], screen(verbose: true))
        #expect(hashes.columns("ORDER", dropOrder: 1).isEmpty && hashes.cells(Self.first).isEmpty)
        #expect(hashes.lines(Self.first, screen()) == ["  " + Self.first])
    }
}
