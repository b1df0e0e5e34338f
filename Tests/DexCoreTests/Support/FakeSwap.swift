import Ethereum
import Synchronization
import Testing
import ZeroEx

/// A swap venue that answers only what a test has set, fails the test on everything else, and
/// keeps every request.
final class FakeSwap: LiquiditySource {
    typealias Prices = @Sendable (SwapRequest) async -> Result<SwapPrice, LiquidityError>
    /// With the number of the quote, from 0.
    typealias Quotes = @Sendable (Int, SwapRequest) async -> Result<SwapQuote, LiquidityError>

    /// What the venue answers, and what it was asked.
    struct State: Sendable {
        var onPrice: Prices?
        var onQuote: Quotes?
        var prices: [SwapRequest] = []
        var quotes: [SwapRequest] = []
    }

    private let state = Mutex(State())
    private let checks: FakeRules

    init(rules: FakeRules = FakeRules()) { checks = rules }

    var rules: any LiquidityRules { checks }

    /// Changes what the venue answers.
    func set(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// The prices that were asked for, in order.
    var prices: [SwapRequest] { state.withLock { $0.prices } }

    /// The quotes that were asked for, in order.
    var quotes: [SwapRequest] { state.withLock { $0.quotes } }

    /// The terms that quotes were checked by, in order.
    var terms: [SwapTerms] { checks.log.terms }

    func price(_ request: SwapRequest) async throws(LiquidityError) -> SwapPrice {
        let answer = state.withLock { state in
            state.prices.append(request)
            return state.onPrice
        }
        guard let answer else { throw Self.unexpected("a price") }
        return try await answer(request).get()
    }

    func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote {
        let (number, answer) = state.withLock { state in
            state.quotes.append(request)
            return (state.quotes.count - 1, state.onQuote)
        }
        guard let answer else { throw Self.unexpected("a quote") }
        return try await answer(number, request).get()
    }

    func chains() async throws(LiquidityError) -> [UInt64] { [1337] }

    private static func unexpected(_ what: String) -> LiquidityError {
        Issue.record("the test set no answer for \(what)")
        return .nonsense("the test set no answer for \(what)")
    }
}

/// The rules of `FakeSwap`: its quotes call the contract that a registry names.
struct FakeRules: LiquidityRules {
    /// The terms of all checks.
    final class Log: Sendable {
        private let state = Mutex<[SwapTerms]>([])

        var terms: [SwapTerms] { state.withLock { $0 } }

        func add(_ terms: SwapTerms) {
            state.withLock { $0.append(terms) }
        }
    }

    static let registry = TestMarket.address("0x00000000000004533fe15556b1e086bb1a72ceae")
    static let registryCall = CallRequest(
        to: registry,
        data: [0x63, 0x52, 0x21, 0x1e] + UInt256(2).bigEndianBytes
    )

    let log = Log()
    var spender = TestMarket.proxy

    /// Where its calls are proven; nil: they need no proof.
    var prover: Address?

    let name = "Fake Swap"

    func spender(_ payment: SwapPayment) -> Address { spender }

    var contracts: [Address] { [spender, Self.registry] }

    var registryCalls: [CallRequest] { [Self.registryCall] }

    func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address] {
        guard let answer = answers.first ?? nil, answer.count == 32,
            let address = Address(bytes: Array(answer.suffix(20)))
        else { throw .paused }
        return [address]
    }

    func verify(_ quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapCall {
        log.add(terms)
        guard terms.genuine.contains(quote.call.to) || quote.call.to == terms.wrapped else {
            throw .counterfeit(
                field: "transaction.to",
                expected: "\(terms.genuine)",
                found: "\(quote.call.to)"
            )
        }
        guard quote.price.maximumSold <= terms.maximum, quote.price.minimumBought >= terms.minimum
        else {
            throw .counterfeit(field: "amounts", expected: "\(terms)", found: "\(quote)")
        }
        return quote.call
    }

    func permit(of quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapPermit? {
        terms.request.payment == .permit ? quote.permit : nil
    }

    func call(_ call: SwapCall, signature: Signature) -> SwapCall {
        var call = call
        call.data += [signature.v] + signature.r.bytes + signature.s.bytes
        return call
    }

    func proof(of call: SwapCall, _ terms: SwapTerms) -> SwapCall? {
        prover.map { SwapCall(to: $0, data: [0x01, 0x02, 0x03, 0x04], value: call.value) }
    }

    func effects(of call: SwapCall) -> SwapEffects? { nil }
}
