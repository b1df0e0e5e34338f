import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex doctor` against nodes and relays that lie, break or are gone, and with money on its way.
@Suite("The doctor among faults")
struct DoctorFaultTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n[trade]\nreceipt_timeout = 1\n")
    }

    private func doctor(_ options: String..., wallet: String = "alice") async throws
        -> DexBinary.Run
    {
        try await dex.run(["doctor", "--json", "--wallet", wallet] + options)
    }

    /// A checkup of a server of which head and body of each answer are changed.
    private func checkup(
        before target: String,
        _ option: String,
        path: String = "",
        _ change: @escaping @Sendable (ScriptedRequest, _ text: String) -> String
    ) async throws -> DexBinary.Run {
        let server = try Interposer(before: target) { request, _ in
            .replace { connection, genuine in
                let text = String(decoding: genuine, as: UTF8.self)
                let parts = text.components(separatedBy: "\r\n\r\n")
                let head = change(request, parts[0] + "\r\n")
                let body = change(request, parts.dropFirst().joined(separator: "\r\n\r\n"))
                let lines = head.components(separatedBy: "\r\n").filter { line in
                    ["date:", "content-type:"].contains { line.lowercased().hasPrefix($0) }
                }
                connection.write(ScriptedAnswer(headers: lines, body: body).bytes)
            }
        }
        return try await doctor("--timeout", "20", option, server.url + path)
    }

    // MARK: The node

    @Test("a node that lies about its chain, its head, its batches or its logs is told")
    func lyingNode() async throws {
        try await dex.withSandbox { sandbox in
            func node(
                _ change: @escaping @Sendable (ScriptedRequest, String) -> String
            ) async throws -> DexBinary.Run {
                try await checkup(before: sandbox.rpc, "--rpc", change)
            }
            let honest = try await node { $1 }
            #expect(honest.status == 0, "\(honest.stdout)")
            let other = try await node { request, text in
                request.methods.contains("eth_chainId")
                    ? text.replacingOccurrences(of: "\"0x539\"", with: "\"0x1\"") : text
            }
            #expect(other.status == 3)
            #expect(try other.checks()["chain-id"] == "fail")
            #expect(try other.checks()["ether"] == "skipped")
            #expect(try other.checks()["relay"] == "ok")
            let headless = try await node { request, text in
                request.methods == ["eth_getBlockByNumber"] && text.hasPrefix("{")
                    ? #"{"jsonrpc":"2.0","id":0,"result":{"number":"0x5"}}"# : text
            }
            #expect(headless.status == 4)
            #expect(try headless.checks()["sync"] == "fail")
            #expect(try headless.checks()["logs"] == "skipped")
            let syncing = try await node { request, text in
                request.methods == ["eth_syncing"] && text.hasPrefix("{")
                    ? #"{"id":0,"result":{"currentBlock":"0x1","highestBlock":"0x5"}}"# : text
            }
            #expect(syncing.status == 4)
            #expect(
                try syncing.check("sync")["found"]?.stringValue?.contains("4 blocks") == true
            )
            let logless = try await node { request, text in
                request.methods.contains("eth_getLogs") && text.hasPrefix("{")
                    ? #"{"id":0,"error":{"code":-32601,"message":"no such method"}}"# : text
            }
            #expect(logless.status == 4)
            #expect(try logless.checks()["logs"] == "fail")
            let few = try await node { request, text in
                request.methods.count == 100 && text.hasPrefix("[")
                    ? #"{"id":null,"error":{"code":-32600,"message":"batch limit is 99"}}"# : text
            }
            #expect(few.status == 0)
            #expect(try few.checks()["batches"] == "warn")
            #expect(
                try few.check("batches")["found"]?.stringValue?.contains("batch limit is 99")
                    == true
            )
            let single = try await node { request, text in
                request.methods.count > 1 && text.hasPrefix("[")
                    ? #"{"id":null,"error":{"code":-32600,"message":"no batches"}}"# : text
            }
            // Everything else is read one by one, as any command would.
            #expect(single.status == 0, "\(single.stdout)")
            #expect(try single.checks()["batches"] == "warn")
            let page = try await node { _, text in
                text.contains("jsonrpc") ? "<!doctype html><html>sign in</html>" : text
            }
            #expect(page.status == 4)
            #expect(try page.checks()["node"] == "fail")
        }
    }

    @Test(
        "a clock that is 2 s off is told, and 10 s is too far",
        arguments: [
            (1, "ok", 0), (2, "warn", 0), (9, "warn", 0), (10, "fail", 3), (11, "fail", 3),
            (-2, "warn", 0), (-10, "fail", 3),
        ] as [(Int, String, Int32)]
    )
    func clock(seconds: Int, status: String, exit: Int32) async throws {
        try await dex.withSandbox { sandbox in
            let run = try await checkup(before: sandbox.rpc, "--rpc") { _, text in
                let now = Date(timeIntervalSinceNow: TimeInterval(seconds))
                return text.replacing(/[Dd]ate: [^\r]*/, with: "Date: " + Self.header(now))
            }
            #expect(try run.checks()["clock"] == status, "\(run.stdout)")
            #expect(run.status == exit)
            guard status != "ok" else { return }
            let found = try #require(try run.check("clock")["found"]?.stringValue)
            #expect(found.contains(seconds > 0 ? "behind" : "ahead of"), "\(found)")
        }
    }

    /// A time as HTTP writes it, its seconds cut off.
    private static func header(_ time: Date) -> String {
        let seconds = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: seconds)
    }

    @Test("a node that keeps its time to itself leaves the clock unchecked")
    func timeless() async throws {
        try await dex.withSandbox { sandbox in
            let run = try await checkup(before: sandbox.rpc, "--rpc") { _, text in
                text.replacing(/[Dd]ate:/, with: "X-Date:")
            }
            #expect(run.status == 0)
            #expect(try run.checks()["clock"] == "warn")
        }
    }

    @Test("a node that is down, hangs or is on another chain fails at once, and the rest is told")
    func sandboxFaults() async throws {
        try await dex.withSandbox { _ in
            for (words, check, exit) in [
                (["down", "--of", "node"], "node", 4), (["hang", "--of", "node"], "node", 4),
                (["wrong-chain", "--chain-id", "1"], "chain-id", 3),
                (["down", "--of", "relay"], "relay", 4), (["hang", "--of", "relay"], "relay", 4),
            ] as [([String], String, Int32)] {
                try await fault(words)
                let run = try await doctor("--timeout", "8")
                #expect(run.status == exit, "\(words): \(run.stdout)")
                let statuses = try run.checks()
                #expect(statuses[check] == "fail", "\(words): \(run.stdout)")
                #expect(statuses["wallet"] == "ok")
                let isRelay = words.contains("relay")
                #expect(statuses["ether"] == (isRelay ? "ok" : "skipped"), "\(words)")
                try await fault(["clear"])
            }
        }
    }

    private func fault(_ words: [String]) async throws {
        let run = try await dex.run(["sandbox", "fault"] + words)
        try #require(run.status == 0, "\(words): \(run.stderr)")
    }

    @Test("two nodes have rows of their own, and the one that works is enough for the rest")
    func twoNodes() async throws {
        try await dex.withSandbox { sandbox in
            let dead = "http://user:hidden@127.0.0.1:\(try ScriptedServer.closedPort())/key"
            let run = try await doctor("--rpc", dead, "--rpc", sandbox.rpc)
            #expect(run.status == 4)
            let rows = try #require(try run.json()["data"]?["checks"]?.arrayValue)
            let nodes = rows.filter { $0["check"] == "node" }
            #expect(nodes.map { $0["status"] } == ["fail", "ok"])
            #expect(nodes[1]["node"]?.stringValue == sandbox.rpc)
            #expect(try run.checks()["ether"] == "ok")
            // What may be a key is never shown.
            for text in [run.stdout, run.stderr] {
                #expect(!text.contains("hidden") && !text.contains("/key"))
            }
        }
    }

    // MARK: The relay

    @Test("a relay that is down, is a web page or is of another exchange is told")
    func relay() async throws {
        try await dex.withSandbox { sandbox in
            let path = try #require(URL(string: sandbox.relay)?.path)
            func relay(
                _ change: @escaping @Sendable (ScriptedRequest, String) -> String
            ) async throws -> DexBinary.Run {
                try await checkup(before: sandbox.relay, "--relay", path: path, change)
            }
            let honest = try await relay { $1 }
            #expect(honest.status == 0, "\(honest.stdout)")
            let page = try await relay { _, text in
                text.hasPrefix("HTTP")
                    ? "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                    : "<!doctype html><html><body>\u{1B}[31mSign in</body></html>"
            }
            #expect(page.status == 4)
            #expect(try page.checks()["relay"] == "fail")
            #expect(try page.check("relay").remedies.first?.contains("--relay") == true)
            let empty = try await relay { request, text in
                request.target.contains("token_pairs") && text.hasPrefix("[") ? "[]" : text
            }
            #expect(empty.status == 0)
            #expect(try empty.checks()["relay"] == "warn")
            let port = try ScriptedServer.closedPort()
            let dead = try await doctor("--relay", "http://127.0.0.1:\(port)/v0")
            #expect(dead.status == 4)
            #expect(try dead.checks()["relay"] == "fail")
            #expect(try dead.checks()["transactions"] == "ok")
            let screen = try await dex.run(
                ["doctor", "--wallet", "alice", "--relay", "http://127.0.0.1:\(port)/v0"]
            )
            #expect(screen.status == 4)
            #expect(screen.stdout.contains("\nfail  relay "))
            #expect(screen.stderr.hasPrefix("error: One check failed: relay."))
        }
    }

    // MARK: Money on its way

    @Test("a stuck transaction is told with what frees it, and is gone when that was done")
    func stuck() async throws {
        try await dex.withSandbox { _ in
            try await fault(["stuck"])
            let bought = try await dex.run(
                "market-buy --via book ZRX/WETH 5 --yes --json --wallet bob"
            )
            try #require(bought.status == 12, "\(bought.stdout)")
            let hash = try #require(
                try bought.json()["data"]?["transactions"]?.arrayValue?.last?["hash"]?.stringValue
            )
            let run = try await doctor(wallet: "bob")
            #expect(run.status == 12)
            let row = try run.check("transactions")
            #expect(row["status"] == "fail")
            #expect(row["found"]?.stringValue?.contains(hash) == true)
            #expect(row.remedies.first?.hasSuffix("dex tx speedup \(hash)") == true)
            let faster = try await dex.run(
                ["tx", "speedup", hash, "--yes", "--beyond-limits", "--wallet", "bob"]
            )
            #expect(faster.status == 0, "\(faster.stderr)")
            #expect(try await doctor(wallet: "bob").checks()["transactions"] == "ok")
        }
    }

    @Test("an own order without its allowance is told with the way to its reason")
    func allowance() async throws {
        try await dex.withSandbox { _ in
            let placed = try await dex.run(
                ["place-limit", "sell", "ZRX/WETH", "10", "--price", "0.01"]
                    + ["--yes", "--json", "--wallet", "bob"]
            )
            try #require(placed.status == 0, "\(placed.stdout)")
            let hash = try #require(try placed.json()["data"]?["orderHash"]?.stringValue)
            #expect(try await doctor(wallet: "bob").checks()["orders"] == "ok")
            let revoked = try await dex.run("allowance revoke ZRX --yes --wallet bob")
            try #require(revoked.status == 0, "\(revoked.stderr)")
            let run = try await doctor(wallet: "bob")
            #expect(run.status == 0)
            #expect(try run.checks()["orders"] == "warn")
            #expect(
                try run.check("orders").remedies.first?.hasSuffix("dex why \(hash)") == true
            )
            // The way leads there.
            let why = try await dex.run("why \(hash) --wallet bob")
            #expect(why.stdout.contains("dex allowance set ZRX"), "\(why.stdout)")
        }
    }

    @Test("a journal that is damaged fails its row, and all that needs none is told")
    func damagedJournal() async throws {
        try await dex.withSandbox { _ in
            let file = dex.home.appending(path: "sandbox/journal.sqlite")
            let noise = Data(repeating: 0x5A, count: 8_192)
            try noise.write(to: file)
            let run = try await doctor()
            #expect(run.status == 3)
            let statuses = try run.checks()
            #expect(statuses["journal"] == "fail", "\(run.stdout)")
            #expect(statuses["orders"] == "skipped" && statuses["transactions"] == "skipped")
            #expect(statuses["ether"] == "ok")
            #expect(try Data(contentsOf: file) == noise)
        }
    }
}
