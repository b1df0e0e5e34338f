import Ethereum
import Uniswap

/// Uniswap's QuoterV2: what a swap would bring, or cost, after the newest block.
///
/// Unlike the genuine one it counts the ticks that were really crossed, and it does not try the
/// payment out.
struct QuoterContract {
    let frame: ContractFrame
    let deployment: UniswapDeployment

    private enum Function: UInt32 {
        case quoteExactInputSingle = 0xc6a5_026a
        case quoteExactOutputSingle = 0xbd21_704a
        case quoteExactInput = 0xcdca_1753
        case quoteExactOutput = 0x2f80_bb1d
        case factory = 0xc45a_0155
        case wrapped = 0x4aa4_a4fc
    }

    /// Whether call data asks what an exact amount costs; nil if it asks for no price at all.
    static func isExactOut(_ data: [UInt8]) -> Bool? {
        switch CalldataReader(bytes: data).selector.flatMap({ Function(rawValue: $0) }) {
        case .quoteExactInputSingle, .quoteExactInput: false
        case .quoteExactOutputSingle, .quoteExactOutput: true
        case .factory, .wrapped, nil: nil
        }
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.uniswapEntry)
        try frame.refuseEther()
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        var input = ProxyCalldata(frame.message.data)
        switch function {
        case .quoteExactInputSingle: return try single(&input) { .exactIn($0) }
        case .quoteExactOutputSingle: return try single(&input) { .exactOut($0) }
        case .quoteExactInput: return try path(&input, isExactOut: false)
        case .quoteExactOutput: return try path(&input, isExactOut: true)
        case .factory: return Words.bytes(deployment.v3Factory.word)
        case .wrapped: return Words.bytes((deployment.wrapped ?? .zero).word)
        }
    }

    /// `((tokenIn, tokenOut, amount, fee, sqrtPriceLimitX96))`.
    private func single(
        _ input: inout ProxyCalldata,
        _ fixed: (UInt256) -> PoolAmount
    ) throws(CallFailure) -> [UInt8] {
        let (tokenIn, tokenOut) = (try input.address(), try input.address())
        let (amount, fee) = (try input.number(), try input.fee())
        let limit = try input.number(bits: 160)
        let start = frame.execution.gasLeft
        let walk = try quote(fixed(amount), amount, tokenIn, tokenOut, fee, limit: limit)
        let other =
            switch fixed(amount) {
            case .exactIn: walk.amountOut
            case .exactOut: walk.amountIn
            }
        return Words.bytes(
            other.word,
            walk.price.word,
            UInt256(UInt64(walk.crossed)).word,
            gas(since: start).word
        )
    }

    /// `(path, amount)`, the path of an exact amount out from what is bought.
    private func path(
        _ input: inout ProxyCalldata,
        isExactOut: Bool
    ) throws(CallFailure) -> [UInt8] {
        var path = PoolPathReader(try input.byteString())
        var amount = try input.number()
        var prices: [Bytes32] = []
        var crossed: [Bytes32] = []
        let start = frame.execution.gasLeft
        while true {
            let (first, second, fee) = try path.first()
            let walk: RangePoolWalk
            if isExactOut {
                walk = try quote(.exactOut(amount), amount, second, first, fee, limit: .zero)
                amount = walk.amountIn
            } else {
                walk = try quote(.exactIn(amount), amount, first, second, fee, limit: .zero)
                amount = walk.amountOut
            }
            prices.append(walk.price.word)
            crossed.append(UInt256(UInt64(walk.crossed)).word)
            guard path.hasMultiplePools else { break }
            path = path.skipping()
        }
        return Words.arrays(
            head: [amount.word],
            [prices, crossed],
            tail: [gas(since: start).word]
        )
    }

    /// The gas spent since a point in this call.
    private func gas(since start: UInt64) -> UInt256 {
        UInt256(start &- frame.execution.gasLeft)
    }

    /// What a swap would do; it changes nothing.
    ///
    /// - Throws: what the pool reverts with, else "Unexpected error".
    private func quote(
        _ fixed: PoolAmount,
        _ amount: UInt256,
        _ tokenIn: Address,
        _ tokenOut: Address,
        _ fee: UInt32,
        limit: UInt256
    ) throws(CallFailure) -> RangePoolWalk {
        guard let id = PoolID(tokenIn, tokenOut, .v3(fee: fee)), amount >> 255 == .zero,
            let pool = frame.contracts.rangePool(at: deployment.address(of: id))
        else { throw .revert([]) }
        let zeroForOne = tokenIn == id.token0
        let bound = TickMath.limit(limit, zeroForOne: zeroForOne)
        try frame.execution.charge(.uniswapQuote)
        let walk: RangePoolWalk
        do throws(CallFailure) {
            walk = try frame.enter(deployment.address(of: id)) { inner throws(CallFailure) in
                let contract = RangePoolContract(
                    frame: inner,
                    pool: pool,
                    factory: deployment.v3Factory
                )
                let state = try contract.check(fixed, zeroForOne: zeroForOne, limit: bound)
                return try contract.walk(state, fixed, zeroForOne: zeroForOne, limit: bound)
            }
        } catch {
            guard case .revert([]) = error else { throw error }
            throw .error("Unexpected error")
        }
        let isWhole = limit != .zero || fixed != .exactOut(amount) || walk.amountOut == amount
        guard walk.amountIn > .zero, isWhole else { throw .error("Unexpected error") }
        return walk
    }
}
