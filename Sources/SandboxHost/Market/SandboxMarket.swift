package import DexRelay
import DexSandbox
package import Ethereum
import EthereumWallet
package import ZeroEx

/// The initial orders of a deployment, computed from a seed and a start time.
///
/// Every deployment has the same makers, prices and amounts.
package struct SandboxMarket: Sendable {
    package struct PlannedOrder: Sendable {
        package let draft: OrderDraft
        /// The part filled from the start, in taker token base units.
        package let filled: UInt256
    }

    package let venue: SandboxDeployment
    package let orders: [PlannedOrder]
    package let accounts: SandboxAccounts
    /// Seconds since 1970, rounded down to the minute: expiries count from here.
    package let start: UInt64

    /// The orders of each side of a pair.
    package static let ordersPerSide = 42
    /// The maximum size of a book.
    package static let maximumOrders = 50_000

    /// Plans a market.
    ///
    /// - Parameters:
    ///   - start: seconds since 1970.
    ///   - orders: the size of the first pair's book, both sides together; nil is the usual size.
    package init(
        venue: SandboxDeployment,
        seed: UInt64,
        start: UInt64,
        orders: Int?,
        accounts: SandboxAccounts
    ) {
        self.venue = venue
        self.accounts = accounts
        self.start = start - start % 60
        // Without makers nobody can sign an order.
        guard !accounts.makers.isEmpty else {
            self.orders = []
            return
        }
        var planned: [PlannedOrder] = []
        for (index, pair) in MarketPair.all.enumerated() {
            let isFirst = index == 0
            let total = isFirst ? orders ?? 2 * Self.ordersPerSide : 2 * Self.ordersPerSide
            for (isAsk, count) in [(false, total / 2), (true, total - total / 2)] {
                let side = SidePlan(
                    venue: venue,
                    pair: pair,
                    isAsk: isAsk,
                    hasSpecials: isFirst,
                    seed: seed,
                    start: self.start,
                    accounts: accounts
                )
                planned += side.orders(count: count)
            }
        }
        self.orders = planned
    }

    /// Signs every order, on all cores.
    ///
    /// - Throws: `SignerError`.
    @concurrent
    package func signed() async throws -> [any SignedOrder] {
        let exchangeProtocol = venue.exchangeProtocol
        let size = 256
        let chunks = stride(from: 0, to: orders.count, by: size).map {
            orders[$0..<min(orders.count, $0 + size)]
        }
        let signed = await chunks.concurrentMap { chunk in
            await Result<[any SignedOrder], any Error> {
                var signed: [any SignedOrder] = []
                for planned in chunk {
                    guard let signer = accounts.signer(of: planned.draft.maker) else {
                        throw SignerError.refused("A maker of the market has no key.")
                    }
                    signed.append(try await exchangeProtocol.sign(planned.draft, with: signer))
                }
                return signed
            }
        }
        return try signed.flatMap { try $0.get() }
    }

    package static func fees(
        _ venue: SandboxDeployment,
        _ accounts: SandboxAccounts
    ) -> FeeSchedule {
        // Without named accounts nobody gets fees, so there are none.
        guard let relay = accounts.relay else {
            return FeeSchedule(recipient: .zero, rules: [:])
        }
        var rules: [PairDirection: FeeSchedule.Rule] = [:]
        for pair in MarketPair.all { rules[pair.direction] = venue.feeRule(of: pair) }
        return FeeSchedule(recipient: relay.address, rules: rules)
    }

    /// The pairs in the relay's form.
    package static var pairs: [RelayTokenPair] {
        MarketPair.all.map { pair in
            func side(_ token: TokenDefinition) -> RelayTokenPair.Side {
                .init(token: token.address, minimum: 1, maximum: nil, precision: 8)
            }
            return RelayTokenPair(tokenA: side(pair.base), tokenB: side(pair.quote))
        }
    }
}

/// The parameters of one side's orders.
private struct SidePlan {
    let venue: SandboxDeployment
    let pair: MarketPair
    let isAsk: Bool
    /// It has notable orders: for a named taker, or expiring soon.
    let hasSpecials: Bool
    let seed: UInt64
    let start: UInt64
    let accounts: SandboxAccounts

    private static let minute: UInt64 = 60
    private static let day: UInt64 = 86_400
    /// Positions from the best price.
    private static let namedTaker = 4
    private static let expiringSoon = 6
    private static let partlyFilled: [Int: UInt64] = [2: 1, 9: 2, 17: 3]

    func orders(count: Int) -> [SandboxMarket.PlannedOrder] {
        let name = "\(pair.base.symbol)/\(pair.quote.symbol) \(isAsk ? "asks" : "bids")"
        var random = MarketRandom(seed: seed, purpose: name)
        let side = MarketSide(pair, isAsk: isAsk, count: count, random: &random)
        return side.levels.enumerated().map { index, level in
            order(at: index, level, name: name, &random)
        }
    }

    private func order(
        at index: Int,
        _ level: MarketSide.Level,
        name: String,
        _ random: inout MarketRandom
    ) -> SandboxMarket.PlannedOrder {
        let quoteAmount = pair.quoteAmount(level.amount, price: level.price)
        let maker = accounts.makers[Int(random.number(in: 0...UInt64(accounts.makers.count - 1)))]
        let lifetime = expiry(at: index, &random)
        let digest = Keccak256.hash("\(seed) \(start) \(name) \(index)".utf8)
        let isNamed = hasSpecials && index == Self.namedTaker
        let draft = OrderDraft(
            exchange: venue.contracts.exchange,
            maker: maker.address,
            taker: isNamed ? accounts.traders[1].address : .zero,
            makerToken: isAsk ? pair.base.address : pair.quote.address,
            takerToken: isAsk ? pair.quote.address : pair.base.address,
            makerAmount: isAsk ? level.amount : quoteAmount,
            takerAmount: isAsk ? quoteAmount : level.amount,
            expiry: UInt256(start + lifetime),
            salt: venue.exchangeProtocol.salt(random: digest, now: start),
            fees: fees(of: isAsk ? quoteAmount : level.amount, &random)
        )
        let quarters = Self.partlyFilled[index] ?? 0
        let filled = draft.takerAmount / 4 * UInt256(quarters)
        return SandboxMarket.PlannedOrder(draft: draft, filled: filled)
    }

    private func expiry(at index: Int, _ random: inout MarketRandom) -> UInt64 {
        let days: [UInt64] = [2, 3, 7, 7, 14, 30]
        let minutes = random.number(in: 0...720)
        let chosen = days[Int(random.number(in: 0...UInt64(days.count - 1)))]
        if hasSpecials, index == Self.expiringSoon { return 15 * Self.minute }
        return chosen * Self.day + minutes * Self.minute
    }

    /// Most orders follow the schedule; some have earlier fees, higher or zero.
    private func fees(of takerAmount: UInt256, _ random: inout MarketRandom) -> OrderFees {
        let draw = random.number(in: 1...10)
        let rule = venue.feeRule(of: pair)
        guard rule != .free, draw > 2, let relay = accounts.relay else { return .none }
        let takerFee = rule.takerFee(of: takerAmount)
        return OrderFees(
            recipient: relay.address,
            makerFee: rule.makerFee,
            takerFee: draw > 4 ? takerFee : takerFee * 2
        )
    }
}
