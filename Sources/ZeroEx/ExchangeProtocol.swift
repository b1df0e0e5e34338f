public import Ethereum
public import StrictJSON

/// The boundary between `dex` and a version of the 0x protocol.
///
/// Nothing outside a version's folder knows its field names, calls or events. No method does I/O:
/// a method returns the calls to make, and another one takes their answers.
public protocol ExchangeProtocol: OrderCodec {
    /// The implemented version.
    var version: ProtocolVersion { get }

    /// How it signs our own orders.
    var orderSigning: OrderSigning { get }

    // MARK: Contracts

    /// Calls that return the contracts of an exchange.
    func contractCalls(exchange: Address) -> [CallRequest]

    /// The contracts from the answers, in the order of the calls.
    ///
    /// - Throws: `ExchangeError.notAnExchange`.
    func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts

    /// A call that returns the exchange's version as a text; nil if it has no such function.
    func versionCall(exchange: Address) -> CallRequest?

    /// Calls that return whether the exchange can trade at all (v1: the proxy's `authorized`).
    func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest]

    /// Checks those answers.
    ///
    /// - Throws: `ExchangeError.notAuthorized`.
    func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError)

    // MARK: Orders

    /// Decodes an order that did not come from a relay and may be of a kind that no relay carries.
    ///
    /// Other orders are decoded as in `decodeOrder`.
    ///
    /// - Throws: `OrderError`. The signature is NOT checked here.
    func decodeHandedOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder

    /// Checks an order alone: the exchange, amounts, maker, and the maker's signature of its hash.
    ///
    /// - Throws: `OrderRejection`.
    func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection)

    /// What an order's signature claims, to be proven by a recovery; all else that `verify` checks of
    /// the order alone is checked here.
    ///
    /// - Throws: `OrderRejection`. The signature is NOT checked here.
    func claim(
        of order: any SignedOrder,
        exchange: Address
    ) throws(OrderRejection) -> SignatureClaim

    /// Checks that an order can have these terms, and that some account could fill it.
    ///
    /// - Throws: `OrderError`.
    func check(_ draft: OrderDraft) throws(OrderError)

    /// Hashes and signs our own order.
    ///
    /// - Throws: `SignerError`, also for terms that `check` rejects.
    func sign(
        _ draft: OrderDraft,
        with signer: any Signer
    ) async throws(SignerError) -> any SignedOrder

    /// An order's terms as EIP-712 data that wallets show before signing.
    ///
    /// nil if the order's hash is not an EIP-712 hash, and for numbers that no order can hold.
    func typedData(of draft: OrderDraft) -> TypedData?

    /// An order's hash is valid on one chain only.
    ///
    /// If false (v1), a signature is valid on every chain with the exchange at the same address.
    var ordersNameChain: Bool { get }

    /// The hash that a draft has once signed.
    func hash(of draft: OrderDraft) -> OrderHash

    /// A call that returns the exchange's hash of such an order.
    ///
    /// nil for numbers that no order can hold.
    func hashCall(of draft: OrderDraft) -> CallRequest?

    /// A salt for a new order, from 32 random bytes and the time in seconds since 1970.
    func salt(random: Bytes32, now: UInt64) -> UInt256

    /// The token of an order's fees.
    func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address

    /// The token of the fees of an order with these terms.
    func feeToken(of draft: OrderDraft, contracts: ExchangeContracts) -> Address

    /// The symbol of the token of all fees; nil if it depends on the order.
    var feeTokenSymbol: String? { get }

    /// The token of a fill's fees; nil if that depends on the contracts and they are not known.
    func feeToken(of fill: FillEvent, contracts: ExchangeContracts?) -> Address?

    /// Calls that return the filled and cancelled amounts of each order; read all at one block.
    func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts,
        detail: StateDetail
    ) -> [CallRequest]

    /// The states from the answers, in the order of the orders, with the detail of the calls.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]],
        detail: StateDetail
    ) throws(ExchangeError) -> [OrderState]

    // MARK: Arithmetic, in base units

    /// The payout of a fill of this much taker token, rounded down as in the contract.
    ///
    /// nil if the contract would overflow.
    func makerAmount(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256?

    /// The minimum taker amount whose fill pays out at least this much maker token, rounded up.
    ///
    /// nil if the order cannot pay it out.
    func takerAmount(of order: any SignedOrder, for makerAmount: UInt256) -> UInt256?

    /// The fee that the taker pays in the fee token for a fill.
    func takerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256

    /// The fee that the maker pays in the fee token for a fill.
    func makerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256

    /// The contract would reject this fill for its rounding error.
    func hasRoundingError(_ order: any SignedOrder, filling takerAmount: UInt256) -> Bool

    /// The largest fill, up to a taker amount, without a rejected rounding error or an overflow.
    ///
    /// nil if there is none.
    func largestFill(of order: any SignedOrder, upTo takerAmount: UInt256) -> UInt256?

    // MARK: Calls

    /// `marketCall` fills each order by at most its `PlannedFill`.
    ///
    /// If false (v1), the call hands the remaining total to each order in turn. The contract takes
    /// the order's whole rest or, in the last one, the remaining total. An order funded for less
    /// than that is skipped or reverts: use `fillCall` or `batchCall` for it, or put it at the end
    /// of a market call whose total stays within its funds.
    var marketCallCapsEachOrder: Bool { get }

    /// Roughly the maximum gas of one more order in a `marketCall`.
    var gasPerOrder: GasFloor { get }

    /// A market order over several orders of one taker token, best price first.
    ///
    /// - Parameters:
    ///   - fills: the orders with the maximum fill of each, in taker token base units.
    ///   - total: the maximum taker token spent over all of them.
    func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall

    /// Fills several orders of one taker token, each by at most its own amount.
    ///
    /// What one order cannot fill does not move on to the next (v1: batchFillOrders).
    func batchCall(
        _ fills: [PlannedFill],
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall

    /// A fill of one order by at most this much taker token.
    func fillCall(_ fill: PlannedFill, mode: FillMode, contracts: ExchangeContracts) -> ExchangeCall

    /// The fill modes to try, the preferred one first.
    var fillModes: [FillMode] { get }

    /// A cancel of the rest of one or more of our orders, in one call.
    func cancelCall(_ orders: [any SignedOrder], contracts: ExchangeContracts) -> ExchangeCall

    /// A cancel of all orders of some pairs below a salt, in one call; nil if the protocol has
    /// none.
    func pairCancelCall(_ cancels: [PairCancel], contracts: ExchangeContracts) -> ExchangeCall?

    /// The lowest salt that `salt` makes at a time: all earlier salts are below it.
    ///
    /// nil if salts do not grow.
    ///
    /// - Parameter time: seconds since 1970.
    func minValidSalt(from time: UInt64) -> UInt256?

    /// A call by the maker that reverts if the salt of these terms is already cancelled for its
    /// pair.
    ///
    /// nil if a salt never matters.
    func saltCheck(of draft: OrderDraft) -> CallRequest?

    /// The minimum salt of a new order, from the revert data of such a call.
    ///
    /// nil if the data means something else.
    func minValidSalt(revertedWith data: [UInt8]) -> UInt256?

    /// The taker token that a simulated `marketCall` or `fillCall` would fill.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func filledAmount(returned: [UInt8], by call: ExchangeCall) throws(ExchangeError) -> UInt256?

    /// The taker token that a simulated call would fill of each order, in their order.
    ///
    /// nil for a call that returns only a sum or nothing.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func filledAmounts(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> [UInt256]?

    /// The message of the exchange's own error; nil for other revert data.
    func revertReason(_ data: [UInt8]) -> String?

    /// The exchange's function that call data names by its selector; nil for any other.
    ///
    /// The arguments are not read. `fillOrder` of data that begins with `0xbc61394a` (v1).
    func functionName(of data: [UInt8]) -> String?

    /// The maximum effects of a call on its sender, from the call data alone.
    ///
    /// nil for an unknown function or arguments.
    func effects(of data: [UInt8]) -> ExchangeCallEffects?

    // MARK: Outcome

    /// The exchange's events in a receipt, in order.
    ///
    /// Logs of other contracts are ignored. A log of the exchange that cannot be read is an error.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    func events(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [ExchangeEvent]

    /// The first topics of logs that change who may sign for a maker; none if only makers sign.
    var signerTopics: [Bytes32] { get }

    /// The maker whose signers a log of the exchange changes: its orders may have become valid or
    /// invalid.
    ///
    /// nil for any other log, and for one that cannot be read.
    func makerWithChangedSigners(_ log: Log) -> Address?

    /// Logs hold their maker in a topic, so a node can filter by maker.
    ///
    /// If false, `eventFilter` matches all makers and the caller filters the events.
    var findsMakersInLogs: Bool { get }

    /// The filter for fills and cancels of a maker's orders; see `findsMakersInLogs`.
    func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        exchange: Address
    ) -> LogFilter
}
