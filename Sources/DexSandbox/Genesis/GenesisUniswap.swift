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

    /// Puts the contracts into the state.
    ///
    /// - Parameter time: of block 0, in seconds since 1970.
    func install(in state: inout GenesisState, time: UInt64) {
        let factory = deployment.v2Factory
        let list = state.install(.v2Factory, at: factory)
        // Nobody changes the lists of pools: those functions are for tests.
        state[factory, list.slot("locked")] = 1
        for pair in pairs {
            let (id, address) = (pair.pool, deployment.address(of: pair.pool))
            let contract = state.install(.v2Pair, at: address)
            state[address, contract.slot("factory")] = UInt256(factory.word)
            state[address, contract.slot("token0")] = UInt256(id.token0.word)
            state[address, contract.slot("token1")] = UInt256(id.token1.word)
            state[address, contract.slot("reserve0")] = pair.reserve0
            state[address, contract.slot("reserve1")] = pair.reserve1
            state[address, contract.slot("timestamp")] = UInt256(time & 0xffff_ffff)
            for (one, other) in [(id.token0, id.token1), (id.token1, id.token0)] {
                state[factory, list.slot("pairs", one.word, other.word)] = UInt256(address.word)
            }
        }
        install(rangePoolsIn: &state, time: time)
    }

    /// The contracts of v3.
    private func install(rangePoolsIn state: inout GenesisState, time: UInt64) {
        let factory = deployment.v3Factory
        let list = state.install(.v3Factory, at: factory)
        state[factory, list.slot("locked")] = 1
        for fee: UInt32 in [100, 500, 3_000, 10_000] {
            let spacing = UInt256(UInt64(UniswapDeployment.spacing(fee: fee)?.magnitude ?? 0))
            state[factory, list.slot("feeAmountTickSpacing", Self.word(fee))] = spacing
        }
        let shared = [
            "factory": UInt256(factory.word),
            "WETH9": UInt256((deployment.wrapped ?? .zero).word),
        ]
        state.install(.v3Quoter, at: deployment.quoter, shared)
        let v2Factory = ["factoryV2": UInt256(deployment.v2Factory.word)]
        let router = state.install(
            .v3Router,
            at: deployment.router,
            shared.merging(v2Factory) { $1 }
        )
        state[deployment.router, router.slot("amount_in")] = .max
        state.install(.tickLens, at: Self.lens)
        for pool in pools {
            let (id, address) = (pool.pool, deployment.address(of: pool.pool))
            pool.install(at: address, of: factory, in: &state, time: time)
            for (one, other) in [(id.token0, id.token1), (id.token1, id.token0)] {
                let keys = (one.word, other.word, Self.word(id.kind.fee))
                state[factory, list.slot("pools", keys.0, keys.1, keys.2)] =
                    UInt256(address.word)
            }
        }
    }

    private static func word(_ fee: UInt32) -> Bytes32 { UInt256(UInt64(fee)).word }

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
