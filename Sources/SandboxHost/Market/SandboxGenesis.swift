package import DexSandbox
import Ethereum
package import ZeroEx

extension SandboxMarket {
    /// The chain that this market stands on: who owns what, and what is filled already.
    package func genesis(_ exchangeProtocol: any ExchangeProtocol) -> Genesis {
        var ledger = GenesisLedger(market: self)
        ledger.fundTraders()
        ledger.fundMakers()
        return Genesis(
            chainID: SandboxTokens.chainID,
            timestamp: start,
            exchange: SandboxTokens.contracts.exchange,
            transferProxy: SandboxTokens.contracts.transferContract,
            feeToken: SandboxTokens.zrx.address,
            exchangeProxy: SandboxTokens.exchangeProxy,
            accounts: accounts.all.map {
                GenesisAccount(address: $0.address, ether: Wei(100_000_000_000_000_000_000))
            },
            tokens: SandboxTokens.all,
            balances: ledger.balances,
            allowances: ledger.allowances,
            orders: orders.filter { $0.filled > .zero }.map {
                GenesisOrder(
                    hash: exchangeProtocol.hash(of: $0.draft).word,
                    filled: $0.filled,
                    cancelled: .zero
                )
            }
        )
    }
}

/// Balances and allowances as they add up.
private struct GenesisLedger {
    private let market: SandboxMarket
    private(set) var balances: [GenesisBalance] = []
    private(set) var allowances: [GenesisAllowance] = []

    init(market: SandboxMarket) {
        self.market = market
    }

    /// Every trader has some of everything; bob alone has approved what he trades with.
    mutating func fundTraders() {
        let amounts: [(TokenDefinition, UInt256)] = [
            (SandboxTokens.zrx, 20_000_000_000_000_000_000_000),
            (SandboxTokens.weth, 50_000_000_000_000_000_000),
            (SandboxTokens.dai, 25_000_000_000_000_000_000_000),
            (SandboxTokens.usdc, 25_000_000_000),
            (SandboxTokens.mkr, 20_000_000_000_000_000_000),
            (SandboxTokens.link, 2_000_000_000_000_000_000_000),
        ]
        for account in market.accounts.traders {
            for (token, amount) in amounts {
                balances.append(
                    GenesisBalance(token: token.address, owner: account.address, amount: amount)
                )
            }
        }
        let bob = market.accounts.traders[1].address
        for token in [SandboxTokens.zrx, SandboxTokens.weth] { allow(token.address, bob, .max) }
    }

    /// The makers own what their orders promise and a tenth more, but for the last two.
    ///
    /// Those have promised more than they own, as makers on real relays do; each of their orders
    /// can still be filled alone.
    mutating func fundMakers() {
        let zrx = SandboxTokens.zrx.address
        for (index, maker) in market.accounts.makers.enumerated() {
            let orders = market.orders.map(\.draft).filter { $0.maker == maker.address }
            let fees = orders.reduce(UInt256.zero) { $0 + $1.fees.makerFee }
            for token in SandboxTokens.all.map(\.address) {
                let promised = orders.filter { $0.makerToken == token }.map(\.makerAmount)
                let sum = promised.reduce(UInt256.zero, +)
                let isShort = index >= market.accounts.makers.count - 2
                var amount = isShort ? max(promised.max() ?? .zero, sum / 20 * 9) : sum / 10 * 11
                if token == zrx { amount = amount + fees + fees }
                guard amount > .zero else { continue }
                balances.append(
                    GenesisBalance(token: token, owner: maker.address, amount: amount)
                )
                allow(token, maker.address, .max)
            }
        }
    }

    /// Lets the contracts of both protocol versions move an owner's tokens.
    private mutating func allow(_ token: Address, _ owner: Address, _ amount: UInt256) {
        for spender in [SandboxTokens.contracts.transferContract, SandboxTokens.exchangeProxy] {
            allowances.append(
                GenesisAllowance(token: token, owner: owner, spender: spender, amount: amount)
            )
        }
    }
}
