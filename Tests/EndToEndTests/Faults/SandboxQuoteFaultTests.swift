import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox fault quote`, and what a program sees of the swap API under it.
@Suite("Faults of the sandbox's swap API")
struct SandboxQuoteFaultTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
    }

    private static let kinds = [
        "stale", "worse", "recipient", "token", "minimum", "spender", "settler", "previous",
        "paused", "no-liquidity", "balance", "fields", "html", "slow",
    ]

    private func fault(_ words: String...) async throws -> JSONValue {
        let run = try await dex.run(["sandbox", "fault"] + words + ["--json"])
        #expect(run.status == 0, "\(words): \(run.stderr)")
        let json = try run.json()
        #expect(json["command"]?.stringValue == "sandbox fault \(words[0])")
        return try #require(json["data"])
    }

    /// The swap API's answer to a path, its head included.
    private func ask(_ path: String, key: String = "sandbox") async throws -> String {
        let data = try await dex.run("sandbox status --json").json()["data"]
        let url = try #require(data?["swapUrl"]?.stringValue)
        let request = ScriptedRequest(
            lines: [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1", "0x-api-key: \(key)",
                "0x-version: v2",
            ],
            body: []
        )
        return String(decoding: try request.send(to: url), as: UTF8.self)
    }

    private let path =
        "/swap/permit2/price?chainId=1337&sellAmount=1000000000000000000"
        + "&sellToken=0xe41d2489571d322189246dafa5ebde1f4699f498"
        + "&buyToken=0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"

    @Test("each kind is set, listed and replaced by the next, and none is left in the end")
    func kinds() async throws {
        try await dex.withSandbox { _ in
            for kind in Self.kinds {
                let set = try await fault("quote", "--kind", kind)
                let rows = set["faults"]?.arrayValue ?? []
                #expect(rows.map { $0["kind"]?.stringValue } == [kind])
                #expect(rows.first?["fault"] == "quote" && rows.first?["of"] == "swap")
                #expect(rows.first?["times"] == nil)
                #expect(try await fault("list")["faults"] == set["faults"])
            }
            let limited = try await fault("quote", "--kind", "html", "--times", "2")
            #expect(limited["faults"]?.arrayValue?.first?["times"] == 2)
            let cleared = try await fault("clear", "quote")
            #expect(cleared["cleared"]?.arrayValue?.first?["kind"] == "html")
            #expect(cleared["faults"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("an answer is wrong as often as asked, and the list counts it")
    func times() async throws {
        try await dex.withSandbox { _ in
            #expect(try await ask(path).contains(#""liquidityAvailable":true"#))
            _ = try await fault("quote", "--kind", "no-liquidity", "--times", "1")
            #expect(try await ask(path).contains(#""liquidityAvailable":false"#))
            #expect(try await ask(path).contains(#""liquidityAvailable":true"#))
            let row = try await fault("list")["faults"]?.arrayValue?.first
            #expect(row?["hits"] == 1 && row?["requests"] == 2)
            _ = try await fault("quote", "--kind", "html")
            let page = try await ask(path)
            #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("<!doctype html>"))
            // Only prices and quotes are struck.
            #expect(try await ask("/swap/chains").contains(#""chainId":1337"#))
            _ = try await fault("clear")
            #expect(try await ask(path, key: "").hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test("the swap API as a server fails only where it is named")
    func server() async throws {
        try await dex.withSandbox { _ in
            let both = try await fault("slow", "--delay", "1ms")
            #expect(both["faults"]?.arrayValue?.map { $0["of"] } == ["node", "relay"])
            _ = try await fault("clear")
            let kinds = ["flaky", "--share", "100", "--kind", "429", "--of", "swap"]
            let set = try await dex.run(["sandbox", "fault"] + kinds)
            #expect(set.stdout.hasPrefix("100 % of the requests to the swap API fail from now on."))
            #expect(try await ask(path).hasPrefix("HTTP/1.1 429"))
            #expect(try await dex.run("orderbook ZRX/WETH").status == 0)
            _ = try await fault("down", "--of", "swap")
            #expect(try await ask(path).isEmpty)
        }
    }

    @Test("what cannot be is refused with 2, and a dry run changes nothing")
    func refusals() async throws {
        for words in [
            [], ["--kind", "evil"], ["--kind", "html", "--times", "0"],
            ["--kind", "html", "--times", "1001"], ["--kind", "paused", "--times", "1"],
        ] {
            let run = try await dex.run(["sandbox", "fault", "quote"] + words)
            #expect(run.status == 2, "\(words): \(run.stderr)")
            #expect(run.stdout.isEmpty)
        }
        let none = try await dex.run("sandbox fault quote --kind html --json")
        #expect(none.status == 4)
        #expect(try none.json()["error"]?["code"] == "sandbox-not-running")
        try await dex.withSandbox { _ in
            let dry = try await dex.run(
                ["sandbox", "fault", "quote", "--kind", "paused", "--dry-run", "--json"]
            )
            #expect(dry.status == 30)
            #expect(try await fault("list")["faults"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("the screens fit a terminal of 80 columns")
    func screens() async throws {
        try await dex.withSandbox { _ in
            let worse = try await dex.run(
                ["sandbox", "fault", "quote", "--kind", "worse", "--times", "2"]
            )
            #expect(
                worse.stdout == """
                    In the swap API's answers, 2 times: quotes 3 % worse than the price.

                    Faults that are on

                      fault  of    what it does                     struck
                      quote  swap  quotes 3 % worse than the price  0 of 2

                      block     0
                      base fee  0.875 gwei
                      waiting   no transactions

                    End them with: dex sandbox fault clear

                    """
            )
            for kind in Self.kinds {
                let run = try await dex.run(["sandbox", "fault", "quote", "--kind", kind])
                #expect(run.stdout.contains(kind == "paused" ? "quote  chain  " : "quote  swap  "))
                for line in run.stdout.split(separator: "\n") {
                    #expect(line.count <= 80, "\(line)")
                }
            }
            let status = try await dex.run("sandbox status")
            #expect(status.stdout.contains("\n  swap  http://127.0.0.1:"))
            let quotes = try await dex.run("sandbox fault quote --help")
            for kind in Self.kinds { #expect(quotes.stdout.contains(kind)) }
        }
    }
}
