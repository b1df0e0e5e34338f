/// The steps of the contracts' code beside what the rules price (storage, calls, logs, calldata):
/// computing and memory.
///
/// The numbers are a least-squares fit to what 62 executed scenarios used on the genuine contracts
/// (2017 build); with them each scenario's gas is met within 2 %. Those of v4 ("native") fit what
/// single fills, cancels and batches used on the compiled contracts, within 2 % too; there the
/// query of funds was not measured, nor the refusal of a signature. Nor were the last three.
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
    /// v4: finding the function's implementation and handing the call to it.
    case nativeEntry
    /// Reading a v4 order's arguments and hashing it.
    case nativeHash
    /// Telling a v4 order's status.
    case nativeStatus
    case nativeSignature
    /// Refusing a signature whose type or numbers nobody can have made.
    case nativeSignatureRefusal
    case nativeSettle
    case nativeTransfer
    case nativeFee
    case nativeQuery
    case nativeBatch
    /// One turn of a loop over v4 orders that calls the exchange itself.
    case nativeBatchElement
    case nativeCancel
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
        case .nativeEntry: 900
        case .nativeHash: 900
        case .nativeStatus: 1_500
        case .nativeSignature: 3_500
        case .nativeSignatureRefusal: 500
        case .nativeSettle: 1_800
        case .nativeTransfer: 300
        case .nativeFee: 100
        case .nativeQuery: 500
        case .nativeBatch: 5_200
        case .nativeBatchElement: 4_200
        case .nativeCancel: 1_600
        case .tokenTransferFrom: 1_343
        case .tokenTransfer: 900
        case .tokenApprove: 600
        case .view: 400
        }
    }
}
