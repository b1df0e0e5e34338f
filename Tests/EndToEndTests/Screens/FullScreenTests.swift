import DexTestSupport
import Testing

@testable import EndToEndTestSupport

/// What a trader sees in a terminal that others wrote: the watched book, and a trade.
@Suite("Screens in tmux")
struct FullScreenTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private let watch = "$DEX orderbook ZRX/WETH --watch; echo ended $?"

    @Test("the watched book takes the alternate screen, fits every size, and ends with q")
    func watched() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            let before = try await terminal.settings("before")
            try terminal.type(watch)
            let small = try await terminal.rows(showing: "spread ")
            #expect(try terminal.isAlternate())
            #expect(small.count == 24)
            #expect(small.first?.hasPrefix("ZRX/WETH") == true, "\(small)")
            #expect(small.last == "q quits")
            #expect(!small.contains { $0.contains("stty") }, "nothing of the shell is left")

            try terminal.resize(columns: 120, rows: 50)
            let large = try await terminal.rows { rows in
                rows.count == 50 && rows.last == "q quits"
                    && rows.count { !$0.isEmpty } > small.count { !$0.isEmpty }
            }
            #expect(large.contains { $0.contains("spread ") })

            try terminal.resize(columns: 40, rows: 12)
            // tmux cuts what is there first; then it is drawn again.
            let narrow = try await terminal.rows { rows in
                rows.count == 12 && rows.last == "q quits"
                    && rows.first?.hasPrefix("ZRX/WETH") == true
            }
            #expect(narrow.contains { $0.contains("spread ") }, "\(narrow)")

            try terminal.resize(columns: 80, rows: 24)
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
            #expect(try !terminal.isAlternate())
            #expect(try await terminal.settings("after") == before)
        }
    }

    @Test("Ctrl-C ends it with 130, Ctrl-Z stops it; the terminal is restored each time")
    func signals() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            let before = try await terminal.settings("before")
            try terminal.type("$DEX orderbook ZRX/WETH --watch")
            try await terminal.rows(showing: "spread ")
            try terminal.press("C-z")
            try await terminal.rows(showing: "Stopped")
            #expect(try !terminal.isAlternate())
            #expect(try await terminal.settings("stopped") == before)
            try terminal.type("fg")
            try await terminal.rows {
                $0.last == "q quits" && $0.contains { $0.contains("spread ") }
            }
            #expect(try terminal.isAlternate())
            try terminal.press("C-c")
            try await terminal.rows { $0.last != "q quits" }
            try terminal.type("echo ended $?")
            try await terminal.rows(showing: "ended 130")
            #expect(try !terminal.isAlternate())
            #expect(try await terminal.settings("after") == before)
            for (signal, status) in [("HUP", 129), ("TERM", 130), ("SEGV", 139)] {
                try terminal.type("clear; \(watch)")
                try await terminal.rows(showing: "spread ")
                #expect(try dex.send(number(signal)) == 1)
                try await terminal.rows(showing: "ended \(status)")
                #expect(try !terminal.isAlternate(), "\(signal)")
                #expect(try await terminal.settings("after-\(signal)") == before, "\(signal)")
            }
        }
    }

    private func number(_ signal: String) -> CInt {
        switch signal {
        case "HUP": 1
        case "SEGV": 11
        default: 15
        }
    }

    @Test("a trade's numbers stand above the question, which repeats it; the wait shows its hash")
    func trade() async throws {
        let up = try await dex.run(
            ["sandbox", "up", "--detach", "--quiet", "--memory", "--block-time", "3600"]
        )
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 40)
        try terminal.type("$DEX market-buy ZRX/WETH 500; echo ended $?")
        let asked = try await terminal.rows(showing: "[y/N]")
        let question = try #require(asked.firstIndex { $0.contains("[y/N]") })
        #expect(asked[question].hasPrefix("Buy "), "\(asked)")
        #expect(asked[question].contains("500 ZRX"), "\(asked)")
        #expect(asked[question - 1].isEmpty)
        let numbers = asked[..<(question - 1)].reversed().prefix { !$0.isEmpty }
        #expect(numbers.count <= 12)
        for label in ["pay", "receive", "price", "mid", "network fee", "ZRX", "WETH", "ETH"] {
            #expect(numbers.contains { $0.hasPrefix("  \(label) ") }, "\(label): \(asked)")
        }
        try terminal.press("y", "Enter")
        let waiting = try await terminal.rows { rows in
            rows.contains { $0.contains("base fee") && $0.contains("max ") }
        }
        let line = try #require(waiting.firstIndex { $0.contains("base fee") })
        #expect(waiting[line].contains("step 1 of 2: approve, "), "\(waiting)")
        #expect(waiting[line + 1].hasPrefix("0x"))
        #expect(waiting[line + 1].count == 66)
        // It turns, in its place.
        let first = waiting[line].first
        try await terminal.rows { rows in rows.count > line && rows[line].first != first }
        try terminal.press("C-c")
        let ended = try await terminal.rows(showing: "ended 130")
        #expect(!ended.contains { $0.contains("step 1 of 2") }, "\(ended)")
        #expect(ended.contains { $0.contains(String(waiting[line + 1].prefix(10))) })
        _ = try await dex.run("sandbox down")
    }
}
