import Ethereum
import Testing

@testable import DexStore

@Suite("Plans of agents in the journal")
struct PlanTests {
    private let test = TestJournal()
    private static let now = TestJournal.now

    @discardableResult
    private func add(
        _ number: UInt64,
        account: Address = TestJournal.alice,
        chainID: UInt64 = 1,
        created: UInt64 = now
    ) throws -> PlanID {
        let id = PlanID(number: number)
        try test.journal.add(
            JournalPlan(
                id: id,
                chainID: chainID,
                network: "mainnet",
                account: account,
                created: created,
                expires: created + 600,
                client: "probe",
                request: "{}",
                bounds: "{}",
                shown: "{}",
                why: nil
            )
        )
        return id
    }

    private func state(_ id: PlanID, now: UInt64 = now) throws -> JournalPlan.State? {
        try test.journal.agentPlan(id)?.state(now: now)
    }

    private func failure(_ body: () throws -> Void) -> JournalError? {
        do {
            try body()
            return nil
        } catch {
            return error as? JournalError
        }
    }

    private func open(_ id: PlanID, _ journal: Journal? = nil, now: UInt64 = now) throws -> Int64 {
        let intent = JournalIntent(
            chainID: 1,
            account: TestJournal.alice,
            command: "market-buy",
            plan: nil,
            created: now
        )
        return try (journal ?? test.journal).open(intent, claim: .plan(id))
    }

    @Test("a number is 16 digits, and nothing else is one")
    func numbers() {
        #expect(PlanID(number: 0x7F3A).description == "0000000000007f3a")
        #expect(PlanID("0000000000007f3a") == PlanID(number: 0x7F3A))
        for text in ["", "7f3a", "0000000000007F3A", "+000000000007f3a", "00000000000007f3a"] {
            #expect(PlanID(text) == nil, "\(text)")
        }
        #expect(PlanID.prefix("7F3A") == "7f3a")
        for text in ["7f3", "7f3g", "00000000000007f3a", "7f3a%", ""] {
            #expect(PlanID.prefix(text) == nil, "\(text)")
        }
    }

    @Test("a plan is open, waits, is declined or expires, and nothing undoes an end")
    func life() throws {
        let id = try add(1)
        #expect(try state(id) == .open)
        #expect(try state(id, now: Self.now + 599) == .open)
        #expect(try state(id, now: Self.now + 600) == .expired)
        try test.journal.wait(id, why: "a rule", now: Self.now + 1)
        #expect(try state(id) == .waiting)
        #expect(try test.journal.agentPlan(id)?.why == "a rule")
        try test.journal.decline(id, now: Self.now + 2)
        #expect(try state(id) == .declined)
        for body in [
            { try test.journal.wait(id, why: "again", now: Self.now + 3) },
            { try test.journal.decline(id, now: Self.now + 3) },
            { _ = try open(id) },
        ] {
            #expect(failure(body) == .planNotOpen(id))
        }
        try test.journal.end(id, outcome: "{}", now: Self.now + 4)
        #expect(try state(id) == .declined)
        let late = try add(2)
        #expect(failure { _ = try open(late, now: Self.now + 600) } == .planNotOpen(late))
        #expect(failure { try test.journal.decline(late, now: Self.now + 600) } != nil)
    }

    @Test("a plan has one intent for ever, of two processes one gets it, and a kill shows")
    func once() throws {
        let id = try add(1)
        var other: Journal? = Journal(path: test.path)
        let intent = try open(id, other)
        #expect(try state(id) == .running)
        #expect(failure { _ = try open(id) } == .planNotOpen(id))
        // The intent of the one that came too late was not opened.
        #expect(try test.journal.unfinished(chainID: 1).intents.map(\.id) == [intent])
        #expect(try other?.carriesOut(id) == true)
        #expect(try !test.journal.carriesOut(id))
        other = nil
        #expect(try state(id) == .interrupted)
        #expect(failure { _ = try open(id) } == .planNotOpen(id))
    }

    /// A process takes a plan, signs for it, and ends.
    private func killed(_ id: PlanID, purpose: String, hash: UInt64) throws -> JournalPlan {
        let other = Journal(path: test.path)
        let reservation = try other.reserveNonce(
            intent: try open(id, other),
            purpose: purpose,
            chainID: 1,
            sender: TestJournal.alice,
            pendingCount: 0,
            now: Self.now
        )
        try other.record(
            raw: [1],
            hash: TestJournal.hash(hash),
            for: reservation,
            now: Self.now
        )
        return try #require(try test.journal.agentPlan(id))
    }

    @Test("what was signed is followed, whatever became of the process, and its first end stays")
    func signed() throws {
        let id = try add(1)
        let held = try killed(id, purpose: "fill", hash: 7)
        #expect(held.state(now: Self.now) == .running && !held.needsFinish)
        let plan = try #require(try test.journal.agentPlan(id))
        #expect(plan.state(now: Self.now) == .running && plan.needsFinish && plan.isSigned)
        #expect(try test.journal.transaction(TestJournal.hash(7))?.isOfPlan == true)
        let intent = try #require(plan.intent)
        #expect(
            try test.journal.signed(for: intent).transactions.map(\.hash) == [TestJournal.hash(7)]
        )
        try test.journal.end(id, outcome: "{\"exitCode\":0}", now: Self.now + 5)
        try test.journal.end(id, outcome: "{\"exitCode\":1}", now: Self.now + 6)
        #expect(try state(id) == .ended)
        #expect(try test.journal.agentPlan(id)?.outcome == "{\"exitCode\":0}")
    }

    @Test(
        "plans of one account are carried out one after another, those of others beside each other"
    )
    func turns() throws {
        let (first, second) = (try add(1), try add(2))
        let bobs = try add(3, account: TestJournal.bob)
        let elsewhere = try add(4, chainID: 5)
        var other: Journal? = Journal(path: test.path)
        _ = try open(first, other)
        #expect(failure { _ = try open(second) } == .planInFlight(first))
        _ = try open(bobs)
        _ = try open(elsewhere)
        #expect(try state(second) == .open)
        other = nil
        _ = try open(second)
        #expect(try state(second) == .running)
    }

    @Test("at most 16 are open or wait, and a plan is forgotten a day after its end")
    func bounds() throws {
        for number in 1...16 { try add(UInt64(number)) }
        #expect(failure { try add(17) } == .tooManyPlans)
        try test.journal.decline(PlanID(number: 1), now: Self.now)
        try add(17)
        #expect(failure { try add(18) } == .tooManyPlans)
        // All are expired by then, and kept for a day.
        try add(19, created: Self.now + 700)
        #expect(try test.journal.agentPlans().count == 18)
        try add(20, created: Self.now + 86_400 + 601)
        #expect(try test.journal.agentPlans().map(\.id.number) == [19, 20])
    }

    @Test("what an approval alone signed is no signature of the plan")
    func approvals() throws {
        let id = try add(1)
        _ = try killed(id, purpose: "approve", hash: 9)
        let plan = try #require(try test.journal.agentPlan(id))
        #expect(plan.signed == ["approve"])
        #expect(plan.state(now: Self.now) == .interrupted && !plan.needsFinish)
    }

    @Test("a part of a number finds all plans that begin with it")
    func finding() throws {
        try add(0x7F3A_0000_0000_0001)
        try add(0x7F3A_0000_0000_0002)
        #expect(try test.journal.agentPlans(beginning: "7f3a").count == 2)
        #expect(try test.journal.agentPlans(beginning: "7f3a000000000002").count == 1)
        #expect(try test.journal.agentPlans(beginning: "0000").isEmpty)
        #expect(try test.journal.agentPlans(beginning: "____").isEmpty)
    }
}
