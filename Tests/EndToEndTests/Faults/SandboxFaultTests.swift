import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox fault`, and what a trader sees under each of them.
@Suite("Faults of the sandbox")
struct SandboxFaultTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        // What is stuck need not be waited for long.
        try dex.write(config: "network = \"sandbox\"\n[trade]\nreceipt_timeout = 2\n")
    }

    private func fault(_ words: String...) async throws -> JSONValue {
        let run = try await dex.run(["sandbox", "fault"] + words + ["--json"])
        let json = try run.json()
        #expect(run.status == 0, "\(words): \(run.stderr)")
        #expect(json["command"]?.stringValue == "sandbox fault \(words[0])")
        return try #require(json["data"])
    }

    private func buy(_ options: String...) async throws -> DexBinary.Run {
        try await dex.run(
            ["market-buy", "--via", "book", "ZRX/WETH", "5", "--wallet", "bob", "--yes", "--json"]
                + options
        )
    }

    private func hash(_ run: DexBinary.Run) throws -> String {
        let sent = try run.json()["data"]?["transactions"]?.arrayValue?.last
        return try #require(sent?["hash"]?.stringValue)
    }

    @Test("a collision takes the first order of the next fill, and of no other")
    func collision() async throws {
        try await dex.withSandbox { _ in
            _ = try await fault("collision", "--times", "2")
            for _ in 0..<2 {
                let run = try await buy()
                // Backup orders fill the rest, within the confirmed minimum.
                #expect(run.status == 0, "\(run.stderr)")
                let rows = try run.json()["data"]?["outcome"]?["orders"]?.arrayValue
                #expect(rows?.first?["status"] == "skipped")
                #expect(rows?.dropFirst().contains { $0["status"] == "filled" } == true)
            }
            #expect(try await buy().status == 0)
            let list = try await fault("list")
            let row = try #require(list["faults"]?.arrayValue?.first)
            #expect(row["fault"] == "collision" && row["hits"] == 2 && row["times"] == 2)
            // dave is the faster one; where he trades himself it is carol.
            _ = try await fault("collision")
            let own = try await dex.run(
                "market-buy --via book ZRX/WETH 5 --wallet dave --yes --json"
            )
            #expect(own.status == 0, "\(own.stderr)")
            let rows = try own.json()["data"]?["outcome"]?["orders"]?.arrayValue
            #expect(rows?.first?["status"] == "skipped")
        }
    }

    @Test("a stuck transaction waits with its reason, stops a repeated command, and gets through")
    func stuck() async throws {
        try await dex.withSandbox { _ in
            _ = try await fault("stuck")
            let run = try await buy()
            #expect(run.status == 12, "\(run.stderr)")
            #expect(try run.json()["error"]?["code"] == "not-mined-yet")
            let stuck = try hash(run)
            let list = try await fault("list")
            #expect(list["waiting"]?.arrayValue == [.string(stuck)])
            let look = try await dex.run("status \(stuck)")
            #expect(look.status == 12)
            #expect(look.stdout.contains("Transaction pending"))
            let again = try await buy()
            #expect(again.status == 12)
            #expect(try again.json()["error"]?["code"] == "pending-transaction")
            // Others pay what gas costs now, and are not stuck.
            let other = try await dex.run(
                "market-buy --via book ZRX/WETH 5 --wallet carol --yes --json"
            )
            #expect(other.status == 0, "\(other.stderr)")

            let cleared = try await fault("clear", "stuck")
            #expect(cleared["waiting"]?.arrayValue?.isEmpty == true)
            #expect(cleared["cleared"]?.arrayValue?.first?["hits"] == 1)
            #expect(try await dex.run("status \(stuck)").status == 0)
        }
    }

    @Test("a reorganization takes a trade back: it waits, is lost, or is mined elsewhere")
    func reorganization() async throws {
        try await dex.withSandbox { _ in
            let first = try await buy()
            #expect(first.status == 0, "\(first.stderr)")
            let bought = try hash(first)
            let done = try await fault("reorg")
            #expect(done["replaced"] == 1)
            #expect(done["transactions"]?.arrayValue?.first?["hash"]?.stringValue == bought)
            #expect(done["transactions"]?.arrayValue?.first?["now"] == "pool")
            #expect(try await dex.run("status \(bought)").status == 12)
            _ = try await fault("clear")
            #expect(try await dex.run("status \(bought)").status == 0)

            let elsewhere = try await fault("reorg", "--transactions", "mined")
            #expect(elsewhere["transactions"]?.arrayValue?.first?["now"] == "mined")
            #expect(try await dex.run("status \(bought)").status == 0)

            let depth = try await fault("list")["block"]?.numberText
            let gone = try await fault(
                "reorg",
                "--blocks",
                try #require(depth),
                "--transactions",
                "gone"
            )
            #expect(gone["fork"] == 0)
            #expect(try await dex.run("status \(bought)").status == 13)
        }
    }

    @Test("requests fail by the share and the seed, and dex asks again")
    func flaky() async throws {
        try await dex.withSandbox { _ in
            for kind in ["cut", "lost", "body", "429", "503"] {
                _ = try await fault("flaky", "--share", "100", "--kind", kind, "--of", "relay")
                let run = try await dex.run("orderbook ZRX/WETH --json")
                #expect(run.status == 4, "\(kind): \(run.stdout)")
                let code = kind == "429" ? "relay-rate-limited" : "relay-unreachable"
                #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(kind)")
                let row = try await fault("clear")["cleared"]?.arrayValue?.first
                #expect(row?["requests"] == 3 && row?["hits"] == 3, "\(kind)")
            }
            // Three tries see a book through a third of failures nearly always.
            _ = try await fault("flaky", "--share", "20", "--seed", "7", "--kind", "cut")
            var ends: [Int32] = []
            for _ in 0..<6 { ends.append(try await dex.run("balance --wallet bob").status) }
            let list = try await fault("clear")
            let node = list["cleared"]?.arrayValue?.first { $0["of"] == "node" }
            let hits = node?["hits"]?.numberText.flatMap { Int($0) } ?? 0
            #expect(hits > 0 && ends.contains(0), "\(ends) \(list.text)")
        }
    }

    @Test("slow, hanging, dead and foreign servers end as they must, and recover")
    func servers() async throws {
        try await dex.withSandbox { _ in
            func balance() async throws -> DexBinary.Run {
                try await dex.run("balance --wallet bob --json --timeout 8")
            }
            for (words, code) in [
                (["slow", "--delay", "1m", "--of", "node"], "node-unreachable"),
                (["hang", "--of", "node"], "node-unreachable"),
                (["down", "--of", "node"], "node-unreachable"),
                (["wrong-chain", "--chain-id", "5"], "wrong-chain"),
            ] {
                let set = try await dex.run(["sandbox", "fault"] + words)
                #expect(set.status == 0, "\(words): \(set.stderr)")
                let run = try await balance()
                #expect(run.status == (code == "wrong-chain" ? 3 : 4), "\(words) \(run.stdout)")
                #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(words)")
                _ = try await fault("clear")
                #expect(try await balance().status == 0, "\(words)")
            }
            let start = ContinuousClock.now
            _ = try await fault("slow", "--delay", "300ms", "--of", "node")
            #expect(try await balance().status == 0)
            #expect(ContinuousClock.now - start > .milliseconds(300))
        }
    }

    @Test("what cannot be is refused with 2, without a sandbox with 4")
    func refusals() async throws {
        for words in [
            ["slow", "--delay", "11m"], ["slow", "--delay", "soon"], ["slow", "--delay", "0"],
            ["flaky", "--share", "0"], ["flaky", "--share", "101"], ["flaky", "--kind", "bad"],
            ["collision", "--times", "0"], ["stuck", "--times", "1001"],
            ["reorg", "--blocks", "0"],
            ["reorg", "--blocks", "65"], ["down", "--of", "everything"], ["clear", "nothing"],
            ["wrong-chain", "--chain-id", "0"],
        ] {
            let run = try await dex.run(["sandbox", "fault"] + words)
            #expect(run.status == 2, "\(words): \(run.stderr)")
        }
        let none = try await dex.run("sandbox fault list --json")
        #expect(none.status == 4)
        #expect(try none.json()["error"]?["code"] == "sandbox-not-running")
        try await dex.withSandbox { _ in
            let deep = try await dex.run("sandbox fault reorg --blocks 9 --json")
            #expect(deep.status == 2)
            #expect(try deep.json()["error"]?["code"] == "bad-fault")
            // A dry run changes nothing.
            let dry = try await dex.run("sandbox fault down --dry-run --json")
            #expect(dry.status == 30)
            #expect(try await fault("list")["faults"]?.arrayValue?.isEmpty == true)
            _ = try await fault("slow", "--of", "relay")
            let clearing = try await dex.run("sandbox fault clear --dry-run --json")
            #expect(clearing.status == 30)
            #expect(try await fault("list")["faults"]?.arrayValue?.count == 1)
        }
    }

    @Test("the screens fit a terminal of 80 columns")
    func screens() async throws {
        try await dex.withSandbox { _ in
            let flaky = try await dex.run("sandbox fault flaky")
            #expect(
                flaky.stdout == """
                    30 % of the requests to the node and relay fail from now on.

                    Faults that are on

                      fault  of     what it does                          struck
                      flaky  node   30 % fail: cut, lost, body, 429, 503  0 of 0
                      flaky  relay  30 % fail: cut, lost, body, 429, 503  0 of 0

                      block     0
                      base fee  0.875 gwei
                      waiting   no transactions

                    End them with: dex sandbox fault clear

                    """
            )
            let clear = try await dex.run("sandbox fault clear flaky")
            #expect(clear.stdout.hasPrefix("Ended: flaky.\n\nNo faults are on.\n"))
            for words in [["collision"], ["stuck"], ["slow"], ["down"], ["hang"], ["list"]] {
                let run = try await dex.run(["sandbox", "fault"] + words)
                for line in run.stdout.split(separator: "\n") {
                    #expect(line.count <= 80, "\(line)")
                }
            }
        }
    }
}
