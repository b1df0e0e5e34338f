/// The computing and memory steps of the contracts' code.
///
/// The rules price the rest: storage, calls, logs, calldata.
///
/// The numbers are a least-squares fit to the gas of 62 executed scenarios on the genuine contracts
/// (2017 build); with them each scenario's gas is within 2 %. Those of v4 ("native") fit single
/// fills, cancels and batches on the compiled contracts, also within 2 %. For v4 the query of
/// funds and the refusal of a signature were not measured. Nor were those of a swap venue
/// ("swap"), which are estimates, and the last three.
enum GasStep {
    /// Reading one order's arguments and hashing it; also for the hash alone, as in a cancel.
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
    /// Computing the order's remaining amount.
    case remaining
    case errorLog
    case rounding
    /// The balance and allowance checks, without the queries themselves.
    case transferable
    case transferableFees
    case query
    case transfer
    case fee
    case fillLog
    case cancelLog
    /// v4: finding the function's implementation and delegating the call.
    case nativeEntry
    /// Reading a v4 order's arguments and hashing it.
    case nativeHash
    /// Computing a v4 order's status.
    case nativeStatus
    case nativeSignature
    /// Refusing a signature whose type or numbers no key can make.
    case nativeSignatureRefusal
    case nativeSettle
    case nativeTransfer
    case nativeFee
    case nativeQuery
    case nativeBatch
    /// One turn of a loop over v4 orders that calls the exchange itself.
    case nativeBatchElement
    case nativeCancel
    /// AllowanceHolder and Settler: reading the arguments.
    case swapEntry
    /// One action of Settler.
    case swapAction
    /// Permit2: hashing the message and recovering the signer.
    case swapPermit
    /// A sale at a pool, without its queries and transfers.
    case swapPool
    /// Preparing a call of a token and checking its answer.
    case swapTransfer
    case tokenTransferFrom
    case tokenTransfer
    case tokenApprove
    case view

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
        case .swapEntry: 900
        case .swapAction: 500
        case .swapPermit: 5_500
        case .swapPool: 1_500
        case .swapTransfer: 300
        case .tokenTransferFrom: 1_343
        case .tokenTransfer: 900
        case .tokenApprove: 600
        case .view: 400
        }
    }
}
