import DexCore
import DexSigning
import Ethereum
import Testing

@testable import DexSettings

@Suite("Addresses that nobody can have, in files of settings")
struct ReservedAddressTests {
    private static let texts = ReservedAddress.allCases.map { reserved in
        switch reserved {
        case .coin: ("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "what other programs write")
        case .zero: ("0x0000000000000000000000000000000000000000", "the zero address")
        }
    }

    @Test("config.toml takes neither for a contract, a signer or a name")
    func settings() throws {
        for (address, meaning) in Self.texts {
            for (table, key) in [
                ("networks.mine", "exchange"), ("networks.mine", "weth"), ("networks.base", "weth"),
                ("signers.ledger", "address"), ("addresses", "cold"),
            ] {
                let text = "[\(table)]\n\(key) = \"\(address)\"\n"
                let error = #expect(throws: DexError.self, "\(text)") {
                    try SettingsFile(content: Array(text.utf8), path: "config.toml")
                }
                #expect(error?.exit == .configuration && error?.message.contains(meaning) == true)
                let path = table.split(separator: ".").map(String.init) + [key]
                let set = #expect(throws: DexError.self, "\(path)") {
                    var file = try SettingsFile(content: [], path: "config.toml")
                    try file.set([(path, .text(address))])
                }
                #expect(set?.message.contains(meaning) == true, "\(path)")
            }
        }
    }

    @Test("policy.toml takes neither in its lists, and limits of the coin by the first")
    func policy() throws {
        let network = try #require(try NetworkCatalog.bundled().first { $0.name == "bsc" })
        func read(_ text: String) throws -> Bool {
            let file = try PolicyFile(content: Array(text.utf8), path: "policy.toml")
            return try file.policy(network, among: []).perTrade[.ether] != nil
        }
        for (address, meaning) in Self.texts {
            for key in ["spenders", "recipients", "typed_data"] {
                let error = #expect(throws: DexError.self) { try read("\(key) = [\"\(address)\"]") }
                #expect(error?.message.contains(meaning) == true, "\(key)")
                #expect(error?.exit == .configuration)
            }
        }
        #expect(try read("[max_per_trade]\n\"\(Self.texts[0].0)\" = 1"))
        for text in [
            "tokens = [\"\(Self.texts[1].0)\"]", "[max_per_day]\n\"\(Self.texts[1].0)\" = 1",
        ] {
            let error = #expect(throws: DexError.self) { try read(text) }
            #expect(error?.hint?.contains("Write BNB for the coin") == true, "\(text)")
        }
    }
}
