public import Ethereum
public import StrictJSON

/// The seam between `dex` and a version of the 0x protocol: nothing outside a version's folder
/// knows its field names, calls or events.
///
/// No method does I/O: reads are described as calls, and their answers are handed back.
public protocol ExchangeProtocol: OrderCodec {
    /// The version that this is.
    var version: ProtocolVersion { get }

    /// How it signs orders of our own.
    var orderSigning: OrderSigning { get }

    // MARK: Contracts

    /// Calls whose answers tell the contracts that belong to an exchange.
    func contractCalls(exchange: Address) -> [CallRequest]

    /// The contracts from the answers, in the order of the calls.
    ///
    /// - Throws: `ExchangeError.notAnExchange`.
    func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts

    /// A call whose answer is a text, the version that the exchange says it is; nil where it has no
    /// such function.
    func versionCall(exchange: Address) -> CallRequest?

    /// Calls whose answers tell whether the exchange can trade at all (v1: the proxy's
    /// `authorized`).
    func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest]

    /// Checks those answers.
    ///
    /// - Throws: `ExchangeError.notAuthorized`.
    func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError)

    // MARK: Orders

    /// An order that was handed over by itself, which may be of a kind that no relay carries; else as
    /// `decodeOrder`.
    ///
    /// - Throws: `OrderError`. The signature is NOT checked here.
    func decodeHandedOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder

    /// Checks an order by itself: the exchange, amounts, maker, and that the maker signed its hash.
    ///
    /// - Throws: `OrderRejection`.
    func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection)

    /// Checks that an order can have these terms at all, and that somebody could fill it.
    ///
    /// - Throws: `OrderError`.
    func check(_ draft: OrderDraft) throws(OrderError)

    /// Hashes and signs an order of our own.
    ///
    /// - Throws: `SignerError`, also for terms that `check` refuses.
    func sign(
        _ draft: OrderDraft,
        with signer: any Signer
    ) async throws(SignerError) -> any SignedOrder

    /// An order's terms as wallets are shown what they sign (EIP-712); nil where a hash of the terms
    /// is none of that, and for numbers that no order can hold.
    func typedData(of draft: OrderDraft) -> TypedData?

    /// An order's hash holds for one chain only; where not (v1), a signature is as good on every
    /// chain that has the exchange at the same address.
    var ordersNameChain: Bool { get }

    /// The hash that a draft will have once signed.
    func hash(of draft: OrderDraft) -> OrderHash

    /// A call whose answer is the hash by which the exchange would know such an order; nil for
    /// numbers that no order can hold.
    func hashCall(of draft: OrderDraft) -> CallRequest?

    /// A salt for a new order, from 32 random bytes and the time in seconds since 1970.
    func salt(random: Bytes32, now: UInt64) -> UInt256

    /// The token in which an order's fees are counted.
    func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address

    /// The token in which the fees of an order with these terms would be counted.
    func feeToken(of draft: OrderDraft, contracts: ExchangeContracts) -> Address

    /// The symbol of the one token of all fees; nil where it depends on the order.
    var feeTokenSymbol: String? { get }

    /// The token in which a fill's fees were paid; nil where it takes the contracts to tell, and
    /// they are not known.
    func feeToken(of fill: FillEvent, contracts: ExchangeContracts?) -> Address?

    // MARK: State on chain

    /// Calls whose answers tell how much of each order is filled and cancelled; all are to be read
    /// at one block.
    func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts,
        detail: StateDetail
    ) -> [CallRequest]

    /// The states from the answers, in the order of the orders; the detail is that of the calls.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]],
        detail: StateDetail
    ) throws(ExchangeError) -> [OrderState]

    // MARK: Arithmetic, in base units

    /// What a fill of so much taker token pays out: rounded down, as the contract does; nil where
    /// the contract would overflow.
    func makerAmount(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256?

    /// The least taker amount whose fill pays out at least so much maker token: rounded up; nil
    /// where the order cannot.
    func takerAmount(of order: any SignedOrder, for makerAmount: UInt256) -> UInt256?

    /// The fee that the taker pays in the fee token for a fill.
    func takerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256

    /// The fee that the maker pays in the fee token for a fill.
    func makerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256

    /// The contract would refuse this fill for its rounding error.
    func hasRoundingError(_ order: any SignedOrder, filling takerAmount: UInt256) -> Bool

    /// The largest fill of at most so much taker token that the contract does not refuse for its
    /// rounding error or an overflow; nil where there is none.
    func largestFill(of order: any SignedOrder, upTo takerAmount: UInt256) -> UInt256?

    // MARK: Calls

    /// `marketCall` fills no more of each order than its `PlannedFill` says. Where it is false (v1)
    /// the call hands all that is left of the total to each order in turn, and the contract takes
    /// the order's whole rest or, in the last one, what is left of the total: an order that is
    /// funded for less than that is skipped or reverts. Such an order is for `fillCall` or
    /// `batchCall`, or for the end of a market call whose total stops within what is funded.
    var marketCallCapsEachOrder: Bool { get }

    /// About the most gas that one more order takes in a `marketCall`.
    var gasPerOrder: UInt64 { get }

    /// A market order over several orders of one taker token, best first.
    ///
    /// - Parameters:
    ///   - fills: the orders with the most to fill of each, in taker token base units.
    ///   - total: the most taker token spent over all of them.
    func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall

    /// Several orders of one taker token, each filled by at most its own amount: what one cannot
    /// fill does not move on to the next (v1: batchFillOrders).
    func batchCall(
        _ fills: [PlannedFill],
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall

    /// A fill of one order by at most so much taker token.
    func fillCall(_ fill: PlannedFill, mode: FillMode, contracts: ExchangeContracts) -> ExchangeCall

    /// The modes in which fills are worth trying, the preferred one first.
    var fillModes: [FillMode] { get }

    /// A cancel of the whole rest of one or many own orders, in one call.
    func cancelCall(_ orders: [any SignedOrder], contracts: ExchangeContracts) -> ExchangeCall

    /// A cancel of all orders of some pairs that have lower salts, whatever their number, in one
    /// call; nil where the protocol has none.
    func pairCancelCall(_ cancels: [PairCancel], contracts: ExchangeContracts) -> ExchangeCall?

    /// The least salt that `salt` makes at a time, so that all salts made before are below it; nil
    /// where salts do not grow.
    ///
    /// - Parameter time: seconds since 1970.
    func minValidSalt(from time: UInt64) -> UInt256?

    /// A call of the maker's that goes through unless an order with these terms would be one of a
    /// pair that was cancelled up to its salt, and reverts otherwise; nil where a salt never matters.
    func saltCheck(of draft: OrderDraft) -> CallRequest?

    /// The least salt that a new order may have, from what such a call reverted with; nil where
    /// that says something else.
    func minValidSalt(revertedWith data: [UInt8]) -> UInt256?

    /// What a simulated `marketCall` or `fillCall` returned: the taker token it would fill.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func filledAmount(returned: [UInt8], by call: ExchangeCall) throws(ExchangeError) -> UInt256?

    /// What a simulated call returned about each of its orders, in their order: the taker token
    /// that it would fill; nil for a call that returns no more than a sum, or nothing.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func filledAmounts(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> [UInt256]?

    /// What an error of the exchange's own says, as a sentence; nil for the data of any other
    /// revert.
    func revertReason(_ data: [UInt8]) -> String?

    /// What a call to the exchange can do to the one who sends it, from its data alone; nil for a
    /// function or arguments that are not known.
    func effects(of data: [UInt8]) -> ExchangeCallEffects?

    // MARK: Outcome

    /// What the exchange's events in a receipt say, in their order; logs of other contracts are
    /// passed over, and a log that claims to be ours and cannot be read is an error.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func events(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [ExchangeEvent]

    /// Whether logs tell their maker in a topic, so that a node finds one maker's among all; where
    /// not, `eventFilter` finds everybody's, and the maker's are picked of the events.
    var findsMakersInLogs: Bool { get }

    /// The filter that finds fills and cancels of a maker's orders in the chain's logs, and
    /// everybody's where those cannot be told apart in it.
    func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        exchange: Address
    ) -> LogFilter
}
