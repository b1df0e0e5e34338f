import Ethereum

/// The kind of a swap venue's contract.
enum SwapContract: Sendable {
    case allowanceHolder
    case permit2
    case registry
    case settler
    case pool(GenesisPool)

    /// The contracts of a venue by their addresses.
    static func all(of swap: GenesisSwap) -> [Address: SwapContract] {
        var contracts: [Address: SwapContract] = [
            swap.allowanceHolder: .allowanceHolder, swap.permit2: .permit2,
            swap.registry: .registry,
        ]
        for settler in swap.settlers { contracts[settler] = .settler }
        for pool in swap.pools { contracts[pool.address] = .pool(pool) }
        return contracts
    }

    /// The contract's name in its code; the sandbox's own are named as stand-ins.
    var name: String {
        switch self {
        case .allowanceHolder: "0x AllowanceHolder"
        case .permit2: "Permit2"
        case .registry: "0x registry of Settlers"
        case .settler: "stand-in for 0x Settler"
        case .pool: "stand-in pool"
        }
    }

    func run(_ frame: ContractFrame, _ swap: GenesisSwap) throws(CallFailure) -> [UInt8] {
        switch self {
        case .allowanceHolder: try AllowanceHolderContract(frame: frame).run()
        case .permit2: try Permit2Contract(frame: frame).run()
        case .registry: try RegistryContract(frame: frame).run()
        case .settler: try SettlerContract(frame: frame, swap: swap).run()
        case .pool(let pool): try PoolContract(frame: frame, pool: pool).run()
        }
    }
}

/// The native coin as 0x names it in place of a token.
enum NativeCoin {
    static let address = Address(
        truncating: UInt256(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee).word
    )
}
