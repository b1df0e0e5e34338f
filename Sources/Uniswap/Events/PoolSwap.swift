public import Ethereum

/// A swap as the pool tells it: not yet a trade, for the amounts may be zero or of one sign.
public struct PoolSwap: Hashable, Sendable {
    /// The contract that called the pool: a router.
    public var sender: Address
    /// Where the output went: an account, a router or the next pool.
    ///
    /// The trader is neither, but the transaction's sender.
    public var recipient: Address
    /// Of token 0.
    public var flow0: PoolFlow
    /// Of token 1.
    public var flow1: PoolFlow
    /// The pool after the swap; nil for a pair, which tells its reserves in a `sync` before.
    public var after: AfterV3?

    /// A v3 pool after a swap.
    public struct AfterV3: Hashable, Sendable {
        /// The square root of token 1 per token 0, in units of 2^-96.
        public var sqrtPrice: UInt256
        public var liquidity: UInt128
        public var tick: Int32
    }

    init?(v3 log: Log) {
        let types: [ABIType] = [.int(256), .int(256), .uint(160), .uint(128), .int(24)]
        guard var arguments = CallArguments(log, indexed: [.address, .address], types),
            let sender = arguments.address(), let recipient = arguments.address(),
            let amount0 = arguments.signed(), let amount1 = arguments.signed(),
            let price = arguments.sqrtPrice(), let liquidity = arguments.number()?.uint128,
            let tick = arguments.tick()
        else { return nil }
        self.sender = sender
        self.recipient = recipient
        flow0 = PoolFlow(signed: amount0)
        flow1 = PoolFlow(signed: amount1)
        after = AfterV3(sqrtPrice: price, liquidity: liquidity, tick: tick)
    }

    init?(v2 log: Log) {
        let types = Array(repeating: ABIType.uint(256), count: 4)
        guard var arguments = CallArguments(log, indexed: [.address, .address], types),
            let sender = arguments.address(), let recipient = arguments.address(),
            let in0 = arguments.number(), let in1 = arguments.number(),
            let out0 = arguments.number(), let out1 = arguments.number()
        else { return nil }
        self.sender = sender
        self.recipient = recipient
        flow0 = PoolFlow(into: in0, out: out0)
        flow1 = PoolFlow(into: in1, out: out1)
    }
}

/// What a pool got or gave of one token, net; base units.
public enum PoolFlow: Hashable, Sendable {
    /// More than zero.
    case into(UInt256)
    /// More than zero.
    case out(UInt256)
    case none

    init(into amountIn: UInt256, out amountOut: UInt256) {
        let (net, isOut) = amountIn.subtractingReportingOverflow(amountOut)
        if isOut {
            self = .out(0 &- net)
        } else {
            self = net == 0 ? .none : .into(net)
        }
    }

    /// Of an int256: positive into the pool.
    init(signed number: UInt256) {
        if number.leadingZeroBitCount == 0 {
            self = .out(0 &- number)
        } else {
            self = number == 0 ? .none : .into(number)
        }
    }
}
