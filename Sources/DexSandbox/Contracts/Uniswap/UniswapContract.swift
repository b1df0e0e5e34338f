import Ethereum
import Uniswap

/// The kind of one of Uniswap's contracts.
enum UniswapContract: Sendable {
    case v2Factory
    case v3Factory
    case quoter
    case router
    case lens
    case pair(PoolID)
    case pool(GenesisRangePool)

    /// The contracts of a chain by their addresses.
    static func all(of uniswap: GenesisUniswap) -> [Address: UniswapContract] {
        let deployment = uniswap.deployment
        var contracts: [Address: UniswapContract] = [
            deployment.v2Factory: .v2Factory, deployment.v3Factory: .v3Factory,
            deployment.quoter: .quoter, deployment.router: .router,
            GenesisUniswap.lens: .lens,
        ]
        for pair in uniswap.pairs {
            contracts[deployment.address(of: pair.pool)] = .pair(pair.pool)
        }
        for pool in uniswap.pools { contracts[deployment.address(of: pool.pool)] = .pool(pool) }
        return contracts
    }

    /// The contract's name in its code.
    var name: String {
        switch self {
        case .v2Factory: "Uniswap v2 factory"
        case .v3Factory: "Uniswap v3 factory"
        case .quoter: "Uniswap QuoterV2"
        case .router: "Uniswap SwapRouter02"
        case .lens: "Uniswap TickLens"
        case .pair: "Uniswap v2 pair"
        case .pool: "Uniswap v3 pool"
        }
    }

    func run(
        _ frame: ContractFrame,
        _ deployment: UniswapDeployment
    ) throws(CallFailure) -> [UInt8] {
        switch self {
        case .v2Factory, .v3Factory:
            try UniswapFactoryContract(frame: frame, deployment: deployment).run()
        case .quoter: try QuoterContract(frame: frame, deployment: deployment).run()
        case .router:
            try SwapRouterContract(frame: frame, deployment: deployment).run(frame.message.data)
        case .lens: try TickLensContract(frame: frame).run()
        case .pair(let pool):
            try PairContract(frame: frame, pool: pool, factory: deployment.v2Factory).run()
        case .pool(let pool):
            try RangePoolContract(frame: frame, pool: pool, factory: deployment.v3Factory).run()
        }
    }
}
