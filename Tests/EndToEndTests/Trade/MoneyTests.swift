import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Money and contracts, by the built binary")
struct MoneyTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func balance(_ token: String, of account: String) async throws -> String {
        try #require(await dex.balance(token, of: account)["value"]?.stringValue)
    }

    private func address(of account: String) async throws -> String {
        try #require(await dex.data("balance ETH --wallet \(account)")["account"]?.stringValue)
    }

    @Test("wrap, unwrap and send move exactly what was said, as a person and as a script would")
    func moving() async throws {
        try await dex.withSandbox { _ in
            let bob = try await address(of: "bob")
            let wrapped = try await dex.data("wrap 1.5 --yes")
            #expect(wrapped["outcome"]?["received"]?["value"] == "1.5")
            #expect(wrapped["transactions"]?.arrayValue?.first?["purpose"] == "wrap")
            #expect(try await balance("WETH", of: "alice") == "51.5")
            let unwrapped = try await dex.data("unwrap 51.5 --yes")
            #expect(unwrapped["outcome"]?["received"]?["symbol"] == "ETH")
            #expect(try await balance("WETH", of: "alice") == "0")

            let dry = try await dex.data("send ZRX 5 \(bob) --dry-run", exit: 30, status: "dry-run")
            #expect(dry["plan"]?["recipient"]?.stringValue == bob)
            #expect(dry["outcome"]?.isNull == true)
            let plan = try await dex.data("send ZRX 5 \(bob)", exit: 25, status: "plan")
            #expect(plan["transactions"]?.arrayValue?.isEmpty == true)
            #expect(try await balance("ZRX", of: "bob") == "20000")
            let sent = try await dex.data("send ZRX 5 \(bob) --yes")
            #expect(sent["outcome"]?["received"]?["value"] == "5")
            #expect(try await balance("ZRX", of: "bob") == "20005")
            let hash = try #require(sent["transactions"]?.arrayValue?.last?["hash"]?.stringValue)
            #expect(try await dex.data("status \(hash)")["status"] == "mined")

            let typed = ["send", "ETH", "2", bob]
            let declined = try await dex.converse(typed, [("[y/N] ", "n\n")]).run
            #expect(declined.status == 20, "\(declined.stderr)")
            #expect(try await balance("ETH", of: "bob") == "100")
            let accepted = try await dex.converse(typed, [("[y/N] ", "y\n")]).run
            #expect(accepted.status == 0, "\(accepted.stderr)")
            #expect(accepted.stdout.contains("Sent 2 ETH"))
            #expect(accepted.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            #expect(try await balance("ETH", of: "bob") == "102")
        }
    }

    @Test("what must not be sent is refused, each with its exit code")
    func refusals() async throws {
        try await dex.withSandbox { _ in
            let bob = try await address(of: "bob")
            let zrx = "0xE41d2489571d322189246DaFA5ebDe1F4699F498"
            let cases: [([String], Int32, String)] = [
                (
                    ["send", "ZRX", "5", "0x" + String(repeating: "0", count: 40)], 6,
                    "bad-recipient"
                ),
                (["send", "ZRX", "5", zrx], 6, "bad-recipient"),
                (["send", "ZRX", "5", zrx.replacing("E41d", with: "e41D")], 2, "bad-address"),
                (["send", "ZRX", "5", "bob.eth"], 2, "bad-address"),
                (["send", "ZRX", "20001", bob], 6, "insufficient-balance"),
                (["send", "ETH", "100", bob], 6, "insufficient-ether"),
                (["send", "ZRX", "0", bob], 2, "bad-amount"),
                (["send", "NOPE", "1", bob], 2, "unknown-token"),
                (["send", "ZRX", "1", bob, "--max-gas-cost", "0.0000000001"], 6, "fee-cap"),
                (["wrap", "100"], 6, "insufficient-ether"),
                (["unwrap", "50.1"], 6, "insufficient-balance"),
                (["allowance", "set", "ZRX", "much"], 2, "bad-amount"),
                (["allowance", "set", bob, "1"], 6, "not-a-token"),
                (["call", "ZRX", "name"], 2, "bad-function"),
                (["call", "ZRX", "f(uint256)", "-5"], 2, "usage"),
                (["call", bob, "name()(string)"], 6, "not-a-contract"),
                (["transact", "ZRX", "transfer(address,uint256)", bob], 2, "bad-arguments"),
                (
                    [
                        "transact", "ZRX", "transfer(address,uint256)", bob,
                        "20001000000000000000000",
                    ], 10, "would-revert"
                ),
            ]
            for (arguments, exit, code) in cases {
                let run = try await dex.run(arguments + ["--yes", "--json"])
                #expect(run.status == exit, "\(arguments): \(run.stdout)")
                #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(arguments)")
            }
            // Behind -- it is an argument, and gets as far as the contract, which has no f.
            let minus = try await dex.run("--json call ZRX f(int256) -- -5")
            #expect(minus.status == 10, "\(minus.stdout)")
            #expect(try minus.json()["error"]?["code"] == "would-revert")
            let poor = try await dex.run(
                ["send", "ETH", "1", bob, "--yes", "--json"],
                environment: ["DEX_PRIVATE_KEY": "0x" + String(repeating: "11", count: 32)]
            )
            #expect(poor.status == 6)
            let looker = try await dex.run(
                [
                    "send", "ETH", "1", bob, "--yes", "--json", "--wallet",
                    "0x00000000000000000000000000000000DeaDBeef",
                ]
            )
            #expect(looker.status == 6, "no ether there: \(looker.stdout)")
        }
    }

    @Test("allowances are set, listed and taken back, and nothing is sent twice for the same")
    func allowances() async throws {
        try await dex.withSandbox { _ in
            let none = try await dex.run("allowance")
            #expect(none.status == 0, "\(none.stderr)")
            #expect(none.stdout.contains("No known token of the account may be moved"))
            let set = try await dex.data("allowance set ZRX 12.5 --yes")
            #expect(set["allowance"]?["value"] == "12.5")
            #expect(set["transactions"]?.arrayValue?.map { $0["purpose"] } == ["approve"])
            let list = try await dex.data("allowance list")
            let rows = list["allowances"]?.arrayValue ?? []
            #expect(rows.map { $0["token"]?["symbol"] } == ["ZRX"])
            #expect(rows.first?["allowance"]?["value"] == "12.5")
            #expect(list["spender"] == set["plan"]?["spender"])
            let again = try await dex.data("allowance set ZRX 12.5 --yes")
            #expect(again["transactions"]?.arrayValue?.isEmpty == true)
            let more = try await dex.data("allowance set ZRX unlimited", exit: 25, status: "plan")
            #expect(more["plan"]?["steps"]?.arrayValue?.count == 1)
            let revoked = try await dex.data("allowance revoke ZRX --yes")
            #expect(revoked["allowance"]?["raw"] == "0")
            let people = try await dex.run("allowance revoke ZRX")
            #expect(people.status == 0)
            #expect(people.stdout.contains("The allowance is 0 ZRX already"))
            let others = try await dex.data("allowance list --wallet bob")
            #expect((others["allowances"]?.arrayValue?.count ?? 0) >= 2)
        }
    }

    @Test("a balance is worth what the books say, in ether or what is named")
    func marketValue() async throws {
        try await dex.withSandbox { _ in
            let all = try await dex.data("balance")
            let rows = all["balances"]?.arrayValue ?? []
            #expect(rows.count >= 6)
            #expect(rows.first?["marketValue"]?["value"] == "100")
            let weth = rows.first { $0["token"]?["symbol"] == "WETH" }
            #expect(weth?["marketValue"]?["value"] == "50")
            let zrx = rows.first { $0["token"]?["symbol"] == "ZRX" }
            #expect(zrx?["marketValue"]?["symbol"] == "ETH")
            #expect(all["marketValue"]?["symbol"] == "ETH")
            let dollars = try await dex.data("balance ETH USDC --in USDC")
            #expect(dollars["balances"]?.arrayValue?.last?["marketValue"]?["value"] == "25000")
            #expect(dollars["marketValue"]?["symbol"] == "USDC")
            let people = try await dex.run("balance")
            #expect(people.stdout.contains("Value about"))
            #expect(people.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let plain = try await dex.data("balance --no-value")
            #expect(plain["marketValue"]?.isNull == true)
            // A relay that is gone takes only the worth away.
            let alone = try await dex.run("balance --relay http://127.0.0.1:9/v0 --json")
            #expect(alone.status == 0, "\(alone.stderr)")
            #expect(try alone.json()["data"]?["marketValue"]?.isNull == true)
            let asked = try await dex.run(
                ["balance", "--in", "ETH", "--relay", "http://127.0.0.1:9/v0", "--json"]
            )
            #expect(asked.status == 4, "\(asked.stdout)")
        }
    }

    @Test("any contract is asked and called")
    func contracts() async throws {
        try await dex.withSandbox { _ in
            let alice = try await address(of: "alice")
            let bob = try await address(of: "bob")
            let asked = try await dex.run("call ZRX balanceOf(address)(uint256) \(alice)")
            #expect(asked.status == 0, "\(asked.stderr)")
            #expect(asked.stdout == "20000000000000000000000\n")
            let raw = try await dex.run("call ZRX decimals()")
            #expect(raw.stdout == "0x" + String(repeating: "0", count: 62) + "12\n")
            let file = dex.home.appending(path: "Token.json")
            let abi =
                #"[{"type":"function","name":"balanceOf","inputs":[{"name":"owner","#
                + #""type":"address"}],"outputs":[{"name":"balance","type":"uint256"}]}]"#
            try Data(#"{"abi":\#(abi)}"#.utf8).write(to: file)
            let named = try await dex.data("call --abi \(file.path) ZRX balanceOf \(alice)")
            #expect(named["values"]?.arrayValue?.first?["name"] == "balance")
            let missing = try await dex.run("call --abi \(file.path) ZRX nope --json")
            #expect(missing.status == 2)
            #expect(try missing.json()["error"]?["code"] == "no-such-function")
            let noFile = try await dex.run("call --abi none.json ZRX f --json")
            #expect(try noFile.json()["error"]?["code"] == "no-file")
            let read = try await dex.data("call ZRX symbol()(string)")
            #expect(read["values"]?.arrayValue?.first?["value"] == "ZRX")
            #expect(read["function"] == "symbol()")
            let old = try await dex.data("call ZRX decimals()(uint8) --block 0")
            #expect(old["block"] == .integer(0 as UInt64))

            let plan = try await dex.run("transact WETH deposit() --value 1.5 --dry-run")
            #expect(plan.status == 30, "\(plan.stderr)")
            #expect(plan.stdout.contains("Call deposit in a transaction"))
            #expect(plan.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let done = try await dex.data("transact WETH deposit() --value 1.5 --yes")
            #expect(done["transactions"]?.arrayValue?.first?["status"] == "mined")
            #expect(done["events"]?.arrayValue?.count == 1)
            #expect(try await balance("WETH", of: "alice") == "51.5")
            let moved = try await dex.data(arguments: [
                "transact", "ZRX", "transfer(address to,uint256)(bool)", bob, "1", "--yes",
            ])
            #expect(moved["plan"]?["values"]?.arrayValue?.first?["value"] == true)
            #expect(
                moved["events"]?.arrayValue?.first?["words"]?.stringValue
                    == "0.000000000000000001 ZRX from \(alice) to \(bob)"
            )
            #expect(try await balance("ZRX", of: "bob") == "20000.000000000000000001")
        }
    }

    @Test("what is not mined in time is exit 12, and is not sent again by repeating it")
    func notMined() async throws {
        try dex.write(config: "[trade]\nreceipt_timeout = 1\n")
        try await dex.withSandbox("--block-time", "3600") { _ in
            let bob = try await address(of: "bob")
            _ = try await dex.data(
                "send ETH 1 \(bob) --yes",
                exit: 12,
                status: "error",
                code: "not-mined-yet"
            )
            for command in [
                ["send", "ETH", "1", bob], ["wrap", "1"], ["allowance", "set", "ZRX", "1"],
            ] {
                let run = try await dex.run(command + ["--yes", "--json"])
                let code = try run.json()["error"]?["code"]?.stringValue
                #expect(run.status == 12, "\(command): \(run.stdout)")
                #expect(
                    code == (command[0] == "allowance" ? "not-mined-yet" : "pending-transaction"),
                    "\(command)"
                )
            }
        }
    }
}
