import PostgresClient

/// The tables of a relay in PostgreSQL, in a schema of their own: `dex_relay`.
///
/// Another program may read them, and write too if it keeps to docs/relay.md.
enum PostgresSchema {
    /// The version of the tables that this program makes and understands.
    static let version: Int64 = 5
    /// The oldest server, as in `server_version_num`.
    static let oldestServer = 130_000

    /// Makes the tables if there are none, whichever instance comes first.
    ///
    /// - Throws: `PostgresFailure`; `.unusable` if the schema is not this program's.
    static func prepare(
        on connection: isolated PostgresConnection
    ) throws(PostgresFailure) {
        guard connection.serverVersion >= oldestServer else {
            let version = connection.serverVersion / 10_000
            throw .unusable("the server is PostgreSQL \(version); version 13 or later is needed")
        }
        guard try format(on: connection) != version else { return }
        try connection.run(
            script: """
                BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
                SET LOCAL statement_timeout = '10s';
                SELECT pg_advisory_xact_lock(7234320727777045507)
                """,
            within: timeLimit
        )
        do throws(PostgresFailure) {
            let found = try format(on: connection)
            if found == nil { try connection.run(script: tables, within: timeLimit) }
            for step in steps.dropFirst(Int(found ?? 1) - 1) {
                try connection.run(script: step, within: timeLimit)
            }
            try connection.run(script: "COMMIT", within: timeLimit)
        } catch {
            if !error.isFatal { try connection.run(script: "ROLLBACK", within: timeLimit) }
            guard case .refused("42501", let message) = error else { throw error }
            throw .unusable(
                "\(message); run it as the user that made the tables, or let an administrator run: GRANT CREATE ON DATABASE \"NAME\" TO \"USER\""
            )
        }
    }

    /// The version of the tables that are there, at most this program's; nil if there are none.
    private static func format(
        on connection: isolated PostgresConnection
    ) throws(PostgresFailure) -> Int64? {
        let found = try connection.query(
            PostgresStatement(
                // Not to_regclass, which may answer from before the wait for the lock.
                """
                SELECT count(*) > 0, count(c.oid) > 0
                FROM pg_namespace n
                LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'format'
                WHERE n.nspname = 'dex_relay'
                """
            ),
            within: timeLimit
        )
        guard try found.boolean(0, 0) else { return nil }
        guard try found.boolean(0, 1) else {
            throw .unusable(
                "the schema dex_relay is another program's; use a database of its own for the relay"
            )
        }
        let format: PostgresRows
        do throws(PostgresFailure) {
            format = try connection.query(
                PostgresStatement("SELECT version FROM dex_relay.format"),
                within: timeLimit
            )
        } catch .refused("42501", let message) {
            throw .unusable("\(message); connect as the user that made the schema dex_relay")
        }
        guard format.count == 1, case let made = try format.integer(0, 0), made >= 1 else {
            throw .unusable("the table dex_relay.format does not name a version")
        }
        guard made <= version else {
            throw .unusable(
                "the schema dex_relay has version \(made), and this program knows \(version); "
                    + "run the newest dex on all instances"
            )
        }
        return made
    }

    private static let timeLimit = Duration.seconds(12)

    private static let tables: StaticString = """
        CREATE SCHEMA dex_relay;
        CREATE TABLE dex_relay.format (
            id integer PRIMARY KEY CHECK (id = 1),
            version bigint NOT NULL
        );
        INSERT INTO dex_relay.format VALUES (1, 1);
        CREATE TABLE dex_relay.orders (
            hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
            protocol text NOT NULL CHECK (octet_length(protocol) BETWEEN 1 AND 16),
            maker bytea NOT NULL CHECK (octet_length(maker) = 20),
            maker_token bytea NOT NULL CHECK (octet_length(maker_token) = 20),
            taker_token bytea NOT NULL CHECK (octet_length(taker_token) = 20),
            body bytea NOT NULL CHECK (octet_length(body) <= 16384),
            received_at bigint NOT NULL CHECK (received_at >= 0),
            state text NOT NULL CHECK (state IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            fillable bytea NOT NULL CHECK (octet_length(fillable) = 32),
            is_partly_filled boolean NOT NULL,
            since bigint NOT NULL CHECK (since >= 0),
            change bigint NOT NULL UNIQUE CHECK (change >= 1)
        );
        CREATE INDEX orders_of_maker ON dex_relay.orders (protocol, maker, since)
            WHERE state <> 'shown';
        CREATE INDEX orders_ended ON dex_relay.orders (since)
            WHERE state IN ('filled', 'cancelled', 'expired', 'removed');
        CREATE TABLE dex_relay.changes (
            number bigint PRIMARY KEY CHECK (number >= 1),
            hash bytea NOT NULL CHECK (octet_length(hash) = 32),
            pair_sequence bigint NOT NULL CHECK (pair_sequence >= 1),
            state text NOT NULL CHECK (state IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            fillable bytea NOT NULL CHECK (octet_length(fillable) = 32),
            is_partly_filled boolean NOT NULL,
            since bigint NOT NULL CHECK (since >= 0),
            previous text CHECK (previous IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            committed_at bigint NOT NULL CHECK (committed_at >= 0)
        );
        CREATE TABLE dex_relay.sequences (
            protocol text NOT NULL CHECK (octet_length(protocol) BETWEEN 1 AND 16),
            token_a bytea NOT NULL CHECK (octet_length(token_a) = 20),
            token_b bytea NOT NULL CHECK (octet_length(token_b) = 20 AND token_a <= token_b),
            sequence bigint NOT NULL CHECK (sequence >= 1),
            PRIMARY KEY (protocol, token_a, token_b)
        );
        CREATE TABLE dex_relay.head (
            id integer PRIMARY KEY CHECK (id = 1),
            number bigint NOT NULL CHECK (number >= 0),
            pruned bigint NOT NULL CHECK (pruned >= 0 AND pruned <= number)
        );
        INSERT INTO dex_relay.head VALUES (1, 0, 0);
        CREATE TABLE dex_relay.position (
            ordinal bigint PRIMARY KEY CHECK (ordinal >= 1),
            number bigint NOT NULL CHECK (number >= 0),
            hash bytea NOT NULL CHECK (octet_length(hash) = 32),
            time bigint NOT NULL CHECK (time >= 0),
            touched bytea NOT NULL CHECK (octet_length(touched) % 32 = 0)
        )
        """

    /// From each version to the next, the first from 1 to 2.
    private static let steps = [hiddenBeforeTheEnd, epochs, decisions, keys]

    /// From version 1 to 2, beside which instances of version 1 go on.
    private static let hiddenBeforeTheEnd: StaticString = """
        ALTER TABLE dex_relay.orders ADD COLUMN was_hidden boolean NOT NULL DEFAULT false;
        ALTER TABLE dex_relay.changes ADD COLUMN was_hidden boolean NOT NULL DEFAULT false;
        UPDATE dex_relay.orders SET was_hidden = true
        WHERE state IN ('filled', 'cancelled', 'expired', 'removed')
            AND change IN (SELECT number FROM dex_relay.changes WHERE previous = 'hidden');
        UPDATE dex_relay.format SET version = 2
        """

    /// From version 2 to 3, beside which instances of version 2 go on; their watchers' late commits
    /// are not refused.
    private static let epochs: StaticString = """
        ALTER TABLE dex_relay.head
            ADD COLUMN epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0);
        UPDATE dex_relay.format SET version = 3
        """

    /// From version 3 to 4, beside which instances of version 3 go on, with their own files.
    private static let decisions: StaticString = """
        CREATE TABLE dex_relay.operator (
            id integer PRIMARY KEY CHECK (id = 1),
            revision bigint NOT NULL CHECK (revision >= 0),
            decided_at bigint NOT NULL CHECK (decided_at >= 0)
        );
        INSERT INTO dex_relay.operator VALUES (1, 0, 0);
        CREATE TABLE dex_relay.decisions (
            number bigint PRIMARY KEY CHECK (number >= 1),
            decided_at bigint NOT NULL CHECK (decided_at >= 0),
            action text NOT NULL CHECK (action IN ('hide', 'remove', 'show')),
            kind text NOT NULL CHECK (kind IN ('order', 'maker', 'pair')),
            subject bytea NOT NULL CHECK (octet_length(subject) = CASE kind
                WHEN 'order' THEN 32 WHEN 'maker' THEN 20 ELSE 40
            END),
            reason text
        );
        UPDATE dex_relay.format SET version = 4
        """

    /// From version 4 to 5, beside which instances of version 4 go on, without keys.
    ///
    /// A limit of -1 is what an address has. Instances are lost with the server, and return at once.
    private static let keys: StaticString = """
        CREATE TABLE dex_relay.keys (
            name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
            digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
            added_at bigint NOT NULL CHECK (added_at >= 0),
            requests_per_hour bigint NOT NULL CHECK (requests_per_hour >= -1),
            posts_per_second bigint NOT NULL CHECK (posts_per_second >= -1),
            post_burst bigint NOT NULL CHECK (post_burst >= -1),
            subscriptions_per_second bigint NOT NULL CHECK (subscriptions_per_second >= -1)
        );
        CREATE UNLOGGED TABLE dex_relay.instances (
            name text PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 64),
            seen_at timestamptz NOT NULL
        );
        UPDATE dex_relay.format SET version = 5
        """
}
