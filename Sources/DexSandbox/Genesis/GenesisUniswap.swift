package import Ethereum
package import Uniswap

/// Uniswap's contracts on a chain: both factories, QuoterV2, SwapRouter02, TickLens, and
/// their pools.
///
/// They have the calls, events and addresses of the genuine ones, as far as dex uses them. Their
/// state is in slots as that of every contract, so it is stored, undone and readable at earlier
/// blocks.
package struct GenesisUniswap: Hashable, Sendable {
    package var deployment: UniswapDeployment
    package var pairs: [GenesisPair]
    package var pools: [GenesisRangePool]

    package init(
        deployment: UniswapDeployment,
        pairs: [GenesisPair] = [],
        pools: [GenesisRangePool] = []
    ) {
        self.deployment = deployment
        self.pairs = pairs
        self.pools = pools
    }

    /// TickLens, at mainnet's address.
    package static let lens = address(0xbfd8_137f_7d15_16d3_ea5c_a835_2391_4859_ec47_f573)

    /// The contracts of a local chain, at mainnet's addresses; there is no Router02 of v2.
    package static func deployment(
        chainID: UInt64,
        hubs: [Address] = []
    ) -> UniswapDeployment {
        UniswapDeployment(
            chainID: chainID,
            v2Factory: address(0x5c69_bee7_01ef_814a_2b6a_3edd_4b16_52cb_9cc5_aa6f),
            v2Router: nil,
            v3Factory: address(0x1f98_431c_8ad9_8523_631a_e4a5_9f26_7346_ea31_f984),
            quoter: address(0x61ff_e014_ba17_989e_743c_5f6c_b21b_f969_7530_b21e),
            router: address(0x68b3_4658_33fb_72a7_0ecd_f485_e0e4_c7bd_8665_fc45),
            lens: lens,
            wrapped: GenesisSwap.wrapped,
            hubs: hubs
        )
    }

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}

/// A v2 pair from the start, with what it holds in base units.
package struct GenesisPair: Hashable, Sendable {
    package let pool: PoolID
    package let reserve0: UInt256
    package let reserve1: UInt256

    /// - Parameter pool: of kind v2.
    package init(pool: PoolID, reserve0: UInt256, reserve1: UInt256) {
        self.pool = pool
        self.reserve0 = reserve0
        self.reserve1 = reserve1
    }
}

extension GenesisUniswap {
    /// Every contract except the tokens.
    package var contracts: [Address] {
        [
            deployment.v2Factory, deployment.v3Factory, deployment.quoter, deployment.router,
            Self.lens,
        ]
            + pairs.map { deployment.address(of: $0.pool) }
            + pools.map { deployment.address(of: $0.pool) }
    }

    /// What pairs and pools hold of their tokens.
    var balances: [GenesisBalance] {
        var balances: [GenesisBalance] = []
        func hold(_ pool: PoolID, _ amount0: UInt256, _ amount1: UInt256) {
            let owner = deployment.address(of: pool)
            for (token, amount) in [(pool.token0, amount0), (pool.token1, amount1)] {
                balances.append(GenesisBalance(token: token, owner: owner, amount: amount))
            }
        }
        for pair in pairs { hold(pair.pool, pair.reserve0, pair.reserve1) }
        for pool in pools {
            let amounts = pool.amounts
            hold(pool.pool, amounts.0, amounts.1)
        }
        return balances
    }

    /// The contracts' own slots.
    ///
    /// - Parameter time: of block 0, in seconds since 1970.
    func slots(time: UInt64) -> [StorageKey: UInt256] {
        var slots: [StorageKey: UInt256] = [:]
        for pair in pairs {
            let state = PairSlot(reserve0: pair.reserve0, reserve1: pair.reserve1, time: time)
            slots[PairSlot.key(of: deployment.address(of: pair.pool))] = state.word
        }
        for pool in pools {
            let address = deployment.address(of: pool.pool)
            slots[RangePoolState.key(of: address)] = pool.state.word
            slots[RangePoolState.liquidityKey(of: address)] = UInt256(pool.liquidity)
            guard pool.state.isUnlocked else { continue }
            // The pool is a day older than the chain, so its oracle reaches back from the start.
            let begun = PoolObservation(time: time - min(time, 86_400))
            slots[PoolObservation.key(0, of: address)] = begun.word
        }
        return slots
    }

    /// What belongs to the chain's identity and is in no slot.
    var rlp: RLP {
        .list([
            .list(contracts.map { .bytes($0.bytes) }),
            .bytes(deployment.wrapped?.bytes ?? []),
            .list(
                pools.map { pool in
                    .list(
                        pool.ticks.flatMap { tick -> [RLP] in
                            [
                                .integer(UInt256(UInt64(tick.index.magnitude))),
                                .integer(tick.index < 0 ? 1 : .zero),
                                .integer(UInt256(tick.net.magnitude)),
                                .integer(tick.net < 0 ? 1 : .zero),
                                .integer(UInt256(tick.gross)),
                            ]
                        }
                    )
                }
            ),
        ])
    }

    /// Checks that the contracts' rules can hold.
    ///
    /// - Parameter tokens: those of the chain.
    /// - Throws: `SandboxError.badGenesis`.
    func validate(tokens: [TokenDefinition]) throws(SandboxError) {
        guard tokens.contains(where: { $0.address == deployment.wrapped && $0.kind == .weth })
        else { throw .badGenesis("Uniswap's wrapped ether is no such token") }
        let known = Set(tokens.map(\.address))
        for pool in pairs.map(\.pool) + pools.map(\.pool) {
            guard known.contains(pool.token0), known.contains(pool.token1) else {
                throw .badGenesis("a Uniswap pool needs two tokens of the chain")
            }
        }
        for pair in pairs {
            let reserves = UInt256(1)...PairMath.maximumReserve
            guard pair.pool.kind == .v2, reserves.contains(pair.reserve0),
                reserves.contains(pair.reserve1)
            else { throw .badGenesis("a Uniswap pair needs both its tokens, below 2^112") }
        }
        for pool in pools {
            guard pool.isConsistent else {
                throw .badGenesis("a Uniswap v3 pool has a wrong fee, price, or tick")
            }
        }
    }
}
