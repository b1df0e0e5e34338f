import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// A newcomer's first minutes, in a terminal that others wrote.
@Suite("dex init in tmux")
struct InitScreenTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("from nothing: two times Enter, and the first trade")
    func sandbox() async throws {
        let terminal = try TmuxTerminal(home: dex.home, columns: 100, rows: 60)
        try terminal.type("$DEX init; echo ended $?")
        let asked = try await terminal.rows(showing: "Network [sandbox]:")
        #expect(asked.contains { $0 == "Enter takes sandbox: on this machine, needs nothing." })
        #expect(asked.contains { $0.contains("26  sandbox ") }, "\(asked)")
        try terminal.press("Enter")
        try await terminal.rows(showing: "Start the sandbox now? [Y/n]")
        try terminal.press("Enter")
        let done = try await terminal.rows(showing: "ended 0")
        #expect(done.contains("Next: dex orderbook ZRX/WETH"), "\(done)")
        let browser = "See its chain and markets in a browser: http://127.0.0.1:"
        #expect(done.contains { $0.hasPrefix(browser) }, "\(done)")
        #expect(done.contains { $0.hasPrefix("ok    exchange") }, "\(done)")
        try terminal.type("clear; $DEX buy ZRX/WETH 100; echo ended $?")
        try await terminal.rows(showing: "[y/N]")
        try terminal.type("y")
        try await terminal.rows(showing: "ended 0")
        let down = try await dex.run("sandbox down")
        #expect(down.status == 0)
    }

    /// The words below the title, by their numbers from 1.
    private func words(_ rows: [String]) -> [Int: String] {
        var words: [Int: String] = [:]
        for row in rows {
            for match in row.matches(of: /(\d+) ([a-z]{3,8})(?= |$)/) {
                if let number = Int(match.output.1) { words[number] = String(match.output.2) }
            }
        }
        return words
    }

    @Test("a new wallet's words are shown once, asked back, and gone from the terminal")
    func words() async throws {
        let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
        try terminal.type("stty -g | tr -d ':\\n'; echo; echo before-end")
        let before = try await terminal.rows { $0.contains("before-end") }
        try terminal.type("clear; $DEX init --network celo --light; echo ended $?")
        try await terminal.rows(showing: "Node URL")
        try terminal.press("Enter")
        try await terminal.rows(showing: "Relay URL")
        try terminal.press("Enter")
        try await terminal.rows(showing: "Wallet [1]:")
        try terminal.press("Enter")
        try await terminal.rows(showing: "Its name")
        try terminal.type("main")
        try await terminal.rows(showing: "New password")
        try terminal.type("open sesame")
        try await terminal.rows(showing: "Repeat password")
        try terminal.type("open sesame")

        let first = try words(await terminal.rows(showing: "asked back."))
        #expect(try terminal.isAlternate())
        #expect(first.count == 12, "\(first)")
        try terminal.press("Enter")
        try await terminal.rows(showing: "Word ")
        #expect(try !terminal.isAlternate())
        try terminal.type("zzzzzzzz")
        // The same words again, then three of them.
        let second = try words(await terminal.rows(showing: "asked back."))
        #expect(second == first)
        try terminal.press("Enter")
        var answered = 0
        while answered < 3 {
            let rows = try await terminal.rows { rows in
                Self.asked(rows).count == answered + 1
            }
            let number = try #require(Self.asked(rows).last)
            try terminal.type(try #require(first[number]))
            answered += 1
        }
        let done = try await terminal.rows(showing: "ended 3")
        #expect(done.contains { $0.contains("networks.celo.rpc URL") }, "\(done)")

        let history = try terminal.history()
        let shown = words(history)
        #expect(!shown.contains { first[$0.key] == $0.value }, "\(history)")
        #expect(!history.contains { $0.contains("sesame") })
        try terminal.type("clear; stty -g | tr -d ':\\n'; echo; echo after-end")
        let after = try await terminal.rows { $0.contains("after-end") }
        let settings = before.last { $0.contains("before-end") == false && $0.count > 40 }
        #expect(after.contains { $0 == settings }, "\(after) \(before)")
        // They are the wallet's.
        let list = try await dex.run("wallet list --json").json()["data"]
        #expect(list?["wallets"]?.arrayValue?.first?["name"] == "main")
        #expect(list?["wallets"]?.arrayValue?.first?["isDefault"] == true)
    }

    /// The numbers of the words that were asked for since they were last shown.
    private static func asked(_ rows: [String]) -> [Int] {
        let start = rows.lastIndex { $0.contains("shown again") } ?? 0
        return rows[start...].compactMap { row in
            row.prefixMatch(of: /Word (\d+):/).flatMap { Int($0.output.1) }
        }
    }
}
