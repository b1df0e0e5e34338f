import DexSandbox
import Ethereum

/// The contracts that swaps of the sandbox go through.
///
/// Those of 0x and Permit2 are at their real addresses; Settler and pools are stand-ins.
enum SwapContracts {
    static let allowanceHolder = GenesisSwap.allowanceHolder
    static let permit2 = GenesisSwap.permit2
    /// Names the genuine Settler.
    static let registry = GenesisSwap.registry
    /// The Settler that quotes name while the paused registry does not answer.
    static let settler = GenesisSwap.currentSettler
    /// A contract that is not there: the words of faulty quotes.
    static let stranger = address(0xbad0_0000_0000_0000_0000_0000_0000_0000_0000_0bad)
    /// Stands for the native coin in requests, answers and call data.
    static let native = address(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee)
    static let wrapped = SandboxTokens.weth.address

    /// The contracts themselves say of which tokens.
    static let pools = SandboxPools.all.map(\.address)

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}
