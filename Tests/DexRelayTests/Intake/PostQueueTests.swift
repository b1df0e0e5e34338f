import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay

/// Posts of many clients on their way into the book.
@Suite struct PostQueueTests {
    @Test("the same order of 100 clients at once is one commit, and all are accepted")
    func same() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        let gate = Gate()
        fixture.chain.hold(at: gate)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await fixture.intake.post(order) }
            try await gate.waitForArrivals(1)
            for _ in 1..<100 { group.addTask { try await fixture.intake.post(order) } }
            try await fixture.waitForWaiting(99)
            gate.open()
            var new = 0
            for try await isNew in group where isNew { new += 1 }
            #expect(new == 1)
        }
        #expect(fixture.store.commits.count == 1)
        #expect(fixture.store.commits[0].added.map(\.hash) == [order.hash])
        #expect(fixture.chain.reads.count == 2)
        #expect(fixture.intake.statistics.posts == ["added": 1, "known": 99])
        #expect(fixture.intake.statistics.times.count == 100)
    }

    @Test("many posts are one read of the chain and one commit, each with its own verdict")
    func joined() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(60)
        let poor = fixture.base.other.address
        fixture.base.chain.fund(poor, RelayFixture.zrx, 999)
        let unfunded = try await fixture.base.order { $0.maker = poor }
        let used = orders[59]
        fixture.base.chain.set { $0.unavailable[used.hash.word] = 2000 }
        let gate = Gate()
        fixture.store.hold(at: gate)
        let first = Task { await fixture.reasons(orders[0]) }
        try await gate.waitForArrivals(1)
        // While the first batch is under way, all others gather for the second.
        async let poorReasons = fixture.reasons(unfunded)
        async let usedReasons = fixture.reasons(used)
        try await withThrowingTaskGroup(of: [OrderRefusal].self) { group in
            defer { gate.open() }
            for order in orders[1..<59] { group.addTask { await fixture.reasons(order) } }
            try await fixture.waitForWaiting(60)
            gate.open()
            for try await reasons in group { #expect(reasons.isEmpty) }
        }
        #expect(await first.value.isEmpty)
        #expect(
            await poorReasons == [.shortage(.balance(needed: 1000, found: 999))]
        )
        #expect(await usedReasons == [.usedUp])
        #expect(fixture.chain.reads.count == 2)
        #expect(fixture.store.commits.map(\.added.count) == [1, 58])
        #expect(fixture.book.read { $0.count } == 59)
    }

    @Test("an answer comes only after the commit is on disk, and then the book has the order")
    func durable() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        let gate = Gate()
        fixture.store.hold(at: gate)
        let isAnswered = Mutex(false)
        async let isNew = {
            let isNew = try await fixture.intake.post(order)
            isAnswered.withLock { $0 = true }
            return isNew
        }()
        try await gate.waitForArrivals(1)
        #expect(fixture.state(order) == nil)
        #expect(!isAnswered.withLock { $0 })
        gate.open()
        #expect(try await isNew)
        #expect(fixture.state(order) == .shown)
    }

    @Test("a store that fails refuses the batch and nothing else; the next post is accepted")
    func storeFails() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        fixture.store.fail(with: .unavailable(reason: "disk full"))
        #expect(await fixture.reasons(order) == [.storeUnavailable])
        #expect(fixture.state(order) == nil)
        fixture.store.fail(with: nil)
        #expect(await fixture.reasons(order) == [])
        #expect(fixture.state(order) == .shown)
    }

    @Test("a commit that may have happened is told as such, and posting again settles it")
    func storeUnsure() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        fixture.store.fail(with: .unknown(reason: "the connection broke"), after: true)
        #expect(await fixture.reasons(order) == [.storeUnsure])
        fixture.store.fail(with: nil)
        #expect(await fixture.reasons(order) == [])
        let rows = Collected<OrderHash>()
        _ = try await fixture.store.load(goneSince: 0) { rows.append($0.hash) }
        #expect(rows.values == [order.hash])
    }

    @Test("a node that stalls refuses what waits when its time is over, then work goes on")
    func chainStalls() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        fixture.base.chain.set { $0.failure = .unreachable(url: "", reason: "down") }
        #expect(await fixture.reasons(orders[0]) == [.chainUnavailable])
        fixture.base.chain.set { $0.failure = nil }
        let gate = Gate()
        fixture.chain.hold(at: gate)
        async let stalled = fixture.reasons(orders[1])
        try await gate.waitForArrivals(1)
        try await fixture.clock.waitForSleepers(1)
        fixture.clock.advance(by: PostQueue.chainPatience)
        #expect(await stalled == [.chainUnavailable])
        fixture.chain.hold(at: nil)
        #expect(await fixture.reasons(orders[2]) == [])
        #expect(fixture.state(orders[1]) == nil)
    }

    @Test("more than may wait is refused with a time to try again, and nothing is lost")
    func busy() async throws {
        let fixture = try PostFixture(maximumWaiting: 3)
        let orders = try await fixture.base.orders(6)
        let gate = Gate()
        fixture.chain.hold(at: gate)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await fixture.intake.post(orders[0]) }
            try await gate.waitForArrivals(1)
            for order in orders[1...3] { group.addTask { try await fixture.intake.post(order) } }
            try await fixture.waitForWaiting(3)
            #expect(await fixture.reasons(orders[4]) == [.busy])
            #expect(await fixture.reasons(orders[4], orders[5]) == [.busy])
            gate.open()
            for try await isNew in group { #expect(isNew) }
        }
        #expect(fixture.intake.statistics.posts == ["added": 4, "busy": 3])
        #expect(fixture.book.read { $0.count } == 4)
    }

    @Test("a post that waited for the policy has its place though as many wait as may")
    func place() async throws {
        let policyGate = Gate()
        let fixture = try PostFixture(
            policy: TestPolicy { question in
                if question.client == "192.0.2.7" { await policyGate.pass() }
                return .accept
            },
            maximumWaiting: 3
        )
        let orders = try await fixture.base.orders(6)
        let chainGate = Gate()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await fixture.intake.post(orders[0], from: "192.0.2.7") }
            try await policyGate.waitForArrivals(1)
            fixture.chain.hold(at: chainGate)
            group.addTask { try await fixture.intake.post(orders[1]) }
            try await chainGate.waitForArrivals(1)
            for order in orders[2...4] { group.addTask { try await fixture.intake.post(order) } }
            try await fixture.waitForWaiting(3)
            policyGate.open()
            try await fixture.waitForWaiting(4)
            #expect(await fixture.reasons(orders[5]) == [.busy])
            chainGate.open()
            for try await isNew in group { #expect(isNew) }
        }
        #expect(fixture.book.read { $0.count } == 5)
    }

    @Test("a client that leaves while it waits frees its place and stores nothing")
    func cancelled() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        let gate = Gate()
        fixture.chain.hold(at: gate)
        async let first = fixture.reasons(orders[0])
        try await gate.waitForArrivals(1)
        let leaving = Task { await fixture.reasons(orders[1]) }
        async let third = fixture.reasons(orders[2])
        try await fixture.waitForWaiting(2)
        leaving.cancel()
        #expect(await leaving.value == [.busy])
        gate.open()
        #expect(await first == [])
        #expect(await third == [])
        #expect(fixture.state(orders[1]) == nil)
    }

    @Test("orders posted together are all accepted or none, and a refusal leaves no trace")
    func together() async throws {
        let fixture = try PostFixture { $0.maximumOrdersOfMaker = 3 }
        let orders = try await fixture.base.orders(6)
        let poor = try await fixture.base.order {
            $0.maker = fixture.base.other.address
            $0.makerToken = RelayFixture.dai
        }
        fixture.base.chain.fund(poor.maker, RelayFixture.dai, 1)
        do throws(OrderIntake.RefusedPost) {
            _ = try await fixture.intake.post([orders[0], orders[1], poor])
            Issue.record("accepted")
        } catch {
            #expect(error.index == 2)
        }
        let limit = OrderRefusal.tooManyOfMaker(limit: 3)
        #expect(await fixture.reasons(orders[0], orders[1], orders[2], orders[3]) == [limit])
        #expect(fixture.store.commits.isEmpty)
        #expect(await fixture.reasons(orders[0], orders[0], orders[1]) == [])
        #expect(await fixture.reasons(orders[2], orders[3]) == [limit])
        #expect(await fixture.reasons(orders[2]) == [])
        #expect(await fixture.reasons(orders[4]) == [limit])
        // A known order is none too many.
        #expect(await fixture.reasons(orders[0]) == [])
        #expect(fixture.book.read { $0.count } == 3)
    }

    @Test("within one commit a refused post does not count against the next")
    func batchLimits() async throws {
        let fixture = try PostFixture { $0.maximumOrdersOfMaker = 2 }
        let orders = try await fixture.base.orders(5)
        let audit = OrderAudit(
            state: OrderState(filled: 0, cancelled: 0, remaining: 2000),
            fillable: 2000,
            shortage: nil,
            owned: 1_000_000,
            gives: 1000
        )
        let audited = try orders.enumerated().map { index, order in
            try AuditedOrder(
                PendingPost.Order(index: index, PostedOrder(order)),
                audit,
                fixture.intake.parts.rules.ranking
            )
        }
        let posts = [
            [audited[0], audited[1], audited[2]], [audited[0]], [audited[0]], [audited[3]],
            [audited[4]],
        ]
        let (refusals, admitted) = fixture.book.read {
            PostAdmission.decision(on: posts, $0, fixture.live.current, fixture.holdings)
        }
        #expect(refusals.map { $0?.index } == [2, nil, nil, nil, 4])
        #expect(admitted.added.map(\.entry.hash) == [orders[0].hash, orders[3].hash])
    }

    @Test("a known order costs no signature, no read and no commit, whoever posts it")
    func known() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        #expect(await fixture.reasons(order) == [])
        for _ in 0..<5 { #expect(await fixture.reasons(order) == []) }
        #expect(fixture.chain.reads.count == 1)
        #expect(fixture.store.commits.count == 1)
        // The same terms with a signature of another: it is not the same copy.
        let forged = try SignedOrderV1(
            terms: fixture.base.draft(),
            signature: await fixture.base.other.sign(digest: order.hash.word)
        )
        #expect(await fixture.reasons(forged) == [.badSignature])
    }

    @Test("an order without funds is shown again as soon as it is posted with funds")
    func dormant() async throws {
        let fixture = try PostFixture { $0.maximumOrdersOfMaker = 1 }
        let order = try await fixture.base.order()
        #expect(await fixture.reasons(order) == [])
        try await fixture.set(order, .dormant)
        fixture.base.chain.fund(order.maker, RelayFixture.zrx, 0)
        #expect(
            await fixture.reasons(order) == [.shortage(.balance(needed: 1000, found: 0))]
        )
        #expect(fixture.state(order) == .dormant)
        fixture.base.chain.fund(order.maker, RelayFixture.zrx, 1000)
        #expect(await fixture.reasons(order) == [])
        #expect(fixture.state(order) == .shown)
    }

    // MARK: A node that is behind

    @Test("a maker without funds yet is asked for again at the node's next block")
    func patience() async throws {
        let fixture = try PostFixture { $0.limits.fundsPatience = 10_000 }
        let order = try await fixture.base.order()
        fixture.base.chain.fund(order.maker, RelayFixture.zrx, 0)
        async let reasons = fixture.reasons(order)
        let interval = Duration.milliseconds(NextBlock.interval)
        try await fixture.clock.waitForSleepers(1, of: interval)
        fixture.base.chain.fund(order.maker, RelayFixture.zrx, 1000)
        fixture.base.chain.set { $0.block = 2 }
        fixture.clock.advance(by: interval)
        #expect(await reasons == [])
        #expect(fixture.state(order) == .shown)
    }

    @Test("it is refused when its time is over, and at once without patience")
    func impatience() async throws {
        let fixture = try PostFixture { $0.limits.fundsPatience = NextBlock.interval }
        let order = try await fixture.base.order()
        fixture.base.chain.fund(order.maker, RelayFixture.zrx, 0)
        async let reasons = fixture.reasons(order)
        let interval = Duration.milliseconds(NextBlock.interval)
        try await fixture.clock.waitForSleepers(1, of: interval)
        fixture.clock.advance(by: interval)
        let shortage = [OrderRefusal.shortage(.balance(needed: 1000, found: 0))]
        #expect(await reasons == shortage)
        var hasty = fixture.live.current
        hasty.limits.fundsPatience = 0
        fixture.live.replace(with: hasty)
        #expect(await fixture.reasons(order) == shortage)
    }

    // MARK: The policy

    @Test("what the policy hides is accepted and stored, but not in the book")
    func hidden() async throws {
        let asked = Mutex(0)
        let fixture = try PostFixture(
            policy: TestPolicy { _ in
                asked.withLock { $0 += 1 }
                return .hide
            }
        )
        let order = try await fixture.base.order()
        #expect(try await fixture.intake.post(order))
        #expect(try await fixture.intake.post(order) == false)
        #expect(fixture.state(order) == .hidden)
        #expect(fixture.book.read { $0.shown(order.hash) == nil })
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("the policy is asked about imported orders too, one by one")
    func imported() async throws {
        let clients = Mutex<Set<String>>([])
        let fixture = try PostFixture(
            policy: TestPolicy { question throws(OrderPolicyError) in
                clients.withLock { _ = $0.insert(question.client) }
                switch question.entry.order.salt {
                case 2: return .reject(reason: "no even salts")
                case 3: return .hide
                case 4: throw .unavailable(reason: "it crashed")
                default: return .accept
                }
            }
        )
        let orders = try await fixture.base.orders(5)
        let outcome = try await fixture.intake.add(orders)
        #expect(outcome.added == 3 && outcome.known == 0)
        let refused = Dictionary(
            outcome.refused.map { ($0.0, $0.1.reasons) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(
            refused == [
                orders[1].hash: [.rejectedByPolicy(reason: "no even salts")],
                orders[3].hash: [.policyUnavailable],
            ]
        )
        #expect(orders.map(fixture.state) == [.shown, nil, .hidden, nil, .shown])
        #expect(clients.withLock { $0 } == ["import"])
        // What is there, hidden or not, is known.
        let again = try await fixture.intake.add([orders[0], orders[2]])
        #expect(again.added == 0 && again.known == 2)
    }

    @Test("what the policy rejects, or gives no verdict on, is refused with all posted with it")
    func rejected() async throws {
        let fixture = try PostFixture(
            policy: TestPolicy { question throws(OrderPolicyError) in
                switch question.entry.order.salt {
                case 2: return .reject(reason: "no even salts")
                case 3: throw .unavailable(reason: "it crashed")
                default: return .accept
                }
            }
        )
        let orders = try await fixture.base.orders(3)
        let reason = OrderRefusal.rejectedByPolicy(reason: "no even salts")
        #expect(await fixture.reasons(orders[0], orders[1]) == [reason])
        #expect(await fixture.reasons(orders[0], orders[2]) == [.policyUnavailable])
        #expect(fixture.store.commits.isEmpty)
        #expect(await fixture.reasons(orders[0]) == [])
    }

    @Test("a policy that thinks long about one order holds up no other")
    func slowPolicy() async throws {
        let gate = Gate()
        let fixture = try PostFixture(
            policy: TestPolicy { question in
                if question.client == "192.0.2.7" { await gate.pass() }
                return .accept
            }
        )
        let orders = try await fixture.base.orders(2)
        async let slow = fixture.intake.post(orders[0], from: "192.0.2.7")
        try await gate.waitForArrivals(1)
        #expect(try await fixture.intake.post(orders[1], from: "192.0.2.8"))
        #expect(fixture.state(orders[0]) == nil)
        gate.open()
        #expect(try await slow)
    }
}
