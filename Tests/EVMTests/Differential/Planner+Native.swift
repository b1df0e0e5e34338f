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
        var call: PlannedCall
        switch random.below(100) {
        case ..<64: call = nativeCall(insists: random.chance(35))
        case ..<72: call = corruptNative(nativeCall(insists: false))
        case ..<83: call = tokenCall()
        case ..<90: call = helperCall()
        case ..<97: call = nativeView()
        default:
            call = etherCall()
            if random.chance(50) {
                call.to = World.exchangeProxy
                call.isGasCompared = false
            }
        }
        dress(&call)
        // An estimate is made at no gas price, so without the protocol fee; and it is the sandbox's.
        if world.genesis.protocolFeeMultiplier > 0 || !call.isGasCompared { call.gas = .ample }
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
        switch content {
        // The arrays of a batch of fills take up memory in all that Vyper tells apart by hand.
        case .batchCancel, .batchCancelPair: call.isGasCompared = false
        default: break
        }
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
        case ..<44:
            call.protocolFees = fees(for: 1)
            let amount = part(of: item.order)
            return kind < 32
                ? .fill(item.order, item.signature, amount: amount)
                : .fillOrKill(item.order, item.signature, amount: amount)
        case ..<66:
            let batch = batch(of: orders)
            call.protocolFees = fees(for: batch.count)
            var amounts = batch.map { part(of: $0.order) }
            if random.chance(4) { amounts.append(1) }
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
        case ..<76: return .cancel(order)
        case ..<82:
            let batch = batch(of: orders).map(\.order)
            return .batchCancel(
                random.chance(70) ? batch.filter { $0.maker == order.maker } : batch
            )
        case ..<90: return .cancelPair(pair)
        case ..<94:
            let pairs = [pair, pair].prefix(random.below(3))
            var salts = pairs.map { $0.minValidSalt + UInt256(UInt64(random.below(2))) }
            if random.chance(10) { salts.append(1) }
            return .batchCancelPair(
                makerTokens: pairs.map(\.makerToken),
                takerTokens: pairs.map(\.takerToken),
                minValidSalts: salts
            )
        default:
            call.sender = trader()
            return .cancelPairWithSigner(maker: order.maker, pair)
        }
    }

    /// For how many fills ether is sent along: as many as there are, more, fewer or none.
    private mutating func fees(for count: Int) -> Int {
        random.pick(weighted: [(65, count), (20, count + 1), (10, max(0, count - 1)), (5, 0)])
    }

    private mutating func batch<Order>(
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

    // MARK: Beside orders

    /// A call about who signs or fills for whom.
    private mutating func helperCall() -> PlannedCall {
        let helper = world.traders[trader()].address
        let allowed = random.chance(80)
        let content: ExchangeCallV4 =
            random.chance(50)
            ? .registerAllowedOrderSigner(helper, allowed: allowed)
            : .registerAllowedRfqOrigins(
                (0..<random.below(4)).map { _ in world.traders[trader()].address },
                allowed: allowed
            )
        return PlannedCall(
            kind: content.function.name,
            sender: trader(),
            to: World.exchangeProxy,
            data: content.data
        )
    }

    /// A transaction to a function that only reads.
    private mutating func nativeView() -> PlannedCall {
        let content: ExchangeCallV4
        switch random.below(10) {
        case 0: content = .getProtocolFeeMultiplier
        case 1:
            content = .isValidOrderSigner(
                maker: world.traders[trader()].address,
                signer: world.traders[trader()].address
            )
        case 2..<6: content = .limit(view(of: limitOrders))
        default: content = .rfq(view(of: quotes))
        }
        var call = PlannedCall(
            kind: content.function.name,
            sender: trader(),
            to: World.exchangeProxy,
            data: content.data
        )
        switch content {
        case .limit(.batchRelevantStates), .rfq(.batchRelevantStates): call.isGasCompared = false
        default: break
        }
        return call
    }

    private mutating func view<Order>(
        of orders: [PlannedNativeOrder<Order>]
    ) -> OrderCallV4<Order> {
        let item = random.pick(orders)
        switch random.below(5) {
        case 0: return .hash(item.order)
        case 1: return .info(item.order)
        case 2: return .relevantState(item.order, item.signature)
        default:
            var batch = batch(of: orders)
            let signatures = batch.map(\.signature)
            if random.chance(5), !batch.isEmpty { batch.removeLast() }
            return .batchRelevantStates(batch.map(\.order), signatures)
        }
    }
}
