import DexCore
import DexSandbox
import DexStore
import DexTestSupport
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCoreTestSupport

/// A simulated chain, a relay and a swap venue that trades with a maker's order through the
/// exchange: what it quotes, happens.
struct SwapBench: Sendable {
    let market: LiveMarket
    let swap: FakeSwap
    /// What the registry names; nil: it is paused.
    let registry = Registry()

    /// The contract that the registry names, which tests change.
    final class Registry: Sendable {
        private let state = Mutex<Address?>(TestMarket.exchange)

        var settler: Address? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    init(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        mining: ChainConfiguration.Mining = .instant,
        rules: FakeRules = FakeRules()
    ) throws {
        market = try LiveMarket(holdings, mining: mining)
        swap = FakeSwap(rules: rules)
        onRead()
    }

    /// Changes the answers of every batch; the registry's come first.
    func onRead(
        _ change: (
            @Sendable ([ChainRead], TamperedNode.Answers) throws(ChainError) ->
                TamperedNode.Answers
        )? = nil
    ) {
        let registry = registry
        market.node.onRead { reads, answers throws(ChainError) in
            let reported = zip(reads, answers).map { read, answer in
                guard case .call(let call, _) = read, call.to == FakeRules.registry else {
                    return answer
                }
                guard let settler = registry.settler else {
                    return .failure(.reverted(data: [], message: "execution reverted"))
                }
                return .success(.bytes(settler.word.bytes))
            }
            return try change?(reads, reported) ?? reported
        }
    }

    // MARK: The venue

    /// What an order brings for an amount, as the venue prices it.
    func price(_ order: any SignedOrder, _ request: SwapRequest) throws -> SwapPrice {
        let million: UInt256 = 1_000_000
        let slippage = UInt256(request.slippage)
        switch request.amount {
        case .exactIn(let amount):
            let bought = try #require(
                UInt256.mulDiv(amount, order.makerAmount, order.takerAmount)
            ).quotient
            let minimum = try #require(UInt256.mulDiv(bought, million - slippage, million))
            return SwapPrice(
                sold: amount,
                maximumSold: amount,
                bought: bought,
                minimumBought: minimum.quotient,
                gas: 150_000,
                sources: [.init(name: "Fake_Pool", basisPoints: 10_000)],
                block: 1,
                id: "0x\(String(repeating: "7", count: 24))"
            )
        case .exactOut(let amount):
            let sold = try #require(
                UInt256.mulDiv(amount, order.takerAmount, order.makerAmount)
            ).quotient
            let maximum = try #require(UInt256.mulDiv(sold, million + slippage, million))
            return SwapPrice(
                sold: sold,
                maximumSold: maximum.quotient,
                bought: amount,
                minimumBought: amount,
                gas: 150_000,
                sources: [.init(name: "Fake_Pool", basisPoints: 10_000)],
                block: 1,
                id: nil
            )
        }
    }

    /// A quote that fills so much of an order.
    func quote(_ order: any SignedOrder, _ request: SwapRequest) throws -> SwapQuote {
        let price = try price(order, request)
        let call = market.exchangeProtocol.fillCall(
            PlannedFill(order: order, takerAmount: price.sold),
            mode: .throwing,
            contracts: market.exchangeContracts
        )
        return SwapQuote(
            price: price,
            call: SwapCall(to: call.to, data: call.data, value: .zero),
            gas: 150_000,
            // Somebody who wants the tokens.
            namedSpender: market.rival.address
        )
    }

    /// The venue prices and quotes by an order.
    ///
    /// - Parameters:
    ///   - quoted: another order for the quotes alone.
    ///   - change: to each quote, by its number from 0.
    func serve(
        _ order: any SignedOrder,
        quoted: (any SignedOrder)? = nil,
        _ change: @escaping @Sendable (Int, inout SwapQuote) async -> Void = { _, _ in }
    ) {
        let bench = self
        swap.set { state in
            state.onPrice = { request in
                do {
                    return .success(try bench.price(order, request))
                } catch { return .failure(.nonsense("\(error)")) }
            }
            state.onQuote = { number, request in
                do {
                    var quote = try bench.quote(quoted ?? order, request)
                    await change(number, &quote)
                    return .success(quote)
                } catch { return .failure(.nonsense("\(error)")) }
            }
        }
    }

    /// The venue fails.
    func fail(_ error: LiquidityError) {
        swap.set { state in
            state.onPrice = { _ in .failure(error) }
            state.onQuote = { _, _ in .failure(error) }
        }
    }

    // MARK: Commands

    func session(
        withRelay: Bool = true,
        hasKey: Bool = true,
        settings: SwapSettings? = SwapSettings(api: "http://127.0.0.1:3/swap")
    ) throws -> Session {
        var session = try market.session()
        session.network.swap = settings
        if hasKey, settings != nil { session.venues.insert(ZeroExSwapVenue(swap), at: 0) }
        if !withRelay { session.relay = nil }
        return session
    }

    func model(
        _ session: Session? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> MarketOrderModel {
        var settings = TradeSettings()
        change(&settings)
        return MarketOrderModel(
            session: try session ?? self.session(),
            journal: market.journal,
            settings: settings
        )
    }

    func plan(
        _ side: TradeSide,
        _ amount: String,
        pair: String = "ZRX/WETH",
        limit: String? = nil,
        via: VenueChoice? = nil,
        session: Session? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<TradePlan> {
        try await model(session, change).plan(
            MarketRequest(side: side, pair: pair, amount: amount, limitPrice: limit, via: via),
            account: market.trader.address
        )
    }

    /// Plans and does it.
    func trade(
        _ side: TradeSide,
        _ amount: String,
        pair: String = "ZRX/WETH",
        via: VenueChoice? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TradeOutcome {
        let plan = try await plan(side, amount, pair: pair, via: via, change)
        return try await model(change: change).execute(plan, signer: market.signer)
    }

    private func model(change: (inout TradeSettings) -> Void) throws -> MarketOrderModel {
        try model(nil, change)
    }

    // MARK: What it left

    /// Nothing was signed, journaled or broadcast.
    ///
    /// - Parameter others: how many transactions others broadcast.
    func expectNothingDone(
        sent others: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(market.node.sent.count == others, sourceLocation: sourceLocation)
        #expect(try market.journaled().isEmpty, sourceLocation: sourceLocation)
    }

    func allowance(_ token: Address, to spender: Address) async throws -> UInt256 {
        let call = CallRequest(
            to: token,
            data: ERC20.allowance(owner: market.trader.address, spender: spender)
        )
        let bytes = try await market.chain.call(call)
        return try #require(UInt256(bigEndian: bytes.prefix(32)))
    }

    /// Waits until something is so; false if it never is.
    static func reaches(_ condition: @Sendable () -> Bool) async -> Bool {
        do {
            try await until("it", condition)
            return true
        } catch {
            return false
        }
    }
}
