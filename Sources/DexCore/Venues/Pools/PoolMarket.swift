import DexSigning
import Ethereum
import Uniswap
import ZeroEx

/// The states of a pair's pools at one block.
struct PoolMarket: Sendable {
    let candidates: PoolCandidates
    let block: Block
    /// From `PoolRules.genuine`.
    let genuine: [Address]
    /// In wei; nil if the node does not say it.
    let gasPrice: UInt256?
    /// Those that exist and have liquidity around their price.
    let spots: [PoolID: PoolSpot]
    /// What each of them has of the token that the trade takes out of it, base units; nothing of one
    /// whose token does not say it.
    let holdings: [PoolID: UInt256]

    /// The most paths that are quoted.
    static let maximumPaths = 12

    /// Reads them in one round trip.
    ///
    /// - Throws: `LiquidityError.absent`, `.foreignContracts`, `.chain`.
    static func read(
        _ candidates: PoolCandidates,
        _ deployment: UniswapDeployment,
        _ chain: any ChainClient
    ) async throws(LiquidityError) -> PoolMarket {
        let rules = PoolRules(deployment)
        var batch = ReadBatch()
        let block = batch.add(.latestBlock)
        let price = batch.add(.gasPrice)
        let registry = batch.add(rules.registryCalls, at: .latest)
        var asked: [(pool: PoolID, slots: [ReadSlot<[UInt8]>])] = []
        var balances: [(pool: PoolID, slot: ReadSlot<[UInt8]>)] = []
        for pool in candidates.pools {
            let address = deployment.address(of: pool)
            let calls = PoolSpot.calls(pool).map { CallRequest(to: address, data: $0) }
            asked.append((pool, batch.add(calls, at: .latest)))
            let balance = CallRequest(
                to: candidates.taken(from: pool),
                data: ERC20.balanceOf(address)
            )
            balances.append((pool, batch.add(.call(balance, .latest))))
        }
        var holdings: [PoolID: UInt256] = [:]
        var reported: [[UInt8]?] = []
        var spots: [PoolID: PoolSpot] = [:]
        let found: (block: Block, price: UInt256?)
        do throws(ChainError) {
            let answers = try await chain.read(batch)
            for slot in registry { reported.append(try answers.answer(slot)) }
            for (pool, slots) in asked {
                var words: [[UInt8]] = []
                for slot in slots { words.append(try answers.answer(slot) ?? []) }
                spots[pool] = PoolSpot(pool, words)
            }
            for (pool, slot) in balances where spots[pool] != nil {
                guard let word = try answers.answer(slot), word.count == 32 else { continue }
                holdings[pool] = UInt256(bigEndian: word)
            }
            // nil: compared without gas
            found = (try answers[block].get(), (try? answers[price].get())?.rawValue)
        } catch {
            throw .chain(error)
        }
        guard !rules.isAbsent(answers: reported) else { throw .absent }
        do throws(QuoteFault) {
            return PoolMarket(
                candidates: candidates,
                block: found.block,
                genuine: try rules.genuine(answers: reported),
                gasPrice: found.price,
                spots: spots,
                holdings: holdings
            )
        } catch {
            throw .foreignContracts(error)
        }
    }

    // MARK: Paths

    /// The most promising paths for an amount, the best first, with all direct pools among them.
    ///
    /// A state promises what its pool has not: anybody can put one cent into a range so small that it
    /// looks deep. So no more is promised than the pool has of a token, and no promise crowds out a
    /// direct pool.
    func paths(for amount: PoolAmount) -> [PoolPath] {
        let direct = PoolCandidates.kinds.compactMap { kind in
            estimated([candidates.sold, candidates.bought], [kind], amount)
        }
        var paths: [(path: PoolPath, estimate: UInt256)] = []
        for hub in candidates.hubs {
            let tokens = [candidates.sold, hub, candidates.bought]
            var over: [(path: PoolPath, estimate: UInt256)] = []
            for first in PoolCandidates.kinds {
                for second in PoolCandidates.kinds {
                    if let found = estimated(tokens, [first, second], amount) {
                        over.append(found)
                    }
                }
            }
            paths += Self.ranked(over, amount).prefix(3)
        }
        let best = Self.ranked(paths, amount).prefix(Self.maximumPaths - direct.count)
        return Self.ranked(direct + best, amount).map(\.path)
    }

    private static func ranked(
        _ paths: [(path: PoolPath, estimate: UInt256)],
        _ amount: PoolAmount
    ) -> [(path: PoolPath, estimate: UInt256)] {
        switch amount {
        case .exactIn: paths.sorted { $0.estimate > $1.estimate }
        case .exactOut: paths.sorted { $0.estimate < $1.estimate }
        }
    }

    /// A path of pools that exist, and what it gives or costs by their states alone.
    private func estimated(
        _ tokens: [Address],
        _ kinds: [PoolKind],
        _ amount: PoolAmount
    ) -> (path: PoolPath, estimate: UInt256)? {
        guard let path = PoolPath(tokens, kinds) else { return nil }
        return estimate(path, amount).map { (path, $0) }
    }

    /// The pool of two tokens that has most of what a trade takes out of it; nil without any.
    func deepest(_ one: Address, _ other: Address) -> PoolID? {
        let known = PoolCandidates.kinds.compactMap { PoolID(one, other, $0) }
            .compactMap { pool in holdings[pool].map { (pool, $0) } }
        return known.max { $0.1 < $1.1 }?.0
    }

    /// What comes out of an exact amount in, or what goes in for an exact amount out.
    ///
    /// As if the liquidity around the price were everywhere; exact for v2. nil for more than a pool
    /// has.
    func estimate(_ path: PoolPath, _ amount: PoolAmount) -> UInt256? {
        switch amount {
        case .exactIn(var sold):
            for (token, pool) in zip(path.tokens, path.pools) {
                let bought = spots[pool]?.bought(for: sold, zeroForOne: pool.token0 == token)
                guard let bought, has(bought, of: token, pool) else { return nil }
                sold = bought
            }
            return sold
        case .exactOut(var bought):
            for (token, pool) in zip(path.tokens, path.pools).reversed() {
                guard has(bought, of: token, pool) else { return nil }
                let sold = spots[pool]?.sold(for: bought, zeroForOne: pool.token0 == token)
                guard let sold else { return nil }
                bought = sold
            }
            return bought
        }
    }

    /// A pool may have as much of what it gives for a token.
    private func has(_ amount: UInt256, of sold: Address, _ pool: PoolID) -> Bool {
        guard pool.other(than: sold) == candidates.taken(from: pool), let held = holdings[pool]
        else { return true }
        return amount <= held
    }
}
