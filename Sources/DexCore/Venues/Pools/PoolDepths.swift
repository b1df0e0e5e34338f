import DexSigning
import Ethereum
import Uniswap
import ZeroEx

/// Pools at one block as deep as their ticks around the price were read.
struct PoolDepths: Sendable {
    /// Those that exist and were read whole.
    let pools: [PoolID: PoolDepth]
    /// The pools whose address the factory has confirmed; the others are in no `pools`.
    let checked: Set<PoolID>

    /// How far from its price a v3 pool's ticks are read at the least, in ticks: about 10 %.
    static let reach: Int32 = 1_000

    /// Asks for the ticks around the prices of pools, beside what else a batch reads.
    ///
    /// - Parameters:
    ///   - spots: from a market at the same block.
    ///   - checked: pools whose address the factory has confirmed; the others are asked about.
    static func ask(
        _ spots: [PoolID: PoolSpot],
        _ deployment: UniswapDeployment,
        checked: Set<PoolID>,
        at tag: BlockTag,
        in batch: inout ReadBatch
    ) -> Asked {
        let unchecked = spots.keys.filter { !checked.contains($0) }
            .sorted { $0.kind.fee < $1.kind.fee }
        var asked = Asked(
            checked: checked,
            confirmation: .ask(unchecked, deployment, at: tag, in: &batch)
        )
        for (pool, spot) in spots.sorted(by: { $0.key.kind.fee < $1.key.kind.fee }) {
            switch spot {
            case .v2(let state): asked.pairs[pool] = state
            case .v3(let slot, let liquidity, let fee):
                guard let lens = deployment.lens,
                    let spacing = UniswapDeployment.spacing(fee: fee)
                else { continue }
                let low = TickBitmap.word(of: slot.tick - reach, spacing: spacing)
                let high = TickBitmap.word(of: slot.tick + reach, spacing: spacing)
                let address = deployment.address(of: pool)
                let words = (low...high).map { word in
                    let read = ContractRead.populatedTicks(
                        of: address,
                        word: word,
                        spacing: spacing
                    )
                    let call = CallRequest(to: lens, data: read.data)
                    return (read, batch.add(.call(call, tag)))
                }
                asked.ranges[pool] = Asked.Range(
                    slot: slot,
                    liquidity: liquidity,
                    fee: fee,
                    spacing: spacing,
                    words: low...high,
                    reads: words
                )
            }
        }
        return asked
    }

    /// What was asked, until the answers are there.
    struct Asked: Sendable {
        fileprivate struct Range: Sendable {
            let slot: PoolSlot
            let liquidity: UInt128
            let fee: UInt32
            let spacing: Int32
            let words: ClosedRange<Int16>
            let reads: [(ContractRead<[InitialisedTick]>, ReadSlot<[UInt8]>)]
        }

        let checked: Set<PoolID>
        fileprivate let confirmation: PoolConfirmation
        fileprivate var pairs: [PoolID: PairState] = [:]
        fileprivate var ranges: [PoolID: Range] = [:]

        /// - Throws: the node's failure; a pool whose answers are no genuine pool's is left out.
        func read(_ answers: ReadAnswers) throws(ChainError) -> PoolDepths {
            let checked = checked.union(try confirmation.confirmed(answers))
            var pools: [PoolID: PoolDepth] = [:]
            for (pool, state) in pairs where checked.contains(pool) { pools[pool] = .v2(state) }
            for (pool, range) in ranges where checked.contains(pool) {
                var ticks: [InitialisedTick] = []
                var isWhole = true
                for (read, slot) in range.reads {
                    let answer = try answers.answer(slot)
                    // nil: no answer of a lens
                    guard let answer, let found = try? read.decode(answer) else {
                        isWhole = false
                        break
                    }
                    ticks += found
                }
                // nil: no genuine pool has such a state
                let state = try? PoolState(
                    sqrtPrice: range.slot.sqrtPrice,
                    tick: range.slot.tick,
                    liquidity: range.liquidity,
                    fee: range.fee,
                    tickSpacing: range.spacing,
                    words: range.words,
                    ticks: ticks
                )
                if isWhole, let state { pools[pool] = .v3(state) }
            }
            return PoolDepths(pools: pools, checked: checked)
        }
    }
}
