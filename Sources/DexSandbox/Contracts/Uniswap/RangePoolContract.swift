import Ethereum
import Uniswap

/// A Uniswap v3 pool, as far as the router, QuoterV2 and readers use it.
///
/// Only the router's code swaps here: the pool has no `swap` for others, no flash loans, no mint or
/// burn, and no protocol fee. Fees stay in it and belong to nobody, so fee growth is 0.
struct RangePoolContract {
    let frame: ContractFrame
    let pool: GenesisRangePool
    let factory: Address

    private static let swapTopic = Keccak256.hash(
        "Swap(address,address,int256,int256,uint160,uint128,int24)".utf8
    )

    private enum Function: UInt32 {
        case slot0 = 0x3850_c7bd
        case liquidity = 0x1a68_6502
        case ticks = 0xf30d_ba93
        case tickBitmap = 0x5339_c296
        case observe = 0x883b_dbfd
        case observations = 0x252c_09d7
        case fee = 0xddca_3f43
        case tickSpacing = 0xd0c9_3a7c
        case token0 = 0x0dfe_1681
        case token1 = 0xd212_20a7
        case factory = 0xc45a_0155
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        let input = CalldataReader(bytes: frame.message.data)
        guard let function = input.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        switch function {
        case .slot0: return try state().answer
        case .liquidity: return Words.number(UInt256(try liquidity()))
        case .ticks:
            guard input.has(arguments: 1) else { throw .revert([]) }
            try frame.execution.charge(4 * GasSchedule.coldSlot)
            return tick((Int32(truncatingIfNeeded: input.number(0).w0) << 8) >> 8)
        case .tickBitmap:
            guard input.has(arguments: 1) else { throw .revert([]) }
            try frame.execution.charge(GasSchedule.coldSlot)
            return Words.number(bitmap(Int16(truncatingIfNeeded: input.number(0).w0)))
        case .observe: return try observe()
        case .observations:
            guard input.has(arguments: 1), let index = input.number(0).uint64,
                let index = UInt16(exactly: index)
            else { throw .revert([]) }
            return observationAnswer(try observation(index))
        case .fee: return Words.number(UInt256(UInt64(pool.pool.kind.fee)))
        case .tickSpacing: return Words.number(Words.signed(Int64(spacing)))
        case .token0: return Words.bytes(pool.pool.token0.word)
        case .token1: return Words.bytes(pool.pool.token1.word)
        case .factory: return Words.bytes(factory.word)
        }
    }

    /// The genesis has checked that the fee has one.
    var spacing: Int32 { pool.spacing ?? 1 }

    func state() throws(CallFailure) -> RangePoolState {
        RangePoolState(word: try frame.execution.load(RangePoolState.key(of: frame.address)))
    }

    func liquidity() throws(CallFailure) -> UInt128 {
        let word = try frame.execution.load(RangePoolState.liquidityKey(of: frame.address))
        return UInt128(clamping: word)
    }

    /// The answer of `ticks(int24)`; nothing outside is counted.
    private func tick(_ index: Int32) -> [UInt8] {
        guard let tick = pool.ticks.first(where: { $0.index == index }) else {
            return Array(repeating: 0, count: 8 * 32)
        }
        let magnitude = UInt256(tick.net.magnitude)
        let zero = UInt256.zero.word
        return Words.bytes(
            UInt256(tick.gross).word,
            (tick.net < 0 ? .zero &- magnitude : magnitude).word,
            zero,
            zero,
            zero,
            zero,
            zero,
            UInt256(1).word
        )
    }

    /// The answer of `tickBitmap(int16)`.
    private func bitmap(_ word: Int16) -> UInt256 {
        var bits = UInt256.zero
        for tick in pool.ticks {
            let place = tick.index / spacing
            if place >> 8 == Int32(word) { bits |= UInt256(1) << Int(place & 0xff) }
        }
        return bits
    }

    // MARK: Swaps

    /// Refuses a swap before it begins.
    ///
    /// - Returns: slot0.
    func check(
        _ amount: PoolAmount,
        zeroForOne: Bool,
        limit: UInt256
    ) throws(CallFailure) -> RangePoolState {
        switch amount {
        case .exactIn(.zero), .exactOut(.zero): throw .error("AS")
        default: break
        }
        let state = try state()
        guard state.isUnlocked else { throw .error("LOK") }
        let isInTheWay =
            zeroForOne
            ? limit < state.price && limit > TickMath.minimumPrice
            : limit > state.price && limit < TickMath.maximumPrice
        guard isInTheWay else { throw .error("SPL") }
        return state
    }

    /// What a swap would do with the pool; pays for the computing.
    func walk(
        _ state: RangePoolState,
        _ amount: PoolAmount,
        zeroForOne: Bool,
        limit: UInt256
    ) throws(CallFailure) -> RangePoolWalk {
        guard
            let walk = RangePoolWalk(
                pool,
                spacing: spacing,
                from: state,
                liquidity: try liquidity(),
                amount: amount,
                zeroForOne: zeroForOne,
                limit: limit,
                mostSteps: 1 + frame.execution.gasLeft / GasStep.uniswapWord.gas
            )
        else { throw .revert([]) }
        try frame.execution.charge(.uniswapPool)
        // The genuine pool reads a word of ticks in each step; one of several million gas is long.
        try frame.execution.charge((max(walk.steps, 1) - 1) * GasStep.uniswapWord.gas)
        try frame.execution.charge(UInt64(walk.crossed) * GasStep.uniswapTick.gas)
        guard !walk.isCutOff else { throw .outOfGas }
        return walk
    }

    /// Swaps: pays out, lets the caller pay, and checks that it did.
    ///
    /// - Parameters:
    ///   - limit: `sqrtPriceX96` at which the swap stops.
    ///   - pay: pays an amount of the sold token to the pool; given what was bought.
    ///
    /// Source: UniswapV3Pool's `swap`.
    func swap(
        _ amount: PoolAmount,
        zeroForOne: Bool,
        limit: UInt256,
        recipient: Address,
        pay: (UInt256) throws(CallFailure) -> Void
    ) throws(CallFailure) -> RangePoolWalk {
        var state = try check(amount, zeroForOne: zeroForOne, limit: limit)
        let walk = try walk(state, amount, zeroForOne: zeroForOne, limit: limit)
        if walk.tick != state.tick {
            state.index = try observe(state, liquidity: try liquidity())
        }
        state.price = walk.price
        state.tick = walk.tick
        state.isUnlocked = false
        try frame.execution.store(RangePoolState.key(of: frame.address), state.word)
        try frame.execution.store(
            RangePoolState.liquidityKey(of: frame.address),
            UInt256(walk.liquidity)
        )
        let id = pool.pool
        let (sold, bought) = zeroForOne ? (id.token0, id.token1) : (id.token1, id.token0)
        if walk.amountOut > .zero {
            let transfer = ERC20.transfer(to: recipient, amount: walk.amountOut)
            try frame.move(bought, transfer, or: "TF")
        }
        let before = try frame.balance(sold, of: frame.address)
        try pay(walk.amountIn)
        let (wanted, overflow) = before.addingReportingOverflow(walk.amountIn)
        let after = try frame.balance(sold, of: frame.address)
        guard !overflow, wanted <= after else { throw .error("IIA") }
        let received = walk.amountIn.word
        let paid = (UInt256.zero &- walk.amountOut).word
        try frame.execution.emit(
            frame.address,
            topics: [Self.swapTopic, frame.message.caller.word, recipient.word],
            data: Words.bytes(
                zeroForOne ? received : paid,
                zeroForOne ? paid : received,
                walk.price.word,
                UInt256(walk.liquidity).word,
                Words.signed(Int64(walk.tick)).word
            )
        )
        state.isUnlocked = true
        try frame.execution.store(RangePoolState.key(of: frame.address), state.word)
        return walk
    }
}
