import Ethereum
import GRDB
package import ZeroEx

/// Plans of `dex mcp`, each of which is carried out at most once.
extension Journal {
    /// The most that may be open or wait at a time.
    package static let maximumPlans = 16
    /// How long a plan is kept after its end, in seconds: a day.
    package static let planMemory: UInt64 = 86_400

    /// Records a new plan, and forgets those that ended a day ago.
    ///
    /// - Throws: `JournalError.tooManyPlans`.
    package func add(_ plan: JournalPlan) throws(JournalError) {
        let now = try integer(plan.created, "the time")
        try write { database in
            try Self.forgetPlans(now: now, in: database)
            let open = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM agent_plans
                    WHERE intent IS NULL AND ended IS NULL AND declined IS NULL AND expires > ?
                    """,
                arguments: [now]
            )
            guard open ?? 0 < Self.maximumPlans else { throw JournalError.tooManyPlans }
            try plan.insert(database)
        }
    }

    private static func forgetPlans(now: Int64, in database: Database) throws {
        let before = now - Int64(planMemory)
        try database.execute(
            sql: """
                DELETE FROM agent_plans WHERE COALESCE(ended, declined) < ?
                    OR (ended IS NULL AND declined IS NULL AND intent IS NULL AND expires < ?)
                    OR (ended IS NULL AND intent IN (
                        SELECT id FROM intents WHERE closed IS NOT NULL AND closed < ?
                    ))
                """,
            arguments: [before, before, before]
        )
    }

    /// All plans, the oldest first.
    package func agentPlans() throws(JournalError) -> [JournalPlan] {
        try agentPlans("1", [])
    }

    /// Plans whose number begins with these digits.
    package func agentPlans(beginning digits: String) throws(JournalError) -> [JournalPlan] {
        try agentPlans("substr(p.id, 1, length(?)) = ?", [digits, digits])
    }

    package func agentPlan(_ id: PlanID) throws(JournalError) -> JournalPlan? {
        try agentPlans("p.id = ?", [id]).first
    }

    private func agentPlans(
        _ condition: String,
        _ arguments: StatementArguments
    ) throws(JournalError) -> [JournalPlan] {
        try read { database in
            try JournalPlan.fetchAll(
                database,
                sql: """
                    SELECT p.*, \(Self.signed(for: "p.intent")) AS signed,
                        p.intent IS NOT NULL AND i.closed IS NULL AND is_held(p.intent) AS is_held
                    FROM agent_plans p
                    LEFT JOIN intents i ON i.id = p.intent
                    WHERE \(condition) ORDER BY p.created, p.id
                    """,
                arguments: arguments
            )
        }
    }

    /// The purposes of what was signed for an intent, in order, with commas between; nil is nothing.
    static func signed(for intent: String) -> String {
        """
        (SELECT group_concat(purpose) FROM (
            SELECT purpose, id FROM transactions WHERE intent = \(intent) AND raw IS NOT NULL
            UNION ALL SELECT 'order', 0 FROM order_intents WHERE intent = \(intent)
            ORDER BY 2
        ))
        """
    }

    /// Lets a plan wait for a person.
    ///
    /// - Parameter why: the rule by which a person has to say yes.
    /// - Throws: `JournalError.planNotOpen` if it is carried out, declined or ended.
    package func wait(
        _ id: PlanID,
        why: String,
        now: UInt64
    ) throws(JournalError) {
        let time = try integer(now, "the time")
        try changePlan(
            id,
            "UPDATE agent_plans SET waits = COALESCE(waits, ?), why = ?",
            [time, why],
            time
        )
    }

    /// Declines a plan for good.
    ///
    /// - Throws: `JournalError.planNotOpen` if it is carried out, declined or ended.
    package func decline(_ id: PlanID, now: UInt64) throws(JournalError) {
        let time = try integer(now, "the time")
        try changePlan(id, "UPDATE agent_plans SET declined = ?", [time], time)
    }

    private func changePlan(
        _ id: PlanID,
        _ change: String,
        _ arguments: StatementArguments,
        _ now: Int64
    ) throws(JournalError) {
        try write { database in
            try database.execute(
                sql: """
                    \(change) WHERE id = ? AND intent IS NULL AND declined IS NULL
                        AND ended IS NULL AND expires > ?
                    """,
                arguments: arguments + [id, now]
            )
            guard database.changesCount == 1 else { throw JournalError.planNotOpen(id) }
        }
    }

    /// Records the end of a plan; a second one changes nothing.
    ///
    /// - Parameter outcome: JSON text.
    package func end(
        _ id: PlanID,
        outcome: String,
        now: UInt64
    ) throws(JournalError) {
        try change(
            """
            UPDATE agent_plans SET ended = ?, outcome = ?
            WHERE id = ? AND ended IS NULL AND declined IS NULL
            """,
            [try integer(now, "the time"), outcome, id]
        )
    }

    /// Takes a plan for an intent, in the transaction that opens it.
    ///
    /// - Throws: `JournalError.planNotOpen`, or `planInFlight` if another plan of the account is
    ///   carried out; then the intent is not opened.
    static func claim(
        _ id: PlanID,
        intent: Int64,
        now: Int64,
        in database: Database
    ) throws {
        let other = try PlanID.fetchOne(
            database,
            sql: """
                SELECT o.id FROM agent_plans p
                JOIN agent_plans o ON o.account = p.account AND o.chain_id = p.chain_id
                    AND o.id <> p.id
                WHERE p.id = ? AND o.intent IS NOT NULL AND o.ended IS NULL AND is_held(o.intent)
                """,
            arguments: [id]
        )
        if let other { throw JournalError.planInFlight(other) }
        try database.execute(
            sql: """
                UPDATE agent_plans SET intent = ?
                WHERE id = ? AND intent IS NULL AND declined IS NULL AND ended IS NULL
                    AND expires > ?
                """,
            arguments: [intent, id, now]
        )
        guard database.changesCount == 1 else { throw JournalError.planNotOpen(id) }
    }

    /// An order was signed for a plan, whose record tells what became of it.
    package func isOfPlan(_ order: OrderHash) throws(JournalError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM order_intents o JOIN agent_plans p ON p.intent = o.intent
                        WHERE o.hash = ?
                    )
                    """,
                arguments: [order]
            ) ?? false
        }
    }

    /// This journal itself took the plan, and its intent is not closed.
    package func carriesOut(_ id: PlanID) throws(JournalError) -> Bool {
        try agentPlan(id)?.intent.map { holds.isOwn($0) } ?? false
    }

    /// The hashes of what was signed for an intent, in order: transactions and orders.
    package func signed(
        for intent: Int64
    ) throws(JournalError) -> (transactions: [JournalTransaction], orders: [OrderHash]) {
        let orders = try read { database in
            try OrderHash.fetchAll(
                database,
                sql: "SELECT hash FROM order_intents WHERE intent = ? ORDER BY hash",
                arguments: [intent]
            )
        }
        return (try transactions(of: intent), orders)
    }
}
