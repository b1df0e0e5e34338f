import Ethereum
import Uniswap
import ZeroEx

/// What is read beside a pair's ticks for guards and alerts.
struct PoolSight {
    /// With the decimals that the tokens' contracts report.
    let pair: Pair
    /// The pools at the end of the block before, as if their liquidity were everywhere.
    let before: [PoolID: PoolDepth]
    /// That block.
    let parent: Block
    /// How far each pool's price moved within the block, in hundredths of a percent; the most for
    /// one that did not exist before.
    let moves: [PoolID: UInt64]
    /// The mean ticks that the oracles know.
    let ticks: [PoolID: Int32]
    /// In base units.
    let balances: [Address: UInt256]

    private static let observation = ContractRead<[Int64]>.observe(
        secondsAgo: [PoolMean.seconds, 0]
    )

    /// Adds the reads to the round trip of the ticks.
    ///
    /// - Parameter market: of the pair's direct pools, the base sold.
    /// - Returns: throws `DexError`: `reorganized`, if a pool's state at the block is not what was
    ///   read first, or the blocks are not a chain; `other-decimals`; the node's failure.
    static func ask(
        _ pair: Pair,
        account: Address?,
        _ market: PoolMarket,
        _ session: Session,
        in batch: inout ReadBatch
    ) -> JointRead<PoolSight> {
        let (block, spots) = (market.block, market.spots)
        let (base, quote) = (market.candidates.sold, market.candidates.bought)
        let deployment = session.network.pools
        let now = BlockTag.number(block.number)
        let parent = BlockTag.number(block.number - min(block.number, 1))
        let again = batch.add(.block(now))
        let earlier = batch.add(.block(parent))
        typealias Slots = [ReadSlot<[UInt8]>]
        var asked: [(pool: PoolID, now: Slots, before: Slots, oracle: Slots)] = []
        for pool in spots.keys.sorted(by: { $0.kind.fee < $1.kind.fee }) {
            guard let address = deployment?.address(of: pool) else { continue }
            let calls = PoolSpot.calls(pool).map { CallRequest(to: address, data: $0) }
            let oracle =
                pool.kind == .v2 ? [] : [CallRequest(to: address, data: observation.data)]
            asked.append(
                (
                    pool, batch.add(calls, at: now), batch.add(calls, at: parent),
                    batch.add(oracle, at: now)
                )
            )
        }
        let decimals = batch.add(
            [base, quote].map { CallRequest(to: $0, data: ERC20.decimals) },
            at: now
        )
        let holdings = account.map { account in
            batch.add(
                [base, quote].map { CallRequest(to: $0, data: ERC20.balanceOf(account)) },
                at: now
            )
        }
        return JointRead { answers throws(DexError) in
            let parent = try answers.value(earlier)
            guard try answers.value(again)?.hash == block.hash, let parent,
                parent.hash == block.parentHash || block.number == 0
            else { throw ReadError.reorganized }
            var (before, ticks): ([PoolID: PoolDepth], [PoolID: Int32]) = ([:], [:])
            var moves: [PoolID: UInt64] = [:]
            for (pool, nowSlots, beforeSlots, oracle) in asked {
                func spot(_ slots: Slots) throws(DexError) -> PoolSpot? {
                    var words: [[UInt8]] = []
                    for slot in slots { words.append(try answers.returned(slot) ?? []) }
                    return PoolSpot(pool, words)
                }
                guard let state = spots[pool], try spot(nowSlots) == state else {
                    throw ReadError.reorganized
                }
                let old = try spot(beforeSlots)
                before[pool] = old?.everywhere
                moves[pool] = state.basisPoints(from: old)
                guard let slot = oracle.first, let answer = try answers.returned(slot),
                    // nil: no oracle's answer, as without one
                    let reported = try? observation.decode(answer), reported.count == 2
                else { continue }
                ticks[pool] = Oracle.meanTick(
                    earlier: reported[0],
                    later: reported[1],
                    seconds: PoolMean.seconds
                )
            }
            func token(_ token: Token, _ slot: ReadSlot<[UInt8]>) throws(DexError) -> Token {
                token.isNativeCoin ? token : try token.confirmed(by: try answers.word(slot))
            }
            let confirmed = Pair(
                base: try token(pair.base, decimals[0]),
                quote: try token(pair.quote, decimals[1])
            )
            var balances: [Address: UInt256] = [:]
            for (address, slot) in zip([base, quote], holdings ?? []) {
                balances[address] = try answers.word(slot)
            }
            return PoolSight(
                pair: confirmed,
                before: before,
                parent: parent,
                moves: moves,
                ticks: ticks,
                balances: balances
            )
        }
    }
}

extension PoolSpot {
    /// The pool as if the liquidity around its price were everywhere; nil at the edges of prices.
    fileprivate var everywhere: PoolDepth? {
        switch self {
        case .v2(let state): return .v2(state)
        case .v3(let slot, let liquidity, let fee):
            guard let spacing = UniswapDeployment.spacing(fee: fee),
                let net = Int128(exactly: liquidity)
            else { return nil }
            let edge = TickMath.ticks.upperBound / spacing * spacing
            // nil: beyond the last tick of this spacing
            let state = try? PoolState(
                sqrtPrice: slot.sqrtPrice,
                tick: slot.tick,
                liquidity: liquidity,
                fee: fee,
                tickSpacing: spacing,
                words: TickBitmap.words(spacing: spacing),
                ticks: [
                    InitialisedTick(tick: -edge, liquidityNet: net),
                    InitialisedTick(tick: edge, liquidityNet: -net),
                ]
            )
            return state.map { .v3($0) }
        }
    }

    /// The price between the tokens without the fee; nil at the edges of prices.
    private var price: Price? {
        everywhere?.marginalPrice.flatMap { Price(quote: $0.numerator, base: $0.denominator) }
    }

    /// How far the price is from an earlier one, in hundredths of a percent, rounded up; the most
    /// without one.
    fileprivate func basisPoints(from earlier: PoolSpot?) -> UInt64 {
        guard let price, let old = earlier?.price, old.quote > .zero else { return .max }
        return price.basisPoints(from: old)
    }
}
