import Ethereum
import ZeroEx

/// Whether a simulated call of the exchange fills anything.
enum FilledAmount {
    /// Passes for calls of other contracts, and for those that fill by themselves or revert.
    ///
    /// - Parameters:
    ///   - returned: what the simulation returned.
    ///   - nothing: the error of a fill that would fill nothing.
    /// - Throws: `nothing`; `DexError`, exit 4, if what was returned cannot be read.
    static func check(
        _ returned: [UInt8],
        to: Address,
        data: [UInt8],
        _ session: Session,
        nothing: DexError
    ) throws(DexError) {
        guard let effects = session.exchangeProtocol.effects(of: data), !effects.pays.isEmpty else {
            return
        }
        let call = ExchangeCall(
            to: to,
            data: data,
            gasFloor: GasFloor(0),
            function: effects.function
        )
        let filled = try reported(
            ExchangeError.self,
            try session.exchangeProtocol.filledAmount(returned: returned, by: call)
        )
        guard filled == .zero else { return }
        throw nothing
    }
}
