import DexResources
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

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
                "mainnet", "mainnet-v4", "optimism", "bsc", "polygon", "fantom", "base",
                "arbitrum", "celo", "avalanche", "sepolia", "unichain", "monad", "sonic",
                "worldchain", "hyperevm", "abstract", "tempo", "robinhood", "mantle", "plasma",
                "ink", "linea", "berachain", "scroll", "sandbox", "sandbox-v4",
            ]
        )
        #expect(
            networks.map(\.chainID) == [
                1, 1, 10, 56, 137, 250, 8_453, 42_161, 42_220, 43_114, 11_155_111, 130, 143, 146,
                480, 999, 2_741, 4_217, 4_663, 5_000, 9_745, 57_073, 59_144, 80_094, 534_352,
                1_337, 1_337,
            ]
        )
        #expect(networks.filter(\.isSandbox).map(\.name) == ["sandbox", "sandbox-v4"])
        #expect(NetworkCatalog.ended.isDisjoint(with: networks.map(\.name)))
        #expect(networks.allSatisfy { $0.rpc.isEmpty && $0.relay == nil })
        let v4 = networks.filter { $0.protocolVersion == .v4 && $0.hasExchange }
        #expect(v4.count == 11)
        #expect(v4.allSatisfy { $0.orderSigning == .ethSign })
        let proxies = Dictionary(grouping: v4, by: \.exchange.lowercaseHex).mapValues(\.count)
        #expect(
            proxies == [
                "0xdef1c0ded9bec7f1a1670819833240f027b25eff": 8,
                "0xdef1abe32c034e558cdd535791643c58a13acc10": 1,
                "0xdef189deaef76e379df891899eb5a00a94cbc250": 1,
                "0x5315e44798395d4a952530d131249fe00f554565": 1,
            ]
        )
        // The wrapped coin is one of the tokens of the chain that are pinned.
        let others = ["bsc": "WBNB", "polygon": "WMATIC", "avalanche": "WAVAX"]
        for network in v4 {
            guard let weth = network.weth else { continue }
            let table = TokenTable(.embedded, chainID: network.chainID)
            // Two chains have no bundled tokens.
            if table.count == 0, ["fantom", "sepolia"].contains(network.name) { continue }
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
            {"x": {"chainId": 7, "protocol": "v4", "coin": "X", "blockMilliseconds": 1000,
            "freshness": 9, "swap": {"api": "https://swap.example"}}}
            """
        let network = try #require(try NetworkCatalog.networks(in: alone.utf8).first)
        #expect(!network.hasExchange)
        #expect(network.swap?.api == "https://swap.example")
        #expect(network.swap?.via == .best)
        for broken in [#""swap": {}"#, #""swap": {"api": ""}"#, #""swap": {"api": 7}"#] {
            let text = """
                {"x": {"chainId": 7, "protocol": "v4", "coin": "X", "blockMilliseconds": 1000,
                "freshness": 9, \(broken)}}
                """
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
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "coin": "X", "blockMilliseconds": 1000,
            "freshness": 9}}
            """,
            """
            {"x": {"chainId": 1, "protocol": "v4", "signature": "x", "exchange":
            "0x12459c951127e0c374ff9105dda097662a027093", "coin": "X", "blockMilliseconds": 1000,
            "freshness": 9}}
            """,
            """
            {"x": {"chainId": 1, "protocol": "v1", "exchange":
            "0x12459c951127e0c374ff9105dda097662a027093", "weth":
            "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "coin": "X", "blockMilliseconds": 0,
            "freshness": 9}}
            """,
        ]
    )
    func damagedNetworks(text: String) {
        let error = #expect(throws: DexError.self) { try NetworkCatalog.networks(in: text.utf8) }
        #expect(error?.exit == .fault)
        #expect(error?.code == "damaged-resources")
    }

    @Test("each chain has its coin, its pace and the age at which its latest block is old")
    func chains() throws {
        let networks = try NetworkCatalog.bundled()
        let facts = Dictionary(
            networks.map { network in
                (
                    network.chainID,
                    "\(network.coin) \(network.blockMilliseconds) \(network.freshness)"
                )
            },
            uniquingKeysWith: { first, second in
                #expect(first == second)
                return first
            }
        )
        #expect(
            facts == [
                1: "ETH 12000 60", 10: "ETH 2000 20", 56: "BNB 450 10", 130: "ETH 1000 10",
                137: "POL 1750 20", 143: "MON 300 10", 146: "S 1000 15", 250: "FTM 5500 180",
                480: "ETH 2000 20", 999: "HYPE 1000 10", 2_741: "ETH 1000 60",
                4_217: "USD 500 10", 4_663: "ETH 100 60", 5_000: "MNT 2000 20",
                8_453: "ETH 200 10", 9_745: "XPL 1000 10", 42_161: "ETH 250 15",
                42_220: "CELO 1000 10", 43_114: "AVAX 1700 30", 57_073: "ETH 1000 10",
                59_144: "ETH 1000 15", 80_094: "BERA 2000 15", 534_352: "ETH 3000 30",
                11_155_111: "ETH 12000 120", 1_337: "ETH 1000 60",
            ]
        )
    }

    @Test("each chain has its fee rules")
    func feeRules() throws {
        func rules(_ name: String) throws -> FeeRules {
            try #require(try NetworkCatalog.bundled().first { $0.name == name }).fees
        }
        for name in ["optimism", "base", "unichain", "worldchain", "ink", "celo"] {
            #expect(try rules(name).rollupFee == .optimism)
        }
        #expect(try rules("mantle").rollupFee == .mantle)
        #expect(try rules("scroll").rollupFee == .scroll)
        #expect(try rules("polygon").minimumTip == Wei(25_000_000_000))
        #expect(try rules("sonic").minimumCapPercent == 105)
        #expect(try rules("monad").charged == .limit)
        #expect(try rules("avalanche").charged == .half)
        #expect(try rules("linea").market == .estimate)
        for name in ["arbitrum", "robinhood", "abstract", "hyperevm"] {
            #expect(try rules(name).market == .base)
        }
        #expect(try rules("tempo").paidIn == .tokens)
        #expect(try rules("hyperevm").gasCap == 2_000_000)
        let now = TestMarket.block(1, timestamp: 1_764_798_551)
        #expect(
            try rules("mainnet").gasCap == nil && rules("mainnet").safeGas(in: now) == 16_777_216
        )
        #expect(try rules("mainnet") == rules("mainnet-v4"))
    }

    @Test(
        "fees that are not known damage the list: a rule that is passed over costs money",
        arguments: [
            "7", "[]", #"{"x": 1}"#, #"{"market": "x"}"#, #"{"charged": 1}"#, #"{"gasCap": "1"}"#,
            #"{"leastTip": 1}"#, #"{"leastTip": "-1"}"#, #"{"rollupFee": null}"#,
        ]
    )
    func damagedFees(fees: String) {
        let text = """
            {"x": {"chainId": 7, "protocol": "v4", "coin": "X", "blockMilliseconds": 1000,
            "freshness": 9, "swap": {"api": "https://swap.example"}, "fees": \(fees)}}
            """
        #expect(throws: DexError.self) { try NetworkCatalog.networks(in: text.utf8) }
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
