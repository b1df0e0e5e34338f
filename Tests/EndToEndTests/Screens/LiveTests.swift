import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The full screen in a terminal that others wrote, against the sandbox.
@Suite("dex live in tmux")
struct LiveTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// Waits for the plan, signs it by the word, and waits for the outcome.
    private func sign(_ terminal: TmuxTerminal, done: String = "─ Done ") async throws {
        try await terminal.rows(showing: "Type yes")
        // What is typed before the plan is seen is left out.
        try terminal.press("-l", "yes")
        try await terminal.rows { $0.contains { $0.contains("Esc stops: yes") } }
        try terminal.press("Enter")
        try await terminal.rows(showing: done)
        try terminal.press("Escape")
        try await terminal.rows { !$0.contains { $0.contains(done) } }
    }

    private var openOrders: Int? {
        get async throws {
            try await dex.data("orders --mine")["orders"]?.arrayValue?.filter {
                $0["status"]?.stringValue == "open"
            }.count
        }
    }

    @Test("a whole story: buy, limit, replace, cancel; chain and journal agree")
    func story() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 120, rows: 40)
            let before = try await terminal.settings("before")
            try terminal.type("$DEX live ZRX/WETH; echo ended $?")
            try await terminal.rows { rows in
                rows.contains { $0.contains("My open orders") }
                    && rows.contains { $0.contains(">a ") }
            }
            #expect(try terminal.isAlternate())

            // A purchase of 5 ZRX at the market.
            try await terminal.open("m", "Market order: buy ZRX/WETH")
            try terminal.enter("5")
            try terminal.press("Enter")
            try await sign(terminal)
            #expect(try await dex.data("history")["trades"]?.arrayValue?.count == 1)

            // A limit order far from the market, replaced, and cancelled.
            try await terminal.open("s", "Limit order: sell ZRX/WETH")
            try terminal.enter("2")
            try terminal.press("Tab")
            try terminal.enter("0.5")
            try terminal.press("Enter")
            try await sign(terminal)
            try await terminal.rows { $0.contains { $0.contains("sell") && $0.contains("0.5") } }
            #expect(try await openOrders == 1)

            try terminal.press("Tab")
            try await terminal.rows(showing: "> My open orders")
            try await terminal.open("r", "Replace the order")
            try terminal.enter("0.6")
            try terminal.press("Enter")
            try await sign(terminal)
            try await terminal.rows { $0.contains { $0.contains("sell") && $0.contains("0.6") } }
            #expect(try await openOrders == 1)

            try await terminal.open("x", "Cancel")
            try await sign(terminal)
            try await terminal.rows { rows in
                rows.contains { $0.contains("My open orders: none") }
            }
            #expect(try await openOrders == 0)

            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
            #expect(try !terminal.isAlternate())
            #expect(try await terminal.settings("after") == before)
            // Nothing is left to finish.
            #expect(try await dex.run("resume --yes").status == 0)
        }
    }

    @Test("a declined plan signs nothing, and a paste never confirms")
    func declined() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            try terminal.type("$DEX live ZRX/WETH; echo ended $?")
            try await terminal.rows(showing: ">a ")
            for word in ["no", "y"] {
                try await terminal.open("m", "Market order")
                try terminal.enter("5")
                try terminal.press("Enter")
                try await terminal.rows(showing: "Type yes")
                try terminal.press("-l", word)
                try terminal.press("Enter")
                try await terminal.rows(showing: "Nothing was signed.")
            }
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
            #expect(try await dex.data("history")["trades"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("a plan that is longer than the screen shows its prices and costs first")
    func longPlan() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 60, rows: 16)
            try terminal.type("$DEX live ZRX/WETH; echo ended $?")
            try await terminal.rows(showing: ">a ")
            try await terminal.open("b", "Limit order")
            try terminal.enter("5")
            try terminal.press("Enter")
            let plan = try await terminal.rows(showing: "Type yes")
            #expect(plan.contains { $0.contains("network fee") })
            #expect(plan.contains { $0.contains("more above: PgUp") })
            try terminal.press("PPage")
            let above = try await terminal.rows(showing: "more below: PgDn")
            #expect(above.contains { $0.contains("account") })
            try terminal.press("NPage")
            try await terminal.rows(showing: "more above: PgUp")
            try terminal.press("Escape")
            try await terminal.rows(showing: "Nothing was signed.")
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
        }
    }

    @Test("without a terminal it ends with 2 and names the book as text")
    func noTerminal() async throws {
        let run = try await dex.run("live ZRX/WETH")
        #expect(run.status == 2)
        #expect(run.stderr.contains("dex orderbook ZRX/WETH --watch"))
    }
}
