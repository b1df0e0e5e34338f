import DexRelay
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

/// POST requests of API v4.
@Suite struct PostingV4Tests {
    @Test("good orders of both kinds of signature are taken with 200 and an empty body")
    func good() async throws {
        let fixture = try RelayFixtureV4()
        let orders = [
            try await fixture.order(kind: .ethSign),
            try await fixture.order(kind: .eip712) { $0.salt = 2 },
        ]
        for wire in Wire.allCases {
            try await fixture.talk(wire) { relay in
                for order in orders {
                    let answer = try await relay.post("/sra/v4/order", fixture.json(order))
                    #expect(answer.status == 200)
                    #expect(answer.body.isEmpty)
                }
                let shown = try PageV4(try await relay.get("/orderbook/v1/orders").json)
                #expect(shown.hashes == orders.map(\.hash).sorted())
            }
        }
        let stored = try await fixture.store.open(.v4)
        #expect(stored == orders.map(\.hash))
        #expect(try await fixture.store.open(.v1).isEmpty)
    }

    @Test("what may be left out is zero")
    func optional() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        let body = fixture.json(order) { object in
            for name in ["taker", "sender", "feeRecipient", "pool", "takerTokenFeeAmount"] {
                object[name] = nil
            }
        }
        try await fixture.talk(.inProcess) { relay in
            #expect(try await relay.post("/sra/v4/order", body).status == 200)
            let shown = try await relay.get("/sra/v4/order/\(order.hash.hex)")
            #expect(try shown.json["order"] == order.json)
        }
    }

    @Test(
        "a member that is absent or wrong is named with its code",
        arguments: [
            ("maker", nil, "maker 1000"), ("makerToken", nil, "makerToken 1000"),
            ("takerToken", nil, "takerToken 1000"), ("makerAmount", nil, "makerAmount 1000"),
            ("takerAmount", nil, "takerAmount 1000"), ("expiry", nil, "expiry 1000"),
            ("salt", nil, "salt 1000"), ("chainId", nil, "chainId 1000"),
            ("verifyingContract", nil, "verifyingContract 1000"),
            ("signature", nil, "signature 1000"), ("maker", "0x12", "maker 1001"),
            ("taker", "", "taker 1001"), ("feeRecipient", .null, "feeRecipient 1001"),
            ("pool", "0x5", "pool 1001"), ("makerAmount", 1000, "makerAmount 1001"),
            ("makerAmount", "1e3", "makerAmount 1001"), ("takerAmount", "", "takerAmount 1001"),
            ("takerAmount", "1.0", "takerAmount 1001"), ("expiry", "-1", "expiry 1001"),
            ("expiry", "18446744073709551616", "expiry 1004"),
            ("makerAmount", "340282366920938463463374607431768211456", "makerAmount 1004"),
            ("salt", .string("1" + String(repeating: "0", count: 78)), "salt 1004"),
            ("chainId", "137", "chainId 1001"), ("chainId", .number("1.5"), "chainId 1001"),
            ("signature", "0x", "signature 1001"),
            (
                "sender", .string(RelayFixture.zrx.lowercaseHex), "sender 1003"
            ),
            (
                "signature", ["signatureType": 4, "v": 29, "r": 1],
                "signature.signatureType 1004,signature.v 1004,signature.r 1001,signature.s 1000"
            ),
            (
                "signature", ["signatureType": "2", "v": 27],
                "signature.signatureType 1001,signature.r 1000,signature.s 1000"
            ),
        ] as [(String, JSONValue?, String)]
    )
    func schema(member: String, value: JSONValue?, faults: String) async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            let body = fixture.json(order) { $0[member] = value }
            let answer = try await relay.post("/sra/v4/order", body)
            #expect(answer.status == 400)
            #expect(try answer.code == "100")
            #expect(try answer.faults == faults.split(separator: ",").map(String.init))
            let shown = try PageV4(try await relay.get("/sra/v4/orders").json)
            #expect(shown.total == 0)
        }
    }

    /// Terms that the relay refuses, with the field that it names.
    enum BadTerms: String, CaseIterable {
        case exchange, chain, makerToken, takerToken, pair, zeroMakerAmount, zeroTakerAmount, late
        case expired, recipient, fee, zeroMaker, sender, unfunded

        var fault: String {
            switch self {
            case .exchange: "verifyingContract 1003"
            case .chain: "chainId 1004"
            case .makerToken: "makerToken 1004"
            case .takerToken, .pair: "takerToken 1004"
            case .zeroMakerAmount: "makerAmount 1004"
            case .zeroTakerAmount: "takerAmount 1004"
            case .late, .expired: "expiry 1004"
            case .recipient: "feeRecipient 1003"
            case .fee: "takerTokenFeeAmount 1004"
            case .zeroMaker: "maker 1003"
            case .sender: "sender 1003"
            case .unfunded: "makerAmount 1007"
            }
        }

        var domain: ExchangeDomainV4 {
            let domain = RelayFixtureV4.domain
            return switch self {
            case .exchange:
                ExchangeDomainV4(chainID: domain.chainID, exchange: RelayFixture.exchange)
            case .chain: ExchangeDomainV4(chainID: 1, exchange: domain.exchange)
            default: domain
            }
        }

        func apply(_ terms: inout LimitOrderV4) {
            let stranger = Address(truncating: UInt256(0x99).word)
            switch self {
            case .exchange, .chain: break
            case .makerToken: terms.makerToken = stranger
            case .takerToken: terms.takerToken = stranger
            case .pair: terms.takerToken = RelayFixture.dai
            case .zeroMakerAmount: terms.makerAmount = 0
            case .zeroTakerAmount: terms.takerAmount = 0
            case .late: terms.expiry = RelayFixture.startTime + 9
            case .expired: terms.expiry = 1
            case .recipient: terms.feeRecipient = stranger
            case .fee: terms.takerTokenFeeAmount = 4
            case .zeroMaker: terms.maker = .zero
            case .sender: terms.sender = stranger
            case .unfunded: terms.makerAmount = 1 << 101
            }
        }
    }

    private func paidFixture() throws -> RelayFixtureV4 {
        try RelayFixtureV4 {
            $0.fees = FeeSchedule(
                recipient: RelayFixture.feeRecipient,
                rules: [
                    PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx):
                        FeeSchedule.Rule(makerFee: 0, takerFee: 3)
                ]
            )
        }
    }

    @Test("terms that the relay does not carry are refused by field", arguments: BadTerms.allCases)
    func terms(bad: BadTerms) async throws {
        let fixture = try paidFixture()
        func order(_ change: (inout LimitOrderV4) -> Void) async throws -> SignedOrderV4 {
            try await fixture.order(in: bad.domain) {
                $0.feeRecipient = RelayFixture.feeRecipient
                $0.takerTokenFeeAmount = 3
                change(&$0)
            }
        }
        let refused = try await order(bad.apply)
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post("/sra/v4/order", fixture.json(refused))
            #expect(answer.status == 400)
            #expect(try answer.faults == [bad.fault])
        }
        let good = try await fixture.order {
            $0.feeRecipient = RelayFixture.feeRecipient
            $0.takerTokenFeeAmount = 3
            // The least life that is enough.
            $0.expiry = RelayFixture.startTime + 10
        }
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post("/sra/v4/order", fixture.json(good))
            #expect(answer.status == 200)
        }
    }

    @Test("what the relay wants of an order is what POST /order_config and /fee_recipients say")
    func config() async throws {
        let fixture = try paidFixture()
        let terms = fixture.terms()
        try await fixture.talk(.inProcess) { relay in
            let body = terms.configRequest(in: RelayFixtureV4.domain)
            let answer = try await relay.post("/sra/v4/order_config", body.utf8)
            #expect(answer.status == 200)
            let wanted = OrderConfigV4(
                sender: .zero,
                feeRecipient: RelayFixture.feeRecipient,
                takerTokenFeeAmount: 3
            )
            #expect(try answer.json == wanted.json)
            let recipients = try await relay.get("/orderbook/v1/fee_recipients?perPage=1")
            let expected: JSONValue = [
                "total": 1, "page": 1, "perPage": 1,
                "records": [.string(RelayFixture.feeRecipient.lowercaseHex)],
            ]
            #expect(try recipients.json == expected)
            let behind = try await relay.get("/sra/v4/fee_recipients?page=2&perPage=1")
            #expect(try behind.json["records"] == [])
            let free = fixture.terms { $0.makerToken = RelayFixture.dai }
            let none = try await relay.post(
                "/sra/v4/order_config",
                free.configRequest(in: RelayFixtureV4.domain).utf8
            )
            #expect(try OrderConfigV4(json: none.json).feeRecipient == .zero)
            let empty = try await relay.post("/sra/v4/order_config", Array("{}".utf8))
            #expect(
                try empty.faults == [
                    "maker 1000", "makerToken 1000", "takerToken 1000", "verifyingContract 1000",
                    "makerAmount 1000", "takerAmount 1000", "expiry 1000", "taker 1000",
                ]
            )
            let foreign = fixture.terms { $0.makerToken = RelayFixture.exchange }
            let domain = ExchangeDomainV4(chainID: 137, exchange: RelayFixture.proxy)
            let refused = try await relay.post(
                "/sra/v4/order_config",
                foreign.configRequest(in: domain).utf8
            )
            #expect(try refused.faults == ["verifyingContract 1003", "makerToken 1004"])
        }
    }

    @Test("a signature of somebody else, over other terms or with a high s is refused")
    func signatures() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        let forged = try await SignedOrderV4.sign(
            fixture.terms(),
            in: RelayFixtureV4.domain,
            kind: .ethSign,
            with: fixture.other
        )
        let curveOrder = UInt256(
            decimal:
                "115792089237316195423570985008687907852837564279074904382605163141518161494337"
        )
        let high = try #require(curveOrder).subtractingReportingOverflow(UInt256(order.signature.s))
        @Sendable func signature(
            _ object: inout JSONObject,
            _ change: (inout JSONObject) -> Void
        ) {
            var signature = object["signature"]?.objectValue ?? JSONObject()
            change(&signature)
            object["signature"] = .object(signature)
        }
        try await fixture.talk(.inProcess) { relay in
            for body in [
                fixture.json(forged), fixture.json(order) { $0["salt"] = "2" },
                fixture.json(order) { object in
                    signature(&object) { $0["signatureType"] = 2 }
                },
                fixture.json(order) { object in
                    signature(&object) {
                        $0["s"] = .string(high.partialValue.word.hex)
                        $0["v"] = .integer(order.signature.v == 27 ? 28 : 27)
                    }
                },
            ] {
                let answer = try await relay.post("/sra/v4/order", body)
                #expect(answer.status == 400)
                #expect(try answer.faults == ["signature 1005"])
            }
        }
    }

    @Test("a maker token whose calls fail, and an expiry that the chain has passed, are named")
    func chainReasons() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            fixture.chain.set { $0.failing = [RelayFixture.zrx] }
            let failing = try await relay.post("/sra/v4/order", fixture.json(order))
            #expect(try failing.faults == ["makerToken 1007"])
            #expect(failing.text.contains("Calls to the maker token fail"))
            fixture.chain.set {
                $0.failing = []
                $0.time = RelayFixture.startTime + 3600
            }
            let late = try await relay.post("/sra/v4/order", fixture.json(order))
            #expect(try late.faults == ["expiry 1004"])
            #expect(late.text.contains("latest block"))
            fixture.chain.set { $0.time = 0 }
            #expect(try await relay.post("/sra/v4/order", fixture.json(order)).status == 200)
        }
    }

    @Test("of many orders all are taken, or none where one is wrong")
    func many() async throws {
        let fixture = try RelayFixtureV4()
        var orders: [SignedOrderV4] = []
        for salt in 1...3 {
            orders.append(try await fixture.order { $0.salt = UInt256(UInt64(salt)) })
        }
        let bad = try await fixture.order { $0.expiry = RelayFixture.startTime }
        let broke = try await fixture.order { $0.makerAmount = 1 << 101 }
        let list = orders
        try await fixture.talk(.inProcess) { relay in
            func post(_ orders: [JSONValue]) async throws -> Answer {
                try await relay.post("/sra/v4/orders", JSONValue.array(orders).utf8)
            }
            let good = list.map(\.json)
            #expect(try await post(good + [bad.json]).faults == ["[3].expiry 1004"])
            #expect(try await post([broke.json] + good).faults == ["[0].makerAmount 1007"])
            #expect(
                try await post([good[0], [:]]).faults.first == "[1].maker 1000"
            )
            #expect(try await PageV4(relay.get("/sra/v4/orders").json).total == 0)
            #expect(try await post(good + [good[0]]).status == 200)
            #expect(try await post(good).status == 200)
            #expect(try await post([]).status == 200)
            #expect(try await PageV4(relay.get("/sra/v4/orders").json).total == 3)
            let many = [JSONValue](repeating: [:], count: 201)
            #expect(try await post(many).faults == ["orders 1004"])
            let one = try await relay.post("/sra/v4/orders", fixture.json(list[0]))
            #expect(one.status == 400)
            #expect(try one.json["reason"]?.stringValue == "The body is not a list of orders")
        }
    }

    @Test("a request to skip confirmation is answered with what became of the order all the same")
    func skipConfirmation() async throws {
        let fixture = try RelayFixtureV4()
        let bad = try await fixture.order { $0.expiry = 1 }
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post(
                "/sra/v4/order?skipConfirmation=true",
                fixture.json(bad)
            )
            #expect(try answer.faults == ["expiry 1004"])
        }
    }

    @Test("failures that are no order's fault have the status and words of API v4")
    func failures() async throws {
        let fixture = try RelayFixtureV4()
        let order = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            let persistent = try await relay.post("/sra/v4/order/persistent", fixture.json(order))
            #expect(persistent.status == 501)
            #expect(try persistent.json == ["reason": "Not Implemented"])
            let broken = try await relay.post("/orderbook/v1/order", Array("{".utf8))
            #expect(broken.status == 400)
            #expect(try broken.code == "101")
            let huge = [UInt8](repeating: 0x20, count: 600_000)
            #expect(try await relay.post("/sra/v4/orders", huge).status == 413)
            fixture.chain.set { $0.failure = .nonsense("down") }
            let blind = try await relay.post("/sra/v4/order", fixture.json(order))
            #expect(blind.status == 503)
            #expect(try blind.json["code"] == nil)
            #expect(try blind.json["reason"]?.stringValue?.contains("node") == true)
        }
        let closed = try RelayFixtureV4 { $0.acceptsOrders = false }
        try await closed.talk(.inProcess) { relay in
            let answer = try await relay.post("/sra/v4/order", closed.json(order))
            #expect(answer.status == 400)
            #expect(try answer.code == "102")
            let many = try await relay.post(
                "/sra/v4/orders",
                JSONValue.array([order.json]).utf8
            )
            #expect(try many.code == "102")
        }
        let small = try RelayFixtureV4 { $0.maximumOrdersOfMaker = 1 }
        let second = try await small.order { $0.salt = 2 }
        try await small.talk(.inProcess) { relay in
            #expect(try await relay.post("/sra/v4/order", small.json(order)).status == 200)
            let answer = try await relay.post("/sra/v4/order", small.json(second))
            #expect(answer.status == 429)
            #expect(try answer.json["code"] == nil)
        }
        let limited = try RelayFixtureV4 { $0.requestsPerHour = 1 }
        try await limited.talk(.inProcess) { relay in
            #expect(try await relay.get("/sra/v4/orders").status == 200)
            let answer = try await relay.get("/sra/v4/orders")
            #expect(answer.status == 429)
            #expect(try answer.json == ["reason": "Throttled"])
            #expect(answer.headers["x-ratelimit-remaining"] == "0")
            #expect(try await relay.get("/v0/orders").code == "103")
        }
    }
}
