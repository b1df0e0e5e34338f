import Ethereum
import PostgresClient
import ZeroEx

extension PostgresOrderStore: SharedModeration {
    package func decisions() async throws(OrderStoreError) -> [ModerationDecision] {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in
                try connection.decisions()
            }
        }
    }

    package func decide(
        _ action: Moderation.Action,
        _ subject: Moderation.Subject,
        reason: String?
    ) async throws(OrderStoreError) -> ModerationDecision {
        try await timed(\.commits) { pool throws(PostgresFailure) in
            try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                try connection.decide(action, subject, reason: reason)
            }
        }
    }

    package func takeOver(
        _ decisions: [ModerationDecision]
    ) async throws(OrderStoreError) -> Int {
        guard !decisions.isEmpty else { return 0 }
        return try await timed(\.commits) { pool throws(PostgresFailure) in
            try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                try connection.takeOver(decisions)
            }
        }
    }
}

/// Reading and writing the operator's decisions, under the lock of the numbers.
extension PostgresConnection {
    fileprivate func decisions() throws(PostgresFailure) -> [ModerationDecision] {
        let rows = try query(
            PostgresStatement(
                """
                SELECT decided_at, action, kind, subject, reason
                FROM dex_relay.decisions ORDER BY decided_at, number
                """
            ),
            within: Self.timeLimit
        )
        var decisions: [ModerationDecision] = []
        for row in 0..<rows.count { decisions.append(try rows.decision(row)) }
        return decisions
    }

    fileprivate func decide(
        _ action: Moderation.Action,
        _ subject: Moderation.Subject,
        reason: String?
    ) throws(PostgresFailure) -> ModerationDecision {
        try transaction { () throws(PostgresFailure) in
            // The server's clock is one for all; a clock that was set back gives no earlier time.
            let rows = try query(
                PostgresStatement(
                    """
                    WITH revised AS (
                        UPDATE dex_relay.operator SET
                            revision = revision + 1,
                            decided_at = greatest(
                                decided_at, floor(extract(epoch FROM clock_timestamp()))::bigint
                            )
                        RETURNING revision, decided_at
                    )
                    INSERT INTO dex_relay.decisions (
                        number, decided_at, action, kind, subject, reason
                    )
                    SELECT revised.*, n.* FROM revised, unnest(
                        $1::text[], $2::text[], $3::bytea[], $4::text[]
                    ) AS n
                    RETURNING decided_at, pg_notify('dex_relay', 'operator')
                    """
                ),
                [
                    .textArray([action.rawValue]), .textArray([subject.kind]),
                    .bytesArray([subject.bytes]), .textArray([Self.text(reason)]),
                ],
                within: Self.timeLimit
            )
            guard rows.count == 1 else { throw .malformed }
            return ModerationDecision(
                time: try rows.natural(0, 0),
                action: action,
                subject: subject,
                reason: reason
            )
        }
    }

    fileprivate func takeOver(
        _ decisions: [ModerationDecision]
    ) throws(PostgresFailure) -> Int {
        try transaction { () throws(PostgresFailure) in
            let added = try query(
                PostgresStatement(
                    """
                    INSERT INTO dex_relay.decisions (
                        number, decided_at, action, kind, subject, reason
                    )
                    SELECT o.revision + n.ordinality, n.decided_at, n.action, n.kind, n.subject,
                        n.reason
                    FROM dex_relay.operator o, unnest(
                        $1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::text[]
                    ) WITH ORDINALITY AS n (decided_at, action, kind, subject, reason, ordinality)
                    WHERE NOT EXISTS (
                        SELECT FROM dex_relay.decisions d
                        WHERE d.decided_at = n.decided_at AND d.action = n.action
                            AND d.kind = n.kind AND d.subject = n.subject
                            AND d.reason IS NOT DISTINCT FROM n.reason
                    )
                    RETURNING 1
                    """
                ),
                [
                    .integerArray(decisions.map { Int64(clamping: $0.time) }),
                    .textArray(decisions.map(\.action.rawValue)),
                    .textArray(decisions.map(\.subject.kind)),
                    .bytesArray(decisions.map(\.subject.bytes)),
                    .textArray(decisions.map { Self.text($0.reason) }),
                ],
                within: Self.timeLimit
            ).count
            guard added > 0 else { return 0 }
            _ = try query(
                PostgresStatement(
                    """
                    UPDATE dex_relay.operator SET
                        revision = revision + $1::bigint,
                        decided_at = (SELECT max(decided_at) FROM dex_relay.decisions)
                    RETURNING pg_notify('dex_relay', 'operator')
                    """
                ),
                [.integer(Int64(clamping: decisions.count))],
                within: Self.timeLimit
            )
            return added
        }
    }

    /// Runs statements in one durable transaction, under the lock of the numbers.
    func transaction<Value>(
        _ work: () throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> Value {
        try lock()
        do throws(PostgresFailure) {
            let value = try work()
            try run(script: "COMMIT", within: Self.timeLimit)
            return value
        } catch {
            try rollBack(after: error)
            throw error
        }
    }

    /// PostgreSQL has no text with a zero character.
    private static func text(_ reason: String?) -> String? {
        reason.map { String($0.unicodeScalars.filter { $0 != "\0" }.map(Character.init)) }
    }
}

extension PostgresRows {
    fileprivate func decision(_ row: Int) throws(PostgresFailure) -> ModerationDecision {
        guard let action = Moderation.Action(rawValue: try text(row, 1)),
            let subject = Moderation.Subject(kind: try text(row, 2), bytes: try bytes(row, 3))
        else { throw .malformed }
        return ModerationDecision(
            time: try natural(row, 0),
            action: action,
            subject: subject,
            reason: try textIfAny(row, 4)
        )
    }
}

extension Moderation.Subject {
    fileprivate var kind: String {
        switch self {
        case .order: "order"
        case .maker: "maker"
        case .pair: "pair"
        }
    }

    /// The hash, the address, or both tokens one after the other.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .order(let hash): hash.word.bytes
        case .maker(let maker): maker.bytes
        case .pair(let pair): pair.makerToken.bytes + pair.takerToken.bytes
        }
    }

    fileprivate init?(kind: String, bytes: [UInt8]) {
        switch (kind, bytes.count) {
        case ("order", 32):
            guard let word = Bytes32(bytes: bytes) else { return nil }
            self = .order(OrderHash(word))
        case ("maker", 20):
            guard let maker = Address(bytes: bytes) else { return nil }
            self = .maker(maker)
        case ("pair", 40):
            guard let one = Address(bytes: bytes.prefix(20)),
                let other = Address(bytes: bytes.suffix(20))
            else {
                return nil
            }
            self = .pair(PairDirection(makerToken: one, takerToken: other))
        default: return nil
        }
    }
}
