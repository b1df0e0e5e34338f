public import Ethereum

/// A venue beside the book that prices and quotes a whole trade, such as 0x's Swap API.
///
/// Its answers are hostile until `rules` verified them.
public protocol LiquiditySource: Sendable {
    /// What its quotes are checked by; no I/O.
    var rules: any LiquidityRules { get }

    /// An indicative price, without a transaction; the taker may be nil.
    func price(_ request: SwapRequest) async throws(LiquidityError) -> SwapPrice

    /// A firm quote with a transaction; the request has a taker.
    func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote

    /// The ids of the chains that the venue serves to this key, in its order.
    func chains() async throws(LiquidityError) -> [UInt64]
}

/// What proves a venue's quote genuine, on one chain.
///
/// It describes reads as calls and gets their answers, as `ExchangeProtocol` does.
public protocol LiquidityRules: Sendable {
    /// As screens name the venue: `0x Swap`.
    var name: String { get }

    /// The contract that a token is approved for: our own constant, which no answer changes.
    func spender(_ payment: SwapPayment) -> Address

    /// All contracts that a trade may need an allowance for, the usual one first: which one is known
    /// only of its call.
    func spenders(_ payment: SwapPayment) -> [Address]

    /// The contract that takes the sold token in a call of the venue.
    func spender(_ payment: SwapPayment, of call: SwapCall) -> Address

    /// The contracts that must have code for a trade, for the checkup.
    var contracts: [Address] { get }

    /// An error of the venue's contracts as a part of a sentence; nil for any other.
    func revertReason(_ data: [UInt8]) -> String?

    /// Calls that return the venue's genuine contracts; asked at the block of the plan.
    var registryCalls: [CallRequest] { get }

    /// The genuine contracts, from the answers in the order of the calls.
    ///
    /// - Parameter answers: nil where the contract reverted or has no code.
    /// - Throws: `QuoteFault.paused`.
    func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address]

    /// Checks a quote by its call data and returns the call, with our own gas left to estimate.
    ///
    /// - Throws: `QuoteFault` for anything that could lose more than the terms.
    func verify(_ quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapCall

    /// The message to sign for a verified quote; nil where none is needed.
    ///
    /// - Throws: `QuoteFault` if it allows anything else than the trade.
    func permit(of quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapPermit?

    /// A verified call with the permit's signature in it.
    func call(_ call: SwapCall, signature: Signature) -> SwapCall

    /// A call that is only simulated, never signed: it fails unless the verified call really brings
    /// the minimum, whatever the bought token does when it moves.
    ///
    /// nil where the call itself enforces that.
    func proof(of call: SwapCall, _ terms: SwapTerms) -> SwapCall?

    /// The most that any call can take from its sender, for the rules of signing.
    ///
    /// nil for what is no call of the venue, and for a call whose effects its bytes do not bound.
    func effects(of call: SwapCall) -> SwapEffects?
}

extension LiquidityRules {
    /// The contracts that tokens are approved for, each once.
    public var spenders: [Address] {
        let allowance = spenders(.allowance)
        return allowance + spenders(.permit).filter { !allowance.contains($0) }
    }

    /// One, whatever the call is.
    public func spenders(_ payment: SwapPayment) -> [Address] { [spender(payment)] }

    /// One, whatever the call is.
    public func spender(_ payment: SwapPayment, of call: SwapCall) -> Address { spender(payment) }

    /// None.
    public func proof(of call: SwapCall, _ terms: SwapTerms) -> SwapCall? { nil }

    /// None.
    public func revertReason(_ data: [UInt8]) -> String? { nil }
}

/// The bounds of a trade; a quote has to keep them by its call data.
///
/// A sale of 100 ZRX for at least 0.074 WETH: at most 100 ZRX leave, at least 0.074 WETH arrive.
public struct SwapTerms: Hashable, Sendable {
    public var request: SwapRequest
    /// Sends the transaction and gets what is bought.
    public var account: Address
    /// The most of the sold asset that may leave; base units.
    public var maximum: UInt256
    /// The least of the bought asset that has to arrive; base units, above zero.
    public var minimum: UInt256
    /// From `LiquidityRules.genuine`.
    public var genuine: [Address]
    /// The wrapped native coin of the chain; nil if it has none.
    public var wrapped: Address?
    /// Seconds since 1970.
    public var now: UInt64

    public init(
        request: SwapRequest,
        account: Address,
        maximum: UInt256,
        minimum: UInt256,
        genuine: [Address],
        wrapped: Address?,
        now: UInt64
    ) {
        self.request = request
        self.account = account
        self.maximum = maximum
        self.minimum = minimum
        self.genuine = genuine
        self.wrapped = wrapped
        self.now = now
    }
}
