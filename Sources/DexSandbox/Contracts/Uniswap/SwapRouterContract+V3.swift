import Ethereum
import Uniswap

/// Swaps with v3 pools.
///
/// Source: Uniswap's V3SwapRouter.
extension SwapRouterContract {
    private static let tooLittle = CallFailure.error("Too little received")
    private static let tooMuch = CallFailure.error("Too much requested")

    /// `((tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum, sqrtPriceLimitX96))`.
    func exactInputSingle(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let (tokenIn, tokenOut) = (try input.address(), try input.address())
        let (fee, recipient) = (try input.fee(), try input.address())
        let (amount, least) = (try input.number(), try input.number())
        let limit = try input.number(bits: 160)
        let paid = try payment(amount, of: tokenIn)
        let hop = Hop(tokenIn: tokenIn, tokenOut: tokenOut, fee: fee, limit: limit)
        let bought = try sell(paid.amount, hop, to: recipient, payer: paid.payer)
        guard bought >= least else { throw Self.tooLittle }
        return Words.number(bought)
    }

    /// `(path, recipient, amountIn, amountOutMinimum)`.
    func exactInput(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        var path = PoolPathReader(try input.byteString())
        let recipient = try input.address()
        let (named, least) = (try input.number(), try input.number())
        var amount = named
        var payer = caller
        if named == .zero {
            (amount, payer) = try payment(named, of: try path.first().tokenA)
        }
        while true {
            try path.requireFirst()
            let (tokenIn, tokenOut, fee) = try path.first()
            let isLast = !path.hasMultiplePools
            amount = try sell(
                amount,
                Hop(tokenIn: tokenIn, tokenOut: tokenOut, fee: fee, limit: .zero),
                to: isLast ? recipient : frame.address,
                payer: payer
            )
            if isLast { break }
            payer = frame.address
            path = path.skipping()
        }
        guard amount >= least else { throw Self.tooLittle }
        return Words.number(amount)
    }

    /// `((tokenIn, tokenOut, fee, recipient, amountOut, amountInMaximum, sqrtPriceLimitX96))`.
    func exactOutputSingle(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let (tokenIn, tokenOut) = (try input.address(), try input.address())
        let (fee, recipient) = (try input.fee(), try input.address())
        let (amount, most) = (try input.number(), try input.number())
        let limit = try input.number(bits: 160)
        let sold = try buy(
            amount,
            Hop(tokenIn: tokenIn, tokenOut: tokenOut, fee: fee, limit: limit),
            to: recipient,
            from: frame
        ) { pool, sold throws(CallFailure) in
            try pay(tokenIn, from: caller, to: pool.address, sold)
        }
        guard sold <= most else { throw Self.tooMuch }
        return Words.number(sold)
    }

    /// `(path, recipient, amountOut, amountInMaximum)`, the path from what is bought.
    func exactOutput(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let path = PoolPathReader(try input.byteString())
        let recipient = try input.address()
        let (amount, most) = (try input.number(), try input.number())
        let sold = try buy(amount, over: path, to: recipient)
        guard sold <= most else { throw Self.tooMuch }
        return Words.number(sold)
    }

    /// Buys from a path's first pool, which is paid by buying from the next one.
    ///
    /// - Returns: what the trader pays.
    private func buy(
        _ amount: UInt256,
        over path: PoolPathReader,
        to recipient: Address
    ) throws(CallFailure) -> UInt256 {
        let (tokenOut, tokenIn, fee) = try path.first()
        var sold = UInt256.zero
        _ = try buy(
            amount,
            Hop(tokenIn: tokenIn, tokenOut: tokenOut, fee: fee, limit: .zero),
            to: recipient,
            from: frame
        ) { pool, needed throws(CallFailure) in
            if path.hasMultiplePools {
                sold = try buy(needed, over: path.skipping(), to: pool.address)
            } else {
                sold = needed
                try pay(tokenIn, from: caller, to: pool.address, needed)
            }
        }
        return sold
    }

    // MARK: One pool

    /// A pool and its direction.
    private struct Hop {
        let tokenIn: Address
        let tokenOut: Address
        let fee: UInt32
        /// `sqrtPriceX96` at which the swap stops; 0 is none.
        let limit: UInt256
    }

    /// - Returns: what was bought.
    private func sell(
        _ amount: UInt256,
        _ hop: Hop,
        to named: Address,
        payer: Address
    ) throws(CallFailure) -> UInt256 {
        try swap(.exactIn(amount), amount, hop, to: named) { pool, sold throws(CallFailure) in
            try pay(hop.tokenIn, from: payer, to: pool.address, sold)
        }
        .amountOut
    }

    /// - Returns: what was sold.
    private func buy(
        _ amount: UInt256,
        _ hop: Hop,
        to named: Address,
        from frame: ContractFrame,
        pay: (ContractFrame, UInt256) throws(CallFailure) -> Void
    ) throws(CallFailure) -> UInt256 {
        let walk = try swap(.exactOut(amount), amount, hop, to: named, pay: pay)
        // Without a limit all or nothing.
        guard hop.limit != .zero || walk.amountOut == amount else { throw .revert([]) }
        return walk.amountIn
    }

    private func swap(
        _ fixed: PoolAmount,
        _ amount: UInt256,
        _ hop: Hop,
        to named: Address,
        pay: (ContractFrame, UInt256) throws(CallFailure) -> Void
    ) throws(CallFailure) -> RangePoolWalk {
        let pool = try pool(hop.tokenIn, hop.tokenOut, hop.fee)
        // The contract's numbers have a sign.
        guard amount >> 255 == .zero else { throw .revert([]) }
        let zeroForOne = hop.tokenIn < hop.tokenOut
        let recipient = recipient(named)
        return try frame.enter(deployment.address(of: pool.pool)) { inner throws(CallFailure) in
            try RangePoolContract(frame: inner, pool: pool, factory: deployment.v3Factory).swap(
                fixed,
                zeroForOne: zeroForOne,
                limit: TickMath.limit(hop.limit, zeroForOne: zeroForOne),
                recipient: recipient
            ) { sold throws(CallFailure) in
                try execution.touch(frame.address)
                guard sold > .zero else { throw .revert([]) }
                try pay(inner, sold)
            }
        }
    }

    /// A pool of the chain; a revert without data if there is none.
    private func pool(
        _ tokenA: Address,
        _ tokenB: Address,
        _ fee: UInt32
    ) throws(CallFailure) -> GenesisRangePool {
        guard let id = PoolID(tokenA, tokenB, .v3(fee: fee)),
            let pool = frame.contracts.rangePool(at: deployment.address(of: id))
        else { throw .revert([]) }
        return pool
    }
}

extension ProxyCalldata {
    /// The fee of a v3 pool, in millionths, of at most 24 bits.
    mutating func fee() throws(CallFailure) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(bits: 24).w0)
    }
}

extension TickMath {
    /// The price at which a swap stops; 0 stands for the last one possible.
    static func limit(_ named: UInt256, zeroForOne: Bool) -> UInt256 {
        guard named == .zero else { return named }
        return zeroForOne ? minimumPrice + 1 : maximumPrice - 1
    }
}
