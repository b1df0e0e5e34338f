import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox up --fork` from its start to its end, with another sandbox as the live chain.
@Suite struct SandboxForkTests {
    /// Runs a body with a live chain's URL and the home of a fork.
    private func forking(_ body: (String, DexBinary) async throws -> Void) async throws {
        let (live, dex) = (try DexBinary(), try DexBinary())
        do {
            let up = try await live.run("sandbox up --detach --json")
            try await body(try #require(up.json()["data"]?["rpcUrl"]?.stringValue), dex)
        } catch {
            _ = try await dex.run("sandbox down")
            _ = try await live.run("sandbox down")
            throw error
        }
        #expect(try await dex.run("sandbox down").status == 0)
        #expect(try await live.run("sandbox down").status == 0)
    }

    private static func address(_ end: String) -> String {
        "0x" + String(repeating: "0", count: 38) + end
    }

    private func code(_ run: DexBinary.Run) throws -> String? {
        try run.json()["error"]?["code"]?.stringValue
    }

    @Test("up, status, funds, a restart with the node, what does not go with it, reset")
    func life() async throws {
        try await forking { live, dex in
            let up = try await dex.run(
                "sandbox up --fork \(live) --block 0 --fund carol=1.5",
                "--fund carol=7:ZRX --detach --json"
            )
            #expect(up.status == 0, "\(up)")
            let data = try #require(up.json()["data"])
            #expect(data["chainId"]?.numberText == "1338")
            #expect(data["forkOf"]?["chainId"]?.numberText == "1337")
            #expect(data["forkOf"]?["node"]?.stringValue == live)
            #expect(data["relay"] == .null)
            let status = try await dex.run("sandbox status")
            #expect(status.stdout.contains("A fork of chain 1337 is running"))
            #expect(status.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let balances = try await dex.run("balance ETH ZRX --wallet carol --json").json()
            let values = balances["data"]?["balances"]?.arrayValue?.map {
                $0["balance"]?["value"]?.stringValue
            }
            #expect(values == ["1.5", "7"])
            let fault = try await dex.run("sandbox fault list --json")
            #expect(try code(fault) == "sandbox-is-fork")
            let doctor = try await dex.run("doctor --wallet alice --json")
            #expect(doctor.status == 0, "\(doctor.stdout)")

            #expect(try await dex.run("sandbox down").status == 0)
            for (options, wanted) in [
                ("--fork \(live) --block 3", "sandbox-settings"),
                ("--fork \(live) --chain-id 77", "sandbox-settings"),
                ("--fork \(live) --memory", "sandbox-settings"),
                ("--orders 5", "sandbox-settings"),
                ("--fund carol=1:NONE", "unknown-token"),
            ] {
                let refused = try await dex.run("sandbox up \(options) --json")
                #expect(try code(refused) == wanted, "\(options): \(refused.stdout)")
            }
            let again = try await dex.run("sandbox up --fork \(live) --detach --json")
            #expect(try again.json()["data"]?["forkOf"]?["node"]?.stringValue == live)
            let reset = try await dex.run("sandbox reset --yes --json")
            #expect(reset.status == 0)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: dex.home.appending(path: "sandbox").path
            )
            #expect(files == ["lock"])
        }
    }

    @Test("blocks and transactions of before are those of the live chain, and there offline")
    func past() async throws {
        let (live, dex) = (try DexBinary(), try DexBinary())
        do {
            let up = try await live.run("sandbox up --detach --json")
            let node = try #require(up.json()["data"]?["rpcUrl"]?.stringValue)
            var hashes: [String] = []
            for _ in 0..<3 {
                let sent = try await live.run(
                    "send ETH 1 \(Self.address("f9")) --yes --wallet alice --json"
                )
                #expect(sent.status == 0, "\(sent)")
                let all = try sent.json()["data"]?["transactions"]?.arrayValue
                hashes.append(try #require(all?.first?["hash"]?.stringValue))
            }
            let forked = try await dex.run("sandbox up --fork \(node) --block 3 --detach --json")
            #expect(forked.status == 0, "\(forked)")
            let online = try await dex.run("block 2 --json")
            #expect(online.status == 0, "\(online)")
            let rows = try online.json()["data"]?["transactions"]?.arrayValue
            #expect(rows?.map { $0["hash"]?.stringValue } == [hashes[1]], "\(online.stdout)")
            #expect(rows?.first?["gasUsed"]?.numberText == "21000", "\(online.stdout)")
            let old = try await dex.run("call \(Self.address("f9")) f()(uint256) --block 1 --json")
            #expect(old.status != 0, "\(old.stdout)")
            #expect(try await dex.run("sandbox down").status == 0)
            #expect(try await dex.run("sandbox up --detach").status == 0)
            #expect(try await dex.run("block 2 --json").stdout == online.stdout)
            let unknown = try await dex.run("block 1")
            #expect(unknown.status == 4, "\(unknown)")
            #expect(
                unknown.stderr.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    .contains("has never fetched block 1 of chain 1337"),
                "\(unknown.stderr)"
            )
        } catch {
            _ = try await dex.run("sandbox down")
            _ = try await live.run("sandbox down")
            throw error
        }
        #expect(try await dex.run("sandbox down").status == 0)
        #expect(try await live.run("sandbox down").status == 0)
    }

    @Test("what a fork does not have is said, by each command that would need it")
    func lacking() async throws {
        try await forking { live, dex in
            let up = try await dex.run("sandbox up --fork \(live) --block 0 --detach --json")
            let rpc = try #require(up.json()["data"]?["rpcUrl"]?.stringValue)
            for (words, wanted) in [
                ("market-buy ZRX/WETH 1 --via book", "sandbox-is-fork"),
                ("market-buy ZRX/WETH 1 --via swap", "no-swap"),
                ("place-limit buy ZRX/WETH 1 --price 0.0001", "sandbox-is-fork"),
                ("sandbox fault collision", "sandbox-is-fork"),
                ("sandbox fault clear", "sandbox-is-fork"),
            ] {
                let run = try await dex.run("\(words) --wallet alice --json")
                #expect(try code(run) == wanted, "\(words): \(run.stdout)")
            }
            let status = try await dex.run("sandbox status")
            #expect(status.stdout.contains("has   a node alone: no relay"), "\(status.stdout)")
            let page = try await KeptClient(rpc).get("/")
            #expect(page.body.contains("A fork has a node alone: no explorer"), "\(page.body)")
            let other = try DexBinary()
            let follow = try await other.run("sandbox follow \(rpc) --json")
            #expect(follow.status != 0)
            #expect(try follow.json()["error"]?["message"]?.stringValue?.contains("fork") == true)
        }
    }

    @Test("a node's URL of a variable, and the live chain's own id, which is said loudly")
    func sameChain() async throws {
        try await forking { live, dex in
            let up = try await dex.run(
                "sandbox up --fork - --block 0 --chain-id 1337 --accounts none --detach --json",
                environment: ["DEX_FORK_URL": "\(live)/?key=SECRET"]
            )
            #expect(up.status == 0, "\(up)")
            let warnings = try up.json()["warnings"]?.arrayValue?.compactMap(\.stringValue)
            #expect(warnings?.count == 1)
            #expect(warnings?.first?.contains("VALID ON THE LIVE CHAIN") == true)
            #expect(try up.json()["data"]?["forkOf"]?["node"]?.stringValue == live)
            #expect(!up.stdout.contains("SECRET"))
            #expect(try up.json()["data"]?["accounts"]?.arrayValue == [])
        }
    }

    @Test("what cannot begin leaves nothing behind")
    func noBeginning() async throws {
        try await forking { live, dex in
            let (nobody, nothing) = (Self.address("f7"), Self.address("f8"))
            for (options, wanted) in [
                ("--fork http://127.0.0.1:1", "fork-silent"),
                ("--fork \(live) --block 999", "fork-block"),
                ("--fork \(live) --chain-id 1", "sandbox-public-chain"),
                ("--fork \(live) --block 0 --fund alice=x:ZRX", "fork-funding"),
                ("--fork \(live) --block 0 --fund \(nobody)=1:\(nothing)", "fork-funding"),
                ("--fork sandbox", "sandbox-not-running"),
                ("--fund alice=5", "sandbox-settings"),
            ] {
                let refused = try await dex.run("sandbox up \(options) --json")
                #expect(try code(refused) == wanted, "\(options): \(refused.stdout)")
                let path = dex.home.appending(path: "sandbox").path
                let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                #expect(files.allSatisfy { $0 == "lock" }, "\(options): \(files)")
            }
        }
    }
}
