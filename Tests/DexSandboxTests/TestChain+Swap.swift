import DexSandbox
import Ethereum
import EthereumWallet

/// A swap venue on the test chain.
extension TestChain {
    /// Its transfers return nothing and emit nothing.
    static let silent = address(0xA7)
    static let zrxWeth = GenesisSwap.pool(1)
    static let daiUsdt = GenesisSwap.pool(2)
    static let silentDai = GenesisSwap.pool(3)
    static let settler = GenesisSwap.currentSettler
    static let previousSettler = GenesisSwap.previousSettler

    static let swap = GenesisSwap(
        wrapped: weth,
        pools: [
            pool(zrxWeth, zrx, 200_000 * ether, weth, 100 * ether),
            pool(daiUsdt, dai, 30_000 * ether, usdt, 30_000_000_000),
            pool(silentDai, silent, 5_000 * ether, dai, 10_000 * ether),
        ]
    )

    /// All tokens of the chain with the venue.
    static let swapTokens = tokens.map(\.address) + [silent]

    private static func pool(
        _ address: Address,
        _ first: Address,
        _ firstReserve: UInt256,
        _ second: Address,
        _ secondReserve: UInt256
    ) -> GenesisPool {
        GenesisPool(
            address: address,
            first: GenesisPool.Side(token: first, reserve: firstReserve),
            second: GenesisPool.Side(token: second, reserve: secondReserve)
        )
    }

    /// A chain on which alice and bob approved the AllowanceHolder and Permit2 for every token.
    static func withSwap(
        mining: ChainConfiguration.Mining = .instant,
        storePath: String? = nil,
        change: (inout GenesisSwap) -> Void = { _ in }
    ) throws -> TestChain {
        try TestChain(mining: mining, storePath: storePath) { genesis in
            var swap = swap
            change(&swap)
            genesis.swap = swap
            genesis.tokens.append(
                TokenDefinition(
                    address: silent,
                    symbol: "SLNT",
                    name: "Silent",
                    decimals: 18,
                    kind: .silent
                )
            )
            for owner in genesis.accounts.prefix(2).map(\.address) {
                genesis.balances.append(
                    GenesisBalance(token: silent, owner: owner, amount: 1_000 * ether)
                )
                for token in swapTokens {
                    for spender in [swap.allowanceHolder, swap.permit2] {
                        genesis.allowances.append(
                            GenesisAllowance(token: token, owner: owner, spender: spender)
                        )
                    }
                }
            }
        }
    }

    /// The answer of a call.
    func answer(
        _ to: Address,
        _ data: [UInt8],
        from caller: PrivateKeySigner? = nil,
        value: UInt256 = 0,
        tag: BlockTag = .latest
    ) async throws -> [UInt8] {
        let request = CallRequest(
            from: (caller ?? alice).address,
            to: to,
            data: data,
            value: Wei(value)
        )
        return try await client.call(request, at: tag)
    }

    /// The data with which a call reverts; nil where it does not.
    func refusal(
        of to: Address,
        _ data: [UInt8],
        from caller: PrivateKeySigner? = nil,
        value: UInt256 = 0
    ) async -> [UInt8]? {
        let error = await chainError {
            _ = try await answer(to, data, from: caller, value: value)
        }
        guard case .reverted(let data, _)? = error else { return nil }
        return data
    }

    /// A pool's reserves, in its order.
    func reserves(_ pool: Address) async throws -> [UInt256] {
        let answer = try await answer(pool, ERC20.call("reserves()"))
        return stride(from: 0, to: answer.count, by: 32).compactMap {
            UInt256(bigEndian: answer[$0..<$0 + 32])
        }
    }

    /// What a pool gives for an amount.
    static func output(_ amount: UInt256, _ reserveIn: UInt256, _ reserveOut: UInt256) -> UInt256 {
        amount * 997 * reserveOut / (reserveIn * 1_000 + amount * 997)
    }

    /// A sale of an exact amount through the AllowanceHolder.
    func sale(
        of token: Address,
        _ amount: UInt256,
        for buyToken: Address,
        at pool: Address,
        minimum: UInt256 = 1,
        allowed: UInt256? = nil,
        settler: Address = Self.settler,
        deadline: UInt256 = UInt256(start + 100_000)
    ) throws -> [UInt8] {
        var permit = SwapCalls.Permit(token: token, amount: amount)
        permit.deadline = deadline
        var actions = [
            try SwapCalls.transferFrom(to: settler, permit),
            SwapCalls.sell(pool, token, to: settler),
        ]
        if buyToken == SwapCalls.native { actions.append(SwapCalls.unwrap) }
        return try SwapCalls.exec(
            settler,
            token,
            allowed ?? amount,
            settler,
            SwapCalls.execute(to: alice.address, buyToken, minimum: minimum, actions)
        )
    }
}
