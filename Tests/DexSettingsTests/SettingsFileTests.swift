import DexCore
import Testing

@testable import DexSettings

@Suite("config.toml")
struct SettingsFileTests {
    private func file(_ text: String) throws -> SettingsFile {
        try SettingsFile(content: Array(text.utf8), path: "/home/user/config.toml")
    }

    @Test(
        "a number is taken digit for digit, never through floating point",
        arguments: [
            ("0.5", "0.5"), ("0.1234567890123456", "0.1234567890123456"),
            ("0.123456789012345678", "0.123456789012345678"),
            ("1_000.5", "1000.5"), ("+2.5", "2.5"), ("3", "3"),
        ]
    )
    func exactNumbers(_ typed: String, _ kept: String) throws {
        let file = try self.file("[trade]\nmax_gas_cost = \(typed) # ether\n")
        #expect(file.values == [["trade", "max_gas_cost"]: .text(kept)])
    }

    @Test(
        "a number that cannot be taken as it was typed is refused, not rounded",
        arguments: [
            "0.1234567890123456789", "0.5000000000000000000001", "1e-3", "inf", "nan", "-0.5",
        ]
    )
    func refusedNumbers(_ typed: String) throws {
        let error = #expect(throws: DexError.self) {
            try self.file("[trade]\nmax_gas_cost = \(typed)\n")
        }
        #expect(
            error?.message
                == "/home/user/config.toml:2: trade.max_gas_cost takes an amount of the coin, such as "
                + "\"0.05\"."
        )
    }

    @Test("a byte order mark is no part of the settings, and UTF-16 is refused by name")
    func encodings() throws {
        let marked = try SettingsFile(
            content: [0xEF, 0xBB, 0xBF] + Array("network = \"mainnet\"".utf8),
            path: "/c"
        )
        #expect(marked.values == [["network"]: .text("mainnet")])
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x6E, 0x00], [0x6E, 0x00, 0x65, 0x00]] {
            let error = #expect(throws: DexError.self) {
                try SettingsFile(content: bytes, path: "/c")
            }
            #expect(error?.message.contains("UTF-16") == true)
        }
    }

    @Test("a number with a point inside an inline table is refused: it is to be written as a text")
    func inlineTable() throws {
        #expect(throws: DexError.self) { try self.file("trade = { slippage = 0.5 }\n") }
        let file = try self.file("trade = { slippage = \"0.5\", confirmations = 2 }\n")
        #expect(file.values[["trade", "slippage"]] == .text("0.5"))
        #expect(file.values[["trade", "confirmations"]] == .integer(2))
    }

    @Test(
        "what would end the parser underneath is told with its line",
        arguments: [
            ("[\ns = 1\n", 1, "a table's name is expected behind ["),
            ("network = \"x\"\n\n  [ \t", 3, "a table's name is expected behind ["),
            ("[[[trade]]]\n", 1, "a table's name is expected behind ["),
            ("[ [trade]]\n", 1, "a table's name is expected behind ["),
            ("[[\n", 1, "a table's name is expected behind ["),
            ("[]\n", 1, "a table's name is expected behind ["),
            ("[=]\n", 1, "a table's name is expected behind ["),
            ("network = [}\n", 1, "a value or ] is expected, not }"),
            ("keystores = [\n'{', # [\n}\n", 3, "a value or ] is expected, not }"),
            ("trade = { a = [[1], }", 1, "a value or ] is expected, not }"),
            ("# one\n" + parts(65) + " = 1\n", 2, "a key has more than 64 parts"),
            ("[" + parts(300_000) + "]\n", 1, "a key has more than 64 parts"),
        ]
    )
    func traps(_ text: String, _ line: Int, _ reason: String) {
        let error = #expect(throws: DexError.self) { try self.file(text) }
        #expect(error?.message == "/home/user/config.toml:\(line): \(reason).")
    }

    @Test("a mistake before such a place is told first, and brackets within texts are none")
    func beforeTraps() throws {
        let error = #expect(throws: DexError.self) { try self.file("network = \n[\n") }
        #expect(error?.message.hasPrefix("/home/user/config.toml:1: Error while parsing") == true)
        let file = try self.file("wallet = \"\"\"\n[\n\"\"\"\nkeystores = [\n'[',\n]\n[ trade ]\n")
        #expect(file.values == [["wallet"]: .text("[\n"), ["keystores"]: .list(["["])])
        let deep = #expect(throws: DexError.self) { try self.file(Self.parts(64) + " = 1\n") }
        #expect(deep?.message == "/home/user/config.toml:1: the key a is not known.")
    }

    @Test(
        "a file with a byte order mark is changed like any other",
        arguments: [
            ("", "network = \"mainnet\"\n"),
            ("network = 'x' # mine\n", "network = \"mainnet\" # mine\n"),
            ("# a\n[trade]\n", "network = \"mainnet\"\n\n# a\n[trade]\n"),
        ]
    )
    func byteOrderMark(_ before: String, _ after: String) throws {
        for mark in ["", "\u{FEFF}"] {
            var file = try self.file(mark + before)
            for _ in 0..<2 {
                try file.set([(["network"], .text("mainnet"))])
                #expect(Array(file.text.utf8) == Array((mark + after).utf8))
            }
        }
    }

    private static func parts(_ count: Int) -> String {
        Array(repeating: "a", count: count).joined(separator: ".")
    }
}
