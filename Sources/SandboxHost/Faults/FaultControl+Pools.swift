import DexSandbox
import Ethereum

/// Faults of Uniswap's pools.
extension FaultControl {
    /// The token that keeps a part of each transfer.
    private static let feeToken = SandboxTokens.link.address

    /// Lets a fault happen; it replaces the one before.
    ///
    /// - Returns: whether that was all, and nothing stays on.
    func strike(pools kind: SandboxFault.PoolFault) async throws -> Bool {
        guard mover.canTrade || !kind.needsMover else {
            throw FaultError(
                message: "Moving pools needs the named accounts, and this sandbox has none."
            )
        }
        _ = board.clear([.pools])
        try await endPoolFaults()
        switch kind {
        case .moved: try await mover.move(backWithin: false)
        case .within: try await mover.move(backWithin: true)
        case .quote: await chain.lieInQuotes(true)
        case .fee: try await setTransferFee(true)
        case .dry: try await mover.dry()
        }
        return kind.isMomentary
    }

    /// Ends what is on, whatever it is; what waits to be moved back is.
    func endPoolFaults() async throws {
        await chain.lieInQuotes(false)
        try await setTransferFee(false)
        try await chain.mineWhatCanRun()
        try await mover.restore()
    }

    func setTransferFee(_ isOn: Bool) async throws(SandboxError) {
        try await chain.setTransferFee(isOn, of: Self.feeToken)
    }
}
