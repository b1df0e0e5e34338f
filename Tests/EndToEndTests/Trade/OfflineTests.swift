import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `--no-send`, `dex broadcast` and `dex tx export`: signed on one machine, sent from another.
@Suite("Signing without sending")
struct OfflineTests {
    /// Where the keys are.
    private let signing: DexBinary
    /// Where there is none.
    private let sending: DexBinary

    init() throws {
        signing = try DexBinary()
        try signing.use(.v1, "[trade]\nreceipt_timeout = 2\n")
        sending = try DexBinary()
    }

    /// Starts a sandbox for both: the second knows it as any network.
    private func together(_ body: (TestSandbox) async throws -> Void) async throws {
        try await signing.withSandbox { sandbox in
            let data = try await signing.run("network", "list", "--json").json()["data"]
            let network = try #require(
                data?["networks"]?.arrayValue?.first { $0["name"] == "sandbox" }
            )
            let exchange = try #require(network["exchange"]?.stringValue)
            let weth = try #require(network["weth"]?.stringValue)
            let relay = try #require(network["relay"]?.stringValue)
            try sending.write(
                config: """
                    network = "elsewhere"
                    [trade]
                    receipt_timeout = 2
                    [networks.elsewhere]
                    chain_id = 1337
                    protocol = "v1"
                    exchange = "\(exchange)"
                    weth = "\(weth)"
                    rpc = ["\(sandbox.rpc)"]
                    relay = "\(relay)"
                    block_time = 1
                    """
            )
            try await body(sandbox)
        }
    }

    private func path(_ name: String) -> String {
        signing.home.appending(path: name).path
    }

    @discardableResult
    private func sign(
        _ words: String...,
        to name: String = "tx.json",
        status: Int32 = 0
    ) async throws -> JSONValue {
        let run = try await signing.run(
            words + ["--wallet", "bob", "--no-send", "--out", path(name), "--yes", "--json"]
        )
        #expect(run.status == status, "\(words): \(run.stdout) \(run.stderr)")
        return try run.json()
    }

    @discardableResult
    private func broadcast(
        _ name: String = "tx.json",
        _ words: String...,
        from dex: DexBinary? = nil,
        status: Int32 = 0
    ) async throws -> JSONValue {
        let run = try await (dex ?? sending).run(
            ["broadcast", path(name), "--json"] + (words.isEmpty ? ["--yes"] : words)
        )
        #expect(run.status == status, "\(name): \(run.stdout) \(run.stderr)")
        return try run.json()
    }

    private func content(_ name: String = "tx.json") throws -> JSONObject {
        let bytes = try Data(contentsOf: URL(filePath: path(name)))
        return try #require(try JSONParser.parse(Array(bytes)).objectValue)
    }

    private func write(_ object: JSONObject, _ name: String) throws {
        try Data(JSONValue.object(object).utf8).write(to: URL(filePath: path(name)))
    }

    private func rows(_ dex: DexBinary) async throws -> [JSONValue] {
        let run = try await dex.run("tx list --limit 1000 --json")
        return try run.json()["data"]?["transactions"]?.arrayValue ?? []
    }

    @Test("signed here, sent there without a key, and found mined here")
    func twoMachines() async throws {
        try await together { _ in
            let signed = try await sign("send", "WETH", "1", "alice")
            let hash = try #require(signed["data"]?["signed"]?["hash"]?.stringValue)
            #expect(signed["data"]?["plan"]?["payAmount"]?["value"] == "1")
            #expect(signed["data"]?["transactions"] == [])
            let mode = try FileManager.default.attributesOfItem(atPath: path("tx.json"))
            #expect(mode[.posixPermissions] as? Int == 0o600)
            #expect(try content()["schema"] == "dex-signed/1")
            #expect(try content()["plan"] == signed["data"]?["plan"])
            #expect(try await rows(signing).map { $0["status"] } == ["held"])
            let list = try await signing.run("tx", "list")
            #expect(
                list.stdout.contains("signed, not sent") && list.stdout.contains(hash.prefix(10))
            )
            let status = try await signing.run("status", hash, "--json")
            #expect(status.status == 12, "\(status.stderr)")
            #expect(try status.json()["error"]?["code"] == "held-transaction")

            // Nothing sends it but its user.
            let resumed = try await signing.run("resume", "--yes", "--json")
            #expect(resumed.status == 0, "\(resumed.stderr)")
            let item = try #require(try resumed.json()["data"]?["items"]?.arrayValue?.first)
            #expect(item["status"] == "held" && item["action"] == .null && item["done"] == .null)

            let plan = try await broadcast("tx.json", "--dry-run", status: 30)["data"]?["plan"]
            #expect(plan?["purpose"] == "send" && plan?["place"] == "new")
            #expect(plan?["payAmounts"]?.arrayValue?.first?["value"] == "1")
            #expect(try await broadcast("tx.json", "--json", status: 25)["status"] == "plan")
            #expect(try await rows(sending).isEmpty)

            let sent = try await broadcast()
            #expect(sent["data"]?["transactions"]?.arrayValue?.first?["status"] == "mined")
            #expect(sent["data"]?["outcome"]?["hash"]?.stringValue == hash)
            #expect(try await rows(sending).map { $0["status"] } == ["mined"])

            let again = try await broadcast()
            #expect(again["data"]?["plan"]?["place"] == "mined")
            #expect(again["data"]?["transactions"] == [])

            let mined = try await signing.run("status", hash)
            #expect(mined.status == 0 && mined.stdout.contains("Transaction mined"))
            #expect(try await rows(signing).map { $0["status"] } == ["mined"])
            let over = try await signing.run("tx", "export", hash, "--out", path("again.json"))
            #expect(over.status == 6, "\(over.stderr)")
        }
    }

    @Test("a fill that was signed is filled from elsewhere, and held against its minimum here")
    func fill() async throws {
        try await together { _ in
            let signed = try await sign("market-buy", "--via", "book", "ZRX/WETH", "5")
            let hash = try #require(signed["data"]?["signed"]?["hash"]?.stringValue)
            #expect(signed["data"]?["signed"]?["validUntil"]?.numberText != nil)
            let sent = try await broadcast()
            let outcome = try #require(sent["data"]?["outcome"])
            #expect(outcome["fills"]?.arrayValue?.first?["received"]?["value"] == "5")
            #expect(sent["data"]?["plan"]?["purpose"] == "fill")
            let mined = try await signing.run("status", hash, "--json")
            #expect(mined.status == 0, "\(mined.stderr)")
        }
    }

    @Test("a plan of two transactions is refused with the command that signs the first")
    func approvalFirst() async throws {
        try await together { _ in
            let run = try await signing.run(
                "market-buy",
                "--via",
                "book",
                "ZRX/WETH",
                "5",
                "--wallet",
                "alice",
                "--no-send",
                "--out",
                path("tx.json"),
                "--dry-run",
                "--json"
            )
            #expect(run.status == 6, "\(run.stderr)")
            let error = try run.json()["error"]
            #expect(error?["code"] == "several-transactions")
            let hint = try #require(error?["hint"]?.stringValue)
            let command = try #require(hint.split(separator: "\n").last)
                .replacing("FILE", with: path("approve.json"))
                .split(separator: " ").dropFirst().map(String.init)
            let first = try await signing.run(command + ["--wallet", "alice", "--yes"])
            #expect(first.status == 0, "\(first.stderr)")
            try await broadcast("approve.json")
            let then = try await signing.run(
                "market-buy",
                "--via",
                "book",
                "ZRX/WETH",
                "5",
                "--wallet",
                "alice",
                "--no-send",
                "--out",
                path("tx.json"),
                "--yes"
            )
            #expect(then.status == 0, "\(then.stderr)")
        }
    }

    @Test("later commands stop at its nonce, or go behind it, and are sent in its order")
    func order() async throws {
        try await together { _ in
            try await sign("send", "WETH", "1", "alice")
            let stopped = try await sign("send", "WETH", "2", "alice", to: "2.json", status: 12)
            #expect(stopped["error"]?["code"] == "held-transaction")
            try await sign("send", "WETH", "2", "alice", "--despite-pending", to: "2.json")
            let waits = try await rows(signing).first
            #expect(waits?["nonce"] == 1 && waits?["waitsForNonce"] == 0)
            let gap = try await broadcast("2.json", status: 6)
            #expect(gap["error"]?["code"] == "nonce-gap")
            #expect(gap["error"]?["hint"]?.stringValue?.contains("nonce 0") == true)
            try await broadcast("tx.json")
            try await broadcast("2.json")
        }
    }

    @Test("tx cancel takes its nonce, after which its file is worth nothing")
    func givenUp() async throws {
        try await together { sandbox in
            let signed = try await sign("send", "WETH", "1", "alice")
            let hash = try #require(signed["data"]?["signed"]?["hash"]?.stringValue)
            let taken = try await signing.run("tx", "cancel", hash, "--yes", "--json")
            #expect(taken.status == 0, "\(taken.stderr)")
            // Its replacement is not in this machine's journal: a node may lag behind its receipt.
            let early = try await broadcast(status: 12)
            #expect(early["error"]?["code"] == "nonce-undecided")
            // At a block a second, 60 of them prove it.
            for _ in 0...60 { try sandbox.call("evm_mine") }
            let refused = try await broadcast(status: 6)
            #expect(refused["error"]?["code"] == "nonce-used")
            #expect(try await rows(sending).isEmpty)
        }
    }

    @Test(
        "what changed since it was signed is found before it is sent: a higher base fee, a taken order"
    )
    func since() async throws {
        try await together { _ in
            let book = try await signing.run("orderbook", "ZRX/WETH", "--json").json()
            let best = book["data"]?["asks"]?.arrayValue?.first?["orderHash"]?.stringValue
            let order = try #require(best)
            try await sign("fill", order)
            let approved = try await signing.run(
                "allowance",
                "set",
                "WETH",
                "unlimited",
                "--wallet",
                "carol",
                "--yes"
            )
            #expect(approved.status == 0, "\(approved.stderr)")
            let taken = try await signing.run("fill", order, "--wallet", "carol", "--yes")
            #expect(taken.status == 0, "\(taken.stderr)")
            let nothing = try await broadcast(status: 10)
            #expect(nothing["error"]?["code"] == "would-fill-nothing")

            try await sign("wrap", "1", "--despite-pending", to: "wrap.json")
            let fault = try await signing.run("sandbox", "fault", "stuck")
            #expect(fault.status == 0, "\(fault.stderr)")
            let stuck = try await signing.run("wrap", "1", "--wallet", "carol", "--yes")
            #expect(stuck.status == 12, "\(stuck.stderr)")
            // The nonce before it is given up first, which pays what it costs now.
            let hash = try #require(try content()["hash"]?.stringValue)
            let given = try await signing.run(
                "tx",
                "cancel",
                hash,
                "--yes",
                "--beyond-limits"
            )
            #expect(given.status == 0, "\(given.stderr)")
            let low = try await broadcast("wrap.json", status: 6)
            #expect(low["error"]?["code"] == "max-fee-below-base-fee")
            #expect(low["error"]?["retryable"] == true)
            #expect(try await rows(sending).isEmpty)
        }
    }

    @Test("a file is written again from the journal, and never over another one")
    func export() async throws {
        try await together { _ in
            let signed = try await sign("wrap", "1")
            let hash = try #require(signed["data"]?["signed"]?["hash"]?.stringValue)
            let first = try Data(contentsOf: URL(filePath: path("tx.json")))
            let over = try await signing.run("tx", "export", hash, "--out", path("tx.json"))
            #expect(over.status == 2 && over.stderr.contains("there already"))
            try FileManager.default.removeItem(atPath: path("tx.json"))
            let again = try await signing.run("tx", "export", hash, "--out", path("tx.json"))
            #expect(again.status == 0, "\(again.stderr)")
            #expect(try Data(contentsOf: URL(filePath: path("tx.json"))) == first)
            let taken = try await sign("wrap", "2", "--despite-pending", status: 2)
            #expect(taken["error"]?["code"] == "file-exists")
            #expect(try await rows(signing).count == 1)
            // From here: the machine that signed sends it too.
            let sent = try await broadcast(from: signing)
            #expect(sent["data"]?["plan"]?["purpose"] == "wrap")
            #expect(try await rows(signing).map { $0["status"] } == ["mined"])
        }
    }

    @Test(
        "killed at any step towards the disk: what is signed is listed, and its file is written again"
    )
    func killed() async throws {
        try await together { _ in
            let log = signing.home.appending(path: "steps")
            let words = [
                "send", "WETH", "0.1", "alice", "--wallet", "bob", "--no-send", "--yes",
                "--despite-pending",
            ]
            // The first run makes the journal.
            _ = try await sign("send", "WETH", "0.1", "alice")
            let counted = try await signing.run(
                words + ["--out", path("counted.json")],
                environment: DiskCase.environment(home: signing.home, log: log)
            )
            #expect(counted.status == 0, "\(counted.stderr)")
            let steps = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").count
            #expect(steps > 5)
            for step in 1...steps {
                let before = try await rows(signing).count
                let name = "\(step).json"
                let one = DiskCase(kind: .kill, step: step, isRepeated: false)
                _ = try await signing.run(
                    words + ["--out", path(name)],
                    environment: one.environment(home: signing.home)
                )
                let after = try await rows(signing)
                let isWritten = FileManager.default.fileExists(atPath: path(name))
                // The journal has it before the file, so a file is never without its row.
                #expect(after.count - before == 1 || !isWritten, "step \(step)")
                guard after.count > before, let hash = after.first?["hash"]?.stringValue else {
                    continue
                }
                #expect(after.first?["status"] == "held", "step \(step)")
                let out = isWritten ? path("\(step)-again.json") : path(name)
                let export = try await signing.run("tx", "export", hash, "--out", out)
                #expect(export.status == 0, "step \(step): \(export.stderr)")
                if isWritten {
                    #expect(
                        try Data(contentsOf: URL(filePath: out))
                            == Data(contentsOf: URL(filePath: path(name))),
                        "step \(step)"
                    )
                }
            }
        }
    }

    @Test("hostile files: refused before anything is sent, journaled or believed")
    func hostile() async throws {
        try await together { sandbox in
            try await sign("send", "WETH", "1", "alice")
            let good = try content()
            var plan = good
            plan["plan"] = ["pay": "\u{1B}[2J"]
            plan["purpose"] = "gift"
            try write(plan, "plan.json")
            let shown = try await broadcast("plan.json", "--dry-run", status: 30)
            #expect(shown["data"]?["plan"]?["purpose"] == "send")
            #expect(shown["data"]?["plan"]?["payAmounts"]?.arrayValue?.first?["value"] == "1")

            var other = good
            other["to"] = .string("0x2c7536E3605D9C16a7a3D7b1898e529396a65c23")
            try write(other, "other.json")
            var past = good
            past["validUntil"] = 7
            try write(past, "past.json")
            try Data(repeating: 0x5B, count: 2 << 20).write(to: URL(filePath: path("huge.json")))
            try Data([0, 0xFF, 0x7B]).write(to: URL(filePath: path("garbage.json")))
            for (name, status, code) in [
                ("other.json", 2, "bad-signed-file"), ("garbage.json", 3, "file"),
                ("past.json", 6, "signed-file-expired"), ("huge.json", 3, "file"),
                ("missing.json", 2, "no-file"),
            ] as [(String, Int32, String)] {
                let refused = try await broadcast(name, status: status)
                #expect(refused["error"]?["code"]?.stringValue == code, "\(name)")
            }
            // The same bytes on a network of another chain, whose node is on this one.
            let foreign = try DexBinary()
            let config = try sending.config().replacing("chain_id = 1337", with: "chain_id = 5")
            try foreign.write(config: config)
            let elsewhere = try await broadcast(from: foreign, status: 6)
            #expect(elsewhere["error"]?["code"] == "signed-for-other-chain")
            #expect(try await rows(sending).isEmpty)
            #expect(try sandbox.call("eth_blockNumber") == "0x0")
        }
    }

    @Test("--no-send and --out need each other")
    func usage() async throws {
        for words in [["--no-send"], ["--out", "x"], ["--no-send", "--out", "-"]] {
            let run = try await signing.run(["wrap", "1"] + words)
            #expect(run.status == 2, "\(words): \(run.stderr)")
        }
    }

    @Test("an order signed into a file is posted from another machine, and only by its user")
    func orderFile() async throws {
        try await together { _ in
            let words = ["place-limit", "sell", "ZRX/WETH", "3", "--price", "0.0009"]
            // An exact allowance would be used up by an earlier order.
            let allowed = try await signing.run(
                "allowance",
                "set",
                "ZRX",
                "100",
                "--wallet",
                "bob",
                "--yes"
            )
            #expect(allowed.status == 0, "\(allowed.stderr)")
            let held = words + ["--wallet", "bob", "--no-send", "--out", path("order.json")]
            let screen = try await signing.run(held + ["--yes"])
            #expect(screen.status == 0, "\(screen.stderr)")
            #expect(screen.stdout.contains("Signed, not posted: "))
            // The folder's path may be too long for this line.
            #expect(screen.stdout.contains("dex broadcast"))
            let mode = try FileManager.default.attributesOfItem(atPath: path("order.json"))
            #expect(mode[.posixPermissions] as? Int == 0o600)
            let again = try await signing.run(held + ["--yes", "--json"])
            #expect(again.status == 2)
            #expect(try again.json()["error"]?["code"] == "file-exists")
            let resumed = try await signing.run("resume", "--yes", "--json")
            #expect(resumed.status == 0, "\(resumed.stderr)")
            #expect(try resumed.json()["data"]?["items"] == [])

            let plan = try await broadcast("order.json", "--dry-run", status: 30)["data"]?["plan"]
            let hash = try #require(plan?["orderState"]?["orderHash"]?.stringValue)
            #expect(plan?["relays"]?.arrayValue?.count == 1 && plan?["having"] == [])
            #expect(screen.stdout.contains(hash))
            let lacking = try await sending.run("order", hash)
            #expect(lacking.status != 0)

            let posted = try await broadcast("order.json")["data"]?["outcome"]
            #expect(posted?["posted"] == true && posted?["orderHash"]?.stringValue == hash)
            let shown = try await sending.run("order", hash, "--json")
            #expect(shown.status == 0, "\(shown.stderr)")
            #expect(try shown.json()["data"]?["status"] == "open")
            let twice = try await broadcast("order.json")["data"]?["outcome"]
            #expect(twice?["posted"] == true && twice?["postings"] == [])

            var changed = try content("order.json")
            changed["takerTokenAmount"] = "1"
            try write(changed, "changed.json")
            try await broadcast("changed.json", status: 6)
        }
    }

    @Test("what replace signs into a file is its cancel, and it names the order that follows")
    func replaced() async throws {
        try await together { _ in
            let placed = try await signing.run(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "3",
                "--price",
                "0.0009",
                "--wallet",
                "bob",
                "--yes",
                "--json"
            )
            #expect(placed.status == 0, "\(placed.stderr)")
            let data = try placed.json()["data"]
            let hash = try #require(data?["orderHash"]?.stringValue)
            let plan = try await sign("replace", hash, "--price", "0.00091")
            #expect(plan["data"]?["signed"]?["purpose"] == "cancel")
            let reported = plan["warnings"]?.arrayValue?.compactMap(\.stringValue).joined() ?? ""
            #expect(
                reported.contains("dex place-limit sell ZRX/WETH 3 --price 0.00091"),
                "\(reported)"
            )
            try await broadcast()
            let after = try await signing.run("order", hash, "--json")
            #expect(try after.json()["data"]?["status"] == "cancelled")
        }
    }

    @Test(
        "--no-send of an order is for one that is posted later",
        arguments: [
            ["--no-post"], ["--post-only"], ["--ladder", "3", "--to", "0.001"],
        ]
    )
    func excluded(options: [String]) async throws {
        let run = try await signing.run(
            ["place-limit", "sell", "ZRX/WETH", "3", "--price", "0.0009"]
                + ["--no-send", "--out", path("order.json")] + options
        )
        #expect(run.status == 2 && run.stderr.contains("--no-send"), "\(run.stderr)")
    }
}
