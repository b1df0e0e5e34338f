public import Ethereum

/// A trade with a pool: something was sold to it, something was bought from it.
public struct PoolTrade: Hashable, Sendable {
    public var pool: PoolID
    /// What the taker sold to the pool.
    public var sold: Address
    /// Base units, more than zero; the fee is part of it.
    public var soldAmount: UInt256
    /// What the taker bought from the pool.
    public var bought: Address
    /// Base units, more than zero; of a token that takes a fee when it moves, less arrived.
    public var boughtAmount: UInt256
    /// The pool's price after the trade; nil for a pair whose reserves are not among the logs.
    public var after: PoolMark?
    /// The contract that called the pool.
    public var sender: Address
    /// Where the output went: an account, a router or the next pool.
    public var recipient: Address
    /// The log of the swap: its block and transaction.
    public var log: Log

    /// Nil if no trade: one of the amounts is zero, or the pool got or gave both tokens.
    init?(_ swap: PoolSwap, _ pool: PoolID, after: PoolMark?, _ log: Log) {
        switch (swap.flow0, swap.flow1) {
        case (.into(let amount0), .out(let amount1)):
            (sold, soldAmount, bought, boughtAmount) = (pool.token0, amount0, pool.token1, amount1)
        case (.out(let amount0), .into(let amount1)):
            (sold, soldAmount, bought, boughtAmount) = (pool.token1, amount1, pool.token0, amount0)
        default: return nil
        }
        self.pool = pool
        self.after = after
        sender = swap.sender
        recipient = swap.recipient
        self.log = log
    }

    /// The taker's side; nil if the base is not one of the pool's tokens.
    public func side(base: Address) -> PoolSide? {
        base == bought ? .buy : base == sold ? .sell : nil
    }

    /// Base units of one of the pool's tokens; nil for another token.
    public func amount(of token: Address) -> UInt256? {
        token == sold ? soldAmount : token == bought ? boughtAmount : nil
    }

    /// What was paid for the base token, with the pool's fee; nil for another token.
    public func price(base: Address) -> PoolPrice? {
        guard let quote = pool.other(than: base), let quoteAmount = amount(of: quote),
            let baseAmount = amount(of: base)
        else { return nil }
        return PoolPrice(quote: quoteAmount, base: baseAmount)
    }

    /// The trades in logs, in their order; a path of several pools is a trade with each of them.
    ///
    /// - Parameters:
    ///   - logs: in the order of the chain, with the `Sync` of pairs.
    ///   - pools: by their addresses, which `UniswapDeployment` derives; logs of other contracts,
    ///     such as forks with the same events, are passed over.
    public static func trades(in logs: [Log], of pools: [Address: PoolID]) -> [PoolTrade] {
        var trades: [PoolTrade] = []
        // A pair's reserves, if its last log was a Sync.
        var reserves: [Address: (mark: PoolMark, transaction: TransactionHash?)] = [:]
        for log in logs {
            guard let pool = pools[log.address] else { continue }
            let known = reserves.removeValue(forKey: log.address)
            switch (PoolEvent(log), pool.kind) {
            case (.sync(let reserve0, let reserve1), .v2):
                reserves[log.address] = (.reserves(reserve0, reserve1), log.transactionHash)
            case (.swap(let swap), let kind) where (swap.after == nil) == (kind == .v2):
                let isSame = known?.transaction == log.transactionHash
                let mark =
                    swap.after.map { .sqrtPrice($0.sqrtPrice) } ?? (isSame ? known?.mark : nil)
                if let trade = PoolTrade(swap, pool, after: mark, log) { trades.append(trade) }
            default: break
            }
        }
        return trades
    }

    /// How much of a token was traded, base units, at most 2^256 - 1.
    ///
    /// What a transaction passes on from one pool to the next counts once: per transaction it is
    /// the greater of what the pools got and what they gave.
    ///
    /// - Parameter trades: those without a transaction's hash count as one transaction.
    public static func volume(of token: Address, in trades: [PoolTrade]) -> UInt256 {
        VolumePerTransaction(
            trades.lazy.compactMap { trade in
                trade.amount(of: token).map {
                    (trade.log.transactionHash, trade.sold == token, $0)
                }
            }
        ).sum
    }
}

/// The side of the taker in a trade.
public enum PoolSide: Hashable, Sendable {
    /// The pool gave base token.
    case buy
    /// The pool got base token.
    case sell
}

/// An exact price: base units of the quote token for so many base units of the base token.
public struct PoolPrice: Hashable, Sendable {
    public var quote: UInt256
    public var base: UInt256

    public init(quote: UInt256, base: UInt256) {
        self.quote = quote
        self.base = base
    }
}

/// The marginal price of a pool at one moment, without its fee, as the pool has it.
public enum PoolMark: Hashable, Sendable {
    /// The square root of token 1 per token 0, base units, in units of 2^-96.
    case sqrtPrice(UInt256)
    /// Base units of token 0 and token 1: their quotient is the price.
    case reserves(UInt128, UInt128)
}

extension PoolMark {
    /// The price of token 0 in token 1, in base units; nil for a pair without one of them.
    public var ratio: PriceRatio? {
        switch self {
        case .sqrtPrice(let price): PriceRatio(sqrtPrice: price)
        case .reserves(let reserve0, let reserve1):
            reserve0 == 0 || reserve1 == 0
                ? nil : PriceRatio(UInt256(reserve1), UInt256(reserve0))
        }
    }
}
