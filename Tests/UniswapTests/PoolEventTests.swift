import BigInt
import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Events of pools, against the genuine contracts' logs")
struct PoolEventTests {
    /// A log of the file, as a chain would give it.
    struct EventVector {
        let log: Log
        let json: JSONValue

        var name: String? { json["event"]?.stringValue }
        var decoded: JSONValue { json["decoded"] ?? .null }

        init(_ json: JSONValue, transaction: UInt64) throws {
            self.json = json
            log = Log(
                address: try json.address("address"),
                topics: try json.list("topics").map { try Bytes32(hex: $0.stringValue ?? "") },
                data: try json.hexBytes("data"),
                blockNumber: 1,
                transactionHash: TransactionHash(UInt256(transaction).word)
            )
        }
    }

    struct TransactionVector {
        let name: String
        let logs: [EventVector]

        init(_ json: JSONValue, _ index: Int) throws {
            name = try json.string("name")
            logs = try json.list("logs").map { try EventVector($0, transaction: UInt64(index)) }
        }
    }

    private func transactions() throws -> [TransactionVector] {
        try ContractVectors.events.list("transactions").enumerated().map { index, json in
            try TransactionVector(json, index)
        }
    }

    /// The pools of the file by their derived addresses, on mainnet.
    private func pools() throws -> [Address: PoolID] {
        let v2 = try Address("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f")
        let v3 = try Address("0x1F98431c8aD98523631AE4a59f267346ea31F984")
        var pools: [Address: PoolID] = [:]
        for vector in try transactions().flatMap(\.logs) {
            guard let json = vector.json["pool"], json.objectValue != nil else { continue }
            let kind: PoolKind =
                try json.string("version") == "2"
                ? .v2 : .v3(fee: UInt32(try #require(try json.integer("fee").uint64)))
            let pool = try #require(
                PoolID(
                    try ContractVectors.token(try json.string("token0")),
                    try ContractVectors.token(try json.string("token1")),
                    kind
                )
            )
            pools[pool.address(of: kind == .v2 ? v2 : v3)] = pool
        }
        return pools
    }

    @Test("all 154 logs: ours are read as the contract meant them, the others are passed over")
    func logs() throws {
        var counts: [String: Int] = [:]
        var others = 0
        for vector in try transactions().flatMap(\.logs) {
            let event = PoolEvent(vector.log)
            guard let name = vector.name, try check(event, name, vector.decoded) else {
                #expect(event == nil, "\(vector.name ?? "none")")
                others += 1
                continue
            }
            counts[name, default: 0] += 1
        }
        let expected = [
            "v3 Swap": 28, "v2 Swap": 10, "v2 Sync": 13, "v3 Initialize": 1, "v3 Mint": 1,
            "v3 Burn": 2, "v3 factory PoolCreated": 1, "v2 factory PairCreated": 1,
        ]
        #expect(counts == expected)
        #expect(others + expected.values.reduce(0, +) == 154)
    }

    /// Whether the event is one that is read, and equal to the file's.
    private func check(_ event: PoolEvent?, _ name: String, _ json: JSONValue) throws -> Bool {
        switch name {
        case "v3 Swap":
            guard case .swap(let swap) = try #require(event) else { throw VectorFault(key: name) }
            #expect(swap.sender == (try json.address("sender")))
            #expect(swap.recipient == (try json.address("recipient")))
            #expect(signed(swap.flow0) == BigInt(try json.string("amount0")))
            #expect(signed(swap.flow1) == BigInt(try json.string("amount1")))
            let after = try #require(swap.after)
            #expect(after.sqrtPrice == (try json.integer("sqrtPriceX96")))
            #expect(String(after.liquidity) == (try json.string("liquidity")))
            #expect(String(after.tick) == (try json.string("tick")))
        case "v2 Swap":
            guard case .swap(let swap) = try #require(event) else { throw VectorFault(key: name) }
            #expect(swap.sender == (try json.address("sender")) && swap.after == nil)
            #expect(swap.recipient == (try json.address("to")))
            for (flow, token) in [(swap.flow0, "0"), (swap.flow1, "1")] {
                let amountIn = try #require(BigInt(try json.string("amount\(token)In")))
                let amountOut = try #require(BigInt(try json.string("amount\(token)Out")))
                #expect(signed(flow) == amountIn - amountOut)
            }
        case "v2 Sync":
            let reserve0 = try #require(UInt128(try json.string("reserve0")))
            let reserve1 = try #require(UInt128(try json.string("reserve1")))
            #expect(event == .sync(reserve0, reserve1))
        case "v3 Initialize":
            let tick = try #require(Int32(try json.string("tick")))
            let price = try json.integer("sqrtPriceX96")
            #expect(event == .initialize(sqrtPrice: price, tick: tick))
        case "v3 Mint", "v3 Burn":
            let change: LiquidityChange
            switch (try #require(event), name) {
            case (.mint(let minted), "v3 Mint"): change = minted
            case (.burn(let burnt), "v3 Burn"): change = burnt
            default: throw VectorFault(key: name)
            }
            #expect(change.owner == (try json.address("owner")))
            #expect(String(change.lowerTick) == (try json.string("tickLower")))
            #expect(String(change.upperTick) == (try json.string("tickUpper")))
            #expect(String(change.liquidity) == (try json.string("amount")))
            #expect(change.amount0 == (try json.integer("amount0")))
            #expect(change.amount1 == (try json.integer("amount1")))
        case "v3 factory PoolCreated", "v2 factory PairCreated":
            try checkCreation(event, json)
        default: return false
        }
        return true
    }

    private func checkCreation(_ event: PoolEvent?, _ json: JSONValue) throws {
        guard case .created(let creation) = try #require(event) else {
            throw VectorFault(key: "created")
        }
        let isV3 = json["pool"] != nil
        #expect(creation.pool.token0 == (try json.address("token0")))
        #expect(creation.pool.token1 == (try json.address("token1")))
        #expect(creation.address == (try json.address(isV3 ? "pool" : "pair")))
        #expect(creation.tickSpacing == (isV3 ? 60 : nil))
        #expect(creation.pool.kind == (isV3 ? .v3(fee: 3_000) : .v2))
        let v2 = try Address("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f")
        let v3 = try Address("0x1F98431c8aD98523631AE4a59f267346ea31F984")
        #expect(creation.isGenuine(by: isV3 ? v3 : v2))
        #expect(!creation.isGenuine(by: isV3 ? v2 : v3))
    }

    private func signed(_ flow: PoolFlow) -> BigInt {
        switch flow {
        case .into(let amount): BigInt(amount.description) ?? 0
        case .out(let amount): -(BigInt(amount.description) ?? 0)
        case .none: 0
        }
    }

    @Test("the topics are those of the contracts' documentation")
    func topics() throws {
        let known = [
            (
                PoolEvent.Topic.swapV3,
                "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
            ),
            (
                PoolEvent.Topic.swapV2,
                "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822"
            ),
            (
                PoolEvent.Topic.sync,
                "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"
            ),
            (
                PoolEvent.Topic.poolCreated,
                "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118"
            ),
            (
                PoolEvent.Topic.pairCreated,
                "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9"
            ),
            (
                PoolEvent.Topic.initialize,
                "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95"
            ),
            (
                PoolEvent.Topic.mint,
                "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde"
            ),
            (
                PoolEvent.Topic.burn,
                "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c"
            ),
        ]
        for (topic, text) in known { #expect(topic.hex == text) }
    }

    @Test("all 35 trades: side, amounts, price and the price after, and no trade for the others")
    func trades() throws {
        let pools = try pools()
        #expect(pools.count == 11)
        var count = 0
        for transaction in try transactions() {
            let expected = transaction.logs.filter { ($0.json["trade"]?.objectValue) != nil }
            let trades = PoolTrade.trades(in: transaction.logs.map(\.log), of: pools)
            #expect(trades.map(\.log) == expected.map(\.log), "\(transaction.name)")
            for (trade, vector) in zip(trades, expected) {
                try check(trade, try vector.json.member("trade"))
            }
            count += trades.count
        }
        #expect(count == 35)
    }

    private func check(_ trade: PoolTrade, _ json: JSONValue) throws {
        let base = try ContractVectors.token(try json.string("base"))
        let quote = try ContractVectors.token(try json.string("quote"))
        let baseDigits = try decimals(try json.string("base"))
        let quoteDigits = try decimals(try json.string("quote"))
        #expect(trade.side(base: base) == (try json.string("side") == "buy" ? .buy : .sell))
        #expect(trade.side(base: quote) == (try json.string("side") == "buy" ? .sell : .buy))
        #expect(trade.side(base: .zero) == nil && trade.price(base: .zero) == nil)
        let price = try #require(trade.price(base: base))
        #expect(
            DecimalText.format(price.base, decimals: baseDigits) == (try json.string("baseAmount"))
        )
        #expect(
            DecimalText.format(price.quote, decimals: quoteDigits)
                == (try json.string("quoteAmount"))
        )
        let shift = (
            quote: BigInt(10).power(Int(quoteDigits)), base: BigInt(10).power(Int(baseDigits))
        )
        try expect(
            try json.string("price"),
            big(price.quote) * shift.base,
            over: big(price.base) * shift.quote
        )
        // token 1 per token 0, base units.
        let (number, divisor): (BigInt, BigInt) =
            switch try #require(trade.after) {
            case .sqrtPrice(let root): (big(root) * big(root), BigInt(1) << 192)
            case .reserves(let reserve0, let reserve1): (BigInt(reserve1), BigInt(reserve0))
            }
        let isBase0 = base == trade.pool.token0
        try expect(
            try json.string("priceAfter"),
            (isBase0 ? number : divisor) * shift.base,
            over: (isBase0 ? divisor : number) * shift.quote
        )
    }

    /// The file's prices have 30 significant digits.
    private func expect(_ text: String, _ numerator: BigInt, over denominator: BigInt) throws {
        let parts = text.split(separator: ".", maxSplits: 1)
        let places = parts.count == 2 ? parts[1].utf8.count : 0
        let digits = try #require(BigInt(parts.joined()))
        let scaled = numerator * BigInt(10).power(places)
        // At most half a unit of the last place away.
        let distance = (2 * (digits * denominator - scaled)).magnitude
        #expect(distance <= denominator.magnitude, "\(text)")
    }

    private func big(_ number: UInt256) -> BigInt { BigInt(number.description) ?? 0 }

    private func decimals(_ symbol: String) throws -> UInt8 {
        let token = try ContractVectors.events.member("tokens").member(symbol)
        return try #require(UInt8(try token.string("decimals")))
    }

    @Test("volume: what one transaction passes from pool to pool counts once, a split adds up")
    func volume() throws {
        let pools = try pools()
        let all = try transactions()
        func trades(_ name: String) throws -> [PoolTrade] {
            let transaction = try #require(all.first { $0.name == name })
            return PoolTrade.trades(in: transaction.logs.map(\.log), of: pools)
        }
        let usdc = try ContractVectors.token("USDC")
        let weth = try ContractVectors.token("WETH")
        for name in [
            "v3 path WETH>USDC>DAI: two trades",
            "v3 exact out path: the logs of the inner swap come first", "v2 path",
        ] {
            let path = try trades(name)
            #expect(path.count == 2 && path[0].bought == path[1].sold)
            #expect(path[0].boughtAmount == path[1].soldAmount)
            let middle = path[0].bought
            #expect(PoolTrade.volume(of: middle, in: path) == path[0].boughtAmount)
            #expect(PoolTrade.volume(of: path[0].sold, in: path) == path[0].soldAmount)
            #expect(PoolTrade.volume(of: path[1].bought, in: path) == path[1].boughtAmount)
        }
        let split = try trades("split over three pools, native in")
        #expect(split.count == 3)
        #expect(PoolTrade.volume(of: weth, in: split) == split.reduce(0) { $0 + $1.soldAmount })
        #expect(PoolTrade.volume(of: usdc, in: split) == split.reduce(0) { $0 + $1.boughtAmount })
        // Two transactions, one after the other, are not a path.
        let sell = try trades("v3 sell WETH for USDC")
        let buy = try trades("v3 buy WETH with USDC")
        #expect(
            PoolTrade.volume(of: weth, in: sell + buy) == sell[0].soldAmount + buy[0].boughtAmount
        )
        #expect(PoolTrade.volume(of: weth, in: []) == 0)
        var large = sell[0]
        large.soldAmount = .max
        #expect(PoolTrade.volume(of: weth, in: [large, large] + buy) == .max)
    }

    @Test("a pair's reserves are those of the Sync just before, in the same transaction")
    func reserves() throws {
        let pools = try pools()
        let transaction = try #require(try transactions().first { $0.name == "v2 sell WETH" })
        let logs = transaction.logs.map(\.log)
        let sync = try #require(logs.first { $0.topics[0] == PoolEvent.Topic.sync })
        let swap = try #require(logs.first { $0.topics[0] == PoolEvent.Topic.swapV2 })
        func after(_ logs: [Log]) -> PoolMark? {
            PoolTrade.trades(in: logs, of: pools).last?.after
        }
        #expect(after([sync, swap]) != nil)
        #expect(after([swap]) == nil)
        #expect(after([sync, swap, swap]) == nil)
        #expect(after([swap, sync]) == nil)
        let other = Log(
            address: sync.address,
            topics: sync.topics,
            data: sync.data,
            transactionHash: TransactionHash(UInt256(999).word)
        )
        #expect(after([other, swap]) == nil)
    }

    @Test("changed logs: cut, longer, other topics, dirty words are no event, and never trap")
    func hostile() throws {
        var random = SeededGenerator(seed: 8)
        let pools = try pools()
        for vector in try transactions().flatMap(\.logs) where PoolEvent(vector.log) != nil {
            let log = vector.log
            func event(_ topics: [Bytes32], _ data: [UInt8]) -> PoolEvent? {
                PoolEvent(Log(address: log.address, topics: topics, data: data))
            }
            #expect(event([], log.data) == nil)
            #expect(event(log.topics + [.zero], log.data) == nil)
            if log.topics.count > 1 { #expect(event(log.topics.dropLast(), log.data) == nil) }
            #expect(event(log.topics, log.data + [0]) == nil)
            #expect(event(log.topics, log.data + Array(repeating: 0, count: 32)) == nil)
            for count in 0..<log.data.count {
                #expect(event(log.topics, Array(log.data.prefix(count))) == nil)
            }
            let words: [UInt256] = [0, 1, 1 << 255, .max, 1 << 160, 1 << 128, 1 << 112, 1 << 23]
            for word in words + [UInt256(bigEndian: random.bytes(32)) ?? 0] {
                for start in stride(from: 0, to: log.data.count, by: 32) {
                    let data =
                        log.data.prefix(start) + word.bigEndianBytes
                        + log.data.dropFirst(start + 32)
                    let changed = Log(
                        address: log.address,
                        topics: log.topics,
                        data: Array(data)
                    )
                    _ = PoolTrade.trades(in: [changed, changed], of: pools)
                }
                for index in log.topics.indices.dropFirst() {
                    var topics = log.topics
                    topics[index] = word.word
                    _ = event(topics, log.data)
                }
            }
        }
    }

    @Test("flows at the ends of the numbers: the least int256, the greatest difference")
    func flows() {
        #expect(PoolFlow(signed: 1 << 255) == .out(1 << 255))
        #expect(PoolFlow(signed: .max) == .out(1))
        #expect(PoolFlow(signed: UInt256.max >> 1) == .into(UInt256.max >> 1))
        #expect(PoolFlow(signed: 0) == .none)
        #expect(PoolFlow(into: .max, out: 0) == .into(.max))
        #expect(PoolFlow(into: 0, out: .max) == .out(.max))
        #expect(PoolFlow(into: .max, out: .max) == .none)
    }
}
