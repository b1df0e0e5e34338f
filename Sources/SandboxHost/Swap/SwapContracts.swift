import DexSandbox
import Ethereum

/// Addresses of the sandbox's swaps beside those of `GenesisSwap`.
enum SwapContracts {
    /// A contract that is not there: the words of faulty quotes.
    static let stranger = address(0xbad0_0000_0000_0000_0000_0000_0000_0000_0000_0bad)
    /// Stands for the native coin in requests, answers and call data.
    static let native = address(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee)
    static let wrapped = SandboxTokens.weth.address

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}
