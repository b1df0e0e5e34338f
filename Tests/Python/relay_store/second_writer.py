"""A second program on a relay's tables: psycopg writes orders as docs/relay.md says, and reads all.

Usage: second_writer.py ADDRESS COUNT TOTAL. It adds COUNT orders, each in its own transaction, waits
until the tables have TOTAL changes, and prints what it reads as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys

import psycopg

LOCK = 7234320727777045505
MAKER = bytes(19) + b"\x22"
ZRX = bytes(19) + b"\xa1"
WETH = bytes(19) + b"\xa2"


def add(connection: psycopg.Connection, number: int) -> None:
    """Adds an order with its change."""
    order = hashlib.sha256(f"psycopg {number}".encode()).digest()
    body = json.dumps({"salt": str(number), "by": "psycopg"}).encode()
    fillable = number.to_bytes(32, "big")
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        head = connection.execute("SELECT number FROM dex_relay.head").fetchone()
        assert head is not None
        change = head[0] + 1
        connection.execute(
            """
            INSERT INTO dex_relay.orders (
                hash, protocol, maker, maker_token, taker_token, body, received_at, state,
                fillable, is_partly_filled, since, change
            ) VALUES (%s, 'v4', %s, %s, %s, %s, 1000, 'shown', %s, false, 1000, %s)
            """,
            [order, MAKER, WETH, ZRX, body, fillable, change],
        )
        sequence = connection.execute(
            """
            INSERT INTO dex_relay.sequences AS s (protocol, token_a, token_b, sequence)
            VALUES ('v4', %s, %s, 1)
            ON CONFLICT (protocol, token_a, token_b) DO UPDATE SET sequence = s.sequence + 1
            RETURNING sequence
            """,
            [ZRX, WETH],
        ).fetchone()
        assert sequence is not None
        connection.execute(
            """
            INSERT INTO dex_relay.changes (
                number, hash, pair_sequence, state, fillable, is_partly_filled, since, previous,
                committed_at
            ) VALUES (%s, %s, %s, 'shown', %s, false, 1000, NULL, 1000)
            """,
            [change, order, sequence[0], fillable],
        )
        connection.execute("UPDATE dex_relay.head SET number = %s", [change])
        connection.execute("NOTIFY dex_relay")


def main() -> None:
    address, count, total = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with psycopg.connect(address, autocommit=True) as connection:
        with psycopg.connect(address, autocommit=True) as listener:
            listener.execute("LISTEN dex_relay")
            for number in range(count):
                add(connection, number)
            # A cursor like the relay's: what is read once is never asked for again.
            changes: list[dict[str, object]] = []
            while len(changes) < total:
                rows = connection.execute(
                    """
                    SELECT c.number, c.pair_sequence, encode(c.hash, 'hex'), c.state,
                        encode(c.fillable, 'hex'), convert_from(o.body, 'UTF8')
                    FROM dex_relay.changes c JOIN dex_relay.orders o USING (hash)
                    WHERE c.number > %s ORDER BY c.number
                    """,
                    [len(changes)],
                ).fetchall()
                names = ("number", "sequence", "hash", "state", "fillable", "body")
                changes += [dict(zip(names, row, strict=True)) for row in rows]
                if len(changes) < total:
                    next(listener.notifies(timeout=1), None)
        print(json.dumps(changes))


main()
