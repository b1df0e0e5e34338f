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

    /// The most paths that are quoted.
    static let mostPaths = 12

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
        for pool in candidates.pools {
            let address = deployment.address(of: pool)
            let calls = PoolSpot.calls(pool).map { CallRequest(to: address, data: $0) }
            asked.append((pool, batch.add(calls, at: .latest)))
        }
        var told: [[UInt8]?] = []
        var spots: [PoolID: PoolSpot] = [:]
        let found: (block: Block, price: UInt256?)
        do throws(ChainError) {
            let answers = try await chain.read(batch)
            for slot in registry { told.append(try answers.answer(slot)) }
            for (pool, slots) in asked {
                var words: [[UInt8]] = []
                for slot in slots { words.append(try answers.answer(slot) ?? []) }
                spots[pool] = PoolSpot(pool, words)
            }
            // nil: compared without gas
            found = (try answers[block].get(), (try? answers[price].get())?.rawValue)
        } catch {
            throw .chain(error)
        }
        guard !rules.isAbsent(answers: told) else { throw .absent }
        do throws(QuoteFault) {
            return PoolMarket(
                candidates: candidates,
                block: found.block,
                genuine: try rules.genuine(answers: told),
                gasPrice: found.price,
                spots: spots
            )
        } catch {
            throw .foreignContracts(error)
        }
    }

    // MARK: Paths

    /// The most promising paths for an amount, the best first.
    func paths(for amount: PoolAmount) -> [PoolPath] {
        var paths: [(path: PoolPath, estimate: UInt256)] = []
        for kind in PoolCandidates.kinds {
            if let found = estimated([candidates.sold, candidates.bought], [kind], amount) {
                paths.append(found)
            }
        }
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
        return Self.ranked(paths, amount).prefix(Self.mostPaths).map(\.path)
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

    /// What comes out of an exact amount in, or what goes in for an exact amount out, as if the
    /// liquidity around the price were everywhere; exact for v2.
    func estimate(_ path: PoolPath, _ amount: PoolAmount) -> UInt256? {
        switch amount {
        case .exactIn(var sold):
            for (token, pool) in zip(path.tokens, path.pools) {
                let bought = spots[pool]?.bought(for: sold, zeroForOne: pool.token0 == token)
                guard let bought else { return nil }
                sold = bought
            }
            return sold
        case .exactOut(var bought):
            for (token, pool) in zip(path.tokens, path.pools).reversed() {
                let sold = spots[pool]?.sold(for: bought, zeroForOne: pool.token0 == token)
                guard let sold else { return nil }
                bought = sold
            }
            return bought
        }
    }
}
