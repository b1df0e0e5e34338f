import DexStore
import Ethereum
import ZeroEx

@testable import DexCore

/// States of the full screen with fixed values.
enum LiveFixtures {
    static let account = Fixtures.address(77)

    static func order(
        _ seed: UInt64,
        isAsk: Bool,
        zrx: UInt64,
        price millionths: UInt64,
        maker: UInt64
    ) -> any SignedOrder {
        let base = Fixtures.milli(zrx * 1_000)
        let quote = base * UInt256(millionths) / 1_000_000
        return FixedOrder(
            hash: Fixtures.hash(seed),
            exchange: Fixtures.address(1),
            maker: Fixtures.address(maker),
            taker: .zero,
            makerToken: isAsk ? Fixtures.zrx.address : Fixtures.weth.address,
            takerToken: isAsk ? Fixtures.weth.address : Fixtures.zrx.address,
            makerAmount: isAsk ? base : quote,
            takerAmount: isAsk ? quote : base,
            feeRecipient: .zero,
            makerFee: 0,
            takerFee: 0,
            expiry: UInt256(Fixtures.now + 86_400),
            salt: UInt256(seed)
        )
    }

    static let block = Block(
        number: 21_000_000,
        hash: Fixtures.hash(1),
        parentHash: Fixtures.hash(2),
        timestamp: Fixtures.now - 5,
        baseFeePerGas: Wei(12_500_000_000),
        gasLimit: 30_000_000,
        gasUsed: 0
    )

    /// - Parameter count: orders a side.
    static func book(_ count: UInt64 = 12, pair: Pair = Fixtures.pair) -> LiveBook {
        var orders: [any SignedOrder] = []
        for index in 0..<count {
            let amount = 100 + index * 37 % 400
            let maker = index == 2 ? 77 : 200 + index
            orders.append(
                order(300 + index, isAsk: true, zrx: amount, price: 760 + index, maker: maker)
            )
            orders.append(
                order(900 + index, isAsk: false, zrx: amount, price: 750 - index, maker: maker)
            )
        }
        var holdings: [HoldingKey: Holding] = [:]
        for order in orders {
            // One maker has only a part of what it offers.
            holdings[HoldingKey(owner: order.maker, token: order.makerToken)] = Holding(
                balance: order.hash == Fixtures.hash(301) ? Fixtures.milli(50_000) : .max,
                allowance: .max
            )
        }
        return LiveBook(
            pair: pair,
            block: block,
            BookMaterials(
                assembler: BookAssembler(
                    exchangeProtocol: ZeroExV1(),
                    contracts: ExchangeContracts(
                        exchange: Fixtures.address(1),
                        transferContract: Fixtures.address(2),
                        feeToken: Fixtures.zrx.address
                    ),
                    pricing: OrderPricing(
                        base: Fixtures.zrx.address,
                        quote: Fixtures.weth.address
                    ),
                    weth: nil,
                    timestamp: block.timestamp,
                    now: Fixtures.now,
                    gasPrice: nil,
                    account: account,
                    settings: ReadSettings()
                ),
                orders: orders,
                states: orders.map {
                    OrderState(filled: 0, cancelled: 0, remaining: $0.takerAmount)
                },
                holdings: holdings
            )
        )
    }

    static let guards = [("sell", "100", "0.0007"), ("buy", "2500", "0.00071")].enumerated().map {
        index,
        terms -> JournalGuard in
        var made = JournalGuard(
            id: Int64(8 + index),
            chainID: 1,
            exchange: Fixtures.address(9),
            account: account,
            side: terms.0 == "sell" ? .sell : .buy,
            pair: Fixtures.pair.addresses,
            pairName: "ZRX/WETH",
            amount: terms.1,
            trigger: .below,
            price: terms.2,
            slippage: 100,
            limit: "0.00069306931",
            created: Fixtures.now
        )
        made.isConfirmed = true
        return made
    }

    static let tape = TradesState(
        pair: Fixtures.pair,
        block: block.number,
        since: Fixtures.now - 86_400,
        rows: MarketScreenTests.walk(3).reversed(),
        summary: MarketSummary([])
    )

    static let pairs = [
        Fixtures.pair, Pair(base: Fixtures.weth, quote: Fixtures.usdc),
        Pair(base: Fixtures.zrx, quote: Fixtures.usdc),
    ].enumerated().map { index, pair in
        PairsState.Row(
            pair: pair,
            details: MarketScreenTests.details(pair),
            isKnown: index != 2,
            volume: index == 0 ? MarketSummary(MarketScreenTests.walk(3)) : MarketSummary([])
        )
    }

    static func state(_ columns: Int, _ rows: Int, pair: Pair = Fixtures.pair) -> LiveState {
        var state = LiveState(
            network: "mainnet",
            account: account,
            accountName: "main",
            canSign: true,
            pairText: pair.name,
            freshness: LiveFreshness(blockTime: 12_000, elapsed: 1_000),
            now: Fixtures.now
        )
        (state.columns, state.rows) = (columns, rows)
        state.servers = ["node https://node.example", "relay relay.example"]
        let book = book(pair: pair)
        state.book = book
        state.cursor = LiveModel.cursor(.buy, 1, book)
        state.freshness.head = block
        state.freshness.confirmed = 700
        state.gasPrice = Wei(12_500_000_000)
        state.source = WatchSource(following: ["relay.example"], polling: [], interval: 6_000)
        state.orders = OwnOrdersState(
            account: account,
            block: block.number,
            timestamp: block.timestamp,
            rows: [
                OwnOrdersState.Row(
                    order: Fixtures.orderRow(),
                    signed: Fixtures.now - 600,
                    relay: "relay.example",
                    isInDoubt: false,
                    events: []
                )
            ],
            dropped: [],
            warnings: []
        )
        state.balances = BalanceState(
            owner: account,
            block: block.number,
            coin: .ether,
            ether: Wei(1_250_000_000_000_000_000),
            rows: [
                BalanceState.Row(
                    token: Fixtures.zrx,
                    balance: Fixtures.milli(1_500_500),
                    allowance: .max
                ),
                BalanceState.Row(
                    token: Fixtures.weth,
                    balance: Fixtures.milli(2_250),
                    allowance: 0
                ),
            ]
        )
        state.trades = TradesState(
            pair: pair,
            block: block.number,
            since: Fixtures.now - 86_400,
            rows: [],
            summary: MarketSummary([])
        )
        state.transactions = TransactionsState(rows: [], block: block.number, warnings: [])
        return state
    }
}
