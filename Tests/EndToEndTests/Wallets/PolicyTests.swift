import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("policy.toml and the audit log")
struct PolicyTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private func write(_ policy: String, mode: Int = 0o600) throws {
        _ = try home.file("policy.toml", policy, mode: mode)
    }

    private var auditLog: URL { dex.home.appending(path: "audit.jsonl") }

    private func audit() throws -> [JSONValue] {
        guard let text = try? Data(contentsOf: auditLog) else { return [] }
        return try String(decoding: text, as: UTF8.self).split(separator: "\n")
            .map { try JSONParser.parse(text: String($0)) }
    }

    private func refused(
        _ arguments: String...,
        rule: String,
        environment: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await dex.run(arguments + ["--yes", "--json"], environment: environment)
        #expect(run.status == 6, "\(run.stdout) \(run.stderr)", sourceLocation: location)
        let error = try run.json()["error"]
        #expect(error?["code"] == "policy", sourceLocation: location)
        let message = error?["message"]?.stringValue ?? ""
        #expect(
            message.hasPrefix("The rule \(rule) of \(dex.home.path)/policy.toml forbids this: "),
            "\(message)",
            sourceLocation: location
        )
    }

    // MARK: The file

    @Test("without a file everything may be signed, and `dex policy show` says so")
    func absent() async throws {
        let run = try await dex.run("policy show")
        #expect(run.status == 0, "\(run.stderr)")
        #expect(run.stdout.replacing("\n", with: " ").contains("everything may be signed that"))
        let data = try await home.done("policy", "show")
        #expect(data["exists"] == false)
        #expect(data["path"]?.stringValue == "\(dex.home.path)/policy.toml")
        #expect(data["limits"] == [])
        #expect(data["allowedTokens"]?.isNull == true)
    }

    @Test("`dex policy show` shows each rule as it reads on the network")
    func show() async throws {
        try write(
            """
            networks = ["sandbox", "mainnet"]
            tokens = ["ETH", "WETH", "ZRX"]
            spenders = ["0x12459c951127e0c374ff9105dda097662a027093"]
            recipients = []
            max_fee = "0.01"
            max_slippage = 1.5

            [max_per_trade]
            WETH = 5
            "0xe41d2489571d322189246dafa5ebde1f4699f498" = "1000.5"

            [max_per_day]
            WETH = "20"
            ETH = 0.5
            """
        )
        let data = try await home.done("policy", "show", "--network", "mainnet")
        #expect(data["allowedNetworks"] == ["sandbox", "mainnet"])
        #expect(data["allowedTokens"] == ["ETH", "WETH", "ZRX"])
        #expect(data["allowedSpenders"] == ["0x12459C951127e0c374FF9105DdA097662A027093"])
        #expect(data["allowedRecipients"] == [])
        #expect(data["maxFee"]?["value"] == "0.01")
        #expect(data["maxSlippage"] == "1.5")
        let limits = try #require(data["limits"]?.arrayValue)
        let weth = try #require(limits.first { $0["symbol"] == "WETH" })
        #expect(weth["perTrade"]?["value"] == "5")
        #expect(weth["perDay"]?["value"] == "20")
        #expect(weth["spent"]?["value"] == "0")
        let zrx = try #require(limits.first { $0["symbol"] == "ZRX" })
        #expect(zrx["perTrade"]?["raw"] == "1000500000000000000000")
        #expect(zrx["perDay"]?.isNull == true)
        let people = try await dex.run("policy show --network mainnet")
        for text in ["max slippage", "1.5 %", "0.01 ETH a transaction", "20 in 24 hours, 0 used"] {
            #expect(people.stdout.contains(text), "\(people.stdout)")
        }
    }

    @Test(
        "a file that cannot be read as rules stops every signature, with line and key",
        arguments: [
            ("max_fees = 1", ":1", "the rule max_fees is not known"),
            ("\n[limits]\nWETH = 1", ":2", "the rule limits is not known"),
            ("networks = \"mainnet\"", ":1", "networks takes a list of names of networks"),
            ("networks = [1]", ":1", "networks takes a list"),
            ("tokens = [\"NOPE\"]", ":1", "\"NOPE\" names no token on the network mainnet"),
            ("spenders = [\"0x12\"]", ":1", "spenders has \"0x12\", which is no address"),
            (
                "recipients = [\"0x12459c951127E0c374FF9105DdA097662A027093\"]", ":1",
                "which is no address"
            ),
            ("max_fee = -1", ":1", "max_fee takes"),
            ("max_fee = \"0.0000000000000000001\"", ":1", "max_fee takes"),
            ("max_slippage = 101", ":1", "max_slippage takes"),
            ("max_slippage = true", ":1", "max_slippage takes"),
            ("max_per_day = 1", ":1", "max_per_day is not a table"),
            ("[max_per_day]\nWETH = \"x\"", ":2", "max_per_day.WETH takes an amount"),
            ("[max_per_day]\nWETH = 1e-30", ":2", "max_per_day.WETH takes an amount"),
            (
                "[max_per_trade]\nWETH = 1\n"
                    + "\"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\" = 2",
                "", "twice"
            ),
            ("networks = [", ":1", "Error while"), ("max_fee = 1\n[", ":2", "a table's name"),
            ("max_fee = 1 # \0", "", "zero byte"), ("\u{FEFF}max_fee = -1", ":1", "max_fee takes"),
            ("max_fee = 1\nmax_fee = 2", ":2", "Error while"),
        ]
    )
    func malformed(text: String, line: String, reason: String) async throws {
        try write(text)
        let run = try await dex.run("policy show --network mainnet --json")
        #expect(run.status == 3, "\(run.stdout)")
        let message = try run.json()["error"]?["message"]?.stringValue ?? ""
        #expect(try run.json()["error"]?["code"] == "bad-policy")
        #expect(message.contains("/policy.toml\(line)"), "\(message)")
        #expect(message.contains(reason), "\(message)")
        #expect(message.hasSuffix("Nothing is signed."))
        let signing = try await dex.run(
            ["wallet", "sign-message", "hello", "--network", "mainnet", "--yes"],
            environment: ["DEX_PRIVATE_KEY": WalletHome.key]
        )
        #expect(signing.status == 3)
        #expect(try audit().isEmpty)
    }

    @Test("a file that others may change protects nothing, and is refused")
    func alterable() async throws {
        for mode in [0o620, 0o602, 0o666] {
            try write("max_fee = 1", mode: mode)
            let run = try await dex.run(
                ["wallet", "sign-message", "hello", "--network", "mainnet", "--yes", "--json"],
                environment: ["DEX_PRIVATE_KEY": WalletHome.key]
            )
            #expect(run.status == 3)
            #expect(try run.json()["error"]?["code"] == "alterable-policy")
            #expect(run.stderr.contains("chmod 600"))
        }
        try write("max_fee = 1", mode: 0o644)
        #expect(try await dex.run("policy show").status == 0)
        try FileManager.default.removeItem(at: dex.home.appending(path: "policy.toml"))
        try FileManager.default.createDirectory(
            at: dex.home.appending(path: "policy.toml"),
            withIntermediateDirectories: false
        )
        #expect(try await dex.run("policy show").status == 3)
    }

    // MARK: Signing

    @Test("each command that signs is refused by each rule, and signs nothing")
    func refusals() async throws {
        try await dex.withSandbox { sandbox in
            let buy = ["market-buy", "ZRX/WETH", "10", "--via", "book"]
            let rules = [
                ("networks", "networks = [\"mainnet\"]"),
                ("tokens", "tokens = [\"WETH\"]"),
                ("spenders", "spenders = []"),
                ("max_fee", "max_fee = \"0.000000000000000001\""),
                ("max_slippage", "max_slippage = 0.01"),
                ("max_per_trade.WETH", "[max_per_trade]\nWETH = \"0.0001\""),
                ("max_per_day.WETH", "[max_per_day]\nWETH = \"0.0001\""),
            ]
            for (rule, text) in rules {
                try write(text)
                try await refused("market-buy", "ZRX/WETH", "10", "--via", "book", rule: rule)
                // What is only planned says it too, and shows the plan.
                for extra in [["--dry-run"], []] {
                    let planned = try await dex.run(buy + extra + ["--json"])
                    #expect(planned.status == 6, "\(extra) \(planned.stdout)")
                    let json = try planned.json()
                    #expect(json["error"]?["code"] == "policy")
                    #expect(json["error"]?["message"]?.stringValue?.contains(rule) == true)
                    #expect(json["data"]?["plan"] != nil)
                }
            }
            try write("[max_per_trade]\nZRX = 4")
            try await refused(
                "market-sell",
                "ZRX/WETH",
                "10",
                "--via",
                "book",
                rule: "max_per_trade.ZRX"
            )
            try await refused(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "5",
                "--price",
                "1",
                rule: "max_per_trade.ZRX"
            )
            try await refused(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "3",
                "--price",
                "1",
                "--approve",
                "unlimited",
                rule: "max_per_trade.ZRX"
            )
            let placed = try await home.done(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "3",
                "--price",
                "1",
                "--yes"
            )
            let hash = try #require(placed["orderHash"]?.stringValue)
            try write("max_fee = 0")
            try await refused("cancel", hash, rule: "max_fee")
            // What may only be looked at is not stopped.
            #expect(try await dex.run("order \(hash)").status == 0)
            #expect(try await dex.run(buy + ["--dry-run"]).status == 6)
            try write("max_fee = 1")
            #expect(try await dex.run(buy + ["--dry-run"]).status == 30)
            // What the rules forbid is told before anything comes to be signed.
            let events = try audit().compactMap { $0["event"]?.stringValue }
            #expect(
                events == ["authorized", "signed", "authorized", "signed"]
            )
            #expect(try sandbox.call("eth_blockNumber").stringValue != nil)
        }
    }

    @Test("the day's limit counts over processes that sign at once, and is shown")
    func days() async throws {
        try await dex.withSandbox { _ in
            let dex = dex
            _ = try await home.done(
                "market-sell",
                "--via",
                "book",
                "ZRX/WETH",
                "0.5",
                "--approve",
                "unlimited",
                "--yes"
            )
            try write("[max_per_day]\nZRX = 7")
            let exits = try await withThrowingTaskGroup(of: Int32.self) { group in
                for price in 1...6 {
                    group.addTask {
                        try await dex.run(
                            "place-limit sell ZRX/WETH 2 --price \(price) --yes --despite-pending"
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(exits.sorted() == [0, 0, 0, 6, 6, 6])
            let data = try await home.done("policy", "show")
            #expect(data["limits"]?.arrayValue?.first?["spent"]?["value"] == "6.5")
            let people = try await dex.run("policy show")
            #expect(people.stdout.contains("7 in 24 hours, 6.5 used"))
        }
    }

    @Test("an allowance for somebody counts as spent, and still does when it was drawn or revoked")
    func allowances() async throws {
        try await dex.withSandbox { _ in
            try write("[max_per_day]\nWETH = 1")
            let thief = WalletHome.address
            func approve(_ amount: String, _ function: String = "approve") async throws -> Int32 {
                try await dex.run(
                    "transact WETH \(function)(address,uint256) \(thief) \(amount) --yes"
                ).status
            }
            let half = "500000000000000000"
            #expect(try await approve(half) == 0)
            #expect(try await approve(half, "increaseAllowance") == 0)
            #expect(try await approve("0") == 0)
            #expect(try await approve(half) == 6)
            try await refused("send", "WETH", "0.1", thief, rule: "max_per_day.WETH")
            let data = try await home.done("policy", "show")
            #expect(data["limits"]?.arrayValue?.first?["spent"]?["value"] == "1")
        }
    }

    @Test("a made-up chain whose token list swaps names evades no limit")
    func madeUpChain() async throws {
        let list = try home.file(
            "evil.json",
            """
            {"name":"evil","timestamp":"2020-01-01T00:00:00Z",
             "version":{"major":1,"minor":0,"patch":0},"tokens":[
             {"chainId":999,"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
              "symbol":"FOO","name":"Foo","decimals":18},
             {"chainId":999,"address":"0x12459c951127e0c374ff9105dda097662a027093",
              "symbol":"WETH","name":"Wrapped Ether","decimals":18}]}
            """
        )
        _ = try await home.done(
            "network",
            "add",
            "evil",
            "--chain-id",
            "999",
            "--exchange",
            "0x12459c951127e0c374ff9105dda097662a027093",
            "--tokens",
            list
        )
        try write("[max_per_day]\nWETH = 1")
        let shown = try await dex.run("policy show --network evil --json")
        #expect(shown.status == 3)
        let error = try shown.json()["error"]
        #expect(error?["code"] == "bad-policy")
        #expect(error?["message"]?.stringValue?.contains("names no token on the network") == true)
        let limit = "WETH=1"
        let unlocked = try await dex.run("unlock main --network evil --max-day \(limit) --json")
        #expect(unlocked.status == 2)
        #expect(try unlocked.json()["error"]?["code"] == "unknown-token")
    }

    @Test(
        "a message of exactly 32 bytes is signed by no key, in no spelling, with no policy",
        arguments: ["text", "digits", "file", "input"]
    )
    func hashMessage(spelling: String) async throws {
        let bytes = String(repeating: "sign", count: 8)
        let digits = String(repeating: "7f", count: 32)
        let content: [String] =
            switch spelling {
            case "text": [bytes]
            case "digits": ["0x\(digits)"]
            case "file": ["--file", try home.file("message", bytes)]
            default: ["--file", "-"]
            }
        let run = try await dex.run(
            ["wallet", "sign-message"] + content + ["--network", "mainnet", "--yes", "--json"],
            environment: ["DEX_PRIVATE_KEY": WalletHome.key],
            input: bytes
        )
        #expect(run.status == 6, "\(run.stdout)")
        #expect(try run.json()["error"]?["code"] == "looks-like-a-hash")
        #expect(try run.json()["data"]?["signature"] == nil)
    }

    @Test("the audit log has everything signed and no secret")
    func auditLines() async throws {
        try await dex.withSandbox { _ in
            let bought = try await home.done(
                "market-buy",
                "--via",
                "book",
                "ZRX/WETH",
                "10",
                "--yes"
            )
            let hashes = bought["transactions"]?.arrayValue?.compactMap { $0["hash"]?.stringValue }
            let signed = try await dex.run(
                ["wallet", "sign-message", "a very own text", "--yes", "--json"],
                environment: ["DEX_PRIVATE_KEY": WalletHome.key]
            ).json()
            let lines = try audit()
            let reported = lines.filter { $0["event"] == "signed" }
                .map { $0["hash"]?.stringValue ?? "" }
            #expect(reported.starts(with: hashes ?? [""]))
            let purposes = lines.map { $0["purpose"]?.stringValue }
            #expect(purposes.contains("fill"))
            #expect(lines.compactMap { $0["kind"]?.stringValue }.last == "message")
            #expect(try home.mode(auditLog.path) == 0o600)
            let text = try String(decoding: Data(contentsOf: auditLog), as: UTF8.self)
            let signature = try #require(signed["data"]?["signature"]?.stringValue)
            for secret in [
                String(WalletHome.key.dropFirst(2)), "a very own text",
                String(signature.dropFirst(2).prefix(64)),
            ] {
                #expect(!text.contains(secret))
            }
            let data = try await home.done("policy", "show")
            #expect(data["auditLog"]?.stringValue == auditLog.path)
        }
    }

    @Test("what cannot be written into the log is not signed")
    func unwritable() async throws {
        try FileManager.default.createDirectory(at: auditLog, withIntermediateDirectories: false)
        let run = try await dex.run(
            ["wallet", "sign-message", "hello", "--network", "mainnet", "--yes", "--json"],
            environment: ["DEX_PRIVATE_KEY": WalletHome.key]
        )
        #expect(run.status == 3)
        #expect(try run.json()["error"]?["code"] == "audit-log")
        #expect(try run.json()["data"]?["signature"] == nil)
    }
}
