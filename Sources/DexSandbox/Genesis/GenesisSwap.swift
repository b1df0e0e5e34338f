package import Ethereum

/// The contracts of a swap venue: 0x's AllowanceHolder, Permit2 and registry, and stand-ins for its
/// Settler and for pools.
///
/// The stand-ins are the sandbox's own and have no twin on a real chain.
package struct GenesisSwap: Hashable, Sendable {
    /// Moves tokens for one transaction; the contract that takers approve.
    package var allowanceHolder = Self.allowanceHolder
    package var permit2 = Self.permit2
    /// The contract that names the genuine Settler.
    package var registry = Self.registry
    /// The wrapped ether that Settler wraps into.
    package var wrapped: Address
    /// The addresses with Settler's stand-in: the current one, the previous one, and more.
    package var settlers = [Self.currentSettler, Self.previousSettler]
    package var pools: [GenesisPool]
    /// The registry says not to interact.
    package var isPaused = false

    package static let allowanceHolder = address(0x1ff3_684f_28c6_7538_d4d0_72c2_2734)
    package static let permit2 = address(0x22_d473_030f_116d_dee9_f6b4_3ac7_8ba3)
    package static let registry = address(0x453_3fe1_5556_b1e0_86bb_1a72_ceae)
    package static let wrapped = address(0xc02a_aa39_b223_fe8d_0a0e_5c4f_27ea_d908_3c75_6cc2)
    /// Settler's stand-in that the registry names at first.
    package static let currentSettler = address(0x5e77_0000_0000_0000_0000_0000_0000_0000_0000_0002)
    package static let previousSettler = address(
        0x5e77_0000_0000_0000_0000_0000_0000_0000_0000_0001
    )

    /// The address of a stand-in pool, counted from 1.
    package static func pool(_ number: UInt64) -> Address {
        address(0x9001_0000_0000_0000_0000_0000_0000_0000_0000_0000 + UInt256(number))
    }

    package init(wrapped: Address = Self.wrapped, pools: [GenesisPool] = []) {
        self.wrapped = wrapped
        self.pools = pools
    }

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}

/// A stand-in pool of two tokens, in the order in which it names them.
package struct GenesisPool: Hashable, Sendable {
    /// A token and how much of it the pool holds, in base units.
    package struct Side: Hashable, Sendable {
        package let token: Address
        package let reserve: UInt256

        package init(token: Address, reserve: UInt256) {
            self.token = token
            self.reserve = reserve
        }
    }

    package let address: Address
    package let first: Side
    package let second: Side

    package init(address: Address, first: Side, second: Side) {
        self.address = address
        self.first = first
        self.second = second
    }
}

extension GenesisPool {
    static let contract = ContractCode.named(.constantPool)
}

extension GenesisSwap {
    /// Every contract of the venue except the tokens.
    var contracts: [Address] {
        [allowanceHolder, permit2, registry] + settlers + pools.map(\.address)
    }

    /// What the pools hold of their tokens.
    var balances: [GenesisBalance] {
        pools.flatMap { pool in
            [pool.first, pool.second].map { side in
                GenesisBalance(token: side.token, owner: pool.address, amount: side.reserve)
            }
        }
    }

    /// Puts the contracts into the state.
    func install(in state: inout GenesisState) {
        state.install(.allowanceHolder, at: allowanceHolder)
        state.install(.permit2, at: permit2)
        for settler in settlers {
            let contract = state.install(.settlerStandIn, at: settler)
            state[settler, contract.slot("wrapped")] = UInt256(wrapped.word)
        }
        let list = state.install(.settlerRegistry, at: registry)
        // Only the operator changes it, by blocks without transactions.
        state[registry, list.slot("locked")] = 1
        let registered = SwapRegistryState(
            current: settlers.first ?? .zero,
            previous: settlers.dropFirst().first ?? .zero,
            isPaused: isPaused
        )
        for (key, value) in registered.slots(of: registry) { state[key.address, key.slot] = value }
        for pool in pools {
            let contract = state.install(.constantPool, at: pool.address)
            for (index, side) in [pool.first, pool.second].enumerated() {
                state[pool.address, contract.slot("token_\(index)")] = UInt256(side.token.word)
                state[pool.address, contract.slot("reserve_\(index)")] = side.reserve
            }
        }
    }

    /// Checks that the venue's rules can hold.
    ///
    /// - Parameter tokens: those of the chain.
    /// - Throws: `SandboxError.badGenesis`.
    func validate(tokens: [TokenDefinition]) throws(SandboxError) {
        guard tokens.contains(where: { $0.address == wrapped && $0.kind == .weth }) else {
            throw .badGenesis("the swap venue's wrapped ether \(wrapped) is no such token")
        }
        guard settlers.count >= 2 else {
            throw .badGenesis("the swap venue needs a current and a previous Settler")
        }
        let known = Set(tokens.map(\.address))
        for pool in pools {
            guard pool.first.token != pool.second.token, known.contains(pool.first.token),
                known.contains(pool.second.token)
            else { throw .badGenesis("the pool \(pool.address) needs two tokens of the chain") }
            guard pool.first.reserve > .zero, pool.second.reserve > .zero else {
                throw .badGenesis("the pool \(pool.address) needs both its tokens")
            }
        }
    }
}
