import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox follow` beside a sandbox of another home, which stands for another machine.
@Suite struct SandboxFollowTests {
    private static let ports = ["--rpc-port", "0", "--relay-port", "0"]

    private func status(_ dex: DexBinary) async throws -> JSONValue {
        try #require(try await dex.run("sandbox status --json").json()["data"])
    }

    /// Waits until a copy has verified a block, or stopped.
    private func wait(_ dex: DexBinary, for block: UInt64) async throws -> JSONValue {
        var data: JSONValue = .null
        try await until("block \(block) at the copy, not \(data.text)", looks: 400) {
            data = try await status(dex)
            if data["copy"]?["condition"] == "stopped" { return true }
            return data["block"]?.numberText.flatMap(UInt64.init) ?? 0 >= block
        }
        return data
    }

    @Test("a copy follows, trades through it, is cut off, goes on, and shows who lags")
    func life() async throws {
        let (leader, copy) = (try DexBinary(), try DexBinary())
        do {
            try await live(leader, copy)
        } catch {
            for dex in [copy, leader] { _ = try await dex.run("sandbox down") }
            throw error
        }
        for dex in [copy, leader] { #expect(try await dex.run("sandbox down").status == 0) }
    }

    private func live(_ leader: DexBinary, _ copy: DexBinary) async throws {
        let up = try await leader.run("sandbox up --detach --json")
        let node = try #require(up.json()["data"]?["rpcUrl"]?.stringValue)
        let port = try #require(node.split(separator: ":").last.map(String.init))
        let genesis = try #require(up.json()["data"]?["genesis"]?.stringValue)

        let other = try await copy.run([
            "sandbox", "follow", node, "--genesis", "0x" + String(repeating: "1", count: 64),
            "--json",
        ])
        #expect(other.status == 6)
        #expect(try other.json()["error"]?["code"] == "copy-stopped")
        let follow = try await copy.run(
            ["sandbox", "follow", node, "--genesis", genesis, "--detach", "--json"]
        )
        #expect(follow.status == 0)
        let data = try #require(follow.json()["data"])
        #expect(data["genesis"]?.stringValue == genesis)
        #expect(data["leader"]?.stringValue == node)
        #expect(data["rpcUrl"]?.stringValue != node)
        // All of the other machine's orders are here, so the next command can trade at once.
        #expect(data["copy"]?["condition"] == "following")

        // A trade through the copy is mined by the other machine and comes back as a block.
        let buy = try await copy.run(
            "market-buy --via book ZRX/WETH 5 --network sandbox --wallet bob --yes --json"
        )
        #expect(buy.status == 0)
        let verified = try await wait(copy, for: 1)
        #expect(verified["copy"]?["condition"] == "following")
        let text = try await copy.run("sandbox status")
        #expect(text.status == 0)
        #expect(text.stdout.contains("A copy of \(node) is running"))
        #expect(text.stdout.contains("Verified to block"))
        #expect(text.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })

        // An order posted through the copy stands on the other machine's book, and on the copy's.
        let order = try await copy.run(
            "place-limit sell ZRX/WETH 3 --price 0.9 --network sandbox --wallet bob --yes",
            "--json"
        )
        #expect(order.status == 0)
        for dex in [leader, copy] {
            let mine = try await dex.run("orderbook ZRX/WETH --network sandbox --json")
            #expect(mine.status == 0)
        }

        let steered = try await copy.run("sandbox fault list --json")
        #expect(steered.status == 6)
        #expect(try steered.json()["error"]?["code"] == "sandbox-is-copy")
        let second = try await copy.run("sandbox up --detach --json")
        #expect(second.status == 6)

        let followers = try await status(leader)["followers"]?.arrayValue ?? []
        #expect(followers.count == 1)
        #expect(followers.first?["machine"] == "127.0.0.1")
        #expect(try await leader.run("sandbox status").stdout.contains("COPY AT"))

        // The other machine goes away: what was verified is served, and status says so.
        #expect(try await leader.run("sandbox down").status == 0)
        _ = try await waitForCondition(copy, "cut off")
        let cut = try await copy.run("sandbox status --json")
        #expect(cut.status == 0)
        #expect(try cut.json()["data"]?["copy"]?["condition"] == "cut off")
        let book = try await copy.run("orderbook ZRX/WETH --network sandbox --json")
        #expect(book.status == 0)

        // Both come back, and the copy goes on where it was.
        #expect(try await copy.run("sandbox down").status == 0)
        let back = try await leader.run("sandbox up --detach --rpc-port \(port) --json")
        #expect(back.status == 0)
        try await pay(leader)
        let again = try await copy.run("sandbox follow --detach --json")
        #expect(again.status == 0)
        let newest = try #require(
            try await status(leader)["block"]?.numberText.flatMap(UInt64.init)
        )
        let caught = try await follows(copy, at: newest)
        #expect(caught["copy"]?["behind"] == 0)

        // The other machine begins again: that is another chain.
        #expect(try await leader.run("sandbox down").status == 0)
        #expect(try await leader.run("sandbox reset").status == 0)
        _ = try await leader.run("sandbox up --detach --seed 77 --rpc-port \(port) --json")
        try await pay(leader)
        let stopped = try await wait(copy, for: .max)
        #expect(stopped["copy"]?["condition"] == "stopped")
        let reported = try await copy.run("sandbox status --json")
        #expect(reported.status == 6)
        #expect(try reported.json()["error"]?["code"] == "copy-stopped")
        let refused = try await copy.run("orderbook ZRX/WETH --network sandbox --json")
        #expect(refused.status == 4)
    }

    @Test("among four machines one is cut off and catches up, and one is lied to and stops")
    func group() async throws {
        let (leader, cut, victim) = (try DexBinary(), try DexBinary(), try DexBinary())
        do {
            try await liveTogether(leader, cut, victim)
        } catch {
            for dex in [cut, victim, leader] { _ = try await dex.run("sandbox down") }
            throw error
        }
        for dex in [cut, victim, leader] {
            #expect(try await dex.run("sandbox down").status == 0)
        }
    }

    private func pay(_ dex: DexBinary) async throws {
        let sent = try await dex.run(
            ["send", "ETH", "1", "alice", "--network", "sandbox", "--wallet", "bob", "--yes"]
        )
        #expect(sent.status == 0)
    }

    private func liveTogether(
        _ leader: DexBinary,
        _ cut: DexBinary,
        _ victim: DexBinary
    ) async throws {
        let up = try await leader.run("sandbox up --detach --json")
        let node = try #require(up.json()["data"]?["rpcUrl"]?.stringValue)
        let toCut = try LeaderProxy(to: node)
        let toVictim = try LeaderProxy(to: node)
        for (dex, proxy) in [(cut, toCut), (victim, toVictim)] {
            let follow = try await dex.run("sandbox follow \(proxy.url) --detach --json")
            #expect(follow.status == 0)
        }
        try await pay(leader)
        for dex in [cut, victim] {
            _ = try await follows(dex, at: 1)
        }

        // What a copy has verified it says when it asks the next time.
        try await until("both copies at block 1, as the leader knows them", looks: 400) {
            let followers = try await status(leader)["followers"]?.arrayValue ?? []
            return followers.map { $0["block"] } == [1, 1]
        }
        toCut.set(.cutOff)
        for _ in 0..<3 { try await pay(leader) }
        let served = try await waitForCondition(cut, "cut off")
        #expect(served["block"] == 1)
        let balance = try await cut.run("balance", "--network", "sandbox", "--wallet", "bob")
        #expect(balance.status == 0)
        // The leader shows who lags, and by how much.
        _ = try await wait(victim, for: 4)
        let followers = try await status(leader)["followers"]?.arrayValue ?? []
        #expect(followers.count == 2)
        #expect(followers.first?["behind"] == 3)
        #expect(followers.first?["block"] == 1)
        // What is sent while it is cut off waits, and is passed on afterwards.
        async let sent = cut.run(
            [
                "send", "ETH", "1", "bob", "--network", "sandbox", "--wallet", "alice", "--yes",
                "--json",
            ]
        )
        try await until("a post that is cut off") { toCut.cutPosts > 0 }
        toCut.set(.honest)
        let run = try await sent
        #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
        _ = try await follows(cut, at: 5)

        // One bit of one block.
        _ = try await wait(victim, for: 5)
        toVictim.set(.lying)
        try await pay(leader)
        let stopped = try await waitForCondition(victim, "stopped")
        #expect(stopped["block"] == 5)
        let text = try await victim.run("sandbox status")
        #expect(text.status == 6)
        #expect(text.stderr.contains("Block 6 does not verify: its state root is announced as 0x"))
        #expect(text.stdout.contains("has stopped"))
        let refused = try await victim.run("balance --network sandbox --wallet bob")
        #expect(refused.status == 4)
        #expect(refused.stderr.contains("Block 6 does not verify"))
        // The others go on, and so does this one with a machine that is honest.
        _ = try await follows(cut, at: 6)
        #expect(try await victim.run("sandbox down").status == 0)
        let honest = try await victim.run("sandbox follow \(node) --detach --json")
        #expect(honest.status == 0)
        _ = try await follows(victim, at: 6)
    }

    /// A copy that has a block may still be on its way to say that it follows.
    private func follows(_ dex: DexBinary, at block: UInt64) async throws -> JSONValue {
        _ = try await wait(dex, for: block)
        return try await waitForCondition(dex, "following")
    }

    private func waitForCondition(_ dex: DexBinary, _ wanted: String) async throws -> JSONValue {
        var data: JSONValue = .null
        try await until("a copy that is \(wanted), not \(data.text)", looks: 800) {
            data = try await status(dex)
            return data["copy"]?["condition"]?.stringValue == wanted
        }
        return data
    }

    @Test("an answer without an end is cut off, and begins no copy")
    func endless() async throws {
        let dex = try DexBinary()
        let proxy = try LeaderProxy(to: "http://127.0.0.1:1", .endless)
        let run = try await dex.run("sandbox follow \(proxy.url) --json")
        #expect(run.status == 4)
        #expect(try run.json()["error"]?["code"] == "sandbox-leader-silent")
    }

    @Test("among hosts in network namespaces, where this machine allows them")
    func namespaces() async throws {
        let dex = try DexBinary()
        let script = PythonEnvironment.root.appending(path: "scripts/sandbox-network").path
        let run = try await dex.run(
            [DexBinary.executable.path],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            under: ["bash"],
            program: script
        )
        // 77: no root, no `ip netns`, or a container without namespaces; `group` has the same story.
        #expect([0, 77].contains(run.status), "\(run.stdout)\(run.stderr)")
    }

    @Test("a machine that is not there, and none at all, are errors")
    func absent() async throws {
        let dex = try DexBinary()
        let none = try await dex.run("sandbox follow --json")
        #expect(none.status == 2)
        let silent = try await dex.run("sandbox follow http://127.0.0.1:1 --json")
        #expect(silent.status == 4)
        #expect(try silent.json()["error"]?["code"] == "sandbox-leader-silent")
        let nonsense = try await dex.run("sandbox follow nonsense")
        #expect(nonsense.status == 2)
        let status = try await dex.run("sandbox status --json")
        #expect(try status.json()["data"]?["running"] == false)
    }
}
