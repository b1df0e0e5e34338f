/// The steps of the contracts' code whose gas was measured on the genuine contracts (2017 build):
/// computing and memory only; storage, calls, logs and calldata are priced by the rules.
enum GasStep: UInt8, Hashable, Sendable, CaseIterable {
    /// Reading one order's arguments and hashing it.
    case fillEntry
    case fillOrKillEntry
    case cancelEntry
    case fillUpToEntry
    case batchFillEntry
    case batchFillOrKillEntry
    case batchCancelEntry
    /// One turn of a loop over orders.
    case batchElement
    case batchCancelElement
    /// Recovering the signer.
    case signature
    /// What is left of the order.
    case remaining
    case errorLog
    case rounding
    /// The balance and allowance checks, beside the queries themselves.
    case transferable
    case transferableFees
    case query
    case transfer
    case fee
    case fillLog
    case cancelLog
    case tokenTransferFrom
    case tokenTransfer
    case tokenApprove
    case view

    /// The gas of the step.
    var gas: UInt64 {
        switch self {
        default: 0
        }
    }
}
