import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Questions in a terminal that others wrote: Ctrl-C at each kind, and what is typed before them.
@Suite("Questions in tmux")
struct PromptScreenTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    /// A buy whose plan asks with a word, since it crosses the book.
    private let guarded =
        "$DEX place-limit sell ZRX/WETH 1 --price 0.0000001 --allow-crossing --wallet alice"
    private let trade = "$DEX market-buy ZRX/WETH 5 --wallet alice"
    private let sign = "$DEX wallet sign-message hello --wallet main --network mainnet"

    /// Runs a line, answers its questions, and checks that Ctrl-C at the last one does nothing else.
    ///
    /// - Parameter mark: another word each time.
    private func expectCancelled(
        _ line: String,
        at prompts: [(prompt: String, answer: String?)],
        _ mark: String,
        _ terminal: TmuxTerminal
    ) async throws {
        let before = try await terminal.settings("before-\(mark)")
        try terminal.type("clear; \(line); echo \(mark) ended $?")
        for (prompt, answer) in prompts {
            try await terminal.rows(showing: prompt)
            if let answer { try terminal.type(answer) } else { try terminal.press("C-c") }
        }
        let rows = try await terminal.rows(showing: "\(mark) ended ")
        #expect(rows.contains("\(mark) ended 130"), "\(rows)")
        #expect(rows.contains("Cancelled. Nothing was signed or sent."), "\(rows)")
        #expect(!rows.contains { $0.contains("error:") }, "\(rows)")
        #expect(try await terminal.settings("after-\(mark)") == before, "\(mark)")
    }

    @Test("Ctrl-C at a y/N question, a typed word and a password: 130, nothing signed, the echo on")
    func interrupted() async throws {
        _ = try await home.importKey()
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 100, rows: 50)
            try await expectCancelled(trade, at: [("[y/N]", nil)], "trade", terminal)
            try await expectCancelled(
                guarded,
                at: [("Type sell to go on:", nil)],
                "word",
                terminal
            )
            try await expectCancelled(
                sign,
                at: [("[y/N]", "y"), ("Password of main", nil)],
                "password",
                terminal
            )
            let orders = try await dex.data("orders --mine --wallet alice")
            #expect(orders["orders"]?.arrayValue?.isEmpty == true)
            let sent = try await dex.data("tx list")
            #expect(sent["transactions"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("what is typed before a question appears confirms no trade, and no word")
    func typedAhead() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 100, rows: 50)
            let gate = dex.home.appending(path: "gate")
            try terminal.type("mkfifo \(gate.path)")
            for (line, prompt, word, mark) in [
                (trade, "[y/N]", "y", "trade"), (guarded, "Type sell to go on:", "sell", "word"),
            ] {
                // The command starts once the answer is in the terminal already.
                try terminal.type(
                    "clear; echo \(mark) waits; : < \(gate.path); \(line); echo ended $?"
                )
                try await terminal.rows { $0.contains("\(mark) waits") }
                try terminal.type(word)
                try await terminal.rows { $0.contains(word) }
                try FileHandle(forWritingTo: gate).close()
                try await terminal.rows(showing: prompt)
                try terminal.press("Enter")
                let rows = try await terminal.rows { rows in
                    rows.contains { $0.hasPrefix("ended ") }
                }
                #expect(rows.contains("ended 20"), "\(rows)")
            }
            let orders = try await dex.data("orders --mine --wallet alice")
            #expect(orders["orders"]?.arrayValue?.isEmpty == true)
            let sent = try await dex.data("tx list")
            #expect(sent["transactions"]?.arrayValue?.isEmpty == true)
        }
    }
}
