import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Orders and transactions named by the start of their hash, or by a row of a list.
@Suite("Short hashes and row numbers")
struct HashReferenceTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func place(_ price: String) async throws -> String {
        let placed = try await dex.data(
            "place-limit sell ZRX/WETH 5 --price \(price) --wallet alice --yes"
        )
        return try #require(placed["orderHash"]?.stringValue)
    }

    private func wrap() async throws -> String {
        let wrapped = try await dex.data("wrap 1 --wallet alice --yes")
        let transactions = try #require(wrapped["transactions"]?.arrayValue)
        return try #require(transactions.first?["hash"]?.stringValue)
    }

    @Test("the first digits of a hash are enough where one is taken, and the plan has it whole")
    func starts() async throws {
        try await dex.withSandbox { _ in
            let own = try await place("0.9")
            let transaction = try await wrap()
            func short(_ hash: String) -> String { String(hash.prefix(10)) }

            #expect(
                try await dex.data(arguments: ["order", short(own)])["orderHash"]?.stringValue
                    == own
            )
            let status = try await dex.data(arguments: ["status", short(transaction)])
            #expect(status["kind"] == "transaction" && status["hash"]?.stringValue == transaction)
            #expect(
                try await dex.data(arguments: ["status", short(own)])["hash"]?.stringValue == own
            )
            let speedup = try await dex.run([
                "tx", "speedup", short(transaction), "--yes", "--json",
            ])
            #expect(try speedup.json()["error"]?["code"] != "unknown-transaction")
            #expect(speedup.status == 6, "\(speedup.stdout)")

            // The relay's orders.
            let book = try await dex.data("orderbook ZRX/WETH")
            let asks = try #require(book["asks"]?.arrayValue)
            let ask = try #require(asks.first { $0["flags"]?.arrayValue?.isEmpty == true })
            let foreign = try #require(ask["orderHash"]?.stringValue)
            #expect(
                try await dex.data(arguments: ["why", short(foreign)])["orderHash"]?.stringValue
                    == foreign
            )
            let plan = try await dex.run(["fill", short(foreign), "1", "--wallet", "bob"])
            #expect(plan.status == 25, "\(plan.stderr)")
            #expect(plan.stdout.contains(foreign), "\(plan.stdout)")
            _ = try await dex.data(
                arguments: ["fill", short(foreign), "1", "--wallet", "bob", "--yes"],
                exit: 2,
                status: "error",
                code: "short-hash"
            )
            _ = try await dex.data(
                arguments: ["fill", short(foreign), "1", "--wallet", "bob", "--yes", "--dry-run"],
                exit: 30,
                status: "dry-run"
            )
            _ = try await dex.data(
                arguments: ["cancel", short(foreign), "--wallet", "bob", "--yes"],
                exit: 2,
                status: "error",
                code: "unknown-order"
            )

            let cancelled = try await dex.data(arguments: ["cancel", short(own), "--yes"])
            let orders = try #require(cancelled["orders"]?.arrayValue)
            #expect(orders.map { $0["orderHash"]?.stringValue } == [own])

            let unknown = try await dex.run("order 0x0123456789abcdef")
            #expect(unknown.status == 2)
            #expect(unknown.stderr.contains("No order starts with 0x0123456789abcdef."))
            _ = try await dex.data("order @1", exit: 2, status: "error", code: "no-list")
        }
    }

    /// Runs commands one after the other in one session at a terminal, each with its exit code
    /// behind what it shows.
    private func session(_ commands: String) async throws -> String {
        let script = """
            dex=$1
            say() { "$dex" "$@" >/dev/tty 2>&1; echo "exit $?" >/dev/tty; }
            \(commands)
            echo "the end" >/dev/tty
            """
        let reported = try await dex.converse(
            [],
            environment: ["NO_COLOR": "1"],
            [("the end", "")],
            shell: script
        )
        #expect(reported.run.status == 0, "\(reported.run.stderr)")
        return reported.lasting
    }

    @Test("a row number is a row of the list that this terminal shows last, and of no other")
    func rows() async throws {
        try await dex.withSandbox { _ in
            let first = try await place("0.9")
            let second = try await place("0.8")
            let transaction = try await wrap()
            let mine = "say orders --mine --wallet alice; "
            let lists = dex.home.appending(path: "lists").path

            // A script has no numbers, and leaves none.
            let plain = try await dex.run("orders --mine --wallet alice")
            #expect(!plain.stdout.contains("#"))
            #expect(!FileManager.default.fileExists(atPath: lists))

            let shown = try await session(mine + "say order @1; say order '#2'")
            let parts = shown.components(separatedBy: "exit 0\n")
            try #require(parts.count == 4, "\(shown)")
            #expect(parts[0].hasPrefix("#  SIDE"), "\(shown)")
            let starts = parts[0].matches(of: /0x[0-9a-f]{8,}/).map { String($0.output) }
            let hashes = starts.compactMap { start in
                [first, second].first { $0.hasPrefix(start) }
            }
            #expect(Set(hashes) == [first, second])
            #expect(parts[1].contains(hashes[0]) && parts[2].contains(hashes[1]), "\(shown)")
            let mode = try FileManager.default.attributesOfItem(atPath: lists)[.posixPermissions]
            #expect(mode as? Int == 0o700)

            // Another session of the terminal's number, or another terminal.
            let other = try await session("say order @1")
            #expect(other.contains("No list of orders or transactions was shown"), "\(other)")
            #expect(other.contains("exit 2"))

            let wrong = try await session(
                mine + "say order @9; say tx speedup @1; say order @1 --network sandbox-v4"
            )
            #expect(wrong.contains("has no row 9: it has 2 rows"), "\(wrong)")
            #expect(wrong.contains("is an order, not a transaction"), "\(wrong)")
            #expect(wrong.contains("is of the network sandbox"), "\(wrong)")
            #expect(wrong.components(separatedBy: "exit 2").count == 4, "\(wrong)")

            // The last list counts, also an empty one; what is no list leaves it.
            let last = try await session(
                mine + "say tx list --limit 1; say pairs; say status @1; say order @1; "
                    + "say orders --maker 0x00000000000000000000000000000000000000aa; say order @1"
            )
            #expect(last.contains("is a transaction, not an order"), "\(last)")
            #expect(last.contains(transaction) && last.contains("Transaction mined"), "\(last)")
            #expect(last.contains("has no row 1: it has 0 rows"), "\(last)")

            // A damaged file is not believed.
            let damaged = try await session(
                mine + "for f in \"$DEX_HOME\"/lists/*; do echo '{\"terminal\":1' >\"$f\"; done; "
                    + "say order @1; " + mine + "say order @1"
            )
            #expect(damaged.contains("was not kept whole, and is ignored"), "\(damaged)")
            #expect(damaged.hasSuffix("exit 0\nthe end\n"), "\(damaged)")
        }
    }

    @Test("a list that cannot be kept has no numbers, and the previous one is not taken for it")
    func unkept() async throws {
        try await dex.withSandbox { _ in
            _ = try await place("0.9")
            let file = dex.home.appending(path: "lists")
            try Data().write(to: file)
            let shown = try await session("say orders --mine --wallet alice; say order @1")
            #expect(shown.contains("The rows have no numbers"), "\(shown)")
            #expect(shown.contains("SIDE") && !shown.contains("#  SIDE"), "\(shown)")
            #expect(shown.contains("exit 2"), "\(shown)")
        }
    }
}
