import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import SandboxHost
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What may happen between a plan and its end: each exit code after something was sent or posted.
@Suite("Exit codes of trades that go wrong")
struct OutcomeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    // MARK: 7

    @Test("an order that the relay refuses exits 7, shows its reasons, and can be cancelled")
    func refusedOrder() async throws {
        try await dex.withSandbox { sandbox in
            let relay = try Interposer(before: sandbox.relay) { request, _ in
                guard request.method == "POST", request.target.hasSuffix("/order") else {
                    return .pass
                }
                let body = #"""
                    {"code":100,"reason":"Validation Failed","validationErrors":[\#
                    {"field":"maker","code":1004,"reason":"not\u001b[31m welcome\nerror: paid"},\#
                    {"field":"salt","code":1003,"reason":"seen before"}]}
                    """#
                return .take { $0.write(ScriptedAnswer("400 Bad Request", body: body).bytes) }
            }
            let order = [
                "place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--wallet", "bob",
                "--relay", "\(relay.url)/v0",
            ]
            let run = try await dex.run(order + ["--yes", "--json"])
            #expect(run.status == 7, "\(run.stderr)")
            let error = try #require(try run.json()["error"])
            #expect(error["code"] == "relay-refused")
            #expect(error["retryable"] == false)
            let message = try #require(error["message"]?.stringValue)
            #expect(
                message == """
                    The relay refused (HTTP 400): "Validation Failed".
                      maker: "not\\u{1B}[31m welcome\\u{A}error: paid".
                      salt: "seen before".
                    """
            )
            #expect(relay.postedOrders == 1, "an order is never posted twice")
            let posted = try #require(relay.requests.last { $0.target.hasSuffix("/order") })
            #expect(try JSONParser.parse(posted.body)["maker"] != nil)

            // The relay has seen the signature; the journal knows the order, so that it can be
            // made worthless.
            let hint = try #require(error["hint"]?.stringValue)
            let hash = try #require(hint.firstMatch(of: /0x[0-9a-f]{64}/)).output
            let cancelled = try await dex.run(
                ["cancel", String(hash), "--wallet", "bob", "--yes", "--json"]
            )
            #expect(cancelled.status == 0, "\(cancelled.stderr)")
            #expect(
                try cancelled.json()["data"]?["orders"]?.arrayValue?.first?["status"]
                    == "cancelled"
            )
        }
    }

    // MARK: 10

    @Test("what fails in the simulation exits 10 with the node's words, and nothing is signed")
    func failsInSimulation() async throws {
        try await dex.withSandbox { sandbox in
            let node = try Interposer(before: sandbox.rpc) { request, _ in
                guard request.methods.contains("eth_estimateGas") else {
                    return .pass
                }
                return .take { connection in
                    guard let answer = try? sandbox.answer(to: request, failing: "eth_estimateGas")
                    else { return }
                    connection.write(ScriptedAnswer(body: answer).bytes)
                }
            }
            let hash = try await bestAsk(of: "WETH/USDC")
            for command in [
                ["market-buy", "--via", "book", "ZRX/WETH", "5"],
                ["fill", hash, "0.1", "--wallet", "alice"],
            ] {
                let before = try await balances("bob")
                let run = try await dex.run(
                    command + ["--yes", "--json", "--rpc", node.url]
                        + (command.contains("--wallet") ? [] : ["--wallet", "bob"])
                )
                #expect(run.status == 10, "\(command) \(run.stdout) \(run.stderr)")
                let error = try #require(try run.json()["error"])
                #expect(error["message"]?.stringValue?.hasSuffix(".") == true)
                #expect(!node.methods.contains("eth_sendRawTransaction"))
                #expect(try await balances("bob") == before)
            }
        }
    }

    // MARK: 6 and 14

    @Test("an order that is taken meanwhile: 6 before the signature, 14 behind it")
    func frontRun() async throws {
        try await dex.withSandbox { sandbox in
            // Right before the last look.
            let hash = try await bestAsk(of: "ZRX/WETH")
            let taken = Once()
            let early = try node(sandbox) { methods in
                // Estimates come with the plan, and once more right before signing.
                methods.contains("eth_estimateGas") && taken.count(upTo: 2)
            } run: {
                try fill(hash, as: "carol")
            }
            let before = try await zrx("bob")
            let late = try await dex.run(
                ["fill", hash, "5", "--wallet", "bob", "--yes", "--json", "--rpc", early.url]
            )
            #expect(taken.isDone)
            #expect(late.status == 6, "\(late.stdout) \(late.stderr)")
            let error = try #require(try late.json()["error"])
            #expect(error["message"]?.stringValue?.hasSuffix(".") == true)
            #expect(!early.methods.contains("eth_sendRawTransaction"))
            #expect(try await zrx("bob") == before)

            // The same between the last look and the block.
            let next = try await bestAsk(of: "ZRX/WETH")
            #expect(next != hash)
            let sent = Once()
            let race = try node(sandbox) { methods in
                methods.contains("eth_sendRawTransaction") && sent.count(upTo: 1)
            } run: {
                try fill(next, as: "carol")
            }
            let short = try await dex.run(
                ["fill", next, "5", "--wallet", "bob", "--yes", "--json", "--rpc", race.url]
            )
            #expect(sent.isDone)
            #expect(short.status == 14, "\(short.stdout) \(short.stderr)")
            let data = try #require(try short.json()["data"])
            #expect(try short.json()["error"]?["code"] == "filled-less")
            #expect(data["transactions"]?.arrayValue?.last?["status"] == "mined")
            #expect(data["outcome"]?["received"]?["raw"] == "0")
            #expect(data["outcome"]?["paid"]?["raw"] == "0")
            let row = try #require(data["outcome"]?["orders"]?.arrayValue?.first)
            #expect(row["status"] == "skipped")
            #expect(row["reason"]?.stringValue?.isEmpty == false)
            #expect(try await zrx("bob") == before)
            let transaction = try #require(
                data["transactions"]?.arrayValue?.last?["hash"]?.stringValue
            )
            #expect(try await dex.run("status \(transaction)").status == 14)
        }
    }

    @Test("a market order whose orders are taken moves on to its backups: 0 down to the minimum")
    func marketRace() async throws {
        try await dex.withSandbox { sandbox in
            let first = try await bestAsk(of: "ZRX/WETH")
            let once = Once()
            let race = try node(sandbox) { methods in
                methods.contains("eth_sendRawTransaction") && once.count(upTo: 1)
            } run: {
                try fill(first, as: "carol")
            }
            let purchase = ["market-buy", "--via", "book", "ZRX/WETH", "5"]
            let buy = ["--wallet", "bob", "--yes", "--json", "--rpc"]
            let run = try await dex.run(purchase + buy + [race.url])
            #expect(once.isDone)
            // The same is paid, the next order is dearer: less than expected, but not below the
            // least that was agreed to.
            #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
            #expect(try run.json()["status"] == "ok" && run.json()["error"] == .null)
            let moved = try #require(try run.json()["data"])
            let rows = try #require(moved["outcome"]?["orders"]?.arrayValue)
            #expect(rows.first?["status"] == "skipped")
            #expect(rows.contains { $0["status"] == "filled" && $0["orderHash"] != .string(first) })
            let received = try units(moved["outcome"]?["received"])
            #expect(received < (try units(moved["plan"]?["receive"]?["expected"])))
            #expect(received >= (try units(moved["plan"]?["receive"]?["min"])))
            let paid = try units(moved["outcome"]?["paid"])
            #expect(paid <= (try units(moved["plan"]?["pay"]?["max"])))
            let words = try #require(try run.json()["warnings"]?.arrayValue?.last?.stringValue)
            #expect(words.contains("of 5 expected. The confirmed minimum is"))
            let later = try await dex.run([
                "status",
                try #require(moved["transactions"]?.arrayValue?.last?["hash"]?.stringValue),
                "--json",
            ])
            #expect(later.status == 0, "\(later.stdout)")
            #expect(try later.json()["warnings"]?.arrayValue?.last?.stringValue == words)

            let all = Once()
            let sweep = try node(sandbox) { methods in
                methods.contains("eth_sendRawTransaction") && all.count(upTo: 1)
            } run: {
                try trade(
                    ["market-buy", "--via", "book", "ZRX/WETH", "9000", "--allow-high-impact"],
                    as: "carol"
                )
            }
            let before = try await zrx("bob")
            let short = try await dex.run(purchase + buy + [sweep.url])
            #expect(short.status == 14, "\(short.stdout) \(short.stderr)")
            let data = try #require(try short.json()["data"])
            #expect(data["outcome"]?["received"]?["raw"] == "0")
            #expect(try await zrx("bob") == before)
            let person = try await dex.run([
                "status",
                try #require(data["transactions"]?.arrayValue?.last?["hash"]?.stringValue),
            ])
            #expect(person.status == 14)
        }
    }

    // MARK: 11

    @Test("a fill that reverts exits 11, costs gas and nothing else")
    func reverted() async throws {
        try await dex.withSandbox { sandbox in
            // USDC's queries run out of gas in the exchange; from a node that makes no access
            // lists its fills are the throwing kind.
            let hash = try await bestAsk(of: "WETH/USDC")
            let prepared = try await dex.run(
                "market-buy --via book WETH/USDC 0.001 --wallet bob --yes"
            )
            try #require(prepared.status == 0, "\(prepared.stderr)")
            let before = try await balances("bob")
            // A transfer that fails is what makes the exchange throw: the maker takes back its
            // allowance right before the fill.
            let book = try await dex.run("order \(hash) --json").json()
            let maker = try Address(#require(book["data"]?["maker"]?.stringValue))
            let signer = try #require(SandboxAccounts(seed: sandbox.seed).signer(of: maker))
            let revoking = try await sandbox.signed(
                by: signer,
                to: Address("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
                data: Hex.decode(
                    "0x095ea7b3"
                        + "0000000000000000000000008da0d80f5007ef1e431dd2127178d224e32c2ef4"
                        + String(repeating: "0", count: 64)
                )
            )
            let once = Once()
            let race = try Interposer(before: sandbox.rpc) { request, _ in
                let methods = request.methods
                if methods.contains("eth_createAccessList") {
                    return .take { connection in
                        let method = "eth_createAccessList"
                        guard let answer = try? sandbox.answer(to: request, failing: method)
                        else { return }
                        connection.write(ScriptedAnswer(body: answer).bytes)
                    }
                }
                // The approval goes before the fill.
                if methods.contains("eth_sendRawTransaction"), once.count(upTo: 2) {
                    do { try sandbox.send(revoking) } catch { Issue.record(error) }
                }
                return .pass
            }
            let run = try await dex.run(
                ["fill", hash, "0.01", "--wallet", "bob", "--yes", "--json", "--rpc", race.url]
            )
            #expect(run.status == 11, "\(run.stdout) \(run.stderr)")
            let failure = try #require(try run.json()["error"])
            #expect(failure["code"] == "reverted")
            let reported = try #require(failure["message"]?.stringValue)
            #expect(reported.contains("The contract's reason: "), "\(reported)")
            let data = try #require(try run.json()["data"])
            let sent = try #require(data["transactions"]?.arrayValue?.last)
            #expect(sent["status"] == "reverted")
            #expect(sent["gasUsed"] != nil)
            #expect(data["outcome"]?["received"]?["raw"] == "0")
            let after = try await balances("bob")
            #expect(after["USDC"] == before["USDC"])
            #expect(after["WETH"] == before["WETH"])
            #expect(after["ETH"] != before["ETH"])
            let look = try await dex.run(["status", try #require(sent["hash"]?.stringValue)])
            #expect(look.status == 11)
            #expect(look.stdout.contains("reverted"))
            #expect(look.stderr.contains(reported), "\(look.stderr)")
        }
    }

    // MARK: 13

    @Test("a transaction that another one with its nonce replaced exits 13")
    func replaced() async throws {
        try await dex.withSandbox { sandbox in
            try sandbox.call("evm_setAutomine", "false")
            let bob = try SandboxAccounts(seed: sandbox.seed).signer(named: "bob")
            let signer = try #require(bob)
            let raw = try await sandbox.signed(by: signer, to: signer.address, gasLimit: 21_000)
            let once = Once()
            let node = try Interposer(before: sandbox.rpc) { request, _ in
                guard request.methods.contains("eth_sendRawTransaction"),
                    once.count(upTo: 1)
                else { return .pass }
                return .passThen {
                    do {
                        try sandbox.send(raw)
                        // Deep enough that no server can lag behind it.
                        for _ in 0...12 { try sandbox.call("evm_mine") }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            let before = try await zrx("bob")
            let run = try await dex.run(
                [
                    "market-buy", "--via", "book", "ZRX/WETH", "5", "--wallet", "bob", "--yes",
                    "--json", "--rpc", node.url,
                ]
            )
            #expect(run.status == 13, "\(run.stdout) \(run.stderr)")
            #expect(try run.json()["error"]?["code"] == "replaced-or-dropped")
            let sent = try #require(
                try run.json()["data"]?["transactions"]?.arrayValue?.last
            )
            #expect(sent["status"] == "replaced")
            #expect(try await zrx("bob") == before)
            let status = try await dex.run([
                "status", try #require(sent["hash"]?.stringValue), "--json",
            ])
            #expect(status.status == 13, "\(status.stderr)")
            #expect(try status.json()["data"]?["status"] == "replaced")

            // The account is not stuck: the next one takes the next nonce.
            try sandbox.call("evm_setAutomine", "true")
            let next = try await dex.run(
                "market-buy --via book ZRX/WETH 5 --wallet bob --yes --json"
            )
            #expect(next.status == 0, "\(next.stderr)")
        }
    }

    // MARK: Support

    /// A node before which something happens, right before the requests that are chosen.
    private func node(
        _ sandbox: TestSandbox,
        when isTime: @escaping @Sendable (_ methods: [String]) -> Bool,
        run: @escaping @Sendable () throws -> Void
    ) throws -> Interposer {
        try Interposer(before: sandbox.rpc) { request, _ in
            guard isTime(request.methods) else { return .pass }
            do { try run() } catch { Issue.record(error) }
            return .pass
        }
    }

    /// Fills an order to its end.
    private func fill(_ hash: String, as account: String) throws {
        try trade(["fill", hash], as: account)
    }

    /// Trades straight with the sandbox and waits for the end.
    private func trade(_ command: [String], as account: String) throws {
        let (status, text) = try dex.runBlocking(command + ["--wallet", account, "--yes"])
        #expect(status == 0, "\(command): \(text)")
    }

    private func units(_ amount: JSONValue?) throws -> UInt256 {
        try #require(amount).units()
    }

    private func bestAsk(of pair: String) async throws -> String {
        let book = try await dex.run("orderbook \(pair) --json --wallet bob").json()
        let asks = try #require(book["data"]?["asks"]?.arrayValue)
        // Whole ones of makers whose balance is not shared.
        let plain = asks.first { $0["flags"]?.arrayValue?.isEmpty == true }
        return try #require(plain?["orderHash"]?.stringValue)
    }

    private func zrx(_ account: String) async throws -> String {
        try #require(try await balances(account)["ZRX"])
    }

    /// Base units by symbol.
    private func balances(_ account: String) async throws -> [String: String] {
        let run = try await dex.run("balance ETH ZRX WETH USDC --wallet \(account) --json")
        try #require(run.status == 0, "\(run.stderr)")
        let rows = try #require(try run.json()["data"]?["balances"]?.arrayValue)
        return Dictionary(
            rows.compactMap { row in
                guard let symbol = row["token"]?["symbol"]?.stringValue,
                    let raw = row["balance"]?["raw"]?.stringValue
                else { return nil }
                return (symbol, raw)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
