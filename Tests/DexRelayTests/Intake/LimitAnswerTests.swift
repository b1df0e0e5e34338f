import Ethereum
import EthereumWallet
import HTTPTypes
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// What a client is told of each limit, in both APIs.
@Suite struct LimitAnswerTests {
    /// A limit and an order of each version that breaks it.
    enum Limit: String, CaseIterable {
        case tooLong, minimumGiven, minimumTaken, farFromMarket, beyondHoldings, rejected

        func set(_ configuration: inout RelayConfiguration) {
            switch self {
            case .tooLong: configuration.limits.longestLife = 3600
            case .minimumGiven: configuration.limits.minimumAmounts = [RelayFixture.zrx: 1001]
            case .minimumTaken: configuration.limits.minimumAmounts = [RelayFixture.weth: 2001]
            case .farFromMarket: configuration.limits.maximumBasisPointsFromBest = 1_250
            case .beyondHoldings: configuration.limits.maximumTimesOwned = 1
            case .rejected: break
            }
        }

        var policy: TestPolicy {
            TestPolicy { question in
                self == .rejected && question.entry.order.salt == 2
                    ? .reject(reason: "salt 2") : .accept
            }
        }

        var faultV0: String {
            switch self {
            case .tooLong: "expirationUnixTimestampSec 1004"
            case .minimumGiven, .beyondHoldings: "makerTokenAmount 1004"
            case .minimumTaken, .farFromMarket: "takerTokenAmount 1004"
            case .rejected: "order 1006"
            }
        }

        var faultV4: String {
            switch self {
            case .tooLong: "expiry 1004"
            case .minimumGiven: "makerAmount 1004"
            case .beyondHoldings: "makerAmount 1007"
            case .minimumTaken, .farFromMarket: "takerAmount 1004"
            case .rejected: "order 1007"
            }
        }

        var words: String {
            let latest = RelayFixture.startTime + 3600
            return switch self {
            case .tooLong: "Must be at most \(latest): orders may run for 3600 s here"
            case .minimumGiven: "Must be at least 1001"
            case .minimumTaken: "Must be at least 2001"
            case .farFromMarket:
                "The price is more than 12.5 % worse for a taker than the pair's best order; ask "
                    + "for less or give more"
            case .beyondHoldings:
                "The maker's open orders here would give 2002 of the maker token, more than 1 times "
                    + "the 2000 that it owns; cancel some or add funds first"
            case .rejected: "The relay's operator does not carry it: salt 2"
            }
        }
    }

    private func reason(_ answer: Answer) throws -> String? {
        try answer.json["validationErrors"]?.arrayValue?.first?["reason"]?.stringValue
    }

    @Test("each limit names its field and code in API v0", arguments: Limit.allCases)
    func v0(limit: Limit) async throws {
        let fixture = try RelayFixture(policy: limit.policy, configure: limit.set)
        fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 2000)
        let good = try await fixture.order {
            $0.makerAmount = 1001
            $0.takerAmount = 2002
        }
        let bad = try await fixture.order {
            $0.salt = 2
            switch limit {
            case .tooLong: $0.expiry += 1
            case .farFromMarket: $0.takerAmount = 2251
            case .beyondHoldings: $0.makerAmount = 1001
            default: break
            }
        }
        try await fixture.talk(.inProcess) { relay in
            #expect(try await relay.post("/v0/order", fixture.json(good)).status == 201)
            let answer = try await relay.post("/v0/order", fixture.json(bad))
            #expect(answer.status == 400)
            #expect(try answer.code == "100")
            #expect(try answer.faults == [limit.faultV0])
            #expect(try reason(answer) == limit.words)
        }
    }

    @Test("each limit names its field and code in API v4", arguments: Limit.allCases)
    func v4(limit: Limit) async throws {
        let fixture = try RelayFixtureV4(policy: limit.policy, configure: limit.set)
        fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 2000)
        let good = try await fixture.order {
            $0.makerAmount = 1001
            $0.takerAmount = 2002
        }
        let bad = try await fixture.order {
            $0.salt = 2
            switch limit {
            case .tooLong: $0.expiry += 1
            case .farFromMarket: $0.takerAmount = 2251
            case .beyondHoldings: $0.makerAmount = 1001
            default: break
            }
        }
        try await fixture.talk(.inProcess) { relay in
            #expect(try await relay.post("/sra/v4/order", fixture.json(good)).status == 200)
            let answer = try await relay.post("/sra/v4/order", fixture.json(bad))
            #expect(answer.status == 400)
            #expect(try answer.code == "100")
            #expect(try answer.faults == [limit.faultV4])
            #expect(try reason(answer) == limit.words)
            let list = [UInt8(ascii: "[")] + fixture.json(good) + [UInt8(ascii: ",")]
            let many = try await relay.post(
                "/sra/v4/orders",
                list + fixture.json(bad) + [UInt8(ascii: "]")]
            )
            #expect(try many.faults == ["[1].\(limit.faultV4)"])
        }
    }

    @Test("an address that posts too much is told when to come back, and reads go on")
    func tooManyPosts() async throws {
        func limit(_ configuration: inout RelayConfiguration) {
            configuration.limits.postsPerSecond = 1
            configuration.limits.postBurst = 3
        }
        let old = try RelayFixture(configure: limit)
        let order = try await old.order()
        try await old.talk(.inProcess) { relay in
            for _ in 0..<3 {
                #expect(try await relay.post("/v0/order", old.json(order)).status == 201)
            }
            let refused = try await relay.post("/v0/order", old.json(order))
            #expect(refused.status == 429)
            #expect(try refused.code == "103")
            #expect(refused.headers["retry-after"] == "1")
            #expect(try await relay.get("/v0/orders").status == 200)
            old.clock.advance(by: 1)
            #expect(try await relay.post("/v0/order", old.json(order)).status == 201)
        }
        let new = try RelayFixtureV4(configure: limit)
        let record = new.json(try await new.order())
        try await new.talk(.inProcess) { relay in
            let list = [UInt8(ascii: "[")] + record + [UInt8(ascii: ",")] + record
            let body = list + [UInt8(ascii: "]")]
            #expect(try await relay.post("/sra/v4/orders", body).status == 200)
            let refused = try await relay.post("/sra/v4/orders", body)
            #expect(refused.status == 429)
            #expect(try refused.code == nil)
            #expect(refused.headers["retry-after"] == "1")
            #expect(try await relay.post("/sra/v4/order", record).status == 200)
        }
    }

    @Test("a policy without a verdict, and a node that is away, are 503 with Retry-After")
    func unavailable() async throws {
        let policy = TestPolicy { _ throws(OrderPolicyError) in
            throw .unavailable(reason: "it ended")
        }
        let old = try RelayFixture(policy: policy)
        let order = try await old.order()
        try await old.talk(.inProcess) { relay in
            let answer = try await relay.post("/v0/order", old.json(order))
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "2")
            #expect(try answer.json["reason"]?.stringValue?.contains("policy") == true)
        }
        let new = try RelayFixtureV4(policy: policy)
        let record = try await new.order()
        try await new.talk(.inProcess) { relay in
            let answer = try await relay.post("/sra/v4/order", new.json(record))
            #expect(answer.status == 503)
            #expect(try answer.code == nil)
            #expect(answer.headers["retry-after"] == "2")
        }
    }

    @Test("every refusal has a name of its own for the metrics, and words")
    func names() {
        let shortage = OrderAudit.Shortage.balance(needed: 2, found: 1)
        let refusals: [OrderRefusal] = [
            .closed, .wrongExchange(expected: .zero), .wrongChain, .makerTokenNotCarried,
            .takerTokenNotCarried, .pairNotCarried, .zeroMakerAmount, .zeroTakerAmount,
            .makerAmountOutOfRange(minimum: 1, maximum: nil),
            .takerAmountOutOfRange(minimum: nil, maximum: 1), .expired(now: 1, shortestLife: 1),
            .tooLong(latest: 1, longestLife: 1), .farFromMarket(basisPoints: 5),
            .feeRecipient(expected: .zero), .makerFee(expected: 1), .takerFee(expected: 1),
            .zeroMaker, .badSignature, .usedUp, .shortage(shortage),
            .shortage(.allowance(needed: 2, found: 1)), .shortage(.feeBalance(needed: 2, found: 1)),
            .shortage(.feeAllowance(needed: 2, found: 1)),
            .beyondHoldings(times: 3, open: 4, owned: 1), .rejectedByPolicy(reason: "no"), .full,
            .tooManyOfMaker(limit: 1), .tooManyPosts(retryAfter: 3), .busy, .policyUnavailable,
            .chainUnavailable, .storeUnavailable, .storeUnsure,
        ]
        #expect(Set(refusals.map(\.name)).count == refusals.count)
        for refusal in refusals {
            #expect(refusal.name.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) })
            #expect(!refusal.words(feePath: "/fees", spender: "proxy").isEmpty)
            let (old, new) = (FaultV0(.init([refusal])), FaultV4(.init([refusal])))
            #expect(old.retryAfter == refusal.retryAfter && new.retryAfter == old.retryAfter)
            #expect((400...503).contains(old.status.code) && old.status == new.status)
            // A refusal of an order names a field, unless it is not about the order.
            #expect(old.fields.isEmpty == (old.status != .badRequest || refusal == .closed))
        }
    }
}
