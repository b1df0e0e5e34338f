import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox` from its start to its end, as scripts use it.
@Suite struct SandboxLifeTests {
    @Test("up, status, a crash, up again, down, reset: each says what is so")
    func life() async throws {
        let dex = try DexBinary()
        do {
            try await live(dex)
        } catch {
            _ = try await dex.run("sandbox down")
            throw error
        }
        let down = try await dex.run("sandbox down")
        #expect(down.status == 0)
    }

    private func live(_ dex: DexBinary) async throws {
        let absent = try await dex.run("sandbox status --json")
        #expect(absent.status == 0)
        #expect(try absent.json()["data"]?["running"]?.boolValue == false)

        let up = try await dex.run("sandbox up --detach --seed 9 --json")
        #expect(up.status == 0)
        let data = try #require(up.json()["data"])
        #expect(data["running"]?.boolValue == true)
        #expect(data["chainId"]?.numberText == "1337")
        #expect(data["seed"]?.stringValue == "9")
        #expect(data["orderCount"]?.numberText == "420")
        #expect(data["block"]?.numberText == "0")
        let pid = try #require(data["pid"]?.numberText.flatMap(Int32.init))

        let status = try await dex.run("sandbox status")
        #expect(status.status == 0)
        #expect(status.stdout.contains("The sandbox is running (process \(pid))"))
        #expect(status.stdout.contains(try #require(data["relay"]?.stringValue)))
        #expect(status.stdout.contains("alice"))
        #expect(status.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let networks = try #require(data["networks"]?.arrayValue)
        #expect(networks.map { $0["name"]?.stringValue } == ["sandbox", "sandbox-v4"])
        #expect(networks.map { $0["protocol"]?.stringValue } == ["v1", "v4"])
        #expect(networks.allSatisfy { $0["orderCount"] == 420 })
        #expect(networks.first?["relay"] == data["relay"])
        let listed = try await dex.run("network list --json").json()["data"]?["networks"]
        for network in networks {
            #expect(status.stdout.contains(try #require(network["relay"]?.stringValue)))
            let entry = listed?.arrayValue?.first { $0["name"] == network["name"] }
            #expect(entry?["relay"] == network["relay"])
            #expect(entry?["rpc"]?.arrayValue?.first == data["rpcUrl"])
        }
        #expect(status.stderr.isEmpty)

        let again = try await dex.run("sandbox up --detach --json")
        #expect(again.status == 0)
        #expect(try again.json()["data"]?["pid"]?.numberText == "\(pid)")
        #expect(try again.json()["warnings"]?.arrayValue?.count == 1)
        let second = try await dex.run("sandbox up")
        #expect(second.status == 3)
        #expect(second.stderr.contains("A sandbox is running in"))

        let refused = try await dex.run("sandbox reset --json")
        #expect(refused.status == 6)
        #expect(try refused.json()["error"]?["code"]?.stringValue == "sandbox-running")

        // It dies without a word: nobody believes its state file.
        kill(pid, SIGKILL)
        try await waitUntilGone(dex)
        let restarted = try await dex.run("sandbox up --detach --json")
        #expect(restarted.status == 0)
        #expect(try restarted.json()["data"]?["orderCount"]?.numberText == "420")
        #expect(try restarted.json()["data"]?["accounts"] == data["accounts"])

        let down = try await dex.run("sandbox down --json")
        #expect(down.status == 0)
        #expect(try down.json()["data"]?["stopped"]?.boolValue == true)
        let idle = try await dex.run("sandbox down --json")
        #expect(idle.status == 0)
        #expect(try idle.json()["data"]?["stopped"]?.boolValue == false)

        let other = try await dex.run("sandbox up --detach --seed 10")
        #expect(other.status == 3)
        #expect(other.stderr.contains("This sandbox was begun with seed 9, not 10"))
        let reset = try await dex.run("sandbox reset")
        #expect(reset.status == 0)
        let anew = try await dex.run("sandbox up --detach --seed 10 --json")
        #expect(anew.status == 0)
        #expect(try anew.json()["data"]?["accounts"] != data["accounts"])
        let forced = try await dex.run("sandbox reset --yes")
        #expect(forced.status == 0)
    }

    /// The system lets go of a killed process's lock in its own time.
    private func waitUntilGone(_ dex: DexBinary) async throws {
        for _ in 0..<50 {
            let status = try await dex.run("sandbox status --json")
            if try status.json()["data"]?["running"]?.boolValue == false { return }
        }
        Issue.record("a killed sandbox is still said to run")
    }

    @Test("Ctrl-C ends one in the foreground with 0, and it has told when it was ready")
    func foreground() async throws {
        let dex = try DexBinary()
        let run = try await dex.runUntilFirstLine("sandbox", "up", "--memory", "--json")
        #expect(run.status == 0)
        let lines = run.stdout.split(separator: "\n")
        #expect(lines.count == 2)
        let first = try JSONParser.parse(text: String(try #require(lines.first)))
        #expect(first["command"]?.stringValue == "sandbox up")
        #expect(first["data"]?["running"]?.boolValue == true)
        let last = try JSONParser.parse(text: String(try #require(lines.last)))
        #expect(last["data"] == ["running": false, "kept": false])
    }

    @Test(
        "options that make no sense exit 2",
        arguments: [
            ["--rpc-port", "70000"], ["--relay-port", "-1"], ["--block-time", "0"],
            ["--orders", "1"], ["--orders", "50001"], ["--seed", "x"],
            ["--protocol-fee", "-1"], ["--protocol-fee", "4294967296"],
            ["--rpc-port", "9000", "--relay-port", "9000"], ["--swap-port", "65536"],
            ["--relay-port", "9000", "--swap-port", "9000"],
            ["--listen", "example.org"], ["--chain-id", "0"], ["--chain-id", "1"],
            ["--chain-id", "8453"], ["--coin", "E T H"], ["--coin", "WETH"],
            ["--accounts", "some"], ["--fund", "alice"],
            ["--fund", "0xe41d2489571d322189246dafa5ebde1f4699f498"],
            ["--accounts", "none", "--memory"],
        ]
    )
    func nonsense(options: [String]) async throws {
        let run = try await DexBinary().run(["sandbox", "up"] + options)
        #expect(run.status == 2)
        #expect(run.stdout.isEmpty)
    }

    /// Begins a sandbox that listens at a further address of this machine, on free ports.
    private static let listening = [
        "sandbox", "up", "--detach", "--listen", "127.0.0.2", "--rpc-port", "0", "--relay-port",
        "0", "--swap-port", "0",
    ]

    @Test("one for a group: its own chain id and coin, one funded wallet, and how others join")
    func group() async throws {
        let dex = try DexBinary()
        let owner = "0x00000000000000000000000000000000000abc01"
        let up = try await dex.run(
            Self.listening + [
                "--chain-id", "5555", "--coin", "lab", "--accounts", "none", "--fund", owner,
            ]
        )
        do {
            #expect(up.status == 0)
            #expect(up.stderr.isEmpty)
            #expect(up.stdout.contains("dex config set networks.sandbox.chain_id 5555"))
            #expect(up.stdout.contains("dex config set networks.sandbox-v4.coin LAB"))
            #expect(!up.stdout.contains("alice"))
            let status = try await dex.run("sandbox status --json")
            let data = try #require(status.json()["data"])
            #expect(data["coin"] == "LAB")
            #expect(data["hosts"] == ["127.0.0.2"])
            #expect(data["accounts"] == [])
            let balance = try await dex.run("balance --wallet \(owner) --network sandbox")
            #expect(balance.status == 0)
            #expect(balance.stdout.contains("LAB      100000"))
            #expect(!balance.stdout.contains(" ETH"))
            #expect(balance.stdout.contains("ZRX    20000000"))
            // Another home is another machine: what `up` printed sets it up.
            let other = try DexBinary()
            for line in up.stdout.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                guard words.starts(with: ["dex", "config", "set"]) else { continue }
                #expect(try await other.run(Array(words.dropFirst())).status == 0)
            }
            for network in ["sandbox", "sandbox-v4"] {
                let seen = try await other.run("balance", "--wallet", owner, "--network", network)
                #expect(seen.status == 0)
                #expect(seen.stdout.contains("LAB"))
            }
            let alice = try await dex.run("balance --wallet alice --network sandbox")
            #expect(alice.status == 5)
        } catch {
            _ = try await dex.run("sandbox down")
            throw error
        }
        #expect(try await dex.run("sandbox down").status == 0)
        let open = try await dex.run("sandbox reset --json")
        #expect(open.status == 0)
        let shared = try await dex.run(Self.listening + ["--json"])
        _ = try await dex.run("sandbox down")
        let warnings = try #require(shared.json()["warnings"]?.arrayValue)
        #expect(warnings.contains { $0.stringValue?.contains("their keys are public") == true })
    }

    @Test("help says that it is a simulation and that its keys are public")
    func help() async throws {
        let run = try await DexBinary().run("sandbox", "--help")
        #expect(run.status == 0)
        #expect(run.stdout.contains("simulated"))
        #expect(run.stdout.contains("public"))
    }
}
