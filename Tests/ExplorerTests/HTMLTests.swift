import DexTestSupport
import Testing

@testable import Explorer

@Suite("Text in HTML")
struct HTMLTests {
    @Test("what is interpolated is escaped, in an element and in an attribute")
    func escaping() {
        let name = "<b>\"x\"</b> & 'y'"
        let html: HTML = "<i title=\"\(name)\">\(name)</i>"
        let escaped = "&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; &#39;y&#39;"
        #expect(html.text == "<i title=\"\(escaped)\">\(escaped)</i>")
    }

    @Test("characters that control a terminal or reorder text are dropped")
    func control() {
        #expect(("\("a\u{1B}[31mb\u{202E}c\u{0}d\u{2028}e")" as HTML).text == "abcde")
    }

    @Test("parts are not escaped again; nil is nothing; numbers are digits")
    func parts() {
        let part: HTML = "<b>\("<")</b>"
        let none: HTML? = nil
        let html: HTML = "\(part)\([part, part])\(none)\(7)"
        #expect(html.text == "<b>&lt;</b><b>&lt;</b><b>&lt;</b>7")
    }

    @Test("a very long text is cut")
    func long() {
        let html: HTML = "\(String(repeating: "<", count: 10_000))"
        #expect(html.text.utf8.count == 4 * 2_000)
    }
}

@Suite("The room for pages")
struct PageGateTests {
    @Test("so many are inside, so many wait, and more are refused")
    func gate() async throws {
        let gate = PageGate(width: 1, queue: 1)
        #expect(await gate.enter())
        async let second = gate.enter()
        // The second one waits, or is about to: the queue has room for one.
        try await until("the second one at the gate") { await gate.waitingCount > 0 }
        #expect(await gate.enter() == false)
        await gate.leave()
        #expect(await second)
        await gate.leave()
        #expect(await gate.enter())
    }
}
