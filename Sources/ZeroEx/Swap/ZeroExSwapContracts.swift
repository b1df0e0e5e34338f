public import Ethereum

/// The fixed contracts of 0x's Swap API v2, and how it writes the native coin.
///
/// Source: 0x Settler and the Swap API's documentation (docs/protocol/swap-v2.md).
public enum ZeroExSwapContracts {
    /// Spends what is approved to it, on chains with the rules of Cancun: nearly all.
    public static let allowanceHolder = Address(
        truncating: UInt256(0x0000_0000_0000_1ff3_684f_28c6_7538_d4d0_72c2_2734).word
    )
    /// The AllowanceHolder of chains with the rules of Shanghai: Mantle.
    public static let shanghaiAllowanceHolder = Address(
        truncating: UInt256(0x0000_0000_0000_5e88_410c_cdfa_de4a_5efa_e4b4_9562).word
    )
    /// Spends what is approved to it by signed messages; on every chain.
    public static let permit2 = Address(
        truncating: UInt256(0x0000_0000_0022_d473_030f_116d_dee9_f6b4_3ac7_8ba3).word
    )
    /// Names the genuine Settlers: 0x's deployer, on every chain.
    public static let registry = Address(
        truncating: UInt256(0x0000_0000_0000_0453_3fe1_5556_b1e0_86bb_1a72_ceae).word
    )
    /// Stands for the native coin in requests, answers and Settler's call data.
    public static let nativeCoin = Address(
        truncating: UInt256(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee).word
    )
    /// Stands for Mantle's native coin in requests and answers.
    public static let mantleNativeCoin = Address(
        truncating: UInt256(0xdead_dead_dead_dead_dead_dead_dead_dead_dead_0000).word
    )

    private static let mantle: UInt64 = 5000

    /// The AllowanceHolder of a chain.
    public static func allowanceHolder(chainID: UInt64) -> Address {
        chainID == mantle ? shanghaiAllowanceHolder : allowanceHolder
    }

    /// What stands for a chain's native coin in requests.
    public static func nativeCoin(chainID: UInt64) -> Address {
        chainID == mantle ? mantleNativeCoin : nativeCoin
    }

    /// The addresses that an answer may name as a spender.
    static let spenders = [allowanceHolder, shanghaiAllowanceHolder, permit2]

    /// The addresses that stand for an asset in answers and call data, the requested one first.
    static func addresses(of asset: SwapAsset, chainID: UInt64) -> [Address] {
        switch asset {
        case .token(let address): [address]
        case .native where chainID == mantle: [mantleNativeCoin, nativeCoin]
        case .native: [nativeCoin]
        }
    }
}
