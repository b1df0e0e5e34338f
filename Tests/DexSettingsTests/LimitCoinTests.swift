import DexCore
import DexSigning
import Ethereum
import Testing

@testable import DexSettings

@Suite("A limit names the coin by the symbol of its network")
struct LimitCoinTests {
    private static let peg = "0x2170Ed0880ac9A755fd29B2688956BD959F933F8"

    private static func network(_ name: String) throws -> Network {
        try #require(try NetworkCatalog.bundled().first { $0.name == name })
    }

    private static func policy(_ text: String, _ name: String) throws -> Policy {
        try PolicyFile(content: Array(text.utf8), path: "policy.toml")
            .policy(try network(name), among: [])
    }

    private static func units(_ text: String) -> UInt256 {
        (try? DecimalText.parse(text, decimals: 18)) ?? .zero
    }

    @Test("BNB is the coin on bsc and POL on polygon; a message names it so")
    func own() throws {
        for (name, symbol) in [("bsc", "BNB"), ("polygon", "POL"), ("mainnet", "ETH")] {
            for word in [symbol, symbol.lowercased(), TokenMap.coinAddress.checksummed] {
                let policy = try Self.policy("[max_per_trade]\n\"\(word)\" = 2", name)
                #expect(policy.perTrade == [.ether: Self.units("2")], "\(name) \(word)")
                #expect(policy.text(1, .ether) == "0.000000000000000001 \(symbol)")
            }
        }
    }

    @Test("a limit of ETH is neither one of another coin nor silently void")
    func ether() throws {
        for name in ["bsc", "polygon", "avalanche"] {
            for key in ["max_per_trade", "max_per_day"] {
                #expect {
                    try Self.policy("[\(key)]\nETH = 1", name)
                } throws: { error in
                    let error = error as? DexError
                    let coin = (try? Self.network(name))?.coin.text ?? ""
                    return error?.code == "bad-policy" && error?.exit == .configuration
                        && error?.message.contains("\(key) limits ETH and not \(coin)") == true
                        && error?.hint == "Give \(coin) a limit in [\(key)] too."
                }
            }
        }
    }

    @Test("one file has a limit for the coin of each network")
    func each() throws {
        let text = "[max_per_trade]\nETH = 1\nBNB = 3\nPOL = 1000"
        #expect(try Self.policy(text, "polygon").perTrade == [.ether: Self.units("1000")])
        // There ETH is a token beside the coin.
        let peg = Asset.token(try Address(Self.peg))
        #expect(
            try Self.policy(text, "bsc").perTrade == [
                .ether: Self.units("3"), peg: Self.units("1"),
            ]
        )
        // POL is a token there; the BNB of old is not one any more.
        let mainnet = try Self.policy(text, "mainnet").perTrade
        #expect(mainnet.count == 2 && mainnet[.ether] == Self.units("1"))
        // Each table is a limit of its own.
        #expect(throws: DexError.self) {
            try Self.policy(text + "\n[max_per_day]\nETH = 1", "polygon")
        }
    }

    @Test("a list of tokens has the coin where its symbol is in it, and nowhere else")
    func listed() throws {
        let text = "tokens = ['ETH']"
        #expect(try Self.policy(text, "mainnet").tokens?.contains(.ether) == true)
        #expect(try Self.policy(text, "bsc").tokens?.contains(.ether) == false)
        #expect(try Self.policy("tokens = ['ETH', 'POL']", "polygon").tokens == [.ether])
        #expect(try Self.policy("tokens = ['ETH']", "polygon").tokens == [])
        #expect(throws: DexError.self) { try Self.policy("tokens = ['NIL']", "polygon") }
    }

    @Test("a symbol of both the coin and a token is refused")
    func both() throws {
        var network = try Self.network("mainnet")
        network.coin = try #require(CoinSymbol("POL"))
        let assets = try LimitAssets(network, among: [])
        #expect(throws: DexError.self) { try assets.asset("POL", beside: ["POL"]) }
        let coin = try assets.asset(TokenMap.coinAddress.checksummed, beside: [])
        #expect(coin?.asset == .ether)
        #expect(throws: DexError.self) { try assets.asset(Address.zero.checksummed, beside: []) }
        // Whatever settings call the coin, a limit of ETH is not passed over.
        #expect(throws: DexError.self) { try assets.asset("ETH", beside: ["ETH"]) }
    }
}
