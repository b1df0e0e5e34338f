/// The computing and memory steps of the contracts' code.
///
/// The rules price the rest: storage, calls, logs, calldata.
///
/// The numbers are a least-squares fit to the gas of 62 executed scenarios on the genuine contracts
/// (2017 build); with them each scenario's gas is within 2 %. Those of v4 ("native") fit single
/// fills, cancels and batches on the compiled contracts, also within 2 %. For v4 the query of
/// funds and the refusal of a signature were not measured. Nor were those of a swap venue
/// ("swap") and of Uniswap, which are estimates, and the last three.
struct GasStep {
    let gas: UInt64

    /// Reading one order's arguments and hashing it; also for the hash alone, as in a cancel.
    static let fillEntry = GasStep(gas: 3_451)
    static let fillOrKillEntry = GasStep(gas: 3_234)
    static let cancelEntry = GasStep(gas: 3_241)
    static let fillUpToEntry = GasStep(gas: 2_278)
    static let batchFillEntry = GasStep(gas: 1_644)
    static let batchFillOrKillEntry = GasStep(gas: 1_754)
    static let batchCancelEntry = GasStep(gas: 2_123)
    /// One turn of a loop over orders.
    static let batchElement = GasStep(gas: 3_133)
    static let batchCancelElement = GasStep(gas: 2_747)
    /// Recovering the signer.
    static let signature = GasStep(gas: 3_754)
    /// Computing the order's remaining amount.
    static let remaining = GasStep(gas: 123)
    static let errorLog = GasStep(gas: 308)
    static let rounding = GasStep(gas: 346)
    /// The balance and allowance checks, without the queries themselves.
    static let transferable = GasStep(gas: 264)
    static let transferableFees = GasStep(gas: 911)
    static let query = GasStep(gas: 731)
    static let transfer = GasStep(gas: 1_343)
    static let fee = GasStep(gas: 366)
    static let fillLog = GasStep(gas: 2_766)
    static let cancelLog = GasStep(gas: 1_197)
    /// v4: finding the function's implementation and delegating the call.
    static let nativeEntry = GasStep(gas: 900)
    /// Reading a v4 order's arguments and hashing it.
    static let nativeHash = GasStep(gas: 900)
    /// Computing a v4 order's status.
    static let nativeStatus = GasStep(gas: 1_500)
    static let nativeSignature = GasStep(gas: 3_500)
    /// Refusing a signature whose type or numbers no key can make.
    static let nativeSignatureRefusal = GasStep(gas: 500)
    static let nativeSettle = GasStep(gas: 1_800)
    static let nativeTransfer = GasStep(gas: 300)
    static let nativeFee = GasStep(gas: 100)
    static let nativeQuery = GasStep(gas: 500)
    static let nativeBatch = GasStep(gas: 5_200)
    /// One turn of a loop over v4 orders that calls the exchange itself.
    static let nativeBatchElement = GasStep(gas: 4_200)
    static let nativeCancel = GasStep(gas: 1_600)
    /// AllowanceHolder and Settler: reading the arguments.
    static let swapEntry = GasStep(gas: 900)
    /// One action of Settler.
    static let swapAction = GasStep(gas: 500)
    /// Permit2: hashing the message and recovering the signer.
    static let swapPermit = GasStep(gas: 5_500)
    /// A sale at a pool, without its queries and transfers.
    static let swapPool = GasStep(gas: 1_500)
    /// Preparing a call of a token and checking its answer.
    static let swapTransfer = GasStep(gas: 300)
    /// Uniswap's router and quoter: reading the arguments.
    static let uniswapEntry = GasStep(gas: 2_500)
    /// A swap with a v3 pool of one step: its computing, and the slots that the genuine one has for
    /// fees.
    static let uniswapPool = GasStep(gas: 47_000)
    /// A further step of it: a word of 256 ticks.
    static let uniswapWord = GasStep(gas: 7_200)
    /// A tick that is crossed.
    static let uniswapTick = GasStep(gas: 30_000)
    /// A swap with a v2 pair: its computing, and the slots that the genuine one has for prices.
    static let uniswapPair = GasStep(gas: 18_500)
    /// What a quote's swap costs beside the pool, and is undone again.
    static let uniswapQuote = GasStep(gas: 40_000)
    /// TickLens: looking at each bit of a word.
    static let uniswapLens = GasStep(gas: 39_400)
    /// A tick that it reads.
    static let uniswapLensTick = GasStep(gas: 1_900)
    static let tokenTransferFrom = GasStep(gas: 1_343)
    static let tokenTransfer = GasStep(gas: 900)
    static let tokenApprove = GasStep(gas: 600)
    static let view = GasStep(gas: 400)
}
