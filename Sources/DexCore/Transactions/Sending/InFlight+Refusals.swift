import DexStore
import Ethereum

extension InFlight {
    static func resumed(_ observed: ObservedTransaction) -> DexError {
        DexError(InFlightError.resumed(observed.transaction, wasMined: observed.wasMined))
    }

    /// - Parameter gap: a free nonce that it waits for.
    static func stillPending(
        _ first: JournalTransaction,
        wasMined: Bool = false,
        gap: UInt64?
    ) -> DexError {
        DexError(InFlightError.pending(first, wasMined: wasMined, gap: gap))
    }

    static func lost(_ first: JournalTransaction) -> DexError {
        DexError(InFlightError.lost(first))
    }

    static func unacknowledged(_ first: JournalTransaction) -> DexError {
        DexError(InFlightError.unacknowledged(first))
    }
}
