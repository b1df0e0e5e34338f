import DexRelay
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

/// GET requests of API v4.
@Suite struct ReadingV4Tests {
    private static let pair =
        "baseToken=\(RelayFixtureV4.base)&quoteToken=\(RelayFixtureV4.quote)"

    private func page(_ relay: RelayConnection, _ query: String) async throws -> PageV4 {
        try PageV4(try await relay.get("/sra/v4/orders?\(query)").json)
    }

    @Test("a new relay has empty pages below both bases", arguments: Wire.allCases)
    func empty(wire: Wire) async throws {
        let fixture = try RelayFixtureV4()
        let none = #"{"total":0,"page":1,"perPage":20,"records":[]}"#
        try await fixture.talk(wire) { relay in
            for (base, book) in [
                ("/sra/v4", "/sra/v4/orderbook"), ("/orderbook/v1", "/orderbook/v1"),
            ] {
                let orders = try await relay.get("\(base)/orders")
                #expect(orders.status == 200)
                #expect(orders.headers["content-type"] == "application/json")
                #expect(String(decoding: orders.body, as: UTF8.self) == none)
                let answer = try await relay.get("\(book)?\(Self.pair)")
                #expect(answer.status == 200)
                #expect(
                    String(decoding: answer.body, as: UTF8.self)
                        == #"{"bids":\#(none),"asks":\#(none)}"#
                )
                let recipients = try await relay.get("\(base)/fee_recipients")
                #expect(String(decoding: recipients.body, as: UTF8.self) == none)
            }
        }
    }

    @Test("a record has the order as its maker signed it, its hash and what can be filled")
    func record() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.add([order])
        try await fixture.talk(.inProcess) { relay in
            for base in ["/sra/v4", "/orderbook/v1"] {
                let answer = try await relay.get("\(base)/order/\(order.hash.hex)")
                #expect(answer.status == 200)
                let expected: JSONValue = [
                    "order": order.json,
                    "metaData": [
                        "orderHash": .string(order.hash.hex),
                        "remainingFillableTakerAmount": "2000", "state": "ADDED",
                    ],
                ]
                #expect(try answer.json == expected)
            }
        }
    }

    @Test("an unknown order is 404 with a reason alone, a hash that is none is refused")
    func unknownOrder() async throws {
        let fixture = try RelayFixtureV4()
        try await fixture.talk(.inProcess) { relay in
            let unknown = try await relay.get("/sra/v4/order/\(UInt256(7).word.hex)")
            #expect(unknown.status == 404)
            #expect(try unknown.json == ["reason": "Not Found"])
            let wrong = try await relay.get("/sra/v4/order/0x12")
            #expect(wrong.status == 400)
            #expect(try wrong.faults == ["orderHash 1001"])
            let nowhere = try await relay.get("/sra/v4/token_pairs")
            #expect(nowhere.status == 404)
            #expect(try nowhere.json["code"] == nil)
            let old = try await relay.get("/v2/orders")
            #expect(old.status == 404)
            let reason = try old.json["reason"]?.stringValue ?? ""
            for path in ["/v0", "/sra/v4", "/orderbook/v1"] { #expect(reason.contains(path)) }
        }
    }

    @Test("sides are in the order of what a taker pays with the fee, then by earlier expiry")
    func sorting() async throws {
        let fixture = try RelayFixtureV4()
        // A lower price with a fee comes behind a higher one without.
        let prices: [(taker: UInt128, fee: UInt128, life: UInt64)] = [
            (1990, 0, 3600), (1900, 100, 100), (2000, 0, 200), (1990, 11, 3600),
        ]
        var asks: [SignedOrderV4] = []
        for price in prices {
            let order = try await fixture.order {
                $0.makerAmount = 1000
                $0.takerAmount = price.taker
                $0.takerTokenFeeAmount = price.fee
                $0.expiry = RelayFixture.startTime + price.life
            }
            asks.append(order)
        }
        var bids: [SignedOrderV4] = []
        for (taker, fee) in [(500, 0), (490, 11), (502, 0)] as [(UInt128, UInt128)] {
            let order = try await fixture.order {
                $0.makerToken = RelayFixture.weth
                $0.takerToken = RelayFixture.zrx
                $0.makerAmount = 1000
                $0.takerAmount = taker
                $0.takerTokenFeeAmount = fee
            }
            bids.append(order)
        }
        try await fixture.add(asks.reversed() + [bids[2], bids[0], bids[1]])
        try await fixture.talk(.inProcess) { [asks, bids] relay in
            let book = try await relay.get("/sra/v4/orderbook?\(Self.pair)").json
            #expect(try PageV4(book["asks"]).hashes == asks.map(\.hash))
            #expect(try PageV4(book["bids"]).hashes == bids.map(\.hash))
            let mirrored = try await relay.get(
                "/orderbook/v1?baseToken=\(RelayFixtureV4.quote)&quoteToken=\(RelayFixtureV4.base)"
            ).json
            #expect(try PageV4(mirrored["bids"]).hashes == asks.map(\.hash))
            let all = try await page(relay, "")
            #expect(all.hashes == (asks + bids).map(\.hash).sorted())
        }
    }

    @Test("pages join to the whole, each side with its own total; page sizes have bounds")
    func paging() async throws {
        let fixture = try RelayFixtureV4()
        var orders: [SignedOrderV4] = []
        for index in 0..<45 {
            orders.append(
                try await fixture.order {
                    if index >= 30 { swap(&$0.makerToken, &$0.takerToken) }
                    $0.salt = UInt256(UInt64(index))
                }
            )
        }
        try await fixture.add(orders)
        try await fixture.talk(.inProcess) { relay in
            var asks: [OrderHash] = []
            for page in 1...3 {
                let book = try await relay.get(
                    "/sra/v4/orderbook?\(Self.pair)&page=\(page)&perPage=20"
                ).json
                let (askPage, bidPage) = (try PageV4(book["asks"]), try PageV4(book["bids"]))
                #expect(askPage.total == 30)
                #expect(bidPage.total == 15)
                #expect(askPage.hashes.count == [20, 10, 0][page - 1])
                #expect(bidPage.hashes.count == [15, 0, 0][page - 1])
                asks += askPage.hashes
            }
            #expect(Set(asks).count == 30)
            #expect(try await page(relay, "").hashes.count == 20)
            #expect(try await page(relay, "perPage=1000").hashes.count == 45)
            let queries = [
                ("perPage=1001", "perPage 1004"), ("perPage=0", "perPage 1004"),
                ("perPage=x", "perPage 1001"), ("page=0", "page 1004"), ("page=", "page 1001"),
                ("page=99999999999", "page 1004"), ("page=1&page=2", "page 1001"),
                ("chainId=137", "chainId 1001"), ("maker=me", "maker 1001"),
                ("pool=0x1", "pool 1001"), ("salt=-1", "salt 1001"),
                ("makerAmount=1.5", "makerAmount 1001"), ("unfillable=yes", "unfillable 1001"),
                ("unfillable=true", "maker 1000"),
            ]
            for (query, fault) in queries {
                let answer = try await relay.get("/sra/v4/orders?\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(try answer.code == "100")
                #expect(try answer.faults == [fault], "\(query)")
            }
            let book = try await relay.get("/sra/v4/orderbook?quoteToken=WETH")
            #expect(try book.faults == ["quoteToken 1001"])
            let none = try await relay.get("/sra/v4/orderbook")
            #expect(try none.faults == ["baseToken 1000", "quoteToken 1000"])
        }
    }

    @Test("each filter of /orders lets through what it names and nothing else")
    func filters() async throws {
        let fixture = try RelayFixtureV4()
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
            $0.feeRecipient = RelayFixture.feeRecipient
            $0.takerTokenFeeAmount = 7
            $0.pool = UInt256(5).word
            $0.takerAmount = 2001
            $0.makerAmount = 1001
        }
        let all = [plain, theirs, named, dai, paid]
        try await fixture.add(all)
        let other = fixture.other.address.lowercaseHex
        let expected: [(String, [SignedOrderV4])] = [
            ("", all), ("maker=\(other)", [theirs]), ("taker=\(other)", [named]),
            ("maker=\(fixture.other.address.checksummed)", [theirs]),
            ("trader=\(other)", [theirs, named]), ("makerToken=\(RelayFixtureV4.quote)", [dai]),
            ("takerToken=\(RelayFixture.dai.lowercaseHex)", [dai]),
            (
                "makerToken=\(RelayFixtureV4.base)&takerToken=\(RelayFixtureV4.quote)",
                [plain, theirs, named, paid]
            ),
            ("feeRecipient=\(RelayFixture.feeRecipient.lowercaseHex)", [paid]),
            ("sender=\(Address.zero.lowercaseHex)", all), ("sender=\(other)", []),
            ("verifyingContract=\(RelayFixtureV4.domain.exchange.lowercaseHex)", all),
            ("verifyingContract=\(RelayFixture.exchange.lowercaseHex)", []),
            ("pool=\(UInt256(5).word.hex)", [paid]), ("hash=\(named.hash.hex)", [named]),
            ("makerAmount=01001", [paid]), ("takerAmount=2001", [paid]), ("salt=2", [named]),
            ("takerTokenFeeAmount=7", [paid]), ("remainingFillableTakerAmount=2001", [paid]),
            ("expiry=5", all), ("unknown=1", all), ("unfillable=false", all),
        ]
        try await fixture.talk(.inProcess) { relay in
            for (query, orders) in expected {
                let found = try await page(relay, query)
                #expect(found.hashes == orders.map(\.hash).sorted(), "\(query)")
                #expect(found.total == orders.count)
            }
        }
    }

    @Test("an order is shown as long as it has ten seconds left")
    func expiry() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.add([order])
        try await fixture.talk(.inProcess) { relay in
            fixture.clock.advance(by: 3590)
            #expect(try await page(relay, "").hashes == [order.hash])
            fixture.clock.advance(by: 1)
            #expect(try await page(relay, "").total == 0)
            let one = try await relay.get("/sra/v4/order/\(order.hash.hex)")
            #expect(one.status == 404)
            let book = try await relay.get("/sra/v4/orderbook?\(Self.pair)").json
            #expect(try PageV4(book["asks"]).total == 0)
            let own = try await page(
                relay,
                "unfillable=true&maker=\(fixture.maker.address.lowercaseHex)"
            )
            #expect(own.states == ["EXPIRED"])
        }
    }

    @Test("a maker is shown the orders that left the book, with the reason; nobody else is")
    func unfillable() async throws {
        let fixture = try RelayFixtureV4()
        let stays = try await fixture.order()
        let part = try await fixture.order { $0.salt = 2 }
        let filled = try await fixture.order { $0.salt = 3 }
        let cancelled = try await fixture.order { $0.salt = 4 }
        let broke = try await fixture.order {
            $0.makerToken = RelayFixture.dai
            $0.salt = 5
        }
        let brief = try await fixture.order {
            $0.expiry = RelayFixture.startTime + 20
            $0.salt = 6
        }
        let theirs = try await fixture.order {
            $0.maker = fixture.other.address
            $0.salt = 3
        }
        try await fixture.add([stays, part, filled, cancelled, broke, brief, theirs])
        await fixture.server.watch()
        fixture.chain.set { state in
            state.block += 1
            state.unavailable[filled.hash.word] = 2000
            state.unavailable[theirs.hash.word] = 2000
            state.unavailable[part.hash.word] = 500
            state.cancelled.insert(cancelled.hash.word)
            state.balances[.init(owner: fixture.maker.address, token: RelayFixture.dai)] = 0
        }
        fixture.clock.advance(by: 20)
        #expect(await fixture.server.watch() == 5)
        let own = "maker=\(fixture.maker.address.lowercaseHex)"
        try await fixture.talk(.inProcess) { relay in
            let live = try await page(relay, own)
            #expect(live.hashes == [stays.hash, part.hash].sorted())
            let all = try await page(relay, "\(own)&unfillable=true")
            let expected = [
                stays.hash: "ADDED 2000", part.hash: "FILLED 1500", filled.hash: "FULLY_FILLED 0",
                cancelled.hash: "CANCELLED 0", broke.hash: "UNFUNDED 0", brief.hash: "EXPIRED 0",
            ]
            #expect(all.total == 6)
            #expect(all.hashes == expected.keys.sorted())
            for (index, hash) in all.hashes.enumerated() {
                #expect("\(all.states[index]) \(all.remaining[index])" == expected[hash])
            }
            let second = try await page(relay, "\(own)&unfillable=true&perPage=4&page=2")
            #expect(second.hashes == Array(all.hashes.dropFirst(4)))
            let dai = try await page(
                relay,
                "\(own)&unfillable=true&makerToken=\(RelayFixture.dai.lowercaseHex)"
            )
            #expect(dai.states == ["UNFUNDED"])
        }
        // With funds again it can be posted again, and is unfillable no longer.
        fixture.chain.fund(fixture.maker.address, RelayFixture.dai, 1 << 100)
        #expect(try await fixture.market.intake.post(broke))
        try await fixture.talk(.inProcess) { relay in
            let all = try await page(relay, "\(own)&unfillable=true")
            #expect(all.total == 6)
            #expect(all.states.filter { $0 == "UNFUNDED" }.isEmpty)
        }
    }

    @Test("what can be filled follows the maker's funds and fills, block by block")
    func remaining() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.add([order])
        func shown() async throws -> String {
            let found = Shown()
            try await fixture.talk(.inProcess) { relay in
                let all = try await page(relay, "")
                await found.set("\(all.states) \(all.remaining)")
            }
            return await found.text
        }
        #expect(try await shown() == #"["ADDED"] ["2000"]"#)
        fixture.chain.set { state in
            state.block += 1
            state.unavailable[order.hash.word] = 600
        }
        #expect(try await shown() == #"["ADDED"] ["2000"]"#)
        await fixture.server.watch()
        #expect(try await shown() == #"["FILLED"] ["1400"]"#)
        fixture.chain.set { state in
            state.block += 1
            state.balances[.init(owner: fixture.maker.address, token: RelayFixture.zrx)] = 100
        }
        await fixture.server.watch()
        #expect(try await shown() == #"["FILLED"] ["200"]"#)
    }

    private actor Shown {
        private(set) var text = ""

        func set(_ text: String) { self.text = text }
    }
}
