package import DexSandbox
import Ethereum
package import ZeroEx

/// The contracts of the sandbox: 0x v1 and six tokens at their mainnet addresses, and the
/// Exchange Proxy of 0x v4 at its local address.
///
/// Source of the addresses: Resources/tokens.json and Resources/networks.json, which a test
/// compares.
package enum SandboxTokens {
    /// The chain id of a sandbox that has no other.
    package static let chainID: UInt64 = 1337

    package static let zrx = TokenDefinition(
        address: address(0xe41d_2489_571d_3221_8924_6daf_a5eb_de1f_4699_f498),
        symbol: "ZRX",
        name: "0x Protocol Token",
        decimals: 18,
        kind: .zrx
    )
    package static let weth = TokenDefinition(
        address: address(0xc02a_aa39_b223_fe8d_0a0e_5c4f_27ea_d908_3c75_6cc2),
        symbol: "WETH",
        name: "Wrapped Ether",
        decimals: 18,
        kind: .weth
    )
    package static let dai = TokenDefinition(
        address: address(0x6b17_5474_e890_94c4_4da9_8b95_4eed_eac4_9527_1d0f),
        symbol: "DAI",
        name: "Dai Stablecoin",
        decimals: 18
    )
    /// Upgradeable, like the real one: its queries cost more gas than the exchange provides, so
    /// the functions that skip orders fail for it.
    package static let usdc = TokenDefinition(
        address: address(0xa0b8_6991_c621_8b36_c1d1_9d4a_2e9e_b0ce_3606_eb48),
        symbol: "USDC",
        name: "USDCoin",
        decimals: 6,
        kind: .upgradeable
    )
    package static let mkr = TokenDefinition(
        address: address(0x9f8f_72aa_9304_c8b5_93d5_55f1_2ef6_589c_c3a5_79a2),
        symbol: "MKR",
        name: "Maker",
        decimals: 18
    )
    package static let link = TokenDefinition(
        address: address(0x5149_1077_1af9_ca65_6af8_40df_f83e_8264_ecf9_86ca),
        symbol: "LINK",
        name: "ChainLink Token",
        decimals: 18
    )

    package static let all = [zrx, weth, dai, usdc, mkr, link]

    /// Those of v1.
    package static let contracts = ExchangeContracts(
        exchange: address(0x1245_9c95_1127_e0c3_74ff_9105_dda0_9766_2a02_7093),
        transferContract: address(0x8da0_d80f_5007_ef1e_431d_d212_7178_d224_e32c_2ef4),
        feeToken: zrx.address
    )
    /// The one of v4.
    static let exchangeProxy = Genesis.localExchangeProxy

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}

extension TokenDefinition {
    /// Whole tokens in base units.
    func units(_ whole: UInt64) -> UInt256 {
        (0..<decimals).reduce(UInt256(whole)) { units, _ in units * 10 }
    }
}
