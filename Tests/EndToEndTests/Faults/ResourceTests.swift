import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// The built binary against relays and nodes that send little and mean much.
///
/// Each run may have 1.5 GiB of addresses and no more: without a bound of its own it ends with a
/// trap instead of a sentence.
@Suite("Relays and nodes that want all the memory")
struct ResourceTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func run(_ arguments: [String]) async throws -> DexBinary.Run {
        try await dex.run(
            arguments,
            environment: [:],
            under: ["/bin/sh", "-c", #"ulimit -v 1572864 && exec "$0" "$@""#],
            program: DexBinary.executable.path
        )
    }

    private func check(_ run: DexBinary.Run, _ words: String) throws {
        #expect(run.status == 4, "\(run.status) \(run.stderr.prefix(500))")
        let error = try #require(try run.json()["error"])
        let message = try #require(error["message"]?.stringValue)
        #expect(message.contains(words), "\(message)")
        #expect(message.count < 400 && message.hasSuffix("."))
    }

    /// Answers every request for a book with the same compressed bytes, and says how many it sent.
    private func relay(
        _ sandbox: TestSandbox,
        _ body: [UInt8]
    ) throws -> (relay: Interposer, sent: @Sendable () -> Int) {
        let sent = Mutex(0)
        let relay = try Interposer(before: sandbox.relay) { request, _ in
            guard request.target.contains("/order") else { return .pass }
            return .take { connection in
                var answer = ScriptedAnswer(
                    headers: ["Content-Type: application/json", "Content-Encoding: gzip"]
                )
                answer.body = body
                sent.withLock { $0 += body.count }
                connection.write(answer.bytes)
            }
        }
        return (relay, { sent.withLock { $0 } })
    }

    @Test("compressed pages of nothing end with 4 and a sentence, in little memory")
    func pagesOfNothing() async throws {
        try await dex.withSandbox { sandbox in
            for (count, words) in [
                (1_000_000, "values"), (20_000, "entries where 100 were asked for"),
                (900, "can be read"),
            ] {
                let bomb = GzipBomb.text(#"{"bids":["#, "{},", times: count, #"{}],"asks":[]}"#)
                let (relay, sent) = try relay(sandbox, bomb)
                let options = ["--json", "--relay", "\(relay.url)/v0"]
                try check(try await run(["orderbook", "ZRX/WETH"] + options), words)
                #expect(sent() < 1 << 20)
            }
        }
    }

    @Test("a compressed answer that never ends, of a relay or a node, ends with 4")
    func endless() async throws {
        try await dex.withSandbox { sandbox in
            let bomb = GzipBomb.text("[", "[],", times: 12 << 20, "[]]")
            let (relay, _) = try relay(sandbox, bomb)
            let command = ["orderbook", "ZRX/WETH", "--json"]
            try check(try await run(command + ["--relay", "\(relay.url)/v0"]), "larger than")
            let node = try Interposer(before: sandbox.rpc) { _, _ in
                .take { connection in
                    var answer = ScriptedAnswer(
                        headers: ["Content-Type: application/json", "Content-Encoding: gzip"]
                    )
                    answer.body = bomb
                    connection.write(answer.bytes)
                }
            }
            try check(try await run(command + ["--rpc", node.url]), "larger than")
        }
    }
}
