import DexStore
import Ethereum
import EthereumWallet
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The history finds the account's trades at pools")
struct PoolHistoryTests {
    private let market: TestMarket
    private let store = TemporaryJournal()
    private let pool = TestMarket.address("0x00000000000000000000000000000000000000d1")
    private let router = PoolMarketScene.deployment.router
    private let v2Router = PoolMarketScene.address(0x72)
    private var account: Address { market.trader.address }

    init() throws {
        market = try TestMarket()
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    private func session() throws -> Session {
        var session = try market.session(withRelay: false)
        session.network.pools = PoolMarketScene.deployment
        session.network.exchange = .zero
        return session
    }

    private func rebuild(from block: UInt64 = 0) async throws -> TradeSync.Rebuild {
        try await TradeSync(session: try session(), journal: store.journal)
            .rebuild(account, from: block)
    }

    /// What the journal has of the account, as the account's payments and receipts.
    private func known() throws -> [(pay: Address, paid: UInt256, got: Address, amount: UInt256)] {
        try store.journal.swapTrades(of: account, network: try session().network)
            .flatMap(\.trades).compactMap { trade in
                guard case .fill(let fill) = trade.event else { return nil }
                return (fill.takerToken, fill.takerAmount, fill.makerToken, fill.makerAmount)
            }
    }

    // MARK: The chain

    private func log(_ token: Address, _ topics: [Bytes32], _ amount: UInt256) -> Log {
        Log(address: token, topics: topics, data: amount.bigEndianBytes)
    }

    private func transfer(
        _ token: Address,
        _ from: Address,
        _ to: Address,
        _ amount: UInt256
    ) -> Log {
        log(token, [ERC20.transferTopic, from.word, to.word], amount)
    }

    /// A mined transaction with its receipt.
    @discardableResult
    private func mine(
        _ logs: [Log],
        block: UInt64,
        to: Address? = nil,
        from: Address? = nil,
        value: UInt256 = 0,
        data: [UInt8] = [],
        succeeded: Bool = true,
        infoFork: UInt64 = 0
    ) throws -> TransactionHash {
        let (sender, to) = (from ?? account, to ?? router)
        let hash = market.mine(logs, by: sender, block: block)
        market.chain.set { state in
            guard let receipt = state.receipts[hash] ?? nil else { return }
            state.receipts[hash] = TransactionReceipt(
                transactionHash: hash,
                blockNumber: block,
                blockHash: receipt.blockHash,
                from: sender,
                to: to,
                succeeded: succeeded,
                gasUsed: 100_000,
                effectiveGasPrice: Wei(2_000_000_000),
                logs: receipt.logs
            )
            state.transactions[hash] = TransactionInfo(
                hash: hash,
                from: sender,
                to: to,
                nonce: 0,
                value: Wei(value),
                gasLimit: 200_000,
                data: data,
                blockNumber: block,
                blockHash: TestMarket.blockHash(block, fork: infoFork)
            )
        }
        return hash
    }

    /// A sale of ZRX whose coin goes to an account.
    private func sale(to recipient: Address) throws -> [UInt8] {
        let path = try #require(PoolPath([TestMarket.zrx, TestMarket.weth], [.v3(fee: 500)]))
        return RouterCall(
            deadline: 1,
            swaps: [
                RouterSwap(
                    path: path,
                    amount: .exactIn(500),
                    bound: 1,
                    recipient: RouterSwap.inRouter
                )
            ],
            unwrap: RouterUnwrap(minimum: 1, recipient: recipient)
        ).data
    }

    private func saleLogs() -> [Log] {
        [
            transfer(TestMarket.weth, pool, router, 50),
            transfer(TestMarket.zrx, account, pool, 500),
            log(TestMarket.weth, [ERC20.withdrawalTopic, router.word], 50),
        ]
    }

    @Test("tokens for tokens: by the transfers, not by what the pool says of a token with a fee")
    func tokens() async throws {
        let hash = try mine(
            [
                transfer(TestMarket.usdc, pool, account, 97),
                transfer(TestMarket.zrx, account, pool, 500),
                try PoolMarketScene.swap(sells: true, zrx: 500, weth: 100),
            ],
            block: 40
        )
        let change = try await rebuild()
        #expect(change.before == 0 && change.after == 1 && change.added == 1)
        let trade = try #require(try known().first)
        #expect(trade.pay == TestMarket.zrx && trade.paid == 500)
        #expect(trade.got == TestMarket.usdc && trade.amount == 97)
        let mined = try store.journal.swapTrades(of: account, network: try session().network)
        #expect(mined.map(\.transaction) == [hash] && mined.first?.time == TestMarket.now + 40)
        #expect(mined.first?.gasUsed == 100_000 && mined.first?.sender == account)
        // A second reading finds the same.
        let again = try await rebuild()
        #expect(again.before == 1 && again.after == 1 && again.added == 0 && again.removed == 0)
    }

    @Test("the coin that paid is what the router wrapped: the rest of the value came back")
    func coinIn() async throws {
        for (block, to) in [(41, router), (42, v2Router)] as [(UInt64, Address)] {
            try mine(
                [
                    log(TestMarket.weth, [ERC20.depositTopic, to.word], 30),
                    transfer(TestMarket.weth, to, pool, 30),
                    transfer(TestMarket.zrx, pool, account, 300),
                ],
                block: block,
                to: to,
                value: 40
            )
        }
        _ = try await rebuild()
        let trades = try known()
        #expect(trades.map(\.pay) == [Token.nativeCoinAddress, Token.nativeCoinAddress])
        #expect(trades.map(\.paid) == [30, 30] && trades.map(\.amount) == [300, 300])
    }

    @Test("the coin that arrived is what the router unwrapped, if its call sends it to the account")
    func coinOut() async throws {
        try mine(saleLogs(), block: 43, data: try sale(to: account))
        // To somebody else, and by a call that nobody knows.
        try mine(saleLogs(), block: 44, data: try sale(to: pool))
        try mine(saleLogs(), block: 45, data: [1, 2, 3, 4])
        _ = try await rebuild()
        let trades = try known()
        #expect(trades.map(\.got) == [Token.nativeCoinAddress])
        #expect(trades.map(\.amount) == [50] && trades.map(\.paid) == [500])
        let path = try #require(PoolPath([TestMarket.zrx, TestMarket.weth], [.v2]))
        let old = V2RouterCall(
            path: path,
            amount: .exactIn(500),
            bound: 1,
            recipient: account,
            deadline: 1,
            coin: .bought,
            measures: false
        )
        try mine(
            [
                transfer(TestMarket.zrx, account, pool, 500),
                log(TestMarket.weth, [ERC20.withdrawalTopic, v2Router.word], 60),
            ],
            block: 46,
            to: v2Router,
            data: old.data
        )
        _ = try await rebuild()
        #expect(try known().map(\.amount) == [50, 60])
    }

    @Test(
        "dex activity tells a trade of the coin as one, and neither its halves nor the value sent"
    )
    func activity() async throws {
        let purchase = try mine(
            [
                log(TestMarket.weth, [ERC20.depositTopic, router.word], 30),
                transfer(TestMarket.weth, router, pool, 30),
                transfer(TestMarket.zrx, pool, account, 300),
            ],
            block: 41,
            value: 40
        )
        let sale = try mine(saleLogs(), block: 43, data: try sale(to: account))
        let reverted = try mine([], block: 44, value: 40, succeeded: false)
        let own = own([purchase, sale, reverted])
        let builder = ActivityBuilder(session: try session(), account: account)
        let records = try builder.records([], own, [])
        #expect(records.map(\.kind).prefix(2) == [.trade, .trade] && records.count == 3)
        #expect(records[0].token == nil && records[0].amount == 30)
        #expect(records[0].otherToken == TestMarket.zrx && records[0].otherAmount == 300)
        #expect(records[1].token == TestMarket.zrx && records[1].amount == 500)
        #expect(
            records[1].otherToken == Token.nativeCoinAddress && records[1].otherAmount == 50
        )
        #expect(records.prefix(2).allSatisfy { $0.counterparty == router && $0.gas != nil })
        #expect(!records[2].succeeded)
        // The rest of the value, 10, came back: it is no receipt beside the trade; a gift is.
        for (came, gift) in [(10, nil), (17, 7)] as [(UInt256, UInt256?)] {
            let all = try builder.records([], own, [received(came, block: 41)])
            #expect(all.count == (gift == nil ? 3 : 4))
            #expect(all.first { $0.kind == .received }?.amount == gift)
        }
        // What a sale brought of the coin is in its trade; a gift beside it is not.
        for (came, gift) in [(50, nil), (57, 7)] as [(UInt256, UInt256?)] {
            let all = try builder.records([], own, [received(came, block: 43)])
            #expect(all.first { $0.kind == .received }?.amount == gift)
        }
    }

    private func own(_ hashes: [TransactionHash]) -> [OwnTransaction] {
        var own: [OwnTransaction] = []
        market.chain.set { state in
            for hash in hashes {
                guard let info = state.transactions[hash] ?? nil,
                    let receipt = state.receipts[hash] ?? nil
                else { continue }
                own.append(OwnTransaction(info: info, receipt: receipt))
            }
        }
        return own
    }

    private func received(_ amount: UInt256, block: UInt64) -> WatchEvent {
        WatchTarget(chainID: 1337, exchange: .zero, account: account)
            .unexplained(
                .received,
                amount,
                WatchEvent.Place(
                    block: WatchedBlock(number: block, hash: TestMarket.blockHash(block)),
                    logIndex: nil,
                    time: 0
                )
            )
    }

    @Test("dex activity tells the ether that a contract of somebody else wrapped on its way")
    func foreignWrap() async throws {
        let weth = try #require(try session().network.weth)
        let bought = [
            log(TestMarket.weth, [ERC20.depositTopic, router.word], 40),
            transfer(TestMarket.zrx, pool, account, 300),
        ]
        let wrapped = [log(TestMarket.weth, [ERC20.depositTopic, account.word], 40)]
        for (logs, to, kinds) in [
            (bought, pool, [.sent, .received]), (wrapped, weth, [.wrapped]),
        ] as [([Log], Address, [ActivityRecord.Kind])] {
            let hash = try mine(logs, block: 60, to: to, value: 40)
            let records = try ActivityBuilder(session: try session(), account: account)
                .records([], own([hash]), [])
            #expect(records.map(\.kind) == kinds)
            #expect(records.first?.amount == 40)
            #expect(records.first?.token == (to == weth ? weth : nil))
            #expect(records.filter { $0.gas != nil }.count == 1)
        }
    }

    @Test("what is no trade of the account is none: others' transactions, other contracts, gifts")
    func none() async throws {
        let logs = [
            transfer(TestMarket.usdc, pool, account, 97),
            transfer(TestMarket.zrx, account, pool, 500),
        ]
        try mine(logs, block: 50, from: market.makers[0].address)
        try mine(logs, block: 51, to: pool)
        try mine(logs, block: 52, succeeded: false)
        try mine([logs[0]], block: 53)
        // An NFT's transfer has the same first topic and one more.
        let nft = Log(
            address: pool,
            topics: [ERC20.transferTopic, pool.word, account.word, UInt256(7).word],
            data: []
        )
        try mine([nft, logs[1]], block: 54)
        // The router wraps more than was sent.
        try mine(
            [log(TestMarket.weth, [ERC20.depositTopic, router.word], 30), logs[0]],
            block: 55,
            value: 29
        )
        let change = try await rebuild()
        #expect(change.after == 0)
        #expect(try known().isEmpty)
    }

    @Test("what the journal has of the pools is replaced, trades at another venue stay")
    func replaced() async throws {
        let network = try session().network
        func trade(_ number: UInt64, to: Address) throws -> MinedTrades {
            let receipt = TransactionReceipt(
                transactionHash: TransactionHash(UInt256(number).word),
                blockNumber: number,
                blockHash: TestMarket.blockHash(number),
                from: account,
                to: to,
                succeeded: true,
                gasUsed: 1,
                effectiveGasPrice: Wei(1),
                logs: []
            )
            return MinedTrades(
                pay: (TestMarket.zrx, 5),
                receive: (TestMarket.usdc, 6),
                in: receipt,
                network: network
            )
        }
        try store.journal.note([
            try trade(60, to: router), try trade(61, to: pool), try trade(10, to: router),
        ])
        try mine(
            [
                transfer(TestMarket.usdc, pool, account, 97),
                transfer(TestMarket.zrx, account, pool, 500),
            ],
            block: 62
        )
        let change = try await rebuild(from: 50)
        #expect(change.before == 2 && change.after == 2)
        #expect(change.removed == 1 && change.added == 1)
        let mined = try store.journal.swapTrades(of: account, network: network)
        #expect(mined.map(\.block) == [10, 61, 62])
    }

    @Test("a transaction that is in another block than its transfers is no trade yet")
    func reorganized() async throws {
        try mine([transfer(TestMarket.usdc, pool, account, 97)], block: 70, infoFork: 3)
        await #expect {
            _ = try await rebuild()
        } throws: {
            ($0 as? DexError)?.code == "reorganized"
        }
    }
}
