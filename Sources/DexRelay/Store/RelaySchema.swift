import GRDB

/// The tables of the relay's file and their migrations.
enum RelaySchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders") { database in
            try database.execute(
                sql: """
                    CREATE TABLE orders (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                        maker BLOB NOT NULL CHECK (length(maker) = 20),
                        body TEXT NOT NULL
                            CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
                        received_at INTEGER NOT NULL CHECK (received_at >= 0)
                    ) STRICT
                    """
            )
        }
        // Existing rows belong to the only version of that time.
        migrator.registerMigration("protocols") { database in
            try database.execute(
                sql: """
                    ALTER TABLE orders ADD COLUMN protocol TEXT NOT NULL DEFAULT 'v1'
                        CHECK (length(protocol) BETWEEN 1 AND 16);
                    CREATE TABLE unfillable (
                        hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
                        protocol TEXT NOT NULL CHECK (length(protocol) BETWEEN 1 AND 16),
                        maker BLOB NOT NULL CHECK (length(maker) = 20),
                        body TEXT NOT NULL
                            CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
                        state TEXT NOT NULL
                            CHECK (state IN ('expired', 'filled', 'cancelled', 'unfunded')),
                        since INTEGER NOT NULL CHECK (since >= 0)
                    ) STRICT;
                    CREATE INDEX unfillable_of_maker ON unfillable (protocol, maker, since);
                    CREATE INDEX unfillable_since ON unfillable (since);
                    """
            )
        }
        return migrator
    }
}
