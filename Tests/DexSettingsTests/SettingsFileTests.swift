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
                == "/home/user/config.toml:2: trade.max_gas_cost takes an amount of ether, such as "
                + "\"0.05\"."
        )
    }

    @Test("a number with a point inside an inline table is refused: it is to be written as a text")
    func inlineTable() throws {
        #expect(throws: DexError.self) { try self.file("trade = { slippage = 0.5 }\n") }
        let file = try self.file("trade = { slippage = \"0.5\", confirmations = 2 }\n")
        #expect(file.values[["trade", "slippage"]] == .text("0.5"))
        #expect(file.values[["trade", "confirmations"]] == .integer(2))
    }
}
