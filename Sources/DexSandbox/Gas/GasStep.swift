/// The steps of the contracts' code beside what the rules price (storage, calls, logs, calldata):
/// computing and memory.
///
/// The numbers are a least-squares fit to what 62 executed scenarios used on the genuine contracts
/// (2017 build); with them each scenario's gas is met within 2 %. The last three were not measured.
enum GasStep {
    /// Reading one order's arguments and hashing it; for the hash alone as for a cancel.
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
        case .fillEntry: 3_451
        case .fillOrKillEntry: 3_234
        case .cancelEntry: 3_241
        case .fillUpToEntry: 2_278
        case .batchFillEntry: 1_644
        case .batchFillOrKillEntry: 1_754
        case .batchCancelEntry: 2_123
        case .batchElement: 3_133
        case .batchCancelElement: 2_747
        case .signature: 3_754
        case .remaining: 123
        case .errorLog: 308
        case .rounding: 346
        case .transferable: 264
        case .transferableFees: 911
        case .query: 731
        case .transfer: 1_343
        case .fee: 366
        case .fillLog: 2_766
        case .cancelLog: 1_197
        case .tokenTransferFrom: 1_343
        case .tokenTransfer: 900
        case .tokenApprove: 600
        case .view: 400
        }
    }
}
