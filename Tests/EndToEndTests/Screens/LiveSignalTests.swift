import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

/// The terminal before and after the full screen, for everything that can end or stop it.
@Suite("The terminal that dex live gives back")
struct LiveSignalTests {
    private let dex: DexBinary
    private let start = "clear; $DEX live ZRX/WETH; echo ended $?"

    init() throws {
        dex = try DexBinary()
    }

    private enum Victim: String, CaseIterable {
        case screen, parent
    }

    private func send(_ signal: CInt, to victim: Victim) throws -> Int {
        victim == .screen ? try dex.sendToScreen(signal) : try dex.send(signal)
    }

    /// The shell has its terminal as it was.
    private func expectRestored(
        _ terminal: TmuxTerminal,
        _ before: String,
        _ name: String
    ) async throws {
        // The child of a killed parent needs a moment.
        try await terminal.rows { _ in try !terminal.isAlternate() }
        #expect(try await terminal.settings(name) == before, "\(name)")
        try terminal.type("clear; printf 'cursor%s\\n' -is-shown")
        try await terminal.rows(showing: "cursor-is-shown")
        #expect(try terminal.isCursorShown(), "\(name)")
        #expect(try terminal.wrapsLines(), "\(name)")
        #expect(try !terminal.hasMouse(), "\(name)")
    }

    @Test("every signal, to the screen or to its parent")
    func signals() async throws {
        let ends: [(signal: CInt, screen: Int, parent: Int)] = [
            (SIGINT, 130, 130), (SIGTERM, 130, 130), (SIGHUP, 130, 130), (SIGQUIT, 1, 1),
            (SIGABRT, 1, 1), (SIGSEGV, 1, 1), (SIGKILL, 1, 0),
        ]
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            let before = try await terminal.settings("before")
            for (signal, screen, parent) in ends {
                for victim in Victim.allCases {
                    let name = "\(victim)-\(signal)"
                    try terminal.type(start)
                    try await terminal.rows(showing: ">a ")
                    #expect(try terminal.isAlternate(), "\(name)")
                    #expect(try terminal.hasMouse(), "\(name)")
                    #expect(try send(signal, to: victim) == 1, "\(name)")
                    // What the shell writes before a killed parent's child has left the alternate
                    // screen is gone with it.
                    if victim == .screen || signal != SIGKILL {
                        let status = victim == .screen ? screen : parent
                        try await terminal.rows(showing: "ended \(status)")
                    }
                    try await expectRestored(terminal, before, name)
                    try await terminal.rows { _ in try dex.sendToScreen(0) == 0 }
                }
            }
        }
    }

    @Test("a stop of either, and of the keys, gives it back until fg")
    func stops() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            let before = try await terminal.settings("before")
            try terminal.type("clear; $DEX live ZRX/WETH")
            try await terminal.rows(showing: ">a ")
            let stops: [(name: String, stop: () throws -> Void)] = [
                ("key", { try terminal.press("C-z") }),
                ("screen-tstp", { _ = try dex.sendToScreen(SIGTSTP) }),
                ("parent-tstp", { _ = try dex.send(SIGTSTP) }),
                ("screen-stop", { _ = try dex.sendToScreen(SIGSTOP) }),
            ]
            for (name, stop) in stops {
                try stop()
                try await terminal.rows { _ in try !terminal.isAlternate() }
                try await expectRestored(terminal, before, name)
                // In the background it does not write over the shell.
                try terminal.type("clear; bg; sleep 1; jobs")
                try await terminal.rows { $0.contains { $0.contains("Stopped") } }
                #expect(try !terminal.isAlternate(), "\(name)")
                try terminal.type("fg")
                try await terminal.rows(showing: ">a ")
                #expect(try terminal.isAlternate(), "\(name)")
            }
            try terminal.press("q")
            try await expectRestored(terminal, before, "end")
        }
    }

    @Test("a click selects a level; --no-mouse leaves the mouse to the terminal")
    func mouse() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            try terminal.type("clear; $DEX live ZRX/WETH --no-mouse")
            try await terminal.rows(showing: ">a ")
            #expect(try !terminal.hasMouse())
            try terminal.press("q")
            try await terminal.rows { _ in try !terminal.isAlternate() }
            try terminal.type("clear; $DEX live ZRX/WETH")
            let rows = try await terminal.rows(showing: ">a ")
            #expect(try terminal.hasMouse())
            let bid = try #require(rows.firstIndex { $0.hasPrefix(" b ") })
            try terminal.send("\u{1B}[<0;5;\(bid + 1)M\u{1B}[<0;5;\(bid + 1)m")
            try await terminal.rows(showing: ">b ")
            try terminal.press("q")
            try await terminal.rows { _ in try !terminal.isAlternate() }
            #expect(try !terminal.hasMouse())
        }
    }

    @Test("sizes from 1x1 to 300x100 in a row; the last one is painted")
    func storm() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 80, rows: 24)
            let before = try await terminal.settings("before")
            try terminal.type(start)
            try await terminal.rows(showing: ">a ")
            var random = SeededGenerator(seed: 20)
            for _ in 0..<60 {
                try terminal.resize(columns: 1 + random.below(300), rows: 1 + random.below(100))
            }
            for (columns, rows) in [(1, 1), (300, 100), (40, 12), (80, 24)] {
                try terminal.resize(columns: columns, rows: rows)
            }
            try await terminal.rows { $0.count == 24 && $0.contains { $0.contains(">a ") } }
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
            try await expectRestored(terminal, before, "storm")
        }
    }

    @Test("the screen's process has the key of the environment, as every command has")
    func secrets() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(
                home: dex.home,
                columns: 120,
                rows: 40,
                environment: ["DEX_PRIVATE_KEY": "0x" + String(repeating: "11", count: 32)]
            )
            try terminal.type(start)
            let rows = try await terminal.rows(showing: ">a ")
            #expect(!rows.contains { $0.contains("read-only") }, "\(rows)")
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")
        }
    }
}
