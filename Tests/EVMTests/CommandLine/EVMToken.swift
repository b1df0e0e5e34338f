import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// A token of the tests' chain, at an address by which `dex` knows its symbol.
///
/// The kinds are those of docs/evm.md. Where a kind stands for a class of tokens (heavy, silent),
/// some well-known token lends its address.
struct EVMToken: Hashable, Sendable {
    let symbol: String
    let name: String
    let decimals: UInt8
    let kind: String
    let address: Address
    /// Of each transfer, in millionths of the amount.
    var fee: UInt64 = 0

    static let zrx = EVMToken(
        symbol: "ZRX",
        name: "0x Protocol Token",
        decimals: 18,
        kind: "zrx",
        address: address(0xe41d_2489_571d_3221_8924_6daf_a5eb_de1f_4699_f498)
    )
    static let weth = EVMToken(
        symbol: "WETH",
        name: "Wrapped Ether",
        decimals: 18,
        kind: "weth",
        address: address(0xc02a_aa39_b223_fe8d_0a0e_5c4f_27ea_d908_3c75_6cc2)
    )
    static let dai = EVMToken(
        symbol: "DAI",
        name: "Dai Stablecoin",
        decimals: 18,
        kind: "plain",
        address: address(0x6b17_5474_e890_94c4_4da9_8b95_4eed_eac4_9527_1d0f)
    )
    static let usdc = EVMToken(
        symbol: "USDC",
        name: "USDCoin",
        decimals: 6,
        kind: "upgradeable",
        address: address(0xa0b8_6991_c621_8b36_c1d1_9d4a_2e9e_b0ce_3606_eb48)
    )
    static let usdt = EVMToken(
        symbol: "USDT",
        name: "Tether USD",
        decimals: 6,
        kind: "usdt",
        address: address(0xdac1_7f95_8d2e_e523_a220_6206_9945_97c1_3d83_1ec7)
    )
    /// Keeps 0.02 % of each transfer, as the genuine one did.
    static let paxg = EVMToken(
        symbol: "PAXG",
        name: "PAX Gold",
        decimals: 18,
        kind: "fee",
        address: address(0x4580_4880_de22_913d_afe0_9f49_8084_8ece_6ecb_af78),
        fee: 200
    )
    static let link = EVMToken(
        symbol: "LINK",
        name: "ChainLink Token",
        decimals: 18,
        kind: "heavy",
        address: address(0x5149_1077_1af9_ca65_6af8_40df_f83e_8264_ecf9_86ca)
    )
    static let omg = EVMToken(
        symbol: "OMG",
        name: "OMG Network",
        decimals: 18,
        kind: "silent",
        address: address(0xd261_14cd_6ee2_89ac_cf82_350c_8d84_87fe_db8a_0c07)
    )

    /// The 0x v1 contracts at their mainnet addresses.
    static let contracts = ExchangeContracts(
        exchange: address(0x1245_9c95_1127_e0c3_74ff_9105_dda0_9766_2a02_7093),
        transferContract: address(0x8da0_d80f_5007_ef1e_431d_d212_7178_d224_e32c_2ef4),
        feeToken: zrx.address
    )

    /// An amount in human units, in base units.
    func raw(_ text: String) throws -> UInt256 {
        try DecimalText.parse(text, decimals: decimals)
    }

    /// The same, for what goes up and down: with a minus sign for what goes down.
    func callAsFunction(_ text: String) throws -> Int128 {
        text.hasPrefix("-")
            ? try -Int128(base: raw(String(text.dropFirst()))) : try Int128(base: raw(text))
    }

    /// How the genesis describes it.
    var genesis: JSONValue {
        var json = JSONObject()
        json["address"] = .string(address.checksummed)
        json["symbol"] = .string(symbol)
        json["name"] = .string(name)
        json["decimals"] = .integer(decimals)
        json["kind"] = .string(kind)
        if kind == "fee" { json["feeMillionths"] = .integer(fee) }
        if kind == "upgradeable" {
            let code = Address(truncating: Keccak256.hash("implementation of \(symbol)".utf8))
            json["implementation"] = .string(code.checksummed)
        }
        return .object(json)
    }

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}

extension Int128 {
    /// Base units; no amount of a test but an unlimited allowance comes near the largest.
    init(base: UInt256) throws {
        self = base == .max ? .max : try #require(Int128(base.description))
    }
}
