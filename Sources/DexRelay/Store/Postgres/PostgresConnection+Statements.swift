import PostgresClient

/// The statements that write a relay's orders; many rows go as arrays, in one round trip.
extension PostgresConnection {
    static let readNamed = PostgresStatement(
        """
        SELECT head.number, head.epoch, \(PostgresRows.orderColumns)
        FROM dex_relay.head LEFT JOIN dex_relay.orders o ON o.hash = ANY ($1::bytea[])
        """
    )

    static let raiseEpoch = PostgresStatement(
        "UPDATE dex_relay.head SET epoch = epoch + 1 RETURNING epoch"
    )

    /// Adds to the sequences of markets, and returns the last of each.
    static let countSequences = PostgresStatement(
        """
        INSERT INTO dex_relay.sequences AS s (protocol, token_a, token_b, sequence)
        SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[])
        ON CONFLICT (protocol, token_a, token_b)
            DO UPDATE SET sequence = s.sequence + excluded.sequence
        RETURNING protocol, token_a, token_b, sequence
        """
    )

    static let writeChanges = PostgresStatement(
        """
        WITH written AS (
            INSERT INTO dex_relay.orders (
                hash, protocol, maker, maker_token, taker_token, body, received_at, state, fillable,
                is_partly_filled, since, change, was_hidden
            )
            SELECT * FROM unnest(
                $1::bytea[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[],
                $7::bigint[], $8::text[], $9::bytea[], $10::boolean[], $11::bigint[], $12::bigint[],
                $13::boolean[]
            )
            ON CONFLICT (hash) DO UPDATE SET
                body = excluded.body, received_at = excluded.received_at, state = excluded.state,
                fillable = excluded.fillable, is_partly_filled = excluded.is_partly_filled,
                since = excluded.since, change = excluded.change,
                was_hidden = excluded.was_hidden
        ), updated AS (
            UPDATE dex_relay.orders o SET
                state = n.state, fillable = n.fillable, is_partly_filled = n.is_partly_filled,
                since = n.since, change = n.change, was_hidden = n.was_hidden
            FROM unnest(
                $14::bytea[], $15::text[], $16::bytea[], $17::boolean[], $18::bigint[],
                $19::bigint[], $20::boolean[]
            ) AS n (hash, state, fillable, is_partly_filled, since, change, was_hidden)
            WHERE o.hash = n.hash
        ), changed AS (
            INSERT INTO dex_relay.changes (
                hash, pair_sequence, state, fillable, is_partly_filled, since, number, was_hidden,
                previous, committed_at
            )
            SELECT *, $30::bigint FROM unnest(
                $21::bytea[], $22::bigint[], $23::text[], $24::bytea[], $25::boolean[],
                $26::bigint[], $27::bigint[], $28::boolean[], $29::text[]
            )
        )
        UPDATE dex_relay.head SET number = $31::bigint
        RETURNING pg_notify('dex_relay', '')
        """
    )

    static let writePosition = PostgresStatement(
        """
        WITH beyond AS (
            DELETE FROM dex_relay.position WHERE ordinal > $5::bigint
        )
        INSERT INTO dex_relay.position (number, hash, time, touched, ordinal)
        SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[]) WITH ORDINALITY
        ON CONFLICT (ordinal) DO UPDATE SET
            number = excluded.number, hash = excluded.hash, time = excluded.time,
            touched = excluded.touched
        """
    )

    /// Deletes the oldest changes, up to the first that was committed after a time.
    static let pruneChanges = PostgresStatement(
        """
        WITH cut AS (
            SELECT least(
                pruned + 5000,
                coalesce(
                    (
                        SELECT number - 1 FROM dex_relay.changes
                        WHERE committed_at >= $1::bigint ORDER BY number LIMIT 1
                    ),
                    number
                )
            ) AS last
            FROM dex_relay.head
        ), deleted AS (
            DELETE FROM dex_relay.changes WHERE number <= (SELECT last FROM cut)
        )
        UPDATE dex_relay.head SET pruned = cut.last FROM cut WHERE cut.last > pruned RETURNING 1
        """
    )

    /// Deletes orders that ended before a time, or beyond the 100,000 that ended last; no change may
    /// outlive its order, and what the position names may come back.
    static let pruneOrders = PostgresStatement(
        """
        WITH touched AS (
            SELECT substring(p.touched FROM n FOR 32) AS hash
            FROM dex_relay.position p, generate_series(1, octet_length(p.touched), 32) AS n
        )
        DELETE FROM dex_relay.orders WHERE hash IN (
            (
                SELECT hash FROM dex_relay.orders
                WHERE state IN ('filled', 'cancelled', 'expired', 'removed') AND since < $1::bigint
                    AND change <= (SELECT pruned FROM dex_relay.head)
                    AND hash NOT IN (SELECT hash FROM touched)
                LIMIT 5000
            )
            UNION ALL
            (
                SELECT hash FROM (
                    SELECT hash, change FROM dex_relay.orders
                    WHERE state IN ('filled', 'cancelled', 'expired', 'removed')
                    ORDER BY since DESC, change DESC OFFSET 100000
                ) AS surplus
                WHERE change <= (SELECT pruned FROM dex_relay.head)
                    AND hash NOT IN (SELECT hash FROM touched)
                LIMIT 5000
            )
        )
        RETURNING 1
        """
    )
}
