import DexRelay
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

/// POST /order and POST /fees.
@Suite struct PostingTests {
    @Test(
        "a good order is taken with 201, shown, and taken again without a change",
        arguments: Wire.allCases
    )
    func good(wire: Wire) async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.talk(wire) { relay in
            for _ in 0..<2 {
                let answer = try await relay.post("/v0/order", fixture.json(order))
                #expect(answer.status == 201)
                #expect(answer.body.isEmpty)
            }
            let shown = try await relay.get("/v0/orders")
            #expect(try hashes(shown.json) == [order.hash])
            let stored = try await fixture.store.open(.v1)
            #expect(stored == [order.hash])
        }
    }

    @Test(
        "a member that is absent or wrong is named with its code",
        arguments: [
            ("maker", nil, "maker 1000"), ("salt", nil, "salt 1000"),
            ("ecSignature", nil, "ecSignature 1000"),
            ("makerTokenAddress", nil, "makerTokenAddress 1000"),
            ("maker", "0x12", "maker 1002"), ("taker", "", "taker 1002"),
            ("maker", 5, "maker 1002"), ("feeRecipient", .null, "feeRecipient 1002"),
            ("makerTokenAmount", 1000, "makerTokenAmount 1001"),
            ("makerTokenAmount", "1e3", "makerTokenAmount 1001"),
            ("makerTokenAmount", "-1", "makerTokenAmount 1001"),
            ("makerTokenAmount", "", "makerTokenAmount 1001"),
            ("makerTokenAmount", "1000.5", "makerTokenAmount 1001"),
            ("makerTokenAmount", "1000.", "makerTokenAmount 1001"),
            ("makerTokenAmount", "٣", "makerTokenAmount 1001"),
            (
                "salt", .string("1" + String(repeating: "0", count: 78)), "salt 1004"
            ),
            ("salt", .string(String(repeating: "1", count: 500)), "salt 1001"),
            ("ecSignature", "0x", "ecSignature 1001"),
            (
                "ecSignature", ["v": 29, "r": 1],
                "ecSignature.v 1005,ecSignature.r 1001,ecSignature.s 1000"
            ),
            (
                "ecSignature", ["v": "27"],
                "ecSignature.v 1001,ecSignature.r 1000,ecSignature.s 1000"
            ),
        ] as [(String, JSONValue?, String)]
    )
    func schema(member: String, value: JSONValue?, faults: String) async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            let body = fixture.json(order) { $0[member] = value }
            let answer = try await relay.post("/v0/order", body)
            #expect(answer.status == 400)
            #expect(try answer.code == "100")
            #expect(try answer.faults == faults.split(separator: ",").map(String.init))
        }
    }

    @Test("the same number with a fraction of zeros is the same order")
    func zeroFraction() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            let body = fixture.json(order) { $0["makerTokenAmount"] = "1000.00" }
            let answer = try await relay.post("/v0/order", body)
            #expect(answer.status == 201)
            let shown = try await relay.get("/v0/order/\(order.hash.hex)")
            #expect(shown.body == fixture.json(order))
        }
    }

    /// Terms that the relay refuses, with the fields that it names.
    enum BadTerms: String, CaseIterable {
        case exchange, makerToken, takerToken, pair, zeroMakerAmount, zeroTakerAmount, expired
        case recipient, makerFee, takerFee, zeroMaker, tooSmall, tooLarge

        func apply(_ draft: inout OrderDraft) {
            let stranger = Address(truncating: UInt256(0x99).word)
            switch self {
            case .exchange: draft.exchange = stranger
            case .makerToken: draft.makerToken = stranger
            case .takerToken: draft.takerToken = stranger
            case .pair: draft.takerToken = RelayFixture.dai
            case .zeroMakerAmount: draft.makerAmount = 0
            case .zeroTakerAmount: draft.takerAmount = 0
            case .expired: draft.expiry = UInt256(RelayFixture.startTime)
            case .recipient: draft.fees.recipient = stranger
            case .makerFee: draft.fees.makerFee = 2
            case .takerFee: draft.fees.takerFee = 4
            case .zeroMaker: draft.maker = .zero
            case .tooSmall: draft.makerAmount = 9
            case .tooLarge: draft.takerAmount = 1_000_001
            }
        }

        var faults: [String] {
            switch self {
            case .exchange: ["exchangeContractAddress 1003"]
            case .makerToken: ["makerTokenAddress 1003"]
            case .takerToken, .pair: ["takerTokenAddress 1003"]
            case .zeroMakerAmount, .tooSmall: ["makerTokenAmount 1004"]
            case .zeroTakerAmount, .tooLarge: ["takerTokenAmount 1004"]
            case .expired: ["expirationUnixTimestampSec 1004"]
            case .recipient: ["feeRecipient 1003"]
            case .makerFee: ["makerFee 1004"]
            case .takerFee: ["takerFee 1004"]
            case .zeroMaker: ["maker 1002"]
            }
        }
    }

    private func paidFixture() throws -> RelayFixture {
        let pair = RelayTokenPair(
            tokenA: .init(token: RelayFixture.zrx, minimum: 10, maximum: nil, precision: nil),
            tokenB: .init(
                token: RelayFixture.weth,
                minimum: nil,
                maximum: 1_000_000,
                precision: nil
            )
        )
        return try RelayFixture {
            $0.pairs = [pair, RelayFixture.pair(RelayFixture.dai, RelayFixture.weth)]
            $0.fees = FeeSchedule(
                recipient: RelayFixture.feeRecipient,
                rules: [
                    PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx):
                        FeeSchedule.Rule(makerFee: 1, takerFee: 3)
                ]
            )
        }
    }

    @Test("terms that the relay does not carry are refused by field", arguments: BadTerms.allCases)
    func terms(bad: BadTerms) async throws {
        let fixture = try paidFixture()
        let fees = OrderFees(recipient: RelayFixture.feeRecipient, makerFee: 1, takerFee: 3)
        let good = try await fixture.order { $0.fees = fees }
        let order = try await fixture.order {
            $0.fees = fees
            bad.apply(&$0)
        }
        try await fixture.talk(.inProcess) { relay in
            let refused = try await relay.post("/v0/order", fixture.json(order))
            #expect(refused.status == 400)
            #expect(try refused.faults == bad.faults)
            let taken = try await relay.post("/v0/order", fixture.json(good))
            #expect(taken.status == 201)
        }
    }

    @Test(
        "the fees that are asked for are those that POST /fees answered",
        arguments: Wire.allCases
    )
    func fees(wire: Wire) async throws {
        let fixture = try paidFixture()
        try await fixture.talk(wire) { relay in
            let draft = fixture.draft()
            let answer = try await relay.post("/v0/fees", ZeroExV1().encodeDraft(draft).utf8)
            #expect(answer.status == 200)
            let expected: JSONValue = [
                "feeRecipient": .string(RelayFixture.feeRecipient.lowercaseHex), "makerFee": "1",
                "takerFee": "3",
            ]
            #expect(try answer.json == expected)
            let free = try await relay.post(
                "/v0/fees",
                ZeroExV1().encodeDraft(fixture.draft { $0.makerToken = RelayFixture.dai }).utf8
            )
            let none: JSONValue = [
                "feeRecipient": .string(Address.zero.lowercaseHex), "makerFee": "0",
                "takerFee": "0",
            ]
            #expect(try free.json == none)
            let empty = try await relay.post("/v0/fees", Array("{}".utf8))
            #expect(empty.status == 400)
            #expect(
                try empty.faults == [
                    "exchangeContractAddress 1000", "maker 1000", "taker 1000",
                    "makerTokenAddress 1000", "takerTokenAddress 1000",
                    "expirationUnixTimestampSec 1000", "salt 1000",
                ]
            )
            let foreign = try await relay.post(
                "/v0/fees",
                ZeroExV1().encodeDraft(
                    fixture.draft {
                        $0.exchange = RelayFixture.proxy
                        $0.makerToken = RelayFixture.proxy
                    }
                ).utf8
            )
            #expect(
                try foreign.faults == ["exchangeContractAddress 1003", "makerTokenAddress 1003"]
            )
        }
    }

    @Test("fees that nobody would get are refused, since whoever reads the order counts on them")
    func unpaidFees() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order {
            $0.fees = OrderFees(recipient: .zero, makerFee: 1, takerFee: 2)
        }
        let half = try await fixture.order {
            $0.fees = OrderFees(recipient: .zero, makerFee: 0, takerFee: 2)
        }
        try await fixture.talk(.inProcess) { relay in
            let refused = try await relay.post("/v0/order", fixture.json(order))
            #expect(refused.status == 400)
            #expect(try refused.faults == ["makerFee 1004", "takerFee 1004"])
            let other = try await relay.post("/v0/order", fixture.json(half))
            #expect(try other.faults == ["takerFee 1004"])
        }
    }

    @Test("a signature of somebody else, or over other terms, is refused with 1005")
    func signatures() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let draft = fixture.draft()
        let forged = try await ZeroExV1().sign(draft, with: fixture.other)
        try await fixture.talk(.inProcess) { relay in
            for body in [
                fixture.json(order) { $0["salt"] = "2" },
                fixture.json(order) { $0["maker"] = .string(fixture.other.address.lowercaseHex) },
                fixture.json(order) {
                    $0["ecSignature"] = [
                        "v": 27, "r": .string(Bytes32.zero.hex), "s": .string(Bytes32.zero.hex),
                    ]
                },
                fixture.json(forged) { $0["maker"] = .string(draft.maker.lowercaseHex) },
            ] {
                let answer = try await relay.post("/v0/order", body)
                #expect(answer.status == 400)
                #expect(try answer.faults == ["ecSignature 1005"])
            }
            #expect(fixture.chain.batches.isEmpty)
        }
    }

    @Test("a maker who cannot pay, or an order that is used up, is refused by what the chain says")
    func funding() async throws {
        let fixture = try RelayFixture {
            $0.fees = FeeSchedule(
                recipient: RelayFixture.feeRecipient,
                rules: [
                    PairDirection(makerToken: RelayFixture.dai, takerToken: RelayFixture.weth):
                        FeeSchedule.Rule(makerFee: 50, takerFee: 0),
                    PairDirection(makerToken: RelayFixture.zrx, takerToken: RelayFixture.weth):
                        FeeSchedule.Rule(makerFee: 50, takerFee: 0),
                ]
            )
        }
        let fees = OrderFees(recipient: RelayFixture.feeRecipient, makerFee: 50, takerFee: 0)
        let maker = fixture.maker.address
        let inDAI = try await fixture.order {
            $0.makerToken = RelayFixture.dai
            $0.fees = fees
        }
        let inZRX = try await fixture.order { $0.fees = fees }
        try await fixture.talk(.inProcess) { relay in
            func faults(_ order: any SignedOrder) async throws -> [String] {
                try await relay.post("/v0/order", fixture.json(order)).faults
            }
            fixture.chain.fund(maker, RelayFixture.dai, 999)
            #expect(try await faults(inDAI) == ["makerTokenAmount 1004"])
            fixture.chain.fund(maker, RelayFixture.dai, 1000)
            fixture.chain.set {
                $0.allowances[.init(owner: maker, token: RelayFixture.dai)] = 999
            }
            #expect(try await faults(inDAI) == ["makerTokenAmount 1004"])
            fixture.chain.fund(maker, RelayFixture.dai, 1000)
            fixture.chain.fund(maker, RelayFixture.zrx, 49)
            #expect(try await faults(inDAI) == ["makerFee 1004"])
            // Where the fee token is the maker token both come out of one balance.
            fixture.chain.fund(maker, RelayFixture.zrx, 1049)
            #expect(try await faults(inZRX) == ["makerTokenAmount 1004"])
            fixture.chain.fund(maker, RelayFixture.zrx, 1050)
            fixture.chain.set { $0.unavailable[inZRX.hash.word] = 2000 }
            #expect(try await faults(inZRX) == ["takerTokenAmount 1004"])
            // Half filled: half of the funds suffice.
            fixture.chain.set { $0.unavailable[inZRX.hash.word] = 1000 }
            fixture.chain.fund(maker, RelayFixture.zrx, 525)
            let taken = try await relay.post("/v0/order", fixture.json(inZRX))
            #expect(taken.status == 201)
            let shown = try await relay.get("/v0/orders")
            #expect(try hashes(shown.json) == [inZRX.hash])
        }
    }

    @Test("an order that has expired at the time of the latest block never comes into the book")
    func expiredOnChain() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        // The node's clock is ahead of the relay's.
        fixture.chain.set { $0.time = RelayFixture.startTime + 3600 }
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post("/v0/order", fixture.json(order))
            #expect(try answer.faults == ["expirationUnixTimestampSec 1004"])
            let time = RelayFixture.startTime + 3600
            #expect(answer.text.contains("latest block, whose time is \(time)"))
            #expect(try await relay.get("/v0/orders").json.arrayValue?.isEmpty == true)
            fixture.chain.set { $0.time = RelayFixture.startTime + 3599 }
            #expect(try await relay.post("/v0/order", fixture.json(order)).status == 201)
        }
    }

    @Test("a known order is accepted again after fees and bounds have changed, a new one is not")
    func knownAfterNewFees() async throws {
        let fixture = try RelayFixture()
        let (known, new) = (try await fixture.order(), try await fixture.order { $0.salt = 2 })
        try await fixture.add([known])
        var configuration = fixture.live.current
        configuration.fees = FeeSchedule(
            recipient: RelayFixture.feeRecipient,
            standard: FeeSchedule.Rule(makerFee: 50, takerFee: 0)
        )
        configuration.limits.minimumAmounts[RelayFixture.zrx] = 5_000
        configuration.maximumOrdersOfMaker = 1
        fixture.live.replace(with: configuration)
        try await fixture.talk(.inProcess) { relay in
            #expect(try await relay.post("/v0/order", fixture.json(known)).status == 201)
            #expect(try await relay.post("/v0/order", fixture.json(new)).status == 400)
            let forged = fixture.json(known) {
                $0["ecSignature"] = [
                    "v": 27, "r": .string(Bytes32.zero.hex), "s": .string(Bytes32.zero.hex),
                ]
            }
            #expect(try await relay.post("/v0/order", forged).faults == ["ecSignature 1005"])
            // Once it is too late for it, it is refused like any.
            fixture.clock.advance(by: 3_600)
            let late = try await relay.post("/v0/order", fixture.json(known))
            #expect(try late.faults.contains("expirationUnixTimestampSec 1004"))
        }
    }

    @Test("addresses in one letter case or with a checksum are taken, and the refusal says so")
    func letterCase() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let maker = order.maker
        try await fixture.talk(.inProcess) { relay in
            let upper = "0x" + maker.lowercaseHex.dropFirst(2).uppercased()
            for text in [maker.lowercaseHex, maker.checksummed, upper] {
                let body = fixture.json(order) { $0["maker"] = .string(text) }
                #expect(try await relay.post("/v0/order", body).status == 201, "\(text)")
                #expect(try await relay.get("/v0/orders?maker=\(text)").status == 200)
            }
            let mixed = String(
                maker.checksummed.map { character in
                    character.isUppercase
                        ? Character(character.lowercased())
                        : character.isLowercase && character != "x"
                            ? Character(character.uppercased()) : character
                }
            )
            let body = fixture.json(order) { $0["maker"] = .string(mixed) }
            let refused = try await relay.post("/v0/order", body)
            #expect(try refused.faults == ["maker 1002"])
            #expect(refused.text.contains("one case or with the checksum of EIP-55"))
            let query = try await relay.get("/v0/orders?maker=\(mixed)")
            #expect(query.text.contains("one case or with the checksum of EIP-55"))
        }
    }

    @Test("without its node the relay takes nothing and says so with 503")
    func noChain() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        fixture.chain.set { $0.failure = .unreachable(url: "http://node", reason: "down") }
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post("/v0/order", fixture.json(order))
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "2")
            let reason = try answer.json["reason"]?.stringValue ?? ""
            #expect(reason.contains("cannot reach its node"))
            let orders = try await relay.get("/v0/orders")
            #expect(orders.body == Array("[]".utf8))
        }
    }

    @Test("a closed relay answers 102, a full one and a maker with too many orders 103")
    func limits() async throws {
        let closed = try RelayFixture { $0.acceptsOrders = false }
        let full = try RelayFixture { $0.maximumOrders = 1 }
        let few = try RelayFixture { $0.maximumOrdersOfMaker = 1 }
        let first = try await full.order()
        let second = try await full.order { $0.salt = 2 }
        let theirs = try await full.order { $0.maker = full.other.address }
        try await closed.talk(.inProcess) { relay in
            let answer = try await relay.post("/v0/order", closed.json(first))
            #expect(answer.status == 400)
            #expect(try answer.code == "102")
        }
        for fixture in [full, few] {
            try await fixture.talk(.inProcess) { relay in
                let taken = try await relay.post("/v0/order", fixture.json(first))
                #expect(taken.status == 201)
                let refused = try await relay.post("/v0/order", fixture.json(second))
                #expect(refused.status == 429)
                #expect(try refused.code == "103")
            }
        }
        try await few.talk(.inProcess) { relay in
            let taken = try await relay.post("/v0/order", few.json(theirs))
            #expect(taken.status == 201)
        }
    }

    @Test(
        "a body that is no JSON is 101, too deep 101, too large 413, none of them a trap",
        arguments: Wire.allCases
    )
    func hostileBodies(wire: Wire) async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.talk(wire) { relay in
            for path in ["/v0/order", "/v0/fees"] {
                for text in [
                    "", "{", "<html>", "[1,", "\u{1}", "{\"maker\":\"a\",\"maker\":\"b\"}",
                    String(repeating: "[", count: 9_000), "{\"a\":\"\\ud800\"}",
                ] {
                    let answer = try await relay.post(path, Array(text.utf8))
                    #expect(answer.status == 400, "\(text.prefix(20))")
                    #expect(try answer.code == "101", "\(text.prefix(20))")
                }
                for text in ["null", "[]", "1", "\"order\"", "{}"] {
                    let answer = try await relay.post(path, Array(text.utf8))
                    #expect(answer.status == 400)
                    #expect(try answer.code == "100")
                }
                let large = fixture.json(order) {
                    $0["padding"] = .string(String(repeating: "x", count: 17_000))
                }
                let answer = try await relay.post(path, large)
                #expect(answer.status == 413)
            }
        }
    }

    @Test("every truncation of an order is refused, never trapped on")
    func truncations() async throws {
        let fixture = try RelayFixture()
        let body = fixture.json(try await fixture.order())
        try await fixture.talk(.inProcess) { relay in
            for length in stride(from: 0, to: body.count, by: 7) {
                let answer = try await relay.post("/v0/order", Array(body.prefix(length)))
                #expect(answer.status == 400)
                #expect(try answer.code == "101")
            }
        }
    }
}
