import DexSandbox
import Ethereum
import StrictJSON

/// The swap venue of both chains.
extension World {
    static let settlers = [GenesisSwap.currentSettler, GenesisSwap.previousSettler]
    static let swapContracts =
        [GenesisSwap.allowanceHolder, GenesisSwap.permit2, GenesisSwap.registry] + settlers
        + swapPools.map(\.address)

    static let swapPools = [(zrx, weth), (weth, dai), (usdc, weth), (silent, weth)].enumerated()
        .map { index, tokens in
            GenesisPool(
                address: GenesisSwap.pool(UInt64(index + 1)),
                first: GenesisPool.Side(token: tokens.0, reserve: reserve(tokens.0)),
                second: GenesisPool.Side(token: tokens.1, reserve: reserve(tokens.1))
            )
        }

    /// 10,000 whole units, in base units.
    private static func reserve(_ token: Address) -> UInt256 {
        token == usdc ? 10_000_000_000 : UInt256(10_000) * 1_000_000_000_000_000_000
    }
}

extension Genesis {
    /// Adds the swap venue, and what the owners allow its contracts.
    mutating func addSwap(_ owners: [Address]) {
        swap = GenesisSwap(wrapped: World.weth, pools: World.swapPools)
        for token in tokens.map(\.address) {
            for (owner, limit) in zip(owners, [UInt256.max, .max, 30_000_000_000_000_000_000]) {
                for spender in [GenesisSwap.allowanceHolder, GenesisSwap.permit2] {
                    allowances.append(
                        GenesisAllowance(
                            token: token,
                            owner: owner,
                            spender: spender,
                            amount: limit
                        )
                    )
                }
            }
        }
    }
}

extension GenesisSwap {
    /// The same as the EVM's node takes it.
    var evmConfiguration: JSONValue {
        [
            "wrapped": .string(wrapped.lowercaseHex),
            "paused": .bool(isPaused), "locked": true,
            "pools": .array(
                pools.map { pool in
                    [
                        "address": .string(pool.address.lowercaseHex),
                        "tokens": [
                            .string(pool.first.token.lowercaseHex),
                            .string(pool.second.token.lowercaseHex),
                        ],
                        "reserves": [
                            .string(pool.first.reserve.description),
                            .string(pool.second.reserve.description),
                        ],
                    ]
                }
            ),
        ]
    }
}
