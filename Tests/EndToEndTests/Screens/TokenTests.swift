import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The sandbox's ZRX at an address of its own, with the symbol that a test wants: what a node says
/// of a token that no list has.
struct UnlistedToken: Sendable {
    static let address = "0x1111111111111111111111111111111111111111"
    private static let zrx = "0xe41d2489571d322189246dafa5ebde1f4699f498"
    let server: ScriptedServer

    /// - Parameter symbol: up to 31 ASCII characters.
    init(_ sandbox: TestSandbox, symbol: String) throws {
        let word = Array(symbol.utf8.prefix(31))
        let answer = Hex.encode(word + [UInt8](repeating: 0, count: 32 - word.count))
        server = try ScriptedServer.answering { request in
            do {
                let body = String(decoding: request.body, as: UTF8.self)
                let calls = try JSONParser.parse(text: body)
                let answers = try (calls.arrayValue ?? [calls]).map { call in
                    if call["params"]?.arrayValue?.first?["data"]?.stringValue == "0x95d89b41",
                        call.text.contains(Self.address)
                    {
                        return #"{"jsonrpc":"2.0","id":\#(call["id"]?.text ?? "0"),"#
                            + #""result":"\#(answer)"}"#
                    }
                    let answer = try sandbox.answer(
                        to: call.text.replacing(Self.address, with: Self.zrx)
                    )
                    // Its transfers are those of ZRX.
                    return call["method"] == "eth_getLogs"
                        ? answer.replacing(Self.zrx, with: Self.address) : answer
                }
                let text =
                    calls.arrayValue == nil
                    ? answers.joined() : "[\(answers.joined(separator: ","))]"
                return ScriptedAnswer(headers: ["Content-Type: application/json"], body: text)
            } catch {
                return ScriptedAnswer("500 Broken", body: "\(error)")
            }
        }
    }
}

@Suite("Tokens of one's own")
struct TokenTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func tokens() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: dex.home.path)
            .filter { $0.hasSuffix(".tokenlist.json") }
    }

    @Test("a token is shown, asked about, added, used by its symbol, and removed")
    func life() async throws {
        try await dex.withSandbox { sandbox in
            let token = try UnlistedToken(sandbox, symbol: "FOO")
            defer { token.server.stop() }
            let add = ["tokens", "add", UnlistedToken.address, "--rpc", token.server.url]
            let plan = try await dex.run(add)
            #expect(plan.status == 25, "\(plan.stderr)")
            #expect(plan.stdout.contains("Add FOO to the tokens of sandbox"), "\(plan.stdout)")
            #expect(plan.stdout.contains(UnlistedToken.address))
            #expect(plan.stderr.contains("Nothing was changed. Run it again with --yes"))
            let dry = try await dex.run(add + ["--dry-run", "--json"])
            #expect(dry.status == 30)
            #expect(try dry.json()["data"]?["token"]?["symbol"] == "FOO")
            #expect(try tokens().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: dex.configFile.path))

            let done = try await dex.run(add + ["--yes"])
            #expect(done.status == 0, "\(done.stderr)")
            #expect(done.stdout.contains("is added to the tokens of"))
            #expect(try tokens() == ["sandbox.tokenlist.json"])
            #expect(try dex.config().contains("tokens = \"sandbox.tokenlist.json\""))
            let again = try await dex.run(add + ["--yes", "--json"]).json()
            #expect(again["error"]?["code"] == "token-exists")

            let rpc = ["--rpc", token.server.url]
            let balance = try await dex.run(["balance", "FOO", "--json"] + rpc)
            #expect(balance.status == 0, "\(balance.stderr)")
            let rows = try balance.json()["data"]?["balances"]?.arrayValue ?? []
            #expect(rows.last?["balance"]?["symbol"] == "FOO")
            #expect(rows.last?["balance"]?["value"]?.stringValue?.isEmpty == false)
            let book = try await dex.run(["orderbook", "FOO/WETH", "--json"] + rpc)
            #expect(book.status == 0, "\(book.stderr)")
            #expect(try book.json()["data"]?["base"]?["symbol"] == "FOO")
            let send = try await dex.run(["send", "FOO", "1", "bob", "--dry-run"] + rpc)
            #expect(send.status == 30, "\(send.stderr)")
            #expect(send.stdout.contains("Send 1 FOO"), "\(send.stdout)")

            let bundled = try await dex.run("tokens remove ZRX --json").json()
            #expect(bundled["error"]?["code"] == "bundled-token" && bundled["exitCode"] == 2)
            let tried = try await dex.run("tokens remove FOO --dry-run")
            #expect(tried.status == 30 && tried.stdout.hasPrefix("It would remove FOO (0x1111"))
            let removed = try await dex.run("tokens remove foo --json")
            #expect(removed.status == 0, "\(removed.stderr)")
            #expect(try removed.json()["data"]?["token"]?["symbol"] == "FOO")
            let gone = try await dex.run("tokens remove FOO --json").json()
            #expect(gone["error"]?["code"] == "unknown-token")
            let list = try await dex.run("tokens foo --json").json()
            #expect(list["data"]?["tokens"] == [])
            let back = try await dex.run(add + ["--yes"])
            #expect(back.status == 0, "\(back.stderr)")
        }
    }

    @Test("a token that nobody listed is found by its transfers, marked, and never priced")
    func discovered() async throws {
        try await dex.withSandbox { sandbox in
            let token = try UnlistedToken(sandbox, symbol: "USDC")
            defer { token.server.stop() }
            let sent = try await dex.run("send ZRX 5 bob --yes")
            #expect(sent.status == 0, "\(sent.stderr)")
            let rpc = ["--rpc", token.server.url, "--wallet", "bob", "--discover"]
            let run = try await dex.run(["balance", "--json"] + rpc)
            #expect(run.status == 0, "\(run.stderr)")
            let found = try #require(try run.json()["data"]?["discovered"])
            let row = try #require(found["tokens"]?.arrayValue?.first)
            #expect(row["token"]?["address"]?.stringValue == UnlistedToken.address)
            #expect(row["isSpam"] == true && row["imitates"]?["symbol"] == "USDC")
            #expect(row["marks"]?.arrayValue?.contains("look-alike") == true)
            let screen = try await dex.run(["balance"] + rpc)
            #expect(screen.stdout.contains("NOT IN THE MAP"), "\(screen.stdout)")
            #expect(screen.stdout.contains("\n  \(UnlistedToken.address)\n"))
            let later = try await dex.run(["balance", "--json", "--from-block", "9999999"] + rpc)
            #expect(try later.json()["error"]?["code"] == "block-ahead")
            for words in [["ZRX", "--discover"], ["--discover", "--csv"], ["--from-block", "1"]] {
                let wrong = try await dex.run(["balance"] + words)
                #expect(wrong.status == 2, "\(words)")
            }
        }
    }

    @Test("watched balances are one JSON object a line; Ctrl-C ends it with 130")
    func watched() async throws {
        try await dex.withSandbox { _ in
            let run = try await dex.runUntilFirstLine("balance", "--watch", "--json")
            #expect(run.status == 130)
            let lines = run.stdout.split(separator: "\n")
            let first = try JSONParser.parse(text: String(try #require(lines.first)))
            #expect(first["command"] == "balance" && first["status"] == "ok")
            #expect(first["data"]?["balances"]?.arrayValue?.isEmpty == false)
            for words in [["--watch", "--csv"], ["--watch", "--discover"]] {
                let wrong = try await dex.run(["balance"] + words)
                #expect(wrong.status == 2 && wrong.stderr.contains("--watch excludes"))
            }
        }
    }

    @Test("copies, accounts, and contracts that are no tokens are refused, and nothing is written")
    func refused() async throws {
        try await dex.withSandbox { sandbox in
            let copy = try UnlistedToken(sandbox, symbol: "US0C")
            defer { copy.server.stop() }
            let add = ["tokens", "add", UnlistedToken.address, "--yes"]
            let rpc = ["--rpc", copy.server.url]
            let ether = try await dex.run(add + rpc + ["--symbol", "eth", "--json"]).json()
            #expect(ether["error"]?["code"] == "bad-symbol")
            let known = try await dex.run(add + rpc + ["--symbol", "ZRX"])
            #expect(known.status == 6, "\(known.stderr)")
            #expect(known.stderr.contains("0xE41d2489571d322189246DaFA5ebDe1F4699F498"))
            let account = try await dex.run(
                "tokens add 0x00000000000000000000000000000000000000e1 --yes --json"
            )
            .json()
            #expect(account["error"]?["code"] == "not-a-contract")
            let exchange = try await dex.run(
                "tokens add 0x12459C951127e0c374FF9105DdA097662A027093 --yes"
            )
            #expect(exchange.status == 6, "\(exchange.stderr)")
            #expect(exchange.stderr.contains("does not answer decimals(), totalSupply()"))
            #expect(try tokens().isEmpty)
            let forced = try await dex.run(
                add + rpc + ["--symbol", "ZRX", "--allow-copy", "--json"]
            )
            #expect(forced.status == 0, "\(forced.stderr)")
            #expect(try forced.json()["data"]?["copies"]?.arrayValue?.count == 1)
            let ambiguous = try await dex.run("orderbook ZRX/WETH --json").json()
            #expect(ambiguous["error"]?["code"] == "ambiguous-token")
        }
    }
}
