import DexCore
import DexRelay
import Ethereum
import Testing
import ZeroEx

@testable import RelayHost

@Suite("Addresses that nobody can have, in relay.toml")
struct ReservedAddressTests {
    private static let coin = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    private static let zero = "0x0000000000000000000000000000000000000000"

    @Test("neither is a contract, a token or who gets fees; the zero address is nobody who does")
    func refused() throws {
        for (address, meaning) in [
            (Self.coin, "what other programs write for the coin"), (Self.zero, "the zero address"),
        ] {
            for (table, key) in [
                ("exchanges", "v1"), ("exchanges", "v4"), ("tokens.MINE", "address"),
                ("fees", "recipient"),
            ] where (address, key) != (Self.zero, "recipient") {
                let text = SettingsFixture.mainnet("[\(table)]\n\(key) = \"\(address)\"")
                let error = #expect(throws: DexError.self, "\(text)") {
                    try SettingsFixture.settings(text)
                }
                #expect(error?.message.contains("and this is \(meaning)") == true, "\(text)")
            }
            for pair in ["\(address)/WETH", "ZRX/\(address)"] {
                let text = SettingsFixture.mainnet(pairs: "[\"\(pair)\"]")
                let error = #expect(throws: DexError.self, "\(text)") {
                    _ = try SettingsFixture.settings(text)
                        .configuration(.v4, contracts: SettingsFixture.contracts(.v4))
                }
                #expect(error?.description.contains(meaning) == true, "\(pair)")
            }
        }
        let free = SettingsFixture.mainnet("[fees]\nrecipient = \"\(Self.zero)\"")
        let configuration = try SettingsFixture.settings(free)
            .configuration(.v4, contracts: SettingsFixture.contracts(.v4))
        #expect(configuration.fees == .free)
    }
}
