import DexSandbox
import DexTestSupport
import Ethereum
import ZeroEx

/// Sequences about the native orders of v4.
extension Planner {
    /// The sequence of a seed.
    static func nativeSequence(seed: UInt64, in world: World) throws -> PlannedSequence {
        var planner = Planner(
            random: SeededGenerator(seed: seed),
            world: world,
            sequence: PlannedSequence(seed: seed)
        )
        try planner.planNative()
        return planner.sequence
    }

    private mutating func planNative() throws {
        spender = World.exchangeProxy
        sequence.exchange = World.exchangeProxy
        sequence.wallets = Self.pools.map(Self.collector)
        choosePalette()
        for _ in 0..<(2 + random.below(3)) { limitOrders.append(try limitOrder()) }
        for _ in 0..<(1 + random.below(3)) { quotes.append(try quote()) }
        for token in sequence.tokens {
            for trader in world.traders {
                sequence.allowances.insert(
                    PlannedAllowance(token: token, owner: trader.address, spender: spender)
                )
            }
        }
        ask(limitOrders, ExchangeCallV4.limit)
        ask(quotes, ExchangeCallV4.rfq)
        // Only the first call of a block is asked for its revert's data.
        try layOut(apart: 75) { planner in planner.nativeStep() }
    }

    /// Who gets the protocol fees of a staking pool.
    private static func collector(_ pool: Bytes32) -> Address {
        Address(
            truncating: Keccak256.hash(Array("dex sandbox: fee collector".utf8) + pool.bytes)
        )
    }

    /// Asks at the end for the state of each order, and of all at once.
    private mutating func ask<Order>(
        _ orders: [PlannedNativeOrder<Order>],
        _ wrap: (OrderCallV4<Order>) -> ExchangeCallV4
    ) {
        var calls: [OrderCallV4<Order>] = [
            .batchRelevantStates(orders.map(\.order), orders.map(\.signature))
        ]
        for item in orders {
            calls += [.info(item.order), .relevantState(item.order, item.signature)]
        }
        for call in calls.map(wrap) {
            sequence.questions.append(
                PlannedQuestion(
                    name: "\(call.function.name) with \(Hex.encode(call.data))",
                    to: World.exchangeProxy,
                    data: call.data
                )
            )
        }
    }

    private mutating func nativeStep() -> PlannedCall {
        if helpers.isEmpty, random.chance(12) {
            return registration(of: trader(), by: random.pick(quotes).maker, allowed: true)
        }
        var call: PlannedCall
        switch random.below(100) {
        case ..<64: call = nativeCall(insists: random.chance(35))
        case ..<72: call = corruptNative(nativeCall(insists: false))
        case ..<83: call = tokenCall()
        case ..<90: call = helperCall()
        case ..<97: call = nativeView()
        default:
            call = etherCall()
            if random.chance(50) { call.to = World.exchangeProxy }
        }
        dress(&call)
        // An estimate is made at no gas price, so without the protocol fee; and it is the sandbox's.
        if world.genesis.protocolFeeMultiplier > 0 { call.gas = .ample }
        return call
    }

    /// A call about orders that changes something.
    ///
    /// - Parameter insists: a batch reverts where an order is not filled whole.
    private mutating func nativeCall(insists: Bool) -> PlannedCall {
        if random.chance(60) {
            return orderCall(limitOrders, insists, ExchangeCallV4.limit)
        }
        return orderCall(quotes, insists, ExchangeCallV4.rfq)
    }

    private mutating func orderCall<Order>(
        _ orders: [PlannedNativeOrder<Order>],
        _ insists: Bool,
        _ wrap: (OrderCallV4<Order>) -> ExchangeCallV4
    ) -> PlannedCall {
        let item = random.pick(orders)
        var call = PlannedCall(kind: "", sender: trader(), to: World.exchangeProxy)
        if call.sender == item.maker, random.chance(70) { call.sender = (item.maker + 1) % 4 }
        if let quote = item.order as? RfqOrderV4, random.chance(80),
            let origin = world.traders.firstIndex(where: { $0.address == quote.txOrigin })
        {
            call.sender = origin
        }
        let content = content(item, orders, insists, &call)
        call.kind = wrap(content).function.name
        call.data = wrap(content).data
        if Order.kind == .rfq { call.protocolFees = 0 }
        if random.chance(3) { call.value = UInt256(UInt64(1 + random.below(1_000_000))) }
        return call
    }

    private mutating func content<Order>(
        _ item: PlannedNativeOrder<Order>,
        _ orders: [PlannedNativeOrder<Order>],
        _ insists: Bool,
        _ call: inout PlannedCall
    ) -> OrderCallV4<Order> {
        let kind = random.below(100)
        switch kind {
        case ..<40:
            call.protocolFees = fees(for: 1)
            if kind < 29 {
                return .fill(item.order, item.signature, amount: part(of: item.order))
            }
            let whole = item.order.takerAmount
            let amount = random.chance(15) ? whole &+ 1 : part(of: item.order)
            return .fillOrKill(item.order, item.signature, amount: amount)
        case ..<60:
            let batch = batch(of: orders)
            call.protocolFees = fees(for: batch.count)
            var amounts = batch.map { part(of: $0.order) }
            if random.chance(8) { amounts.append(1) }
            return .batchFill(
                batch.map(\.order),
                batch.map(\.signature),
                amounts: amounts,
                revertIfIncomplete: insists
            )
        default: break
        }
        if random.chance(88) { call.sender = item.maker }
        let order = item.order
        let pair = PairCancelV4(
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            minValidSalt: nativeSalt()
        )
        switch kind {
        case ..<69: return .cancel(order)
        case ..<74:
            let batch = batch(of: orders).map(\.order)
            return .batchCancel(
                random.chance(70) ? batch.filter { $0.maker == order.maker } : batch
            )
        case ..<88: return .cancelPair(again(pair, Order.kind, &call))
        case ..<92:
            let pairs = [pair, pair].prefix(random.below(3))
            var salts = pairs.map { $0.minValidSalt &+ UInt256(UInt64(random.below(2))) }
            if random.chance(10) { salts.append(1) }
            return .batchCancelPair(
                makerTokens: pairs.map(\.makerToken),
                takerTokens: pairs.map(\.takerToken),
                minValidSalts: salts
            )
        default:
            call.sender = trader()
            guard !helpers.isEmpty, random.chance(90) else {
                return .cancelPairWithSigner(maker: order.maker, pair)
            }
            let (maker, helper) = random.pick(helpers)
            call.sender = helper
            return .cancelPairWithSigner(maker: maker, pair)
        }
    }

    /// Often a pair that was cancelled before, by a salt that is next to the earlier one.
    private mutating func again(
        _ pair: PairCancelV4,
        _ kind: NativeOrderKindV4,
        _ call: inout PlannedCall
    ) -> PairCancelV4 {
        let earlier = pairCancels.filter { $0.kind == kind }
        guard !earlier.isEmpty, random.chance(85) else {
            pairCancels.append((kind, call.sender, pair))
            return pair
        }
        let (_, sender, before) = random.pick(earlier)
        call.sender = sender
        let salt = before.minValidSalt
        return PairCancelV4(
            makerToken: before.makerToken,
            takerToken: before.takerToken,
            minValidSalt: random.pick([salt &- 1, salt &- 1, salt &- 1, salt, salt &+ 1])
        )
    }

    /// For how many fills ether is sent along: as many as there are, more, fewer or none.
    private mutating func fees(for count: Int) -> Int {
        random.pick(weighted: [(65, count), (17, count + 1), (10, max(0, count - 1)), (8, 0)])
    }

    mutating func batch<Order>(
        of orders: [PlannedNativeOrder<Order>]
    ) -> [PlannedNativeOrder<Order>] {
        if random.chance(3) { return [] }
        return (0..<(1 + random.below(4))).map { _ in random.pick(orders) }
    }

    /// How much of an order a call asks for.
    private mutating func part(of order: some NativeOrderV4) -> UInt128 {
        let whole = order.takerAmount
        return random.pick(weighted: [
            (30, whole),
            (40, whole / 1_000 * UInt128(1 + random.below(999))),
            (8, whole / 2 + 1),
            (6, whole &+ 1),
            (6, UInt128(1 + random.below(2_000))),
            (4, 0),
            (3, .max),
        ])
    }
}
