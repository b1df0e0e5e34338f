import Ethereum
import Uniswap

/// Swaps with v2 pairs.
///
/// Source: Uniswap's V2SwapRouter and UniswapV2Library.
extension SwapRouterContract {
    /// `(amountIn, amountOutMin, path, to)`.
    func swapExactTokensForTokens(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let (named, least) = (try input.number(), try input.number())
        let path = try input.addresses()
        let to = recipient(try input.address())
        // The contract reads both tokens unchecked, which jumps to an invalid opcode.
        guard path.count >= 2, let bought = path.last else { throw .invalid }
        let (amount, payer) = try payment(named, of: path[0])
        try pay(path[0], from: payer, to: try pair(path[0], path[1]).address, amount)
        let before = try frame.balance(bought, of: to)
        try swap(path, to: to)
        let after = try frame.balance(bought, of: to)
        let (received, isLess) = after.subtractingReportingOverflow(before)
        guard !isLess else { throw .revert([]) }
        guard received >= least else { throw .error("Too little received") }
        return Words.number(received)
    }

    /// `(amountOut, amountInMax, path, to)`.
    func swapTokensForExactTokens(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let (amount, most) = (try input.number(), try input.number())
        let path = try input.addresses()
        let to = recipient(try input.address())
        guard path.count >= 2 else { throw .revert([]) }
        var needed = amount
        for index in (1..<path.count).reversed() {
            needed = try self.amountIn(needed, path[index - 1], path[index])
        }
        guard needed <= most else { throw .error("Too much requested") }
        try pay(path[0], from: caller, to: try pair(path[0], path[1]).address, needed)
        try swap(path, to: to)
        return Words.number(needed)
    }

    /// Swaps over all pairs of a path; the first one has been paid.
    private func swap(_ path: [Address], to: Address) throws(CallFailure) {
        for index in 0..<path.count - 1 {
            let (id, address) = try pair(path[index], path[index + 1])
            let (reserveIn, reserveOut) = try reserves(path[index], path[index + 1])
            let held = try frame.balance(path[index], of: address)
            let (amount, isLess) = held.subtractingReportingOverflow(reserveIn)
            guard !isLess else { throw .revert([]) }
            guard amount > .zero else { throw .error("INSUFFICIENT_INPUT_AMOUNT") }
            let out = try Self.amountOut(amount, reserveIn, reserveOut)
            let isToken0 = path[index] == id.token0
            let isLast = index == path.count - 2
            let target = isLast ? to : try pair(path[index + 1], path[index + 2]).address
            try frame.enter(address) { inner throws(CallFailure) in
                try PairContract(frame: inner, pool: id, factory: deployment.v2Factory)
                    .swap(isToken0 ? .zero : out, isToken0 ? out : .zero, to: target)
            }
        }
    }

    // MARK: Library

    /// The pair of two tokens and its address, whether it exists or not.
    private func pair(
        _ tokenA: Address,
        _ tokenB: Address
    ) throws(CallFailure) -> (id: PoolID, address: Address) {
        guard let id = PoolID(tokenA, tokenB, .v2), id.token0 != .zero else { throw .revert([]) }
        return (id, deployment.address(of: id))
    }

    /// The reserves of the token in and the token out; a revert without data if there is no pair.
    private func reserves(
        _ tokenIn: Address,
        _ tokenOut: Address
    ) throws(CallFailure) -> (UInt256, UInt256) {
        let (id, address) = try pair(tokenIn, tokenOut)
        guard frame.contracts.isPair(at: address) else { throw .revert([]) }
        return try frame.enter(address) { inner throws(CallFailure) in
            try execution.charge(.view)
            let state = try PairContract(frame: inner, pool: id, factory: deployment.v2Factory)
                .state()
            return tokenIn == id.token0
                ? (state.reserve0, state.reserve1) : (state.reserve1, state.reserve0)
        }
    }

    /// What an amount costs.
    private func amountIn(
        _ amount: UInt256,
        _ tokenIn: Address,
        _ tokenOut: Address
    ) throws(CallFailure) -> UInt256 {
        let (reserveIn, reserveOut) = try reserves(tokenIn, tokenOut)
        guard amount > .zero else { throw .error("INSUFFICIENT_OUTPUT_AMOUNT") }
        let (product, first) = reserveIn.multipliedReportingOverflow(by: amount)
        let (numerator, second) = product.multipliedReportingOverflow(by: 1_000)
        guard !first, !second, amount <= reserveOut else { throw .revert([]) }
        // A division by zero is an invalid opcode of the contract's compiler.
        guard amount < reserveOut else { throw .invalid }
        return numerator / ((reserveOut - amount) * 997) + 1
    }

    /// What an amount buys.
    private static func amountOut(
        _ amount: UInt256,
        _ reserveIn: UInt256,
        _ reserveOut: UInt256
    ) throws(CallFailure) -> UInt256 {
        let (kept, first) = amount.multipliedReportingOverflow(by: 997)
        let (numerator, second) = kept.multipliedReportingOverflow(by: reserveOut)
        let (denominator, third) = (reserveIn * 1_000).addingReportingOverflow(kept)
        guard !first, !second, !third, denominator > .zero else { throw .revert([]) }
        return numerator / denominator
    }
}
