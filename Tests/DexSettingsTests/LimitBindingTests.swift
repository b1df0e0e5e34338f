import DexCore
import DexSigning
import Ethereum
import Testing
import ZeroEx

@testable import DexSettings

@Suite("Amounts in a policy bind addresses of the bundled map")
struct LimitBindingTests {
    private static let weth = address("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
    private static let zrx = address("0xE41d2489571d322189246DaFA5ebDe1F4699F498")
    private static let exchange = address("0x12459C951127e0c374FF9105DdA097662A027093")

    private static func address(_ text: String) -> Address {
        (try? Address(text)) ?? .zero
    }

    private static func network(
        _ name: String = "evil",
        chainID: UInt64 = 999,
        exchange: Address = exchange,
        version: ProtocolVersion = .v1
    ) -> Network {
        Network(
            name: name,
            chainID: chainID,
            rpc: [],
            relay: nil,
            protocolVersion: version,
            exchange: exchange,
            weth: nil
        )
    }

    private static func policy(
        _ text: String,
        _ network: Network,
        among networks: [Network] = []
    ) throws -> Policy {
        try PolicyFile(content: Array(text.utf8), path: "policy.toml")
            .policy(network, among: networks)
    }

    private static func failure(_ body: () throws -> Policy) -> DexError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? DexError
        }
    }

    @Test("on a made-up chain a symbol stands for nothing: no token list can say what WETH is")
    func symbols() {
        for text in ["[max_per_day]\nWETH = 1", "[max_per_trade]\nWETH = 1", "tokens = ['WETH']"] {
            let error = Self.failure { try Self.policy(text, Self.network()) }
            #expect(error?.code == "bad-policy", "\(text)")
            #expect(error?.hint?.hasSuffix("Write its address instead.") == true)
        }
    }

    @Test("an order of a made-up chain is held against the amounts of all chains that take it")
    func otherChains() throws {
        let text = "[max_per_day]\n\"\(Self.weth.checksummed)\" = 1"
        let policy = try Self.policy(text, Self.network())
        // Here nothing says how many digits it has.
        #expect(policy.perDay == [.token(Self.weth): 1])
        let mainnet = try #require(policy.otherChains.first { $0.chainID == 1 })
        #expect(mainnet.network == "mainnet")
        #expect(mainnet.perDay == [.token(Self.weth): 1_000_000_000_000_000_000])
        #expect(mainnet.exchanges == [Self.exchange])
        #expect(mainnet.feeToken == Self.zrx)
        #expect(
            mainnet.transferContracts == [
                Self.address("0x8da0d80f5007ef1e431dd2127178d224e32c2ef4"),
                Self.address("0xdef1c0ded9bec7f1a1670819833240f027b25eff"),
                ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.permit2,
                Self.address("0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"),
                Self.address("0x7a250d5630b4cf539739df2c5dacb4c659f2488d"),
            ]
        )
        #expect(policy.otherChains.map(\.chainID) == [1, 1337])
        // A network of the settings with that exchange is one of them, one with another is not.
        let more = try Self.policy(
            text,
            Self.network(),
            among: [
                Self.network("mine", chainID: 31337),
                Self.network("other", chainID: 5, exchange: Self.weth),
                Self.network("newer", chainID: 6, version: .v4),
            ]
        )
        #expect(more.otherChains.map(\.chainID) == [1, 1337, 31337])
        let v4 = try Self.policy(text, Self.network(version: .v4))
        #expect(v4.otherChains.isEmpty)
    }

    @Test("a symbol limits the token of that name on each chain that takes the order")
    func sameSymbol() throws {
        let bundled = try NetworkCatalog.bundled()
        let sandbox = try #require(bundled.first { $0.name == "sandbox" })
        let policy = try Self.policy("[max_per_trade]\nWETH = 2", sandbox)
        let mainnet = try #require(policy.otherChains.first { $0.chainID == 1 })
        #expect(mainnet.perTrade == policy.perTrade)
        #expect(policy.perTrade[.token(Self.weth)] == 2_000_000_000_000_000_000)
    }

    @Test("a bundled name stands for its chain, whatever the settings make of it")
    func names() throws {
        let error = Self.failure {
            try Self.policy("networks = ['mainnet']", Self.network("mainnet", chainID: 999))
        }
        #expect(error?.code == "bad-policy")
        #expect(error?.message.contains("mainnet, which is chain 1") == true)
        let evil = try Self.policy("networks = ['mainnet', 'evil']", Self.network())
        #expect(evil.networks == ["mainnet", "evil"])
    }

    @Test("wrapped ether and the token of fees are the bundled ones where the chain is")
    func scope() throws {
        var network = Self.network("again", chainID: 1)
        network.weth = Self.exchange
        let scope = try SigningScope(network, tokens: TokenMap(chainID: 1))
        #expect(scope.weth == nil)
        #expect(scope.feeToken == Self.zrx)
        network.weth = Self.weth
        #expect(try SigningScope(network, tokens: TokenMap()).weth == Self.weth)
    }

    @Test("the swap API's contracts are the bundled ones of the chain, where the network has it")
    func swap() throws {
        for (chain, holder) in [
            (999, ZeroExSwapContracts.allowanceHolder),
            (5000, ZeroExSwapContracts.shanghaiAllowanceHolder),
        ] as [(UInt64, Address)] {
            var network = Self.network("mine", chainID: chain)
            let without = try SigningScope(network, tokens: TokenMap())
            #expect(without.swap == nil)
            #expect(!without.transferContracts.contains(holder))
            network.swap = SwapSettings(api: "https://example.org")
            let scope = try SigningScope(network, tokens: TokenMap())
            #expect(scope.swap?.spender(.allowance) == holder)
            #expect(
                scope.transferContracts
                    == without.transferContracts.union([holder, ZeroExSwapContracts.permit2])
            )
        }
    }
}
