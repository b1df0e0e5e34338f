import Ethereum
import Uniswap

/// A Uniswap v2 pair, as far as the router and readers use it.
///
/// Only the router's code swaps here: the pair has no `swap` for others, no flash swaps, no mint,
/// burn, skim or sync, and no cumulative prices.
struct PairContract {
    let frame: ContractFrame
    let pool: PoolID
    let factory: Address

    private enum Function: UInt32 {
        case getReserves = 0x0902_f1ac
        case token0 = 0x0dfe_1681
        case token1 = 0xd212_20a7
        case factory = 0xc45a_0155
    }

    private static let swapTopic = Keccak256.hash(
        "Swap(address,uint256,uint256,uint256,uint256,address)".utf8
    )
    private static let syncTopic = Keccak256.hash("Sync(uint112,uint112)".utf8)

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        switch function {
        case .getReserves:
            let state = try state()
            return Words.bytes(
                state.reserve0.word,
                state.reserve1.word,
                UInt256(state.time).word
            )
        case .token0: return Words.bytes(pool.token0.word)
        case .token1: return Words.bytes(pool.token1.word)
        case .factory: return Words.bytes(factory.word)
        }
    }

    func state() throws(CallFailure) -> PairSlot {
        PairSlot(word: try frame.execution.load(PairSlot.key(of: frame.address)))
    }

    /// Pays out for what came in since the last swap.
    ///
    /// Source: UniswapV2Pair's `swap`.
    func swap(_ out0: UInt256, _ out1: UInt256, to: Address) throws(CallFailure) {
        try frame.execution.charge(.uniswapPair)
        guard out0 > .zero || out1 > .zero else {
            throw .error("UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT")
        }
        let state = try state()
        guard out0 < state.reserve0, out1 < state.reserve1 else {
            throw .error("UniswapV2: INSUFFICIENT_LIQUIDITY")
        }
        guard to != pool.token0, to != pool.token1 else { throw .error("UniswapV2: INVALID_TO") }
        for (token, out) in [(pool.token0, out0), (pool.token1, out1)] where out > .zero {
            try frame.move(
                token,
                ERC20.transfer(to: to, amount: out),
                or: "UniswapV2: TRANSFER_FAILED"
            )
        }
        let balance0 = try frame.balance(pool.token0, of: frame.address)
        let balance1 = try frame.balance(pool.token1, of: frame.address)
        let in0 = Self.excess(balance0, over: state.reserve0 - out0)
        let in1 = Self.excess(balance1, over: state.reserve1 - out1)
        guard in0 > .zero || in1 > .zero else {
            throw .error("UniswapV2: INSUFFICIENT_INPUT_AMOUNT")
        }
        guard balance0 <= PairMath.maximumReserve, balance1 <= PairMath.maximumReserve else {
            throw .error("UniswapV2: OVERFLOW")
        }
        // Both factors are below 2^123, since the amounts in are at most the balances.
        let (fee0, isBelow0) = (balance0 * 1_000).subtractingReportingOverflow(in0 * 3)
        let (fee1, isBelow1) = (balance1 * 1_000).subtractingReportingOverflow(in1 * 3)
        guard !isBelow0, !isBelow1,
            fee0 * fee1 >= state.reserve0 * state.reserve1 * 1_000_000
        else { throw .error("UniswapV2: K") }
        try update(balance0, balance1)
        try frame.execution.emit(
            frame.address,
            topics: [Self.swapTopic, frame.message.caller.word, to.word],
            data: Words.bytes(in0.word, in1.word, out0.word, out1.word)
        )
    }

    private func update(_ balance0: UInt256, _ balance1: UInt256) throws(CallFailure) {
        let state = PairSlot(
            reserve0: balance0,
            reserve1: balance1,
            time: frame.execution.block.timestamp
        )
        try frame.execution.store(PairSlot.key(of: frame.address), state.word)
        try frame.execution.emit(
            frame.address,
            topics: [Self.syncTopic],
            data: Words.bytes(balance0.word, balance1.word)
        )
    }

    private static func excess(_ balance: UInt256, over rest: UInt256) -> UInt256 {
        balance > rest ? balance - rest : .zero
    }
}
