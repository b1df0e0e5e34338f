import Ethereum
import StrictJSON

/// Uniswap on a scene's chain: its contracts at mainnet's addresses, and pools.
struct PoolScene: Sendable {
    static let v2Factory = address(0x5c69_bee7_01ef_814a_2b6a_3edd_4b16_52cb_9cc5_aa6f)
    static let v3Factory = address(0x1f98_431c_8ad9_8523_631a_e4a5_9f26_7346_ea31_f984)
    static let quoter = address(0x61ff_e014_ba17_989e_743c_5f6c_b21b_f969_7530_b21e)
    static let router = address(0x68b3_4658_33fb_72a7_0ecd_f485_e0e4_c7bd_8665_fc45)
    static let lens = address(0xbfd8_137f_7d15_16d3_ea5c_a835_2391_4859_ec47_f573)
    /// Gives the v3 pools their liquidity, and trades as anybody tells it.
    static let provider = address(0x9003_0000_0000_0000_0000_0000_0000_0000_0000_0001)

    var pools: [EVMUniswapPool]
    /// What alice allows the router, in human units.
    var allowances: [EVMToken: String] = [:]
    /// In place of v2's factory of the chain.
    var routerV2Factory: Address?

    /// v3 pools: ZRX/WETH at about 0.001 with 0.3 %, DAI/WETH at about 1/2,500 with 0.05 %.
    init() throws {
        pools = [
            try EVMUniswapPool(
                .zrx,
                .weth,
                fee: 3_000,
                tick: 69_081,
                liquidity: 31_600_000_000_000_000_000_000
            ),
            try EVMUniswapPool(
                .dai,
                .weth,
                fee: 500,
                tick: -78_244,
                liquidity: 500_000_000_000_000_000_000_000
            ),
        ]
    }

    /// Those that may hold tokens or ether.
    var accounts: [(name: String, address: Address)] {
        get throws {
            [("router", Self.router), ("quoter", Self.quoter), ("provider", Self.provider)]
                + (try pools.map { ($0.name, try $0.address) })
        }
    }

    /// The chain's `uniswap`, as docs/evm.md describes it.
    var genesis: JSONValue {
        var json = JSONObject()
        json["pairs"] = .array(pools.filter(\.isV2).map(\.genesis))
        json["pools"] = .array(pools.filter { !$0.isV2 }.map(\.genesis))
        if let routerV2Factory { json["routerV2Factory"] = .string(routerV2Factory.checksummed) }
        return .object(json)
    }

    /// The allowances among the chain's.
    func genesisAllowances() throws -> [JSONValue] {
        let owner = JSONValue.string(try Party.alice.address.checksummed)
        return try allowances.map { token, amount in
            [
                "token": .string(token.address.checksummed), "owner": owner,
                "spender": .string(Self.router.checksummed),
                "amount": .string(try token.raw(amount).description),
            ]
        }
    }

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}
