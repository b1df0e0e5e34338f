package import DexSandbox
package import Ethereum
import Uniswap
import ZeroEx

extension Genesis {
    /// The initial chain of a sandbox's markets: balances, filled amounts, the swap venue,
    /// and Uniswap's pools.
    ///
    /// - Parameters:
    ///   - markets: of the same seed and start.
    ///   - start: the time of block 0, in seconds since 1970.
    ///   - protocolFee: the v4 contract's fee for each filled order, as an amount of gas.
    ///   - funded: further addresses that own something; each is counted once.
    package static func sandbox(
        _ markets: [SandboxMarket],
        accounts: SandboxAccounts,
        start: UInt64,
        protocolFee: UInt32 = 0,
        chainID: UInt64 = SandboxTokens.chainID,
        funded: [Address] = []
    ) -> Genesis {
        let named = Set((accounts.all + [accounts.mover].compactMap { $0 }).map(\.address))
        var seen = named
        let funded = funded.filter { seen.insert($0).inserted }
        var ledger = GenesisLedger(markets: markets, accounts: accounts)
        ledger.fundTraders()
        ledger.fundMakers()
        ledger.fundMover()
        ledger.fund(funded)
        var genesis = Genesis(
            chainID: chainID,
            timestamp: start,
            exchange: SandboxTokens.contracts.exchange,
            transferProxy: SandboxTokens.contracts.transferContract,
            feeToken: SandboxTokens.zrx.address,
            exchangeProxy: SandboxTokens.exchangeProxy,
            protocolFeeMultiplier: protocolFee,
            accounts: accounts.all.map {
                GenesisAccount(address: $0.address, ether: GenesisLedger.etherOfTrader)
            }
                + [accounts.mover].compactMap { $0 }.map {
                    GenesisAccount(address: $0.address, ether: GenesisLedger.etherOfFunded)
                }
                + funded.map {
                    GenesisAccount(address: $0, ether: GenesisLedger.etherOfFunded)
                },
            tokens: SandboxTokens.all,
            balances: ledger.balances,
            allowances: ledger.allowances,
            swap: GenesisSwap(pools: SandboxPools.all),
            uniswap: SandboxUniswap.genesis(chainID: chainID)
        )
        for market in markets {
            for order in market.orders where order.filled > .zero {
                market.venue.note(order.filled, of: order.draft, in: &genesis)
            }
        }
        return genesis
    }
}

extension SandboxSettings {
    /// The networks of the chain, that of v1 first.
    var venues: [SandboxDeployment] {
        SandboxDeployment.all(chainID: chainID, protocolFee: protocolFee)
    }

    /// The initial chain that follows from the settings.
    func genesis(_ accounts: SandboxAccounts) -> Genesis {
        let markets = venues.map { venue in
            SandboxMarket(
                venue: venue,
                seed: seed,
                start: start,
                orders: orders,
                accounts: accounts
            )
        }
        return .sandbox(
            markets,
            accounts: accounts,
            start: start,
            protocolFee: protocolFee,
            chainID: chainID,
            funded: funded
        )
    }
}

/// The sums of balances and allowances.
private struct GenesisLedger {
    let markets: [SandboxMarket]
    let accounts: SandboxAccounts
    private(set) var balances: [GenesisBalance] = []
    private(set) var allowances: [GenesisAllowance] = []

    /// The ether of every named account: 100.
    static let etherOfTrader = Wei(100_000_000_000_000_000_000)
    /// A funded address has as much as this many traders, to pass it on.
    private static let share: UInt256 = 1_000
    static let etherOfFunded = Wei(100_000_000_000_000_000_000_000)

    /// What a trader has of each token.
    private static let amounts: [(TokenDefinition, UInt256)] = [
        (SandboxTokens.zrx, 20_000_000_000_000_000_000_000),
        (SandboxTokens.weth, 50_000_000_000_000_000_000),
        (SandboxTokens.dai, 25_000_000_000_000_000_000_000),
        (SandboxTokens.usdc, 25_000_000_000),
        (SandboxTokens.mkr, 20_000_000_000_000_000_000),
        (SandboxTokens.link, 2_000_000_000_000_000_000_000),
    ]

    /// Gives each address what a thousand traders have; it approves what it wants itself.
    mutating func fund(_ owners: [Address]) {
        for owner in owners {
            for (token, amount) in Self.amounts {
                balances.append(
                    GenesisBalance(token: token.address, owner: owner, amount: amount * Self.share)
                )
            }
        }
    }

    /// Every trader has some of everything; only bob has approved his tokens.
    mutating func fundTraders() {
        for account in accounts.traders {
            for (token, amount) in Self.amounts {
                balances.append(
                    GenesisBalance(token: token.address, owner: account.address, amount: amount)
                )
            }
        }
        guard accounts.traders.count > 1 else { return }
        let bob = accounts.traders[1].address
        for token in [SandboxTokens.zrx, SandboxTokens.weth] { allow(token.address, bob, .max) }
    }

    /// Gives the makers what their orders promise and a tenth more, except for the last two.
    ///
    /// Those promise more than they own, as makers on real relays do, and in every market. Each of
    /// their orders can still be filled alone.
    mutating func fundMakers() {
        let zrx = SandboxTokens.zrx.address
        for (index, maker) in accounts.makers.enumerated() {
            let isShort = index >= accounts.makers.count - 2
            let orders = markets.map { market in
                market.orders.map(\.draft).filter { $0.maker == maker.address }
            }
            let fees = orders.joined().reduce(UInt256.zero) { $0 + $1.fees.makerFee }
            for token in SandboxTokens.all.map(\.address) {
                let parts = orders.map { orders in
                    let promised = orders.filter { $0.makerToken == token }.map(\.makerAmount)
                    let sum = promised.reduce(UInt256.zero, +)
                    return isShort ? max(promised.max() ?? .zero, sum / 20 * 9) : sum / 10 * 11
                }
                var amount =
                    isShort ? parts.max() ?? .zero : parts.reduce(UInt256.zero, +)
                if token == zrx { amount = amount + fees + fees }
                guard amount > .zero else { continue }
                balances.append(
                    GenesisBalance(token: token, owner: maker.address, amount: amount)
                )
                allow(token, maker.address, .max)
            }
        }
    }

    /// Gives the account that moves pools more than all of them hold, and its approvals.
    mutating func fundMover() {
        guard let mover = accounts.mover?.address else { return }
        for token in [SandboxTokens.zrx, SandboxTokens.weth].map(\.address) {
            balances.append(
                GenesisBalance(token: token, owner: mover, amount: Self.balanceOfMover)
            )
            allowances.append(
                GenesisAllowance(
                    token: token,
                    owner: mover,
                    spender: SandboxUniswap.deployment().router,
                    amount: .max
                )
            )
        }
    }

    /// 100 million of a token with 18 decimals.
    private static let balanceOfMover: UInt256 = 100_000_000_000_000_000_000_000_000

    /// Approves the contracts of every deployment for an owner's tokens.
    private mutating func allow(_ token: Address, _ owner: Address, _ amount: UInt256) {
        for spender in SandboxDeployment.all().map(\.contracts.transferContract) {
            allowances.append(
                GenesisAllowance(token: token, owner: owner, spender: spender, amount: amount)
            )
        }
    }
}
