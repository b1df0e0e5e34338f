import DexCore
import Ethereum
import Testing

@testable import RelayHost

@Suite("Tokens of a relay, added to and removed from relay.toml")
struct RelayTokenEditTests {
    private static let address = Address(
        ifValid: "0x1111111111111111111111111111111111111111"
    )

    private func token(_ symbol: String, decimals: UInt8? = 6) throws -> Token {
        Token(
            address: try #require(Self.address),
            symbol: symbol,
            name: symbol,
            decimals: decimals
        )
    }

    private func edit(_ more: String = "", pairs: String = #"["ZRX/WETH"]"#) throws
        -> RelayTokenEdit
    {
        RelayTokenEdit(try SettingsFixture.settings(SettingsFixture.mainnet(more, pairs: pairs)))
    }

    @Test("a known token is written by its symbol")
    func known() throws {
        let settings = try SettingsFixture.settings(SettingsFixture.mainnet())
        var edit = RelayTokenEdit(settings)
        let dai = try settings.tokens.token("DAI")
        #expect(try edit.add(dai, against: "WETH") == "DAI/WETH")
        #expect(edit.file.list("pairs") == ["ZRX/WETH", "DAI/WETH"])
        #expect(edit.file.names(in: "tokens").isEmpty)
        _ = try SettingsFixture.settings(edit.file)
    }

    @Test("an unknown token is written down with its address and decimals")
    func unknown() throws {
        var edit = try edit()
        #expect(try edit.add(try token("MINE"), against: "WETH") == "MINE/WETH")
        #expect(edit.file.integer("tokens", "MINE", "decimals") == 6)
        let settings = try SettingsFixture.settings(edit.file)
        #expect(try settings.tokens.token("MINE").decimals == 6)
        var next = RelayTokenEdit(settings)
        #expect(try next.remove("MINE") == ["MINE/WETH"])
        #expect(next.file.names(in: "tokens").isEmpty)
        #expect(next.file.list("pairs") == ["ZRX/WETH"])
    }

    @Test(
        "a contract's symbol that is another token's or no key does not become a name",
        arguments: ["WETH", "US DC", "a\"]\nlisten=\"0.0.0.0:1", "", "Ünï", "x.y"]
    )
    func hostileSymbol(_ symbol: String) throws {
        var edit = try edit()
        #expect(try edit.add(try token(symbol), against: "WETH") == "T_11111111/WETH")
        let settings = try SettingsFixture.settings(edit.file)
        #expect(settings.listen == ListenAddress("127.0.0.1:8080"))
        #expect(try settings.tokens.token("WETH").decimals == 18)
    }

    @Test("a pair that is there, in whatever order and form, is not added again")
    func twice() throws {
        let settings = try SettingsFixture.settings(
            SettingsFixture.mainnet(
                pairs: #"["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2/ZRX"]"#
            )
        )
        var edit = RelayTokenEdit(settings)
        let zrx = try settings.tokens.token("ZRX")
        let error = #expect(throws: DexError.self) { _ = try edit.add(zrx, against: "WETH") }
        #expect(error?.code == "pair-carried")
    }

    @Test("the last pair stays, what is not carried is named, and any needs no list")
    func refusals() throws {
        var one = try edit()
        #expect(throws: DexError.self) { _ = try one.remove("ZRX") }
        let missing = #expect(throws: DexError.self) { _ = try one.remove("DAI") }
        #expect(missing?.code == "token-not-carried")
        var any = try edit(pairs: "\"any\"")
        let carried = #expect(throws: DexError.self) { _ = try any.remove("DAI") }
        #expect(carried?.code == "carries-any")
    }

    @Test("a pair's own table goes with its token")
    func table() throws {
        var edit = try edit(
            "[pair.\"DAI/WETH\"]\nbase_min = 1\n[limits]\norders = 7",
            pairs: #"["ZRX/WETH", "DAI/WETH"]"#
        )
        #expect(try edit.remove("DAI") == ["DAI/WETH"])
        #expect(edit.file.names(in: "pair").isEmpty)
        #expect(edit.file.integer("limits", "orders") == 7)
        _ = try SettingsFixture.settings(edit.file)
    }
}
