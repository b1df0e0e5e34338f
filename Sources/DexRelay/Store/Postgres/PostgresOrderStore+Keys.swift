import PostgresClient

extension PostgresOrderStore: SharedKeys {
    package func keys() async throws(OrderStoreError) -> [RelayKey] {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in try connection.keys() }
        }
    }

    package func add(_ key: RelayKey) async throws(OrderStoreError) -> Bool {
        try await changed(
            """
            WITH added AS (
                INSERT INTO dex_relay.keys (
                    name, digest, added_at, requests_per_hour, posts_per_second, post_burst,
                    subscriptions_per_second
                )
                SELECT n.* FROM unnest(
                    $1::text[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[],
                    $6::bigint[], $7::bigint[]
                ) AS n
                ON CONFLICT DO NOTHING RETURNING 1
            )
            UPDATE dex_relay.operator SET revision = revision + 1 WHERE EXISTS (SELECT FROM added)
            RETURNING pg_notify('dex_relay', 'operator')
            """,
            [
                .textArray([key.name]), .bytesArray([key.digest]),
                .integerArray([Int64(clamping: key.addedAt)]),
            ]
                + [
                    key.limits.requestsPerHour, key.limits.postsPerSecond, key.limits.postBurst,
                    key.limits.subscriptionsPerSecond,
                ].map { .integerArray([Int64(clamping: $0 ?? -1)]) }
        )
    }

    package func removeKey(_ name: String) async throws(OrderStoreError) -> Bool {
        try await changed(
            """
            WITH removed AS (DELETE FROM dex_relay.keys WHERE name = $1::text RETURNING 1)
            UPDATE dex_relay.operator SET revision = revision + 1 WHERE EXISTS (SELECT FROM removed)
            RETURNING pg_notify('dex_relay', 'operator')
            """,
            [.text(name)]
        )
    }

    package func beat(_ instance: String) async throws(OrderStoreError) -> Int {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in
                let rows = try connection.query(
                    PostgresStatement(
                        """
                        WITH forgotten AS (
                            DELETE FROM dex_relay.instances
                            WHERE name <> $1::text AND seen_at < now() - interval '1 hour'
                        ), seen AS (
                            INSERT INTO dex_relay.instances (name, seen_at) VALUES ($1::text, now())
                            ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
                        )
                        SELECT count(*) + 1 FROM dex_relay.instances
                        WHERE name <> $1::text AND seen_at > now() - interval '5 seconds'
                        """
                    ),
                    [.text(instance)],
                    within: PostgresConnection.timeLimit
                )
                guard rows.count == 1 else { throw .malformed }
                return Int(clamping: try rows.integer(0, 0))
            }
        }
    }

    package func leave(_ instance: String) async throws(OrderStoreError) {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                _ = try connection.query(
                    PostgresStatement("DELETE FROM dex_relay.instances WHERE name = $1::text"),
                    [.text(instance)],
                    within: PostgresConnection.timeLimit
                )
            }
        }
    }

    /// Runs a statement that returns a row if it changed something.
    private func changed(
        _ statement: String,
        _ values: [PostgresValue]
    ) async throws(OrderStoreError) -> Bool {
        try await timed(\.commits) { pool throws(PostgresFailure) in
            try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                try connection.transaction { () throws(PostgresFailure) in
                    try connection.query(
                        PostgresStatement(statement),
                        values,
                        within: PostgresConnection.timeLimit
                    ).count > 0
                }
            }
        }
    }
}

extension PostgresConnection {
    fileprivate func keys() throws(PostgresFailure) -> [RelayKey] {
        let rows = try query(
            PostgresStatement(
                """
                SELECT name, digest, added_at, requests_per_hour, posts_per_second, post_burst,
                    subscriptions_per_second
                FROM dex_relay.keys ORDER BY name
                """
            ),
            within: Self.timeLimit
        )
        var keys: [RelayKey] = []
        for row in 0..<rows.count {
            var limits = RelayKey.Limits()
            limits.requestsPerHour = try rows.limit(row, 3)
            limits.postsPerSecond = try rows.limit(row, 4)
            limits.postBurst = try rows.limit(row, 5)
            limits.subscriptionsPerSecond = try rows.limit(row, 6)
            keys.append(
                RelayKey(
                    name: try rows.text(row, 0),
                    digest: try rows.bytes(row, 1),
                    addedAt: try rows.natural(row, 2),
                    limits: limits
                )
            )
        }
        return keys
    }
}

extension PostgresRows {
    /// nil is what an address has, which stands as -1.
    fileprivate func limit(_ row: Int, _ column: Int) throws(PostgresFailure) -> Int? {
        let limit = try integer(row, column)
        return limit < 0 ? nil : Int(clamping: limit)
    }
}
