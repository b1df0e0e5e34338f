import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary before a node whose latest block is a day old.
@Suite("A node that stands still")
struct StaleNodeTests {
    private let host: DexBinary
    private let dex: DexBinary

    init() throws {
        host = try DexBinary()
        dex = try DexBinary()
    }

    private static let day: UInt64 = 86_400

    /// The sandbox's node, whose blocks are all a day older than they are.
    ///
    /// - Parameter isBehind: they are also numbered one less.
    private static func old(
        before target: String,
        isBehind: Bool = false
    ) throws -> Interposer {
        try Interposer(before: target) { _, _ in
            .replace { connection, genuine in
                let text = String(decoding: genuine, as: UTF8.self)
                let body = text.components(separatedBy: "\r\n\r\n").dropFirst()
                    .joined(separator: "\r\n\r\n")
                var aged = body.replacing(/"timestamp":"0x([0-9a-f]+)"/) { match in
                    let time = UInt64(match.1, radix: 16) ?? day
                    return "\"timestamp\":\"0x\(String(time - day, radix: 16))\""
                }
                if isBehind {
                    aged = aged.replacing(/"number":"0x([0-9a-f]+)"/) { match in
                        let number = UInt64(match.1, radix: 16) ?? 1
                        return "\"number\":\"0x\(String(number - min(number, 1), radix: 16))\""
                    }
                }
                connection.write(
                    ScriptedAnswer(headers: ["Content-Type: application/json"], body: aged).bytes
                )
            }
        }
    }

    /// A sandbox that the commands know as any network, by an old node, a fresh one, or both.
    private func elsewhere(
        isBehind: Bool = false,
        _ body: (_ trader: FaultTrader, _ old: Interposer, _ fresh: Interposer) async throws -> Void
    ) async throws {
        try await host.withSandbox { sandbox in
            let data = try await host.run("network", "list", "--json").json()["data"]
            let network = try #require(
                data?["networks"]?.arrayValue?.first { $0["name"] == "sandbox" }
            )
            let exchange = try #require(network["exchange"]?.stringValue)
            let weth = try #require(network["weth"]?.stringValue)
            let relay = try #require(network["relay"]?.stringValue)
            try dex.write(
                config: """
                    network = "elsewhere"
                    [networks.elsewhere]
                    chain_id = 1337
                    protocol = "v1"
                    exchange = "\(exchange)"
                    weth = "\(weth)"
                    relay = "\(relay)"
                    block_time = 1
                    freshness = 60
                    """
            )
            try await body(
                try await sandbox.traders(0..<1)[0],
                try Self.old(before: sandbox.rpc, isBehind: isBehind),
                try Interposer(before: sandbox.rpc) { _, _ in .pass }
            )
        }
    }

    private func run(
        _ words: [String],
        by trader: FaultTrader,
        at nodes: [Interposer]
    ) async throws -> DexBinary.Run {
        try await dex.run(
            words + nodes.flatMap { ["--rpc", $0.url] },
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
    }

    private static let send = [
        "send", "ETH", "0.001", "0x00000000000000000000000000000000000000e1",
    ]
    private static let buy = ["market-buy", "--via", "book", "ZRX/WETH", "0.1"]

    @Test("its state is marked in every mode, and nothing is signed on it without the flag")
    func alone() async throws {
        try await elsewhere { trader, old, _ in
            for words in [["balance"], ["price", "ZRX/WETH"]] {
                for flags in [[], ["-q"]] {
                    let run = try await run(words + flags, by: trader, at: [old])
                    #expect(run.status == 0, "\(run.stderr)")
                    #expect(run.stderr.contains("too old"), "\(words + flags): \(run.stderr)")
                }
                let run = try await run(words + ["--json"], by: trader, at: [old])
                let json = try run.json()
                let age = json["stale"]?["age"]?.numberText.flatMap { UInt64($0) }
                #expect((Self.day - 60...Self.day + 3_600).contains(age ?? 0), "\(run.stdout)")
                #expect(
                    json["warnings"]?.arrayValue?.contains {
                        $0.stringValue?.contains("too old") == true
                    } == true
                )
            }
            for words in [Self.send, Self.buy] {
                for flags in [["--yes", "--json"], ["--yes"]] {
                    let run = try await run(words + flags, by: trader, at: [old])
                    #expect(run.status == 6, "\(words + flags): \(run.stdout) \(run.stderr)")
                    #expect(run.stderr.contains("old"), "\(words + flags): \(run.stderr)")
                    guard flags.contains("--json") else { continue }
                    #expect(try run.json()["error"]?["code"] == "stale-chain")
                    #expect(try run.json()["stale"] != nil)
                }
            }
            #expect(!old.methods.contains("eth_sendRawTransaction"))
            let log = dex.home.appending(path: "audit.jsonl").path
            #expect(!FileManager.default.fileExists(atPath: log))
            let allowed = try await run(
                Self.send + ["--yes", "--json", "--allow-stale"],
                by: trader,
                at: [old]
            )
            #expect(allowed.status == 0, "\(allowed.stdout) \(allowed.stderr)")
            #expect(old.methods.contains("eth_sendRawTransaction"))
        }
    }

    @Test("a second node that is fresh answers instead, wherever it stands in the list")
    func besideFresh() async throws {
        try await elsewhere(isBehind: true) { trader, old, fresh in
            for nodes in [[old, fresh], [fresh, old]] {
                for words in [["balance"], ["price", "ZRX/WETH"]] {
                    let run = try await run(words + ["--json"], by: trader, at: nodes)
                    #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
                    #expect(try run.json()["stale"] == nil, "\(run.stdout)")
                }
                for words in [Self.send, Self.buy] {
                    let run = try await run(
                        words
                            + ["--yes", "--json", "--approve", "unlimited"].prefix(
                                words == Self.buy ? 4 : 2
                            ),
                        by: trader,
                        at: nodes
                    )
                    #expect(run.status == 0, "\(words): \(run.stdout) \(run.stderr)")
                    #expect(try run.json()["stale"] == nil)
                }
            }
            #expect(fresh.methods.contains("eth_sendRawTransaction"))
        }
    }

    @Test("pictures, and what is watched, have the mark")
    func pictures() async throws {
        try await elsewhere { trader, old, _ in
            let picture = dex.home.appending(path: "book.svg").path
            let book = try await run(
                ["orderbook", "ZRX/WETH", "--snapshot", picture],
                by: trader,
                at: [old]
            )
            #expect(book.status == 0, "\(book.stderr)")
            #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("OLD"))
            let chart = dex.home.appending(path: "chart.svg").path
            let drawn = try await run(["chart", "ZRX/WETH", "--svg", chart], by: trader, at: [old])
            #expect(drawn.status == 0, "\(drawn.stderr)")
            #expect(try String(contentsOfFile: chart, encoding: .utf8).contains("OLD STATE."))
            let watch = try await run(["watch", "--once"], by: trader, at: [old])
            #expect(watch.stderr.contains("OLD STATE."), "\(watch.stdout) \(watch.stderr)")
            let lines = try await run(["watch", "--once", "--json"], by: trader, at: [old])
            #expect(lines.stdout.contains("\"status\":\"stale\""), "\(lines.stdout)")
            #expect(lines.stdout.contains("\"stale\":{"), "\(lines.stdout)")
        }
    }
}
