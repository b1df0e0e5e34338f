import DexSandbox
import Ethereum
import EthereumWallet
import Uniswap

/// Moves Uniswap's pools of ZRX/WETH by trades of its own, and back: genuine transactions, so that
/// a copy of the chain verifies them.
actor PoolMover {
    private let chain: SandboxChain
    private let signer: PrivateKeySigner?
    private let chainID: UInt64
    private let uniswap: GenesisUniswap
    private static let gasLimit: UInt64 = 5_000_000
    /// The ticks of a moved price: ZRX is 5 % cheaper.
    static let ticks: Int32 = 500
    /// Of the ZRX of the v2 pair one of these parts is left.
    private static let partsOfPair: UInt64 = 10
    private static let lots = UInt256(1) << 120

    /// What dry pools were like: the price of a v3 pool, the WETH of a pair.
    private var before: [PoolID: UInt256] = [:]

    init(chain: SandboxChain, signer: PrivateKeySigner?, chainID: UInt64) {
        self.chain = chain
        self.signer = signer
        self.chainID = chainID
        uniswap = SandboxUniswap.genesis(chainID: chainID)
    }

    nonisolated var canTrade: Bool { signer != nil }

    // MARK: Faults

    /// Makes ZRX cheaper at its v3 pools in a block of its own, and as dear as before in the next
    /// one, or in the same.
    func move(backWithin isWithin: Bool) async throws {
        var there: [[UInt8]] = []
        var back: [[UInt8]] = []
        for pool in pools {
            let price = try await price(of: pool.pool)
            // Base is cheaper: fewer token1 for it if it is token0, more of it else.
            let shift = isBaseFirst(pool.pool) ? -Self.ticks : Self.ticks
            guard let tick = TickMath.tick(price), let target = TickMath.price(tick + shift) else {
                continue
            }
            there.append(trade(pool.pool, from: price, to: target))
            back.append(trade(pool.pool, from: target, to: price))
        }
        let first = try await signed(there, after: 0)
        let second = try await signed(back, after: 1)
        try await refusable {
            try await chain.mine(raw: isWithin ? [first, second] : [first])
            if !isWithin { try await chain.keep(raw: second) }
        }
    }

    /// Buys the ZRX that the v3 pools have, and nine tenths of the v2 pair's.
    func dry() async throws {
        var trades: [[UInt8]] = []
        for pool in pools {
            let price = try await price(of: pool.pool)
            let isRising = isBaseFirst(pool.pool)
            let end = isRising ? pool.ticks.last?.index : pool.ticks.first?.index
            guard let target = end.flatMap(TickMath.price), target != price else { continue }
            before[pool.pool] = price
            trades.append(trade(pool.pool, from: price, to: target))
        }
        if let pair {
            let (base, quote) = try await reserves(of: pair)
            before[pair] = quote
            let amount = base - base / UInt256(Self.partsOfPair)
            trades.append(buy(amount, self.base, for: self.quote))
        }
        let raw = try await signed(trades, after: 0)
        try await refusable { try await chain.mine(raw: [raw]) }
    }

    /// Gives dry pools what they had.
    func restore() async throws {
        var trades: [[UInt8]] = []
        for pool in pools {
            guard let old = before[pool.pool] else { continue }
            let price = try await price(of: pool.pool)
            if price != old { trades.append(trade(pool.pool, from: price, to: old)) }
        }
        if let pair, let old = before[pair] {
            let (_, quote) = try await reserves(of: pair)
            if quote > old { trades.append(buy(quote - old, self.quote, for: base)) }
        }
        before = [:]
        guard !trades.isEmpty else { return }
        let raw = try await signed(trades, after: 0)
        try await refusable { try await chain.mine(raw: [raw]) }
    }

    // MARK: Pools

    private let base = SandboxTokens.zrx.address
    private let quote = SandboxTokens.weth.address

    private func isOfPair(_ pool: PoolID) -> Bool {
        Set([pool.token0, pool.token1]) == [base, quote]
    }

    private func isBaseFirst(_ pool: PoolID) -> Bool { pool.token0 == base }

    private var pools: [GenesisRangePool] { uniswap.pools.filter { isOfPair($0.pool) } }

    private var pair: PoolID? { uniswap.pairs.map(\.pool).first(where: isOfPair) }

    /// `sqrtPriceX96`.
    private func price(of pool: PoolID) async throws -> UInt256 {
        try await words(pool, "slot0()").first ?? .zero
    }

    private func reserves(of pair: PoolID) async throws -> (base: UInt256, quote: UInt256) {
        let words = try await words(pair, "getReserves()")
        guard words.count >= 2 else { return (.zero, .zero) }
        return isBaseFirst(pair) ? (words[0], words[1]) : (words[1], words[0])
    }

    private func words(_ pool: PoolID, _ function: StaticString) async throws -> [UInt256] {
        let request = CallRequest(
            to: uniswap.deployment.address(of: pool),
            data: ERC20.call(function)
        )
        let answer = try await chain.call(request)
        return stride(from: 0, to: answer.count - answer.count % 32, by: 32).compactMap {
            UInt256(bigEndian: answer[$0..<$0 + 32])
        }
    }

    // MARK: Trades

    private var account: Address { signer?.address ?? .zero }

    /// A trade that moves a v3 pool from one price to another one, whatever it takes.
    private func trade(_ pool: PoolID, from price: UInt256, to target: UInt256) -> [UInt8] {
        let isFalling = target < price
        return ERC20.call(
            "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            (isFalling ? pool.token0 : pool.token1).word,
            (isFalling ? pool.token1 : pool.token0).word,
            UInt256(UInt64(pool.kind.fee)).word,
            account.word,
            Self.lots.word,
            UInt256.zero.word,
            target.word
        )
    }

    /// A purchase at the v2 pair, whatever it costs.
    private func buy(_ amount: UInt256, _ bought: Address, for sold: Address) -> [UInt8] {
        ERC20.call(
            "swapTokensForExactTokens(uint256,uint256,address[],address)",
            amount.word,
            Self.lots.word,
            UInt256(128).word,
            account.word,
            UInt256(2).word,
            sold.word,
            bought.word
        )
    }

    /// `multicall(uint256 deadline, bytes[])` of the router.
    private static let multicall = try? ABIFunction("multicall(uint256,bytes[])")  // well-formed

    /// A transaction of several trades, all or none.
    ///
    /// - Parameter after: how many transactions with lower nonces are not sent yet.
    private func signed(_ trades: [[UInt8]], after others: UInt64) async throws -> [UInt8] {
        guard let signer else { return [] }
        // It has to be mined before the fee has risen so far: by an eighth a block.
        let maximum = Wei(UInt256(await chain.baseFeeOfNextBlock) * 100)
        let calls = ABIValue.array(trades.map { .bytes($0) })
        return try await chain.signed(
            CallRequest(
                to: uniswap.deployment.router,
                data: try Self.multicall?.encode([.uint(.max), calls]) ?? [],
                gas: Self.gasLimit,
                // Without a tip, so that others pay none after it.
                fee: .dynamic(maxFeePerGas: maximum, maxPriorityFeePerGas: .zero)
            ),
            by: signer,
            chainID: chainID,
            after: others
        )
    }

    /// The chain's refusal of its own trade as one of the fault: it claims another id, say.
    private func refusable(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ChainError {
            throw FaultError(message: "The pools cannot be moved: \(error)")
        }
    }
}
