import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

@Suite("Watching on the sandbox")
struct WatchTests: WatchSuite {
    let dex: DexBinary
    private static let stranger = "0x1111111111111111111111111111111111111111"

    init() throws {
        dex = try DexBinary()
    }

    private func place(_ amount: String = "20") async throws -> String {
        let placed = try await run("place-limit", "sell", "ZRX/WETH", amount, "--price", "0.01")
        return try #require(placed["orderHash"]?.stringValue)
    }

    @Test(
        "fills, cancels, transfers and orders in trouble are told, each once, across restarts",
        arguments: SandboxNetwork.allCases
    )
    func story(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            #expect(try await look().isEmpty)
            let hash = try await place()
            _ = try await run(
                "fill",
                hash,
                "5",
                "--wallet",
                "bob",
                "--allow-high-impact"
            )
            let fill = try await look()
            #expect(words(fill) == ["fill"])
            #expect(fill.first?["orderHash"]?.stringValue == hash)
            #expect(fill.first?["gives"]?["value"] == "5")
            #expect(fill.first?["wants"]?["value"] == "0.05")
            let taker = fill.first?["counterparty"]?.stringValue
            // bob's side of the same: what he gave and what he got.
            let bob = try await look("--from", "first", "--wallet", "bob")
            #expect(words(bob) == ["trade"])
            #expect(bob.first?["gives"]?["value"] == "0.05" && bob.first?["wants"]?["value"] == "5")
            #expect(bob.first?["account"]?.stringValue == taker)

            _ = try await run("send", "ZRX", "3", Self.stranger)
            _ = try await run("cancel", hash)
            _ = try await run(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "7",
                "--price",
                "0.02",
                "--expires",
                "10m"
            )
            let more = try await look()
            #expect(words(more) == ["sent", "cancel", "expiring"])
            #expect(more[0]["counterparty"]?.stringValue == Self.stranger)
            _ = try await run("allowance", "revoke", "ZRX")
            #expect(words(try await look()) == ["unfunded"])
            _ = try await run("allowance", "set", "ZRX", "7")
            #expect(words(try await look()) == ["funded"])

            for start in ["first", "1", "journal", "latest"] {
                #expect(try await look("--from", start).isEmpty, "\(start)")
            }
        }
    }

    @Test(
        "a transaction that a reorganization moves, takes out and puts back",
        arguments: SandboxNetwork.allCases
    )
    func reorganizations(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            #expect(try await look().isEmpty)
            let hash = try await place()
            _ = try await run(
                "fill",
                hash,
                "5",
                "--wallet",
                "bob",
                "--allow-high-impact"
            )
            let reported = try await look()
            #expect(words(reported) == ["fill"])
            _ = try await run("sandbox", "fault", "reorg", "--transactions", "mined")
            #expect(try await look().isEmpty)
            _ = try await run("sandbox", "fault", "reorg", "--blocks", "2")
            let undone = try await look()
            #expect(words(undone) == ["undone fill"])
            #expect(undone.first?["transaction"] == reported.first?["transaction"])
            #expect(try await look().isEmpty)
            // What waits is mined again.
            _ = try await run("sandbox", "fault", "clear")
            let restored = try await look()
            #expect(words(restored) == ["restored fill"])
            #expect(restored.first?["transaction"] == reported.first?["transaction"])
            #expect(try await look("--from", "first").isEmpty)
            let ids = (reported + undone + restored).compactMap { $0["eventId"]?.stringValue }
            #expect(Set(ids).count == 3)
        }
    }

    @Test("killed at any request, the next one tells exactly what was not told")
    func killedAtRequests() async throws {
        try await dex.withSandbox { sandbox in
            #expect(try await look().isEmpty)
            let hash = try await place("60")
            // Head, logs, blocks, and where the order stands.
            try await killAtRequests(of: sandbox, expecting: ["fill"], moreThan: 4) {
                _ = try await run(
                    "fill",
                    hash,
                    "2",
                    "--wallet",
                    "bob",
                    "--allow-high-impact"
                )
            }
        }
    }

    @Test("killed at any moment while it follows, nothing is lost and nothing is noted twice")
    func killedAnytime() async throws {
        try await dex.withSandbox { sandbox in
            #expect(try await look().isEmpty)
            let hash = try await place("60")
            var generator = SeededGenerator(seed: 5)
            var lines: [JSONValue] = []
            var sent: Set<String> = []
            for round in 0..<10 {
                let dex = dex
                let after = Int.random(in: 1...12, using: &generator)
                // Some requests after the fill, wherever it is then.
                let countdown = Mutex<Int?>(nil)
                let front = try Interposer(before: sandbox.rpc) { _, _ in
                    let isOver = countdown.withLock { left in
                        left = left.map { $0 - 1 }
                        return left == 0
                    }
                    return isOver ? .passThen { _ = try? dex.kill() } : .pass
                }
                async let watched = dex.run("watch --json --rpc \(front.url)")
                let fill = try await fillBeside(hash)
                sent.insert(fill)
                if round % 3 == 2 {
                    _ = try await run("sandbox", "fault", "reorg", "--transactions", "mined")
                }
                countdown.withLock { $0 = after }
                lines += try events(try await watched.stdout)
            }
            lines += try await look()
            let fills = lines.filter { $0["event"] == "fill" }
            #expect(Set(fills.compactMap { $0["transaction"]?.stringValue }) == sent)
            #expect(fills.allSatisfy { $0["phase"] == "new" })
            // Told again only under the same id, by a kill between printing and marking.
            #expect(Set(fills.compactMap { $0["eventId"]?.stringValue }).count == sent.count)
            #expect(try await look("--from", "first").isEmpty)
        }
    }

    /// bob fills a part; the transaction.
    private func fillBeside(_ hash: String) async throws -> String {
        let filled = try await run(
            "fill",
            hash,
            "2",
            "--wallet",
            "bob",
            "--allow-high-impact"
        )
        return try #require(filled["transactions"]?.arrayValue?.last?["hash"]?.stringValue)
    }

    @Test("it follows until Ctrl-C, alone, and prints as it happens")
    func follows() async throws {
        try await dex.withSandbox { sandbox in
            let dex = dex
            let hash = try await place()
            let requests = Mutex(0)
            let front = try Interposer(before: sandbox.rpc) { _, _ in
                requests.withLock { $0 += 1 }
                return .pass
            }
            async let watched = dex.run("watch --from first --rpc \(front.url)")
            try await until("the first requests of watch") { requests.withLock { $0 > 0 } }
            // While one watches a second one does not, but for one that only prints.
            let refused = try await dex.run("watch --once --json")
            #expect(refused.status == 6)
            #expect(try refused.json()["error"]?["code"] == "already-watching")
            // Another account is another matter.
            #expect(try await look("--wallet", "bob").isEmpty)
            // It asks for the head once it reads the journal.
            let looks = Mutex(0)
            let beside = try Interposer(before: sandbox.rpc) { _, _ in
                looks.withLock { $0 += 1 }
                return .pass
            }
            async let read = dex.run("watch --rpc \(beside.url)")
            try await until("the second watch to read") { looks.withLock { $0 } > 0 }
            _ = try await fillBeside(hash)
            try await until("the fill to be printed twice") {
                try dex.printed().components(separatedBy: "Order filled").count == 3
            }
            #expect(try dex.interrupt() == 2)
            let reader = try await read
            #expect(reader.status == 130, "\(reader.stdout) \(reader.stderr)")
            #expect(reader.stderr.contains("Another `dex watch` follows this account"))
            #expect(reader.stdout.components(separatedBy: "Order filled: 2 ZRX").count == 2)
            let run = try await watched
            #expect(run.status == 130, "\(run.stdout) \(run.stderr)")
            #expect(run.stderr.contains("Watching from block 0 on."))
            #expect(run.stdout.components(separatedBy: "Order filled: 2 ZRX").count == 2)
            #expect(run.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            #expect(try await look("--from", "first").isEmpty)
        }
    }

    @Test("interrupted at any request, what one has not told the next one tells, once")
    func interruptedAtRequests() async throws {
        try await dex.withSandbox { sandbox in
            #expect(try await look().isEmpty)
            let hash = try await place("60")
            let dex = dex
            var isReported = false
            for boundary in 0..<30 where !isReported {
                let fill = try await fillBeside(hash)
                let front = try Interposer(before: sandbox.rpc) { _, number in
                    guard number == boundary else { return .pass }
                    return .passThen { #expect((try? dex.interrupt()) == 1) }
                }
                let run = try await dex.run("watch --json --rpc \(front.url)")
                #expect(run.status == 130, "request \(boundary): \(run.stdout) \(run.stderr)")
                let before = try events(run.stdout)
                let reported = before + (try await look())
                #expect(words(reported) == ["fill"], "interrupted at request \(boundary)")
                #expect(reported.first?["transaction"]?.stringValue == fill)
                isReported = !before.isEmpty
            }
            try #require(isReported, "no run told the fill before it was interrupted")
        }
    }

    @Test("what cannot be is refused, and a node that is away ends the first look")
    func refusals() async throws {
        for words in [["--from", "yesterday"], ["--from", "-1"], ["--interval", "0"]] {
            let run = try await dex.run(["watch"] + words)
            #expect(run.status == 2, "\(words): \(run.stderr)")
        }
        let none = try await dex.run("watch --json --wallet \(Self.stranger)")
        #expect(none.status == 4, "\(none.stdout)")
        try await dex.withSandbox { _ in
            let ahead = try await dex.run("watch --once --from 999 --json")
            #expect(ahead.status == 2)
            #expect(try ahead.json()["error"]?["code"] == "block-ahead")
            let port = try ScriptedServer.closedPort()
            let away = try await dex.run("watch --json --rpc http://127.0.0.1:\(port)")
            #expect(away.status == 4)
            #expect(try away.json()["error"]?["code"] == "node-unreachable")
        }
    }
}
