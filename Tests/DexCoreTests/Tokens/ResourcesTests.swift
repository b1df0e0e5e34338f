import DexResources
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore

@Suite("The embedded resources")
struct ResourcesTests {
    private static func file(_ name: String) throws -> [UInt8] {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        let url = folder.appendingPathComponent("Resources").appendingPathComponent(name)
        return Array(try Data(contentsOf: url))
    }

    @Test("what is embedded is what lies in Resources/, byte for byte")
    func embedded() throws {
        #expect(DexResources.tokens.elementsEqual(try Self.file("tokens.json")))
        #expect(DexResources.networks.elementsEqual(try Self.file("networks.json")))
    }

    @Test("the token table finds in the file's layout what a full parse finds in its JSON")
    func tokenTable() throws {
        let json = try JSONParser.parse(DexResources.tokens)
        let chains = try #require(json.objectValue).members.filter { !$0.key.hasPrefix("spoofs") }
        #expect(chains.count == 8)
        for chain in chains {
            let chainID = try #require(UInt64(chain.key))
            let table = TokenTable(.embedded, chainID: chainID)
            let members = try #require(chain.value.objectValue).members
            let all = table.all
            #expect(all.count == members.count)
            for (listed, member) in zip(all, members) {
                #expect(listed.token.address.checksummed == member.key)
                #expect(listed.token.symbol == member.value["symbol"]?.stringValue)
                #expect(listed.token.name == member.value["name"]?.stringValue)
                let decimals = listed.token.decimals.map { String($0) }
                #expect(decimals == member.value["decimals"]?.numberText)
                #expect(listed.token.logoURI == member.value["logoURI"]?.stringValue)
                #expect(listed.flags.count == member.value["flags"]?.arrayValue?.count ?? 0)
                let found = table.token(at: listed.token.address)
                #expect(found?.token == listed.token)
            }
        }
    }

    @Test("tokens of all chains are clean: symbols, names and links without control characters")
    func clean() throws {
        for chainID in [1, 10, 56, 137, 1337, 8453, 42161, 43114] as [UInt64] {
            for listed in TokenTable(.embedded, chainID: chainID).all {
                let token = listed.token
                let text = token.symbol + token.name + (token.logoURI ?? "")
                #expect(!text.contains("\n"))
                // The one emoji presentation selector of the list is a mark, not a control.
                #expect(PlainText.clean(text) == text)
            }
        }
    }

    @Test("an address that is not in the table is not found, before, between and behind the others")
    func absent() throws {
        let table = TokenTable(.embedded, chainID: 1)
        let addresses = table.all.map(\.token.address)
        for address in [.zero] + addresses.prefix(3) + addresses.suffix(3) {
            let next = (UInt256(address.word) + 1).word
            #expect(table.token(at: Address(truncating: next)) == nil)
        }
        let last = try Address("0xffffffffffffffffffffffffffffffffffffffff")
        #expect(table.token(at: last) == nil)
        #expect(TokenTable(.embedded, chainID: 2).count == 0)
        #expect(TokenTable(spoofs: .embedded, chainID: 1).count == 141)
        #expect(TokenTable(spoofs: .embedded, chainID: 1337).count == 0)
        #expect(TokenTable(.bytes([]), chainID: 1).count == 0)
    }

    @Test("cut files give fewer tokens and never a trap")
    func truncated() {
        let bytes = Array(DexResources.tokens.dropFirst(18_500).prefix(3_000))
        #expect(TokenTable(.bytes(bytes), chainID: 1337).all.count == 6)
        for length in bytes.indices {
            let table = TokenTable(.bytes(Array(bytes.prefix(length))), chainID: 1337)
            #expect(table.count <= 6)
            #expect(table.all.count <= table.count)
        }
    }

    @Test("the sandbox has its six tokens at their mainnet addresses")
    func sandbox() throws {
        let tokens = TokenTable(.embedded, chainID: 1337).all.map(\.token)
        #expect(Set(tokens.map(\.symbol)) == ["ZRX", "WETH", "DAI", "USDC", "MKR", "LINK"])
        let mainnet = TokenTable(.embedded, chainID: 1)
        for token in tokens {
            #expect(mainnet.token(at: token.address)?.token == token)
            #expect(token.decimals == (token.symbol == "USDC" ? 6 : 18))
        }
    }

    @Test("the bundled networks, with their contracts")
    func networks() throws {
        let networks = try NetworkCatalog.bundled()
        #expect(
            networks.map(\.name) == [
                "mainnet", "ropsten", "rinkeby", "kovan", "mainnet-v4", "optimism", "bsc",
                "polygon", "fantom", "base", "arbitrum", "celo", "avalanche", "sepolia", "goerli",
                "mumbai", "unichain", "monad", "sonic", "worldchain", "hyperevm", "abstract",
                "tempo", "robinhood", "mantle", "plasma", "ink", "linea", "berachain", "scroll",
                "sandbox", "sandbox-v4",
            ]
        )
        #expect(
            networks.map(\.chainID) == [
                1, 3, 4, 42, 1, 10, 56, 137, 250, 8_453, 42_161, 42_220, 43_114, 11_155_111, 5,
                80_001, 130, 143, 146, 480, 999, 2_741, 4_217, 4_663, 5_000, 9_745, 57_073,
                59_144, 80_094, 534_352, 1_337, 1_337,
            ]
        )
        #expect(networks.filter(\.isSandbox).map(\.name) == ["sandbox", "sandbox-v4"])
        #expect(
            networks.filter(\.isHistorical).map(\.name) == [
                "ropsten", "rinkeby", "kovan", "goerli", "mumbai",
            ]
        )
        #expect(networks.allSatisfy { $0.rpc.isEmpty && $0.relay == nil && $0.blockTime > 0 })
        let v4 = networks.filter { $0.protocolVersion == .v4 && $0.hasExchange }
        #expect(v4.count == 13)
        #expect(v4.allSatisfy { $0.orderSigning == .ethSign })
        let proxies = Dictionary(grouping: v4, by: \.exchange.lowercaseHex).mapValues(\.count)
        #expect(
            proxies == [
                "0xdef1c0ded9bec7f1a1670819833240f027b25eff": 8,
                "0xdef1abe32c034e558cdd535791643c58a13acc10": 1,
                "0xdef189deaef76e379df891899eb5a00a94cbc250": 1,
                "0xf91bb752490473b8342a3e964e855b9f9a2a668e": 1,
                "0xf471d32cb40837bf24529fcf17418fc1a4807626": 1,
                "0x5315e44798395d4a952530d131249fe00f554565": 1,
            ]
        )
        // The wrapped coin is one of the tokens of the chain that are pinned.
        let others = ["bsc": "WBNB", "polygon": "WMATIC", "avalanche": "WAVAX"]
        for network in v4 {
            guard let weth = network.weth else { continue }
            let table = TokenTable(.embedded, chainID: network.chainID)
            #expect(table.token(at: weth)?.token.symbol == others[network.name] ?? "WETH")
        }
        let mainnet = networks[0]
        #expect(mainnet.exchange.lowercaseHex == "0x12459c951127e0c374ff9105dda097662a027093")
        #expect(mainnet.weth?.lowercaseHex == "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
        #expect(networks.first { $0.name == "sandbox" }?.exchange == mainnet.exchange)
    }

    @Test("every chain of the Swap API has a network with it, most with a wrapped coin")
    func swaps() throws {
        let networks = try NetworkCatalog.bundled()
        let swaps = networks.filter { $0.swap != nil && !$0.isSandbox }
        #expect(
            Set(swaps.map(\.chainID)) == [
                1, 10, 56, 130, 137, 143, 146, 480, 999, 2_741, 4_217, 4_663, 5_000, 8_453, 9_745,
                42_161, 43_114, 57_073, 59_144, 80_094, 534_352,
            ]
        )
        #expect(swaps.allSatisfy { $0.swap == SwapSettings(api: "https://api.0x.org") })
        #expect(swaps.count == 22, "both networks of Ethereum have it")
        #expect(swaps.allSatisfy { !$0.isHistorical })
        #expect(swaps.filter { $0.weth == nil }.map(\.name) == ["tempo"])
        // Only the swap API trades on a chain without a 0x exchange.
        let without = networks.filter { !$0.hasExchange }
        #expect(without.count == 14)
        #expect(without.allSatisfy { $0.swap != nil && $0.transferContract == nil })
    }

    @Test(
        "a network of the list needs an exchange or a swap API, and may have one without the other"
    )
    func swapAlone() throws {
        let alone = """
            {"x": {"chainId": 7, "protocol": "v4", "blockTime": 1,
            "swap": {"api": "https://swap.example"}}}
            """
        let network = try #require(try NetworkCatalog.networks(in: alone.utf8).first)
        #expect(!network.hasExchange)
        #expect(network.swap?.api == "https://swap.example")
        #expect(network.swap?.via == .best)
        for broken in [#""swap": {}"#, #""swap": {"api": ""}"#, #""swap": {"api": 7}"#] {
            let text = #"{"x": {"chainId": 7, "protocol": "v4", "blockTime": 1, \#(broken)}}"#
            let error = #expect(throws: DexError.self) {
                try NetworkCatalog.networks(in: text.utf8)
            }
            #expect(error?.code == "damaged-resources", "\(broken)")
        }
    }

    @Test(
        "a damaged list of networks is a fault of ours and says so",
        arguments: [
            "", "[]", "{", #"{"x": {}}"#, #"{"x": {"chainId": -1}}"#,
            """
            {"x": {"chainId": 1, "protocol": "v9", "exchange":
            "0x12459c951127e0c374ff9105dda097662a027093", "weth":
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "blockTime": 1}}
            """,
            """
            {"x": {"chainId": 1, "protocol": "v4", "signature": "x", "exchange":
            "0x12459c951127e0c374ff9105dda097662a027093", "blockTime": 1}}
            """,
            """
            {"x": {"chainId": 1, "protocol": "v1", "exchange":
            "0x12459c951127e0c374ff9105dda097662a027093", "weth":
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "blockTime": 0}}
            """,
        ]
    )
    func damagedNetworks(text: String) {
        let error = #expect(throws: DexError.self) { try NetworkCatalog.networks(in: text.utf8) }
        #expect(error?.exit == .fault)
        #expect(error?.code == "damaged-resources")
    }

    @Test("every protocol version has its implementation")
    func protocols() {
        for version in ProtocolVersion.allCases {
            for orderSigning in OrderSigning.allCases {
                let deployment = ExchangeDeployment(
                    version: version,
                    chainID: 1,
                    exchange: .zero,
                    orderSigning: orderSigning
                )
                let implementation = Protocols.implementation(of: deployment)
                #expect(implementation.version == version)
                #expect(implementation.orderSigning == (version == .v1 ? .ethSign : orderSigning))
            }
        }
    }
}
