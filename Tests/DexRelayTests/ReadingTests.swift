import DexRelay
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

/// GET requests, over both wires.
@Suite struct ReadingTests {
    @Test("a new relay has empty lists and an empty book", arguments: Wire.allCases)
    func empty(wire: Wire) async throws {
        let fixture = try RelayFixture()
        try await fixture.talk(wire) { relay in
            let orders = try await relay.get("/v0/orders")
            #expect(orders.status == 200)
            #expect(orders.headers["content-type"] == "application/json")
            #expect(String(decoding: orders.body, as: UTF8.self) == "[]")
            let book = try await relay.get(
                "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
                    + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"
            )
            #expect(String(decoding: book.body, as: UTF8.self) == #"{"bids":[],"asks":[]}"#)
            // A page that says that it is the only one costs nobody a second request.
            #expect(book.headers["link"]?.contains(#"rel="next""#) == false)
        }
    }

    @Test("an order comes back as its maker signed it", arguments: Wire.allCases)
    func order(wire: Wire) async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.add([order])
        try await fixture.talk(wire) { relay in
            let answer = try await relay.get("/v0/order/\(order.hash.hex)")
            #expect(answer.status == 200)
            #expect(answer.body == fixture.json(order))
            let list = try await relay.get("/v0/orders")
            #expect(list.body == Array("[".utf8) + fixture.json(order) + Array("]".utf8))
        }
    }

    @Test(
        "an unknown order is 404, a hash that is none is 400 with code 1005",
        arguments: Wire.allCases
    )
    func unknownOrder(wire: Wire) async throws {
        let fixture = try RelayFixture()
        try await fixture.talk(wire) { relay in
            let unknown = try await relay.get("/v0/order/\(UInt256(7).word.hex)")
            #expect(unknown.status == 404)
            #expect(try unknown.code == "100")
            for text in [
                "0x12", "x", String(repeating: "a", count: 66),
                "0X" + String(repeating: "0", count: 64),
            ] {
                let answer = try await relay.get("/v0/order/\(text)")
                #expect(answer.status == 400)
                #expect(try answer.code == "100")
                #expect(try answer.faults == ["orderHash 1005"])
            }
            let nowhere = try await relay.get("/v1/orders")
            #expect(nowhere.status == 404)
            let reason = try nowhere.json["reason"]?.stringValue ?? ""
            #expect(reason.contains("/v0"))
        }
    }

    @Test("bids descend and asks ascend by price, then by lower fees, then by earlier expiry")
    func sorting() async throws {
        let fixture = try RelayFixture()
        func ask(
            _ makerAmount: UInt256,
            _ takerAmount: UInt256,
            fee: UInt256 = 0,
            life: UInt64 = 3600
        ) async throws -> any SignedOrder {
            try await fixture.order {
                $0.makerAmount = makerAmount
                $0.takerAmount = takerAmount
                $0.expiry = UInt256(RelayFixture.startTime + life)
                if fee > 0 {
                    $0.fees = OrderFees(
                        recipient: RelayFixture.feeRecipient,
                        makerFee: 0,
                        takerFee: fee
                    )
                }
            }
        }
        func bid(_ quote: UInt256, _ base: UInt256) async throws -> any SignedOrder {
            try await fixture.order {
                $0.makerToken = RelayFixture.weth
                $0.takerToken = RelayFixture.zrx
                $0.makerAmount = quote
                $0.takerAmount = base
            }
        }
        // Prices 2, then three of 3 as different fractions, then 4.
        let asks = [
            try await ask(1000, 2000), try await ask(200, 600, life: 3601),
            try await ask(100, 300, fee: 1, life: 100), try await ask(300, 900, fee: 2, life: 50),
            try await ask(10, 40),
        ]
        // Prices 1.9, 1.5, 1.
        let bids = [try await bid(190, 100), try await bid(15, 10), try await bid(10, 10)]
        try await fixture.add(asks.reversed() + [bids[1], bids[2], bids[0]])
        try await fixture.talk(.inProcess) { relay in
            let book = try await relay.get(
                "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
                    + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"
            )
            let json = try book.json
            #expect(try hashes(json["asks"]) == asks.map(\.hash))
            #expect(try hashes(json["bids"]) == bids.map(\.hash))
            // Seen from the other token the sides change places.
            let mirrored = try await relay.get(
                "/v0/orderbook?baseTokenAddress=\(RelayFixture.weth.lowercaseHex)"
                    + "&quoteTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
            )
            #expect(try hashes(mirrored.json["bids"]) == asks.map(\.hash))
            // With both tokens given, /orders is in the order of what a taker pays.
            let orders = try await relay.get(
                "/v0/orders?makerTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
                    + "&takerTokenAddress=\(RelayFixture.weth.lowercaseHex)"
            )
            #expect(try hashes(orders.json) == asks.map(\.hash))
        }
    }

    @Test("one insertion at a time gives the same book as many at once")
    func insertionOrder() async throws {
        let single = try RelayFixture()
        let bulk = try RelayFixture()
        var orders: [any SignedOrder] = []
        for index in 0..<40 {
            orders.append(
                try await single.order {
                    $0.makerAmount = UInt256(100 + (index * 37) % 50)
                    $0.salt = UInt256(UInt64(index))
                }
            )
        }
        for order in orders { _ = try await single.server.intake.post(order) }
        try await bulk.add(orders)
        let direction = PairDirection(makerToken: RelayFixture.zrx, takerToken: RelayFixture.weth)
        let one = single.server.intake.book.read { $0.side(direction) }.entries.map(\.hash)
        #expect(one == bulk.server.intake.book.read { $0.side(direction) }.entries.map(\.hash))
        #expect(one.count == 40)
        let prices = single.server.intake.book.read { $0.side(direction) }.entries
            .map(\.order.makerAmount)
        #expect(prices == prices.sorted(by: >))
    }

    @Test("each filter of /orders lets through what it names and nothing else")
    func filters() async throws {
        let fixture = try RelayFixture()
        let plain = try await fixture.order()
        let theirs = try await fixture.order { $0.maker = fixture.other.address }
        let named = try await fixture.order {
            $0.taker = fixture.other.address
            $0.salt = 2
        }
        let dai = try await fixture.order {
            $0.makerToken = RelayFixture.weth
            $0.takerToken = RelayFixture.dai
        }
        let paid = try await fixture.order {
            $0.salt = 3
            $0.fees = OrderFees(recipient: RelayFixture.feeRecipient, makerFee: 1, takerFee: 1)
        }
        try await fixture.add([plain, theirs, named, dai, paid])
        let maker = fixture.maker.address.lowercaseHex
        let other = fixture.other.address.lowercaseHex
        let expected: [(String, [any SignedOrder])] = [
            ("", [plain, theirs, named, dai, paid]),
            ("maker=\(other)", [theirs]),
            ("taker=\(other)", [named]),
            ("trader=\(other)", [theirs, named]),
            ("maker=\(maker)&taker=\(Address.zero.lowercaseHex)", [plain, dai, paid]),
            ("feeRecipient=\(RelayFixture.feeRecipient.lowercaseHex)", [paid]),
            ("tokenAddress=\(RelayFixture.weth.lowercaseHex)", [plain, theirs, named, dai, paid]),
            ("tokenAddress=\(RelayFixture.dai.lowercaseHex)", [dai]),
            ("makerTokenAddress=\(RelayFixture.weth.lowercaseHex)", [dai]),
            ("takerTokenAddress=\(RelayFixture.dai.lowercaseHex)", [dai]),
            ("exchangeContractAddress=\(RelayFixture.proxy.lowercaseHex)", []),
            (
                "exchangeContractAddress=\(RelayFixture.exchange.lowercaseHex)&unknown=1",
                [plain, theirs, named, dai, paid]
            ),
        ]
        try await fixture.talk(.inProcess) { relay in
            for (query, orders) in expected {
                let answer = try await relay.get("/v0/orders?\(query)")
                #expect(try hashes(answer.json) == orders.map(\.hash).sorted(), "\(query)")
            }
        }
    }

    @Test("an order is gone from every answer the second it expires", arguments: Wire.allCases)
    func expiry(wire: Wire) async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.add([order])
        fixture.clock.advance(by: 3599)
        try await fixture.talk(wire) { relay in
            let before = try await relay.get("/v0/order/\(order.hash.hex)")
            #expect(before.status == 200)
            fixture.clock.advance(by: 1)
            let after = try await relay.get("/v0/order/\(order.hash.hex)")
            #expect(after.status == 404)
            let orders = try await relay.get("/v0/orders")
            #expect(orders.body == Array("[]".utf8))
        }
    }

    @Test("pairs are found by either token, by both in any order, and not by a pair that is none")
    func tokenPairs() async throws {
        let fixture = try RelayFixture()
        let zrx = RelayFixture.zrx.lowercaseHex
        let weth = RelayFixture.weth.lowercaseHex
        try await fixture.talk(.inProcess) { relay in
            func count(_ query: String) async throws -> Int? {
                try await relay.get("/v0/token_pairs?\(query)").json.arrayValue?.count
            }
            #expect(try await count("") == 2)
            #expect(try await count("tokenA=\(weth)") == 2)
            #expect(try await count("tokenB=\(zrx)") == 1)
            #expect(try await count("tokenA=\(weth)&tokenB=\(zrx)") == 1)
            #expect(try await count("tokenA=\(zrx)&tokenB=\(zrx)") == 0)
            #expect(try await count("per_page=1&page=2") == 1)
            #expect(try await count("per_page=1&page=3") == 0)
            let pair = try await relay.get("/v0/token_pairs?tokenA=\(zrx)").json.arrayValue?.first
            let expected: JSONValue = [
                "tokenA": ["address": .string(zrx), "precision": 8],
                "tokenB": ["address": .string(weth)],
            ]
            #expect(pair == expected)
        }
    }
}

/// The hashes of a JSON array of orders, computed from their terms.
func hashes(_ json: JSONValue?) throws -> [OrderHash] {
    try (json?.arrayValue ?? []).map { try ZeroExV1().decodeOrder($0).hash }
}
